"""Bring a stack to a release: create it, update it in place, or bring it back to an earlier one; then wait.

The version is always read from the stack, never from a file of ours. Nothing is changed while runs are in flight, or
while somebody else changes the stack. What we create carries a tag, and only what carries it is ever deleted.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Collection
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from botocore.exceptions import ClientError

from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.files.locks import hold, holder
from idpbench.stack import fingerprint
from idpbench.stack.client import Caller, error_code, why
from idpbench.stack.deployment import SOURCE, Deployment
from idpbench.stack.fingerprint import VERSION, Fingerprint

GOOD_ENDS = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE")
FOR_GOOD = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED", "REVIEW_IN_PROGRESS")
TAG = {"Key": "idpbench", "Value": "created"}  # on every stack that this tool created
TOKEN = "idpbench-"  # begins the request token of every change of ours, which the stack's events show
CAPABILITIES = ("CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND")


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds: for a change of the stack that is ours, for runs in flight before it, between two
    looks, for another landing in this folder, and for a change of the stack that somebody else began."""

    change: float = 3600.0
    drain: float = 1800.0
    interval: float = 10.0
    other: float = 86_400.0
    foreign: float = 0.0


@contextmanager
def landing_lock(path: Path, wait_s: float, say: Callable[[str], None] = lambda _: None) -> Any:
    """Hold the lock of a backend's landings in this folder: its journal has one writer, a stack one master.

    Another process that holds it, perhaps one left over from a killed command, is waited for, then refused by its pid.
    """
    stream: IO[str] | None = hold(path, wait_s=0.0)
    if stream is None and wait_s > 0:
        say(f"waiting for process {holder(path)}, which is landing runs")
        stream = hold(path, wait_s=wait_s)
    if stream is None:
        raise Refusal(f"process {holder(path)} is landing runs ({path}); wait for it", INCOMPLETE)
    try:
        yield stream
    finally:
        stream.close()


def ensure(
    client: Caller,
    stack: str,
    version: str,
    deployment: Callable[[str], Deployment | None],
    in_flight: Callable[[], Collection[str]],
    patience: Patience,
    say: Callable[[str], None] = lambda _: None,
) -> Fingerprint:
    """The fingerprint of `stack` at `version`, at rest. The caller holds `landing_lock`.

    `deployment(version)` tells how to get there, or None where this tool was not told to touch the stack: then another
    version, or none, is a Refusal. `in_flight()` names unfinished runs: they are waited for before any change. A change
    that somebody else began is a Refusal; one of ours that was interrupted is waited for.
    """
    seen = _at_rest(client, stack, patience, say)
    if seen is not None and seen.version == version and _good(seen):
        return seen
    found = "no such stack" if seen is None else f"version {seen.version} ({seen.status})"
    how = deployment(version)
    if how is None:
        raise Refusal(
            f"stack {stack}: found {found}, expected version {version};"
            " deploy it, or pass template= and confirm=true to have it deployed",
            INCOMPLETE,
        )
    if seen is not None and seen.status in FOR_GOOD:
        raise Refusal(
            f"stack {stack}: it is {seen.status}{_first_failure(client, stack)}, which CloudFormation does not update;"
            " delete it by hand, then run the same command again",
            INCOMPLETE,
        )
    template = _template(client, stack, how, version)
    _drain(in_flight, stack, patience, say)
    say(f"stack {stack}: {found}; deploying {version}")
    if seen is None:
        _change(client, "create_stack", stack, how, _given(how), Tags=[TAG])
    else:
        _change(client, "update_stack", stack, how, _kept(client, stack, how, template))
    after = _at_rest(client, stack, patience, say, ours=True)
    if after is None or after.version != version or not _good(after):
        state = "gone" if after is None else f"{after.status} at version {after.version}"
        raise Refusal(
            f"stack {stack}: after deploying {version} it is {state}{_first_failure(client, stack)};"
            " nothing was launched",
            INCOMPLETE,
        )
    return after


def tear_down(
    client: Caller,
    stack: str,
    in_flight: Callable[[], Collection[str]],
    patience: Patience,
    say: Callable[[str], None] = lambda _: None,
) -> bool:
    """Delete a stack of ours once nothing is in flight on it; False where there is none.

    One that this tool did not create, and one that stays, is a Refusal.
    """
    if _at_rest(client, stack, patience, say) is None:
        return False
    refuse_foreign(client, stack)
    _drain(in_flight, stack, patience, say)
    say(f"stack {stack}: deleting it, as asked")
    client.call("cloudformation", "delete_stack", StackName=stack, ClientRequestToken=_token())
    left = _at_rest(client, stack, patience, say, ours=True)
    if left is not None:
        raise Refusal(
            f"stack {stack}: it is {left.status} after deleting{_first_failure(client, stack)}; every run is landed;"
            " delete what is left by hand",
            INCOMPLETE,
        )
    return True


def created_by_us(client: Caller, stack: str) -> bool | None:
    """Whether the stack carries our tag; None where there is no such stack."""
    described = fingerprint.describe(client, stack)
    return None if described is None else TAG in described.get("Tags", ())


def refuse_foreign(client: Caller, stack: str) -> None:
    """Refuse to delete a stack that this tool did not create."""
    if created_by_us(client, stack) is False:
        raise bad_input(
            f"stack {stack}",
            "tags",
            f"no tag {TAG['Key']}={TAG['Value']}",
            "a stack that this tool created, since it deletes no other",
            "leave teardown out, and delete the stack by hand if it is to go",
        )


