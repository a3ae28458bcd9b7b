"""docs/iam-policy.json allows what a landing calls, all of it, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import pytest
from awsworld import NEIGHBOUR, STACK, Calls, Ended, Pair, World
from motoaccount import REGION, ROOT

from idpbench.files.errors import Refusal
from idpbench.stack.ensure import TAG

POLICY: list[dict[str, Any]] = json.loads((ROOT / "docs" / "iam-policy.json").read_bytes())["Statement"]
# Calls whose permission has another name than the call, or that AWS asks for more than one
NAMED = {
    "s3:ListObjectsV2": {"s3:ListBucket"},
    "s3:HeadObject": {"s3:GetObject", "s3:ListBucket"},  # without the latter a missing object is 403, not 404
    "s3:GetObject": {"s3:GetObject", "kms:Decrypt"},
    "s3:PutObject": {"s3:PutObject", "kms:GenerateDataKey"},
    "lambda:Invoke": {"lambda:InvokeFunction"},
    "cloudformation:CreateStack": {"cloudformation:CreateStack", "cloudformation:TagResource"},
}


@pytest.fixture(scope="module")
def calls(ended: Ended) -> Calls:
    """Every call of a life: creation, upgrade, runs, a neighbour found in the middle of a change, deletion."""
    interrupt(ended.pair.world)
    return ended.pair.world.calls


def interrupt(world: World) -> None:
    """Somebody else's update of the neighbour, met at the start of a landing."""
    change = {"looks": 9, "kind": "UPDATE", "updated": "2026-10-01T00:00:00+00:00", "token": "Console-UpdateStack-1"}
    world.account.changes[NEIGHBOUR] = change
    with pytest.raises(Refusal, match="it is UPDATE_IN_PROGRESS, which this tool did not begin"):
        world.land(world.side("0.6.8", NEIGHBOUR, build="b2"), "--confirm")
    del world.account.changes[NEIGHBOUR]


def needed(operation: str) -> set[str]:
    return NAMED.get(operation, {operation})


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def allowed() -> set[str]:
    return {action for statement in POLICY for action in listed(statement["Action"])}


def permits(action: str, resource: str) -> bool:
    """Whether a statement allows the action on the resource, with the stack's name put in as docs/aws.md says."""
    for statement in POLICY:
        if action in listed(statement["Action"]):
            for pattern in listed(statement["Resource"]):
                name = STACK.lower() if pattern.startswith("arn:aws:s3:") else STACK
                if fnmatchcase(resource, pattern.replace("idpbench-*", f"{name}*")):
                    return True
    return False


def resources(service: str, operation: str, given: Mapping[str, Any], account: str) -> Iterator[tuple[str, str]]:
    """(action, ARN) pairs that AWS checks for a call; the key's are left out, whose ARN no name gives."""
    actions = {action for action in needed(f"{service}:{operation}") if not action.startswith("kms:")}
    place = f"{REGION}:{account}"
    for action in actions:
        if service == "s3":
            whole = f"arn:aws:s3:::{given['Bucket']}"
            yield action, whole if action == "s3:ListBucket" else f"{whole}/{given['Key']}"
        elif service == "dynamodb":
            for table in given.get("RequestItems") or [given["TableName"]]:
                index = f"/index/{given['IndexName']}" if "IndexName" in given else ""
                yield action, f"arn:aws:dynamodb:{place}:table/{table}{index}"
        elif service == "lambda":
            yield action, f"arn:aws:lambda:{place}:function:{given['FunctionName']}"
        elif "StackName" in given:
            name = given["StackName"]
            yield action, name if name.startswith("arn:") else f"arn:aws:cloudformation:{place}:stack/{name}/0-1-2"
        else:
            yield action, "*"


def test_the_policy_allows_what_is_called_and_nothing_else(calls: Calls) -> None:
    asked = set().union(*(needed(operation) for operation in calls.operations()))
    assert asked == allowed()


def test_every_call_is_allowed_on_the_resource_that_it_names(calls: Calls, pair: Pair) -> None:
    refused = {
        (action, resource)
        for service, operation, given in calls.made
        for action, resource in resources(service, operation, given, pair.world.account.number)
        if not permits(action, resource)
    }
    assert refused == set()


def test_the_flow_makes_every_call_that_the_code_can_make(calls: Calls) -> None:
    written = set(source_calls())
    assert {f"{service}:{_snake(operation)}" for service, operation, _ in calls.made} == written


def test_nothing_is_allowed_on_look_alikes() -> None:
    place = f"{REGION}:123456789012"
    for action, resource in (
        ("dynamodb:PutItem", f"arn:aws:dynamodb:{place}:table/{STACK}-DiscoveryTrackingTable-X"),
        ("dynamodb:PutItem", f"arn:aws:dynamodb:{place}:table/OTHER-TrackingTable-X"),
        ("dynamodb:Query", f"arn:aws:dynamodb:{place}:table/{STACK}-TrackingTable-X"),
        ("s3:PutObject", f"arn:aws:s3:::{STACK.lower()}-outputbucket-x/key"),
        ("s3:GetObject", f"arn:aws:s3:::{STACK.lower()}-inputbucket-x/key"),
        ("lambda:InvokeFunction", f"arn:aws:lambda:{place}:function:{STACK}-TestFileCopierFunction-X"),
    ):
        assert not permits(action, resource), resource


def test_nothing_is_allowed_by_a_wildcard_but_reading_a_template() -> None:
    assert not [action for action in allowed() if "*" in action]
    everywhere = [action for one in POLICY for action in listed(one["Action"]) if "*" in listed(one["Resource"])]
    assert everywhere == ["cloudformation:GetTemplateSummary"]


def test_only_a_stack_with_our_tag_can_be_created_or_deleted() -> None:
    conditions = {
        action: statement.get("Condition", {}).get("StringEquals", {})
        for statement in POLICY
        for action in listed(statement["Action"])
    }
    assert conditions["cloudformation:CreateStack"] == {f"aws:RequestTag/{TAG['Key']}": TAG["Value"]}
    assert conditions["cloudformation:DeleteStack"] == {f"aws:ResourceTag/{TAG['Key']}": TAG["Value"]}


def source_calls() -> Iterable[str]:
    """`service:operation` of every call that stands in the sources of room `stack`."""
    written = re.compile(r"\.(?:call|pages)\(\s*\"([a-z0-9]+)\",\s*\"([a-z0-9_]+)\"")
    for path in (ROOT / "scripts" / "idpbench" / "stack").glob("*.py"):
        yield from (f"{service}:{operation}" for service, operation in written.findall(path.read_text("utf-8")))
    changes = (ROOT / "scripts" / "idpbench" / "stack" / "ensure.py").read_text("utf-8")
    yield from (f"cloudformation:{name}" for name in re.findall(r"_change\(client, \"([a-z_]+)\"", changes))
    yield from ("dynamodb:query", "lambda:invoke")  # named apart from their service in lookup.py and launch.py


def _snake(operation: str) -> str:
    """`ListObjectsV2` as boto3 spells it: `list_objects_v2`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()
