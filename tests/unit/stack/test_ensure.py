"""The stack's version is read, changed only when asked to, and never under runs in flight."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack, aws_error

from idpbench.files.errors import Refusal
from idpbench.stack.deployment import Deployment
from idpbench.stack.ensure import TAG, TOKEN, Patience, ensure, landing_lock, tear_down

SOON = Patience(change=0.05, drain=0.05, interval=0.005)
OURS, THEIRS = TOKEN + "1", "Console-UpdateStack-1"


class Deployable(FakeStack):
    """A stack that CloudFormation calls change; `looks`: DescribeStacks answers until a change is through."""

    looks: int = 2
    outcome: str = "UPDATE_COMPLETE"
    wanted: str | None = None
    sent: list[dict[str, Any]]
    token: str | None = None  # of the newest change
    offers: str | None = None  # version that the template names; None: the one in its address

    def _describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803 (boto3's spelling)
        if not self.fingerprint:
            raise aws_error("ValidationError", 400, f"Stack with id {StackName} does not exist")
        if self.wanted is not None:
            self.looks -= 1
            if self.looks <= 0:
                good = self.outcome == "UPDATE_COMPLETE"
                self.fingerprint["StackStatus"] = self.outcome
                if good:
                    self.fingerprint["Description"] = f"Accelerator (v{self.wanted})"
                self.wanted = None
        return super()._describe_stacks(StackName)

    def _change(self, **parameters: Any) -> dict[str, Any]:
        self.sent.append(parameters)
        self.token = parameters["ClientRequestToken"]
        self.wanted = parameters["TemplateURL"].removeprefix("https://x/").removesuffix(".yaml")
        self.fingerprint.setdefault("Description", "being made")
        self.fingerprint["StackStatus"] = "UPDATE_IN_PROGRESS"
        return {}

    _update_stack = _create_stack = _change

    def _get_template_summary(self, TemplateURL: str) -> dict[str, Any]:  # noqa: N803
        version = self.offers or TemplateURL.removeprefix("https://x/").removesuffix(".yaml")
        parameters = [{"ParameterKey": "AdminEmail"}, {"ParameterKey": "New"}]
        return {"Description": f"Accelerator (v{version})", "Parameters": parameters}

    def _describe_stack_events(self, **_: Any) -> dict[str, Any]:
        failed = {"LogicalResourceId": "Queue", "ResourceStatus": "CREATE_FAILED", "ResourceStatusReason": "limit"}
        return {"StackEvents": [failed | ({"ClientRequestToken": self.token} if self.token else {})]}


def stack_at(version: str | None) -> Deployable:
    stack = Deployable()
    stack.sent = []
    stack.fingerprint = {}
    if version is not None:
        stack.fingerprint = {"StackStatus": "CREATE_COMPLETE", "Description": f"Accelerator (v{version})"}
    return stack


def template(version: str) -> Deployment:
    return Deployment(template_url=f"https://x/{version}.yaml")


def idle() -> list[str]:
    return []


def go(stack: Deployable, version: str, how: Callable[[str], Deployment | None] = template, runs: Any = idle) -> Any:
    return ensure(stack, "IDP", version, how, runs, SOON)


def test_a_stack_at_the_version_is_left_alone() -> None:
    stack = stack_at("0.6.9")
    assert go(stack, "0.6.9", lambda version: pytest.fail("asked how to deploy")).version == "0.6.9"
    assert stack.sent == []


@pytest.mark.parametrize(
    ("before", "operation"), [(None, "create_stack"), ("0.6.8", "update_stack"), ("0.7.0", "update_stack")]
)
def test_it_is_created_upgraded_or_brought_back(before: str | None, operation: str) -> None:
    stack = stack_at(before)
    assert go(stack, "0.6.9").version == "0.6.9"
    assert stack.calls[f"cloudformation.{operation}"] == len(stack.sent) == 1
    assert stack.sent[0].get("Tags") == ([TAG] if before is None else None), "only what we create is ours to delete"


def test_an_update_keeps_the_parameters_that_the_template_still_has() -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["Parameters"] = [{"ParameterKey": "AdminEmail"}, {"ParameterKey": "Gone"}]
    go(stack, "0.6.9")
    assert stack.sent[0]["Parameters"] == [{"ParameterKey": "AdminEmail", "UsePreviousValue": True}]


@pytest.mark.parametrize("before", [None, "0.6.8"])
def test_without_a_template_another_version_is_refused(before: str | None) -> None:
    stack = stack_at(before)
    with pytest.raises(Refusal, match=r"expected version 0\.6\.9; deploy it, or pass template="):
        go(stack, "0.6.9", lambda version: None)
    assert stack.sent == []


def test_its_version_is_not_changed_under_runs_in_flight() -> None:
    stack = stack_at("0.6.8")
    with pytest.raises(Refusal, match=r"2 runs are in flight \(run-1, run-2"):
        go(stack, "0.6.9", runs=lambda: ["run-1", "run-2"])
    assert stack.sent == []


def test_runs_in_flight_are_waited_for() -> None:
    stack = stack_at("0.6.8")
    left = [["run-1"], ["run-1"], []]
    assert go(stack, "0.6.9", runs=lambda: left.pop(0)).version == "0.6.9"
    assert left == []


@pytest.mark.parametrize("token", [THEIRS, None])
def test_nothing_begins_while_somebody_else_changes_the_stack(token: str | None) -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["StackStatus"], stack.token = "UPDATE_IN_PROGRESS", token
    with pytest.raises(Refusal, match="it is UPDATE_IN_PROGRESS, which this tool did not begin") as refused:
        go(stack, "0.6.9")
    assert refused.value.exit_code == 3
    assert stack.sent == []
    with pytest.raises(Refusal, match="which this tool did not begin"):
        tear_down(stack, "IDP", idle, SOON)


def test_a_change_of_ours_that_was_interrupted_is_waited_for_and_then_judged() -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["StackStatus"], stack.token = "UPDATE_IN_PROGRESS", OURS
    stack.wanted = "0.6.9"
    assert go(stack, "0.6.9").version == "0.6.9"
    assert stack.sent == []


def test_where_there_is_patience_with_others_their_change_is_waited_for() -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["StackStatus"], stack.token, stack.wanted = "UPDATE_IN_PROGRESS", THEIRS, "0.6.9"
    patient = Patience(change=1.0, drain=1.0, interval=0.005, foreign=1.0)
    assert ensure(stack, "IDP", "0.6.9", template, idle, patient).version == "0.6.9"
    assert stack.sent == []


def test_where_events_may_not_be_read_a_change_is_taken_for_somebody_elses() -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["StackStatus"] = "UPDATE_IN_PROGRESS"

    def deny(**_: Any) -> Any:
        raise aws_error("AccessDenied", 403)

    stack.steps["cloudformation.describe_stack_events"] = deny
    with pytest.raises(Refusal, match="which this tool did not begin"):
        go(stack, "0.6.9")


def test_an_update_that_never_ends_is_given_up_with_its_status() -> None:
    stack = stack_at("0.6.8")
    stack.looks = 10**9
    with pytest.raises(Refusal, match="still UPDATE_IN_PROGRESS"):
        go(stack, "0.6.9")


def test_every_change_has_a_token_of_its_own_so_that_a_repeated_request_is_one_request() -> None:
    tokens = set()
    for _ in range(2):
        stack = stack_at("0.6.8")
        go(stack, "0.6.9")
        tokens.add(stack.sent[0]["ClientRequestToken"])
    assert len(tokens) == 2 and all(token.startswith(TOKEN) and len(token) <= 128 for token in tokens)


def test_a_template_of_another_release_is_refused_before_anything_changes() -> None:
    stack = stack_at("0.6.8")
    stack.offers = "0.6.7"
    with pytest.raises(Refusal, match=r"Description: found version 0\.6\.7, expected version 0\.6\.9.*not changed"):
        go(stack, "0.6.9")
    assert stack.sent == []


def test_parameters_go_along_and_unknown_ones_are_refused_before_anything_changes() -> None:
    stack = stack_at("0.6.8")
    stack.fingerprint["Parameters"] = [{"ParameterKey": "AdminEmail"}, {"ParameterKey": "New"}]
    go(stack, "0.6.9", lambda version: Deployment(f"https://x/{version}.yaml", parameters={"New": "1"}))
    assert stack.sent[0]["Parameters"] == [
        {"ParameterKey": "New", "ParameterValue": "1"},
        {"ParameterKey": "AdminEmail", "UsePreviousValue": True},
    ]
    fresh = stack_at(None)
    with pytest.raises(Refusal, match=r"stack_parameters: found Nwe, expected parameters of the template of 0\.6\.9"):
        go(fresh, "0.6.9", lambda version: Deployment(f"https://x/{version}.yaml", parameters={"Nwe": "1"}))
    assert fresh.sent == []


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "CREATE_FAILED", "DELETE_FAILED"])
def test_a_stack_that_can_only_be_deleted_is_left_to_its_owner(status: str) -> None:
    stack = stack_at("0.6.9")
    stack.fingerprint["StackStatus"] = status
    with pytest.raises(Refusal, match=rf"it is {status} \(Queue: limit\), which CloudFormation does not update"):
        go(stack, "0.6.9")
    assert stack.sent == []


def test_an_update_that_fails_tells_why() -> None:
    stack = stack_at("0.6.8")
    stack.outcome = "UPDATE_ROLLBACK_COMPLETE"
    with pytest.raises(
        Refusal, match=r"UPDATE_ROLLBACK_COMPLETE at version 0\.6\.8 \(Queue: limit\); nothing was launched"
    ):
        go(stack, "0.6.9")


def test_an_update_that_is_refused_tells_why() -> None:
    stack = stack_at("0.6.8")

    def refuse(**_: Any) -> Any:
        raise aws_error("ValidationError", 400, "Template error: no such function")

    stack.steps["cloudformation.update_stack"] = refuse
    with pytest.raises(Refusal, match="update_stack was refused: ValidationError: Template error"):
        go(stack, "0.6.9")


def test_a_stack_that_we_did_not_create_is_never_deleted() -> None:
    stack = stack_at("0.6.9")
    for tags in ([], [{"Key": "idpbench", "Value": "mine"}], [{"Key": "owner", "Value": "created"}]):
        stack.fingerprint["Tags"] = tags
        with pytest.raises(Refusal, match="found no tag idpbench=created, expected a stack that this tool created"):
            tear_down(stack, "IDP", idle, SOON)
    assert stack.calls["cloudformation.delete_stack"] == 0


def test_a_stack_is_deleted_only_when_nothing_is_in_flight() -> None:
    stack = stack_at("0.6.9")
    stack.fingerprint["Tags"] = [{"Key": "team", "Value": "idp"}, TAG]

    def delete(**_: Any) -> dict[str, Any]:
        stack.fingerprint = {}
        return {}

    stack.steps["cloudformation.delete_stack"] = delete
    with pytest.raises(Refusal, match="1 runs are in flight"):
        tear_down(stack, "IDP", lambda: ["run-1"], SOON)
    assert stack.calls["cloudformation.delete_stack"] == 0
    assert tear_down(stack, "IDP", idle, SOON) is True
    assert tear_down(stack, "IDP", idle, SOON) is False


def test_a_stack_that_cannot_be_deleted_tells_why() -> None:
    stack = stack_at("0.6.9")
    stack.fingerprint["Tags"] = [TAG]

    def fail(**_: Any) -> dict[str, Any]:
        stack.fingerprint["StackStatus"] = "DELETE_FAILED"
        return {}

    stack.steps["cloudformation.delete_stack"] = fail
    with pytest.raises(Refusal, match=r"DELETE_FAILED after deleting \(Queue: limit\)"):
        tear_down(stack, "IDP", idle, SOON)


def test_two_landings_do_not_share_a_journal(tmp_path: Path) -> None:
    with (
        landing_lock(tmp_path / "stack.lock", 0),
        pytest.raises(Refusal, match="process [0-9]+ is landing runs"),
        landing_lock(tmp_path / "stack.lock", 0),
    ):
        pytest.fail("the lock was given twice")
    with landing_lock(tmp_path / "stack.lock", 0):
        pass
