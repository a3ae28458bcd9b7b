"""The paid call: one Invoke of the test runner, and what its answers mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from idpbench.stack.client import Caller, InDoubt, busy, why
from idpbench.stack.contract import RUN_ID_PATTERN, context_of


@dataclass(frozen=True)
class Order:
    """What one launch asks for; `files` documents of the test set, all of them."""

    key: str
    repeat: int
    testset: str
    config_name: str
    files: int


class Rejected(Exception):
    """The test runner said no: no run was started, and the text says why. `busy`: it was asked too often for long."""

    def __init__(self, text: str, *, busy: bool = False) -> None:
        super().__init__(text)
        self.busy = busy


class Failed(InDoubt):
    """The test runner itself failed: nothing is under way any more, but it may have written its run before."""


def payload(order: Order) -> dict[str, Any]:
    """The test runner's event."""
    return {
        "arguments": {
            "input": {
                "testSetId": order.testset,
                "configVersion": order.config_name,
                "numberOfFiles": order.files,
                "context": context_of(order.key, order.repeat),
            }
        }
    }


def invoke(client: Caller, function: str, order: Order) -> str:
    """Start a run and return its id.

    Rejected when the runner refused; InDoubt when a run may have been started although no id came back (a lost answer,
    a crash of the function after it wrote): the caller then looks for the run's context on the stack.
    """
    try:
        answer = client.call(
            "lambda",
            "invoke",
            once=True,
            FunctionName=function,
            InvocationType="RequestResponse",
            Payload=json.dumps(payload(order)).encode("utf-8"),
        )
    except ClientError as error:
        raise Rejected(why(error), busy=busy(error)) from error
    body = answer["Payload"].read()
    if answer.get("FunctionError"):
        raise Failed(f"the test runner failed: {_error_text(body)}")
    try:
        run_id = json.loads(body)["testRunId"]
    except (ValueError, KeyError, TypeError):
        raise InDoubt(f"the test runner answered {body[:200]!r}") from None
    if not isinstance(run_id, str) or not RUN_ID_PATTERN.fullmatch(run_id):
        raise InDoubt(f"the test runner answered with the run id {run_id!r}")
    return run_id


def _error_text(body: bytes) -> str:
    try:
        told = json.loads(body)
        return f"{told.get('errorType', 'error')}: {told.get('errorMessage', '')}"[:500]
    except (ValueError, AttributeError):
        return repr(body[:200])
