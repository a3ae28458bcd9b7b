"""Polling asks for exact keys, a hundred a call, and ends for every way a run can end."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import FakeStack
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.stack.poll import Flight, Poll


def flight(number: int, files: int = 1, **more: Any) -> Flight:
    names = tuple(f"{n}.pdf" for n in range(files))
    return Flight(f"key{number}", f"run{number}", "2026-10-01T12:00:00+00:00", expected=names, **more)


def put(stack: FakeStack, number: int, status: str, file: int = 0, **more: str) -> None:
    attributes = {name: {"S": value} for name, value in {"ObjectStatus": status, **more}.items()}
    key = f"doc#run{number}/{file}.pdf"
    stack.rows[key, "none"] = {"PK": {"S": key}, **attributes}


def put_run(stack: FakeStack, number: int, **attributes: Any) -> None:
    key = f"testrun#run{number}"
    stack.rows[key, "metadata"] = {"PK": {"S": key}, **attributes}


@settings(max_examples=30, deadline=None)
@given(runs=st.integers(0, 350), seen=st.booleans(), cycles=st.integers(1, 4))
def test_a_cycle_costs_a_call_per_hundred_pending(runs: int, seen: bool, cycles: int) -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    for number in range(runs):
        poll.add(flight(number))
        if seen:
            put(stack, number, "RUNNING")
    for _ in range(cycles):
        stack.calls.clear()
        assert poll.cycle() == []
        assert stack.calls.total() <= runs // 100 + 1
        assert set(stack.calls) <= {"dynamodb.batch_get_item"}


def test_a_labelled_set_counts_its_pending_documents_only() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, files=120))
    for file in range(120):
        put(stack, 1, "COMPLETED" if file else "RUNNING", file)
    poll.cycle()
    stack.calls.clear()
    poll.cycle()
    assert stack.calls.total() == 1


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "ABORTED", "ERROR", "REDACTED_SUPERSEDED"])
def test_every_final_status_ends_a_run(status: str) -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1))
    put(stack, 1, "RUNNING")
    assert poll.cycle() == [] and len(poll) == 1
    put(stack, 1, status)
    [ended] = poll.cycle()
    assert ended.status == status and len(poll) == 0


def test_a_failed_copy_ends_a_run_that_never_has_a_document() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1))
    put_run(stack, 1, Status={"S": "FAILED"}, Error={"S": "AccessDenied"})
    ended = poll.cycle() or poll.cycle()
    assert [(run.status, run.reason) for run in ended] == [
        ("COPY_FAILED", "the test run failed before it had a document: AccessDenied")
    ]


def test_a_row_that_was_there_and_is_gone_ends_a_run() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1))
    put(stack, 1, "EXTRACTING")
    poll.cycle()
    stack.rows.clear()
    assert poll.cycle() == poll.cycle() == []
    [ended] = poll.cycle()
    assert ended.status == "ROW_DELETED" and "EXTRACTING" in str(ended.reason)


def test_a_row_not_there_yet_is_waited_for() -> None:
    poll = Poll(FakeStack(), "tracking")
    poll.add(flight(1))
    assert [poll.cycle() for _ in range(10)] == [[]] * 10


def test_versions_of_a_document_are_not_taken_for_it() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1))
    stack.rows["doc#run1/0.pdf", "run#2026"] = {"PK": {"S": "doc#run1/0.pdf"}, "ObjectStatus": {"S": "COMPLETED"}}
    assert poll.cycle() == []


def test_the_worst_document_is_the_status_of_a_labelled_set() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, files=3))
    for file, status in enumerate(["COMPLETED", "ABORTED", "FAILED"]):
        put(stack, 1, status, file)
    [ended] = poll.cycle()
    assert ended.status == "FAILED"


def test_documents_that_the_run_did_not_copy_end_as_such() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, files=2))
    put_run(stack, 1, Status={"S": "RUNNING"}, Files={"L": [{"S": "0.pdf"}]})
    poll.cycle()
    poll.cycle()
    put(stack, 1, "COMPLETED")
    ended = poll.cycle() or poll.cycle()
    assert [document.status for document in ended[0].documents] == ["COMPLETED", "NOT_COPIED"]


@pytest.mark.parametrize(("evaluation", "ends"), [("RUNNING", False), ("COMPLETED", True), ("NO_BASELINE", True)])
def test_a_document_with_a_baseline_waits_for_its_evaluation(evaluation: str, ends: bool) -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, evaluates=True))
    put(stack, 1, "COMPLETED", EvaluationStatus=evaluation)
    assert bool(poll.cycle()) is ends


def test_an_evaluation_that_never_ends_is_not_waited_for_for_ever() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, evaluates=True))
    put(stack, 1, "COMPLETED")
    ended = [run for _ in range(61) for run in poll.cycle()]
    assert [(run.status, run.reason) for run in ended] == [("COMPLETED", "its evaluation is not there")]


def test_keys_that_a_busy_table_left_out_come_first_next_time() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    for number in range(5):
        poll.add(flight(number))
        put(stack, number, "RUNNING")
    poll.cycle()
    asked: list[list[str]] = []

    def answer_two(RequestItems: Any) -> Any:  # noqa: N803 (boto3's spelling)
        keys = RequestItems["tracking"]["Keys"]
        asked.append([key["PK"]["S"] for key in keys])
        rows = [stack._get("tracking", key) for key in keys[:2]]
        return {"Responses": {"tracking": rows}, "UnprocessedKeys": {"tracking": {"Keys": keys[2:]}}}

    stack.steps["dynamodb.batch_get_item"] = answer_two
    for _ in range(3):
        poll.cycle()
    assert {key for keys in asked for key in keys[:2]} == {f"doc#run{n}/0.pdf" for n in range(5)}


def test_a_row_that_was_gone_before_it_was_ever_seen_ends_its_run() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, files=2))
    put(stack, 1, "COMPLETED", 0)
    files = {"L": [{"S": "0.pdf"}, {"S": "1.pdf"}]}
    put_run(stack, 1, Files=files, CompletedFiles={"N": "2"}, FailedFiles={"N": "0"}, Status={"S": "COMPLETE"})
    ended: list[Flight] = []
    cycles = 0
    while not ended and cycles < 20:
        cycles += 1
        ended = poll.cycle()
    assert [document.status for document in ended[0].documents] == ["COMPLETED", "ROW_DELETED"]
    assert ended[0].reason == "its tracking row was never there, and its test run counts it as ended"
    assert cycles < 10


def test_a_document_that_is_only_late_is_waited_for() -> None:
    stack = FakeStack()
    poll = Poll(stack, "tracking")
    poll.add(flight(1, files=2))
    files = {"L": [{"S": "0.pdf"}, {"S": "1.pdf"}]}
    put_run(stack, 1, Files=files, CompletedFiles={"N": "1"}, FailedFiles={"N": "0"}, Status={"S": "RUNNING"})
    put(stack, 1, "COMPLETED", 0)
    assert [poll.cycle() for _ in range(20)] == [[]] * 20
    put(stack, 1, "COMPLETED", 1)
    assert poll.cycle() or poll.cycle()
