"""Faults: each can be switched on, strikes as often as its rule says, and is gone when switched off."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from hypothesis import given
from hypothesis import strategies as st
from stackclient import Client, wait_until

from idpbench.files.errors import Refusal
from idpbench.localstack.faults import Faults, Rule, parse_rules


@pytest.fixture
def faulty(served: Client) -> Iterator[Client]:
    yield served
    served.local.set_faults([])
    wait_until(lambda: served.local.status()["in_flight"] == 0)


def switch_on(client: Client, **rule: Any) -> None:
    client.local.set_faults([rule])


def struck(client: Client) -> int:
    return sum(one["struck"] for one in client.local.fault_counts())


def ask(client: Client, service: str) -> None:
    """One request of a service, not repeated."""
    api = client.api(service, attempts=1)
    if service == "dynamodb":
        api.get_item(TableName=client.names["TrackingTable"], Key={"PK": {"S": "x"}, "SK": {"S": "y"}})
    elif service == "s3":
        api.list_buckets()
    elif service == "lambda":
        api.list_functions()
    else:
        api.describe_stacks(StackName="IDP")


@pytest.mark.parametrize(
    ("service", "code"),
    [
        ("dynamodb", "ThrottlingException"),
        ("s3", "SlowDown"),
        ("lambda", "TooManyRequestsException"),
        ("cloudformation", "Throttling"),
    ],
)
def test_throttling_speaks_each_service(faulty: Client, service: str, code: str) -> None:
    switch_on(faulty, fault="throttle", service=service, times=1)
    with pytest.raises(ClientError) as caught:
        ask(faulty, service)
    assert caught.value.response["Error"]["Code"] == code
    ask(faulty, service)


def test_errors_resets_and_slow_answers(faulty: Client) -> None:
    switch_on(faulty, fault="error", service="s3", operation="ListBuckets", status=503, times=1)
    with pytest.raises(ClientError, match="503|InternalError"):
        ask(faulty, "s3")
    switch_on(faulty, fault="reset", service="s3", times=1)
    with pytest.raises(BotoCoreError):
        ask(faulty, "s3")
    switch_on(faulty, fault="slow", service="s3", seconds=0.4, times=1)
    began = time.monotonic()
    ask(faulty, "s3")
    assert time.monotonic() - began >= 0.4


def test_an_answer_that_is_lost_leaves_the_run_started(faulty: Client) -> None:
    faulty.test_set("lost")
    before = len(faulty.local.log()["invokes"])
    switch_on(faulty, fault="reset", service="lambda", operation="Invoke", when="after", times=1)
    with pytest.raises(BotoCoreError):
        api = faulty.api("lambda", attempts=1)
        payload = '{"arguments": {"input": {"testSetId": "lost", "numberOfFiles": 1, "context": "in doubt"}}}'
        api.invoke(FunctionName=faulty.names["TestRunnerFunction"], Payload=payload)
    (invoke,) = faulty.local.log()["invokes"][before:]
    assert invoke["context"] == "in doubt"
    assert faulty.ended(invoke["run_id"])["ObjectStatus"] == "COMPLETED"


def test_an_undecryptable_object_is_listed_but_not_read(faulty: Client) -> None:
    faulty.test_set("locked")
    run = faulty.run("locked")
    faulty.ended(run)
    switch_on(faulty, fault="undecryptable", match=f"{run}/.*/sections/")
    assert "sections/1/result.json" in faulty.outputs(f"{run}/a.pdf/")
    with pytest.raises(ClientError) as caught:
        faulty.output(f"{run}/a.pdf/sections/1/result.json")
    assert caught.value.response["Error"]["Code"] == "KMS.KMSInvalidStateException"
    assert faulty.output(f"{run}/a.pdf/pages/1/result.json")["text"] == "first page"


@pytest.mark.parametrize(("fault", "status"), [("aborted", "ABORTED"), ("failed", "FAILED")])
def test_executions_that_end_without_a_result(faulty: Client, fault: str, status: str) -> None:
    faulty.test_set(fault)
    switch_on(faulty, fault=fault, match=f"^{fault}-")
    row = faulty.ended(faulty.run(fault))
    assert row["ObjectStatus"] == status and row["WorkflowStatus"] == status and "Metering" not in row


def test_a_lost_worker_leaves_its_row_as_it_was(faulty: Client) -> None:
    faulty.test_set("stuck")
    switch_on(faulty, fault="lost_worker", match="^stuck-")
    run = faulty.run("stuck")
    wait_until(lambda: struck(faulty) == 1)
    wait_until(lambda: faulty.local.status()["in_flight"] == 0)
    document = faulty.document(run)
    assert document is not None and document["ObjectStatus"] == "OCR" and document["WorkflowStatus"] == "RUNNING"


def test_a_crashed_worker_gets_the_document_again(faulty: Client) -> None:
    faulty.test_set("crash")
    switch_on(faulty, fault="worker_crash", match="^crash-", times=1)
    assert faulty.ended(faulty.run("crash"))["ObjectStatus"] == "COMPLETED"
    assert struck(faulty) == 1


def test_an_expired_row_is_gone_although_the_document_ended(faulty: Client) -> None:
    faulty.test_set("expired")
    switch_on(faulty, fault="expired_row", match="^expired-")
    run = faulty.run("expired")
    wait_until(lambda: faulty.test_run(run)["Status"] == "COMPLETE")
    assert faulty.document(run) is None
    assert "sections/1/result.json" in faulty.outputs(f"{run}/a.pdf/")


def test_a_failed_copy_ends_the_run(faulty: Client) -> None:
    faulty.test_set("uncopied")
    switch_on(faulty, fault="copy_failure", match="uncopied")
    run = faulty.run("uncopied")
    row = wait_until(lambda: (found := faulty.test_run(run))["Status"] == "FAILED" and found)
    assert "could not be copied" in row["Error"] and faulty.document(run) is None


def test_a_duplicate_run_id_is_the_one_of_the_launch_before(faulty: Client) -> None:
    faulty.test_set("again")
    first = faulty.run("again", context="first")
    faulty.ended(first)
    switch_on(faulty, fault="duplicate_run_id", match="again second", times=1)
    assert faulty.run("again", context="second") == first
    assert faulty.test_run(first)["Context"] == "second"
    assert faulty.run("again", context="second") != first


def test_a_configuration_edited_after_the_launch(faulty: Client) -> None:
    faulty.configuration("edited", marker="mine")
    faulty.test_set("edited")
    switch_on(faulty, fault="config_edited", match="edited", times=1)
    faulty.ended(faulty.run("edited", configVersion="edited"))
    row = faulty.table("ConfigurationTable").get_item(Key={"Configuration": "Config#edited"})["Item"]
    assert row["Description"] == "edited"


def test_a_stack_updated_under_a_run(faulty: Client) -> None:
    faulty.test_set("under")
    before = faulty.stack()
    switch_on(faulty, fault="update", match="^under-", version="0.6.8", times=1)
    faulty.ended(faulty.run("under"))
    after = faulty.stack()
    assert after["Description"].endswith("(v0.6.8)") and after.get("LastUpdatedTime") != before.get("LastUpdatedTime")
    faulty.local.set_faults([])
    faulty.settled()
    wait_until(lambda: faulty.local.status()["in_flight"] == 0)
    faulty.update("0.6.9")


@given(after=st.integers(0, 5), every=st.integers(1, 4), times=st.integers(0, 5) | st.none(), events=st.integers(0, 40))
def test_a_rule_strikes_by_count_alone(after: int, every: int, times: int | None, events: int) -> None:
    rule = Rule("throttle", after=after, every=every, times=times)
    struck = [number for number in range(events) if rule.strikes("text", "s3", "GetObject")]
    due = list(range(after, events, every))
    assert struck == (due if times is None else due[:times])


def test_a_rule_looks_only_at_its_own_events() -> None:
    rule = Rule("throttle", service="s3", operation="GetObject", match="^key")
    assert not rule.strikes("key", "dynamodb", "GetItem")
    assert not rule.strikes("key", "s3", "PutObject")
    assert not rule.strikes("other key", "s3", "GetObject")
    assert rule.strikes("key", "s3", "GetObject")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({}, "expected a list of rules"),
        ([{"fault": "throtle"}], "did you mean throttle"),
        ([{"fault": "throttle", "operatoin": "x"}], "did you mean operation"),
        (["throttle"], "expected a fault"),
    ],
)
def test_rules_that_are_wrong_are_refused(tmp_path: Path, rules: Any, message: str) -> None:
    with pytest.raises(Refusal, match=message):
        parse_rules(rules, tmp_path / "faults.json")
    assert Faults(tmp_path / "faults.json").counts() == []


@given(seed=st.integers(0, 10_000), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_a_share_is_drawn_the_same_every_time(seed: int, share: float) -> None:
    rule, again = Rule("error", share=share, seed=seed), Rule("error", share=share, seed=seed)
    struck = [rule.strikes("x", None, None) for _ in range(400)]
    assert struck == [again.strikes("x", None, None) for _ in range(400)]
    assert abs(sum(struck) / 400 - share) < 0.12
