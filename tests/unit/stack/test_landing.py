"""What a landing does when nothing kills it: every end has a status, and nothing is launched that should not be."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack, aws_error, make_run, make_side, prepared

from idpbench.files.errors import Refusal
from idpbench.files.schema import check
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launch import Order, payload
from idpbench.stack.launcher import Options, Tally
from idpbench.stack.model import Side
from idpbench.stack.progress import Progress
from idpbench.stack.upload import config_item
from idpbench.stack.vault import Vault

OPTIONS = Options(max_inflight=4, deadline=60.0, interval=1.0, settle=4.0, workers=2)


def go(folder: Path, side: Side, stack: FakeStack, options: Options = OPTIONS, **more: Any) -> Tally:
    return land(
        side,
        stack.target(),
        Vault(folder / "vault"),
        Journal(folder / "journal.jsonl", stack.clock().now),
        options,
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
        **more,
    )


def records(folder: Path, side: Side) -> list[dict[str, Any]]:
    vault = Vault(folder / "vault")
    return [vault.get(run.key) for run in side.runs if vault.holds(run.key)]


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "ABORTED"])
def test_a_failed_run_is_a_record_like_any_other(tmp_path: Path, status: str) -> None:
    side = make_side(3)
    stack = prepared(side)
    stack.statuses[side.runs[1].key] = status
    tally = go(tmp_path, side, stack)
    assert [record["status"] for record in records(tmp_path, side)] == ["COMPLETED", status, "COMPLETED"]
    assert (tally.landed, tally.failed) == (3, int(status != "COMPLETED"))


def test_a_record_is_what_the_schema_says(tmp_path: Path) -> None:
    side = make_side(1)
    go(tmp_path, side, prepared(side))
    [record] = records(tmp_path, side)
    check(record, "record", "test")
    assert record["launch"]["fingerprint"]["version"] == record["completion"]["fingerprint"]["version"] == "0.6.9"
    assert record["documents"][0]["metering"]["value"] == {"OCR/textract/analyze_document-Tables": {"pages": 1}}
    assert record["documents"][0]["pages"] == [{"id": "1", "state": "present", "reason": None, "text": "page one"}]
    assert record["documents"][0]["evaluation"]["state"] == "absent"


def test_a_run_that_never_ends_gets_our_deadline_as_its_status(tmp_path: Path) -> None:
    side = make_side(2)
    stack = prepared(side, duration=1e9)
    go(tmp_path, side, stack)
    for record in records(tmp_path, side):
        assert record["status"] == "TIMED_OUT"
        assert record["status_reason"] == "not finished after 60 s (d.pdf: QUEUED)"
        check(record, "record", "test")


def test_a_landed_side_asks_nothing(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    go(tmp_path, side, stack)
    stack.calls.clear()
    tally = go(tmp_path, side, stack)
    assert stack.calls.total() == 0 and (tally.planned, tally.held, tally.landed) == (3, 3, 0)


def test_more_repeats_launch_only_the_new_ones(tmp_path: Path) -> None:
    stack = prepared(make_side(5))
    go(tmp_path, make_side(3), stack)
    go(tmp_path, make_side(5), stack)
    assert sorted(stack.billed) == sorted(run.key for run in make_side(5).runs)


@pytest.mark.parametrize("cap", [1, 2, 5])
def test_never_more_in_flight_than_the_cap(tmp_path: Path, cap: int) -> None:
    side = make_side(9)
    stack = prepared(side)
    most = 0

    def watch(name: str) -> None:
        nonlocal most
        if name == "after lambda.invoke":
            running = sum("_due" in row and float(row["_due"]["N"]) > stack.time for row in stack.rows.values())
            most = max(most, running)

    stack.step = watch
    go(tmp_path, side, stack, replace(OPTIONS, max_inflight=cap))
    assert 0 < most <= cap


def test_launches_of_one_test_set_are_a_second_apart(tmp_path: Path) -> None:
    side = make_side(4, testset="bench-one")
    stack = prepared(side, conditional=False, duration=0.0)
    tally = go(tmp_path, side, stack)
    assert len({record["launch"]["run_id"] for record in records(tmp_path, side)}) == 4
    assert tally.relaunched == 0


def test_an_edited_configuration_stops_before_anything_is_launched(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    [name] = side.configurations
    edited = config_item(name, {**side.configurations[name], "notes": "edited by somebody"}, "2026-10-01")
    stack.configs["Config#" + name] = {**edited, "Description": stack.configs["Config#" + name]["Description"]}
    with pytest.raises(Refusal, match=r"other values under notes.*edited on the stack"):
        go(tmp_path, side, stack)
    assert stack.billed == []


def test_runs_whose_configuration_was_edited_meanwhile_are_not_used(tmp_path: Path) -> None:
    side = make_side(8)
    stack = prepared(side)
    [name] = side.configurations
    good = stack.configs["Config#" + name]

    def edit(step: str) -> None:
        if step == "after lambda.invoke" and len(stack.billed) == 4:
            stack.configs["Config#" + name] = {**good, "_compressed_config": {"B": b"junk"}}

    stack.step = edit
    with pytest.raises(Refusal, match="edited on the stack"):
        go(tmp_path, side, stack)
    assert len(stack.billed) == 4 and records(tmp_path, side) == []
    stack.step = lambda step: None
    stack.configs["Config#" + name] = good
    go(tmp_path, side, stack)
    assert len(records(tmp_path, side)) == 8 and len(stack.billed) == 12


def test_an_edit_of_one_cell_does_not_touch_the_runs_of_another(tmp_path: Path) -> None:
    other = "bench-core-b__bank_statement__87654321"
    runs = [make_run(0), replace(make_run(1, cell="core-b"), config_name=other)]
    plain = make_side(1)
    side = replace(plain, runs=tuple(runs), configurations={**plain.configurations, other: {"notes": "y"}})
    stack = prepared(side)

    def edit(step: str) -> None:
        if step == "after lambda.invoke" and len(stack.billed) == 2:
            stack.configs["Config#" + other]["Description"] = {"S": "mine now"}

    stack.step = edit
    with pytest.raises(Refusal, match=r"core-b.*not ours"):
        go(tmp_path, side, stack)
    assert [record["cell"] for record in records(tmp_path, side)] == ["core-a"]


def update(stack: FakeStack) -> None:
    stack.fingerprint = {
        "StackStatus": "UPDATE_IN_PROGRESS",
        "Description": "Accelerator (v0.6.9)",
        "LastUpdatedTime": stack.now(),
    }


def test_a_stack_that_changes_under_the_runs_ends_the_landing_and_spoils_them(tmp_path: Path) -> None:
    side = make_side(8)
    stack = prepared(side, duration=20.0)

    def change(step: str) -> None:
        if step == "after lambda.invoke" and len(stack.billed) == 3:
            update(stack)

    stack.step = change
    with pytest.raises(Refusal, match="it changed to UPDATE_IN_PROGRESS"):
        go(tmp_path, side, stack)
    assert records(tmp_path, side) == []
    stack.step = lambda step: None
    stack.fingerprint["StackStatus"] = "UPDATE_COMPLETE"
    stack.time += 100
    go(tmp_path, side, stack)
    assert len(records(tmp_path, side)) == 8
    again = [key for key in set(stack.billed) if stack.billed.count(key) == 2]
    assert len(again) == 3, "the three spoilt runs, and only they, are launched again"


def test_a_run_that_ended_before_the_update_began_is_kept(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side, duration=1.0)

    def change(step: str) -> None:
        ended = [row for row in stack.rows.values() if "CompletionTime" in row]
        if step == "after dynamodb.batch_get_item" and ended and "LastUpdatedTime" not in stack.fingerprint:
            stack.time += 5
            update(stack)

    stack.step = change
    with pytest.raises(Refusal, match="1 landed"):
        go(tmp_path, side, stack)
    [record] = records(tmp_path, side)
    assert record["completion"]["note"] == "it ended before the stack's next update began"
    assert record["completion"]["fingerprint"] == record["launch"]["fingerprint"]


def test_a_look_that_fails_is_noted_and_nothing_more(tmp_path: Path) -> None:
    side = make_side(2)
    stack = prepared(side)

    def deny(**_: Any) -> Any:
        raise aws_error("AccessDenied", 403)

    target = stack.target()
    stack.steps["cloudformation.describe_stacks"] = deny
    land(
        side,
        target,
        Vault(tmp_path / "vault"),
        Journal(tmp_path / "journal.jsonl", stack.clock().now),
        OPTIONS,
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
    )
    for record in records(tmp_path, side):
        assert "AccessDenied" in record["launch"]["fingerprint"]["note"]
        assert "AccessDenied" in record["completion"]["note"] and record["completion"]["fingerprint"] is None


def test_launches_that_are_all_rejected_are_not_done(tmp_path: Path) -> None:
    side = make_side(30)
    stack = prepared(side)

    def reject(**_: Any) -> Any:
        raise aws_error("ResourceNotFoundException", 404, "no such function")

    stack.steps["lambda.invoke"] = reject
    with pytest.raises(Refusal, match="30 launches were rejected.*no such function"):
        go(tmp_path, side, stack)
    assert stack.calls["lambda.invoke"] == 3, "what is wrong for three in a row is wrong for all"
    del stack.steps["lambda.invoke"]
    go(tmp_path, side, stack)
    assert len(records(tmp_path, side)) == 30


def test_run_ids_that_never_stop_colliding_end_in_a_refusal(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side)

    def same(**_: Any) -> Any:
        return {"Payload": io.BytesIO(b'{"testRunId": "taken"}')}

    stack.steps["lambda.invoke"] = same
    journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
    journal.append("launched", "f" * 40, run_id="taken", fingerprint=None)
    with pytest.raises(Refusal, match="5 launches in a row got the run id of another run"):
        go(tmp_path, side, stack)
    assert stack.calls["lambda.invoke"] == 5


def test_a_runner_that_fails_after_it_wrote_has_launched(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side)
    launch = stack._invoke

    def crash(**parameters: Any) -> Any:
        launch(**parameters)
        return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "boom"}')}

    stack.steps["lambda.invoke"] = crash
    go(tmp_path, side, stack)
    assert len(stack.billed) == 1 and len(records(tmp_path, side)) == 1


def test_a_cell_that_only_fails_is_launched_no_further(tmp_path: Path) -> None:
    good, bad = [make_run(n) for n in range(3)], [make_run(n, cell="core-b") for n in range(9)]
    side = replace(make_side(1), runs=(*bad, *good))
    stack = prepared(side)
    stack.statuses.update({run.key: "FAILED" for run in bad})
    tally = go(tmp_path, side, stack, replace(OPTIONS, failure_budget=3, max_inflight=2))
    assert tally.stopped["core-b"] >= 5 and tally.completed_by_cell["core-a"] == 3
    assert len(records(tmp_path, side)) == 12 - tally.stopped["core-b"]


def test_what_cannot_be_read_for_a_moment_is_read_later(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    left = [5]

    def stumble(**parameters: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise aws_error("SlowDown", 503)
        return stack._get_object(**parameters)

    stack.steps["s3.get_object"] = stumble
    go(tmp_path, side, stack)
    for record in records(tmp_path, side):
        assert record["documents"][0]["sections"][0]["state"] == "present"


def test_what_stays_unreadable_is_recorded_as_failed(tmp_path: Path) -> None:
    side = make_side(2)
    stack = prepared(side)

    def down(**_: Any) -> Any:
        raise aws_error("InternalServerError", 500)

    stack.steps["dynamodb.get_item"] = down
    go(tmp_path, side, stack)
    for record in records(tmp_path, side):
        assert record["documents"][0]["tracking"]["state"] == "failed"
        assert record["documents"][0]["metering"]["state"] == "failed"


def test_what_nobody_may_read_is_recorded_at_once(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side)

    def deny(**_: Any) -> Any:
        raise aws_error("AccessDenied", 403)

    stack.steps["s3.get_object"] = deny
    go(tmp_path, side, stack)
    assert records(tmp_path, side)[0]["documents"][0]["sections"][0]["reason"] == "section 1: AccessDenied: no"
    assert stack.calls["s3.get_object"] == 3, "section, page and evaluation once each"


def test_a_stack_that_cannot_be_asked_ends_the_landing_politely(tmp_path: Path) -> None:
    side = make_side(2)
    stack = prepared(side)

    def down(**_: Any) -> Any:
        raise aws_error("InternalServerError", 500)

    stack.steps["dynamodb.query"] = down
    with pytest.raises(Refusal, match="run the same command again"):
        go(tmp_path, side, stack)
    assert stack.billed == []


def test_the_deadline_counts_from_the_launch_also_after_a_crash(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side, duration=1e9)
    journal = Journal(tmp_path / "journal.jsonl", lambda: (stack.now() - timedelta(seconds=59)).isoformat())
    journal.append("intent", side.runs[0].key, fingerprint=stack.target().seen.as_dict())
    journal.append("launched", side.runs[0].key, run_id="gone", fingerprint=stack.target().seen.as_dict())
    go(tmp_path, side, stack)
    [record] = records(tmp_path, side)
    assert record["status"] == "TIMED_OUT" and stack.time < 10


def test_a_run_taken_over_after_its_deadline_is_asked_for_its_documents_first(tmp_path: Path) -> None:
    """Its files are known to the stack alone; it ended long ago, while nobody was watching."""
    side = make_side(1)
    stack = prepared(side, duration=1.0)
    seen = stack.target().seen.as_dict()
    journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
    journal.append("intent", side.runs[0].key, fingerprint=seen)
    stack._invoke(Payload=json.dumps(payload(Order(side.runs[0].key, 0, "bench-x", "c", 1))).encode())
    journal.append("launched", side.runs[0].key, run_id="bench-x-20261001-120000", fingerprint=seen)
    stack.time += 10 * OPTIONS.deadline
    land(
        side,
        stack.target(),
        Vault(tmp_path / "vault"),
        Journal(tmp_path / "journal.jsonl", stack.clock().now),
        OPTIONS,
        files=lambda run: (),
        clock=stack.clock(),
    )
    [record] = records(tmp_path, side)
    assert record["status"] == "COMPLETED" and [entry["name"] for entry in record["documents"]] == ["d.pdf"]
    assert len(stack.billed) == 1


def test_how_runs_ended_is_said_and_what_can_be_asked_for_again(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    stack.statuses |= {side.runs[0].key: "ABORTED", side.runs[1].key: "FAILED"}
    said = Progress("aws/v0.6.9/corefast", stream=io.StringIO())
    line = said.line(go(tmp_path, side, stack))
    assert "landed 3, failed 2 (1 ABORTED, 1 FAILED)" in line and "retry" not in line
    late = make_side(4)
    stack.duration = 1e9
    line = said.line(go(tmp_path, late, stack))
    assert "failed 1 (1 TIMED_OUT), idpbench retry aws/v0.6.9/corefast asks again for 1" in line
