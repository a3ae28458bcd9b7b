"""What a deployed stack says of itself. Read before every launch and after every completion; never a stamp."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from idpbench.files import redact
from idpbench.files.canonical import bytes_digest, canonical
from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.stack.client import Caller, error_code, why

LOCAL_BUILD = "LocalBuild"
VERSION = re.compile(r"\(v([0-9][^)]*)\)")


@dataclass(frozen=True)
class Fingerprint:
    """Status, description and time of the last update (ISO, or null) as DescribeStacks gives them.

    `engine`: build of the code that serves the local stack, from its outputs; null on AWS. It is told, not compared:
    what of that code decides a result is in the run key.
    """

    status: str
    description: str
    updated: str | None
    engine: str | None = field(default=None, compare=False)

    @property
    def version(self) -> str | None:
        """The release in the description, null where it names none."""
        match = VERSION.search(self.description)
        return match[1] if match else None

    @property
    def changing(self) -> bool:
        """Whether somebody is creating, updating or deleting the stack right now."""
        return "IN_PROGRESS" in self.status

    def as_dict(self) -> dict[str, Any]:
        """As it stands in a run record."""
        return {**asdict(self), "version": self.version}


def from_dict(told: dict[str, Any]) -> Fingerprint:
    """The inverse of `as_dict`."""
    return Fingerprint(told["status"], told["description"], told["updated"], told.get("engine"))


def read(client: Caller, stack: str) -> Fingerprint | None:
    """The stack's fingerprint; None when there is no such stack. Other errors are raised."""
    described = describe(client, stack)
    if described is None or described["StackStatus"] == "DELETE_COMPLETE":
        return None
    updated = described.get("LastUpdatedTime")
    return Fingerprint(
        status=described["StackStatus"],
        description=described.get("Description", ""),
        updated=updated.isoformat() if updated is not None else None,
        engine=outputs_of(described).get(LOCAL_BUILD),
    )


def outputs_of(described: dict[str, Any]) -> dict[str, str]:
    """A stack's outputs by key."""
    return {entry["OutputKey"]: entry.get("OutputValue", "") for entry in described.get("Outputs", ())}


def describe(client: Caller, stack: str) -> dict[str, Any] | None:
    """The DescribeStacks entry of exactly this stack, None when there is none."""
    try:
        found = client.call("cloudformation", "describe_stacks", StackName=stack)["Stacks"]
    except ClientError as error:
        if error_code(error) == "ValidationError" and "does not exist" in str(error):
            return None
        raise
    return next((entry for entry in found if stack in (entry["StackName"], entry.get("StackId"))), None)


def require(client: Caller, stack: str) -> Fingerprint:
    """The fingerprint of a stack at rest; a missing or a changing one is a Refusal."""
    seen = read(client, stack)
    if seen is None:
        raise Refusal(
            f"stack {stack}: there is none in {client.region}; check stack= and region=, or deploy it", INCOMPLETE
        )
    if seen.changing:
        raise Refusal(
            f"stack {stack}: it is {seen.status}; wait until it is at rest, then repeat the command", INCOMPLETE
        )
    return seen


def look(client: Caller, stack: str) -> Fingerprint | str:
    """The fingerprint, or in words why it could not be read: while runs are in flight a failed look is only noted."""
    try:
        return read(client, stack) or "the stack is gone"
    except (ClientError, BotoCoreError) as error:
        return why(error)


def identity_of_stack(client: Caller, stack: str) -> dict[str, Any]:
    """Name, region, the account's label and the template's digest as the stack states them; null where it does not."""
    described = describe(client, stack) or {}
    account = str(described.get("StackId", "")).split(":")
    return {
        "name": stack,
        "region": client.region,
        "account": redact.account(account[4]) if len(account) > 5 else None,
        "template_digest": _template_digest(client, stack),
    }


def _template_digest(client: Caller, stack: str) -> str | None:
    try:
        body = client.call("cloudformation", "get_template", StackName=stack, TemplateStage="Original")["TemplateBody"]
    except (ClientError, BotoCoreError, KeyError):
        return None
    return bytes_digest(body.encode("utf-8") if isinstance(body, str) else canonical(body))
