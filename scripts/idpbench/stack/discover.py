"""Find a stack's tables, buckets and functions by what the stack itself lists, never by a part of a name.

Look-alikes exist (`DiscoveryTrackingTable`, a stack `IDP10` beside `IDP1`, more than a hundred tables), so names are
taken from the outputs and the resources of exactly this stack and of the stacks nested in it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from idpbench.files.errors import INCOMPLETE, Refusal, nearest
from idpbench.stack.client import Caller
from idpbench.stack.fingerprint import describe, outputs_of

NESTED = "AWS::CloudFormation::Stack"
# Where the test runner lives: releases from 0.6, then 0.5; any other nested stack last.
RESOLVER_STACKS = ("APIRESOLVERSTACK", "APPSYNCSTACK")
BUCKETS = {
    "input_bucket": "InputBucket",
    "output_bucket": "OutputBucket",
    "testset_bucket": "TestSetBucket",
    "baseline_bucket": "EvaluationBaselineBucket",
}


@dataclass(frozen=True)
class Resources:
    """Physical names; `test_set_resolver` and the buckets only needed by the stack itself may be null."""

    stack: str
    tracking_table: str
    config_table: str
    output_bucket: str
    testset_bucket: str
    test_runner: str
    input_bucket: str | None = None
    baseline_bucket: str | None = None
    test_set_resolver: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def discover(client: Caller, stack: str) -> Resources:
    """The resources of a stack; whatever is missing is named in one Refusal."""
    described = describe(client, stack)
    if described is None:
        raise Refusal(f"stack {stack}: there is none in {client.region}; check stack= and region=", INCOMPLETE)
    outputs = outputs_of(described)
    own = _resources(client, stack)
    names: dict[str, str | None] = {
        "tracking_table": _physical(own, "TrackingTable"),
        "config_table": _physical(own, "ConfigurationTable"),
    }
    for name, logical in BUCKETS.items():
        names[name] = outputs.get(f"S3{logical}Name") or _physical(own, logical)
    names |= _functions(client, own)
    missing = sorted(
        name for name in Resources.__dataclass_fields__ if name != "stack" and _needed(name) and not names.get(name)
    )
    if missing:
        listed = nearest(missing[0].replace("_", ""), own)
        raise Refusal(f"stack {stack}: no {', '.join(missing)} among its outputs and resources ({listed})", INCOMPLETE)
    return Resources(stack=stack, **names)  # type: ignore[arg-type]


def _needed(name: str) -> bool:
    return name not in ("input_bucket", "baseline_bucket", "test_set_resolver")


def _resources(client: Caller, stack: str) -> dict[str, tuple[str, str | None]]:
    """Logical id -> (type, physical id) of a stack's resources, all pages."""
    return {
        entry["LogicalResourceId"]: (entry["ResourceType"], entry.get("PhysicalResourceId"))
        for entry in client.pages("cloudformation", "list_stack_resources", StackName=stack)
        if entry.get("ResourceStatus") != "DELETE_COMPLETE"
    }


def _physical(resources: dict[str, tuple[str, str | None]], logical: str) -> str | None:
    return resources[logical][1] if logical in resources else None


def _functions(client: Caller, own: dict[str, tuple[str, str | None]]) -> dict[str, str | None]:
    """The test runner, and the resolver of test sets, in this stack or in one nested in it."""
    wanted = {"test_runner": "TestRunnerFunction", "test_set_resolver": "TestSetResolverFunction"}
    found = {name: _physical(own, logical) for name, logical in wanted.items()}
    nested = {logical: physical for logical, (kind, physical) in own.items() if kind == NESTED and physical}
    order = sorted(
        nested,
        key=lambda logical: RESOLVER_STACKS.index(logical) if logical in RESOLVER_STACKS else len(RESOLVER_STACKS),
    )
    for logical in order:
        if found["test_runner"]:
            break
        inner = _resources(client, str(nested[logical]))
        for name, function in wanted.items():
            found[name] = found[name] or _physical(inner, function)
    return found