def _good(seen: Fingerprint) -> bool:
    return seen.status in GOOD_ENDS or seen.status == "UPDATE_ROLLBACK_COMPLETE"


def _at_rest(
    client: Caller, stack: str, patience: Patience, say: Callable[[str], None], ours: bool = False
) -> Fingerprint | None:
    """The stack's fingerprint once nobody changes it; `ours`: what is going on is known to be a change of ours."""
    began = time.monotonic()
    deadline = began + patience.change
    told = False
    while True:
        seen = fingerprint.read(client, stack)
        if seen is None or not seen.changing:
            return seen
        ours = ours or _changed_by_us(client, stack)
        if not ours and time.monotonic() - began >= patience.foreign:
            raise Refusal(
                f"stack {stack}: it is {seen.status}, which this tool did not begin; nothing was changed or launched;"
                " run the same command again when it is at rest",
                INCOMPLETE,
            )
        if time.monotonic() > deadline:
            raise Refusal(
                f"stack {stack}: still {seen.status} after {patience.change:.0f} s; look at its events", INCOMPLETE
            )
        if not told:
            say(f"stack {stack}: {seen.status}, waiting")
            told = True
        time.sleep(patience.interval)


def _drain(
    in_flight: Callable[[], Collection[str]], stack: str, patience: Patience, say: Callable[[str], None]
) -> None:
    deadline = time.monotonic() + patience.drain
    told = False
    while runs := in_flight():
        if time.monotonic() > deadline:
            named = ", ".join(sorted(runs)[:3])
            raise Refusal(
                f"stack {stack}: {len(runs)} runs are in flight ({named}, ...); its version is not changed under them;"
                " wait for them, or end them",
                INCOMPLETE,
            )
        if not told:
            say(f"stack {stack}: waiting for {len(runs)} runs in flight before its version changes")
            told = True
        time.sleep(patience.interval)


def _changed_by_us(client: Caller, stack: str) -> bool:
    """Whether the stack's newest event belongs to a request of ours."""
    try:
        newest = next(client.pages("cloudformation", "describe_stack_events", StackName=stack), {})
    except ClientError:
        return False
    return str(newest.get("ClientRequestToken", "")).startswith(TOKEN)


def _token() -> str:
    """A request token of ours: CloudFormation takes a repeated request with the same one for the same request."""
    return TOKEN + uuid.uuid4().hex


def _template(client: Caller, stack: str, how: Deployment, version: str) -> dict[str, Any]:
    """What CloudFormation says of the template; one of another release, or one that it refuses, is a Refusal."""
    try:
        summary = client.call("cloudformation", "get_template_summary", **how.source())
    except ClientError as error:
        raise Refusal(
            f"stack {stack}: the template cannot be used: {why(error)} ({how.template_url}); the stack was not changed",
            INCOMPLETE,
        ) from None
    found = VERSION.search(summary.get("Description", ""))
    if found is None or found[1] != version:
        raise bad_input(
            f"template {how.template_url}",
            "Description",
            f"version {found[1]}" if found else "no version",
            f"version {version}",
            "correct template=, or have the build write the version; the stack was not changed",
            INCOMPLETE,
        )
    unknown = sorted(set(how.parameters) - {entry["ParameterKey"] for entry in summary.get("Parameters", ())})
    if unknown:
        raise bad_input(
            SOURCE,
            "stack_parameters",
            ", ".join(unknown),
            f"parameters of the template of {version}",
            "leave them out; the stack was not changed",
        )
    return summary


def _given(how: Deployment) -> list[dict[str, Any]]:
    return [{"ParameterKey": name, "ParameterValue": value} for name, value in sorted(how.parameters.items())]


def _kept(client: Caller, stack: str, how: Deployment, template: dict[str, Any]) -> list[dict[str, Any]]:
    """Parameters given anew, and the stack's own for the rest of those that the template has."""
    described = fingerprint.describe(client, stack) or {}
    deployed = {entry["ParameterKey"] for entry in described.get("Parameters", ())} - set(how.parameters)
    known = {entry["ParameterKey"] for entry in template.get("Parameters", ())}
    return _given(how) + [{"ParameterKey": name, "UsePreviousValue": True} for name in sorted(deployed & known)]


def _change(
    client: Caller,
    operation: str,
    stack: str,
    how: Deployment,
    parameters: list[dict[str, Any]],
    **more: Any,
) -> None:
    try:
        client.call(
            "cloudformation",
            operation,
            StackName=stack,
            Parameters=parameters,
            Capabilities=list(CAPABILITIES),
            ClientRequestToken=_token(),
            **how.source(),
            **more,
        )
    except ClientError as error:
        if error_code(error) == "ValidationError" and "No updates" in str(error):
            return  # what it is then is read, and judged, by the caller
        if error_code(error) == "AlreadyExistsException":
            return  # a repeated request whose first answer was lost
        raise Refusal(
            f"stack {stack}: {operation} was refused: {why(error)}; nothing was launched", INCOMPLETE
        ) from None


def _first_failure(client: Caller, stack: str) -> str:
    """The first failure that the stack's events tell of, newest change only; `` when they tell none."""
    reason = ""
    try:
        for number, event in enumerate(client.pages("cloudformation", "describe_stack_events", StackName=stack)):
            if event.get("LogicalResourceId") == stack and event["ResourceStatus"].endswith(
                ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS")
            ):
                break
            if event["ResourceStatus"].endswith("FAILED") and event.get("ResourceStatusReason"):
                reason = f" ({event['LogicalResourceId']}: {event['ResourceStatusReason']})"
            if number > 2000:
                break
    except ClientError:
        return ""
    return reason
