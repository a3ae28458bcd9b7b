"""A stack that is asked too much: fewer runs in flight, none given up, and a throttled run is no finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack, aws_error, make_side, prepared
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files.errors import Refusal
from idpbench.gate.grid import ended
from idpbench.pricing.card import load_rate_card
from idpbench.scoring.row import score_record
from idpbench.stack import contract
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launcher import Clock, Options, Tally
from idpbench.stack.model import Side
from idpbench.stack.vault import Vault
from idpbench.stack.window import Window

PRICES = load_rate_card(Path(__file__).resolve().parents[3] / "config" / "pricing.yaml")
OPTIONS = Options(max_inflight=8, deadline=500.0, interval=1.0, settle=4.0, workers=1)
ERROR = "ThrottlingException: Too many tokens per day, please wait before trying again."


def go(folder: Path, side: Side, stack: FakeStack, options: Options = OPTIONS, **more: Any) -> Tally:
    journal = Journal(folder / "journal.jsonl", stack.clock().now)
    files = ("d.pdf",)
    return land(
        side, stack.target(), Vault(folder / "vault"), journal, options, files=lambda run: files, clock=stack.clock(),
        **more,
    )  # fmt: skip


@given(most=st.integers(1, 100), heard=st.lists(st.integers(0, 3), max_size=60))
def test_the_window_stays_within_its_bounds_and_halves_once_a_cycle(most: int, heard: list[int]) -> None:
    window = Window(most)
    for answers in heard:
        before = window.size
        for _ in range(answers):
            window.throttled()
        window.cycle()
        expected = max(1, before // 2) if answers else min(most, before + 1)
        assert window.size == expected and 1 <= window.size <= most
        assert 0 <= window.room(in_flight=before) <= most


def test_a_quiet_stack_is_used_to_the_full_again() -> None:
    window = Window(20)
    window.throttled()
    window.cycle()
    assert (window.size, window.room(4)) == (10, 6)
    for _ in range(10):
        window.cycle()
    assert window.size == 20


def test_throttled_answers_halve_what_is_in_flight_and_quiet_ones_grow_it(tmp_path: Path) -> None:
    side = make_side(40)
    stack = prepared(side, duration=4.0)
    sizes: list[int] = []

    def busy(step: str) -> None:
        if step == "after dynamodb.batch_get_item" and 10 <= stack.time <= 12:
            stack.throttled += 1

    stack.step = busy
    tally = go(tmp_path, side, stack, progress=lambda tally: sizes.append(tally.window))
    assert min(sizes) <= 4 and sizes[0] == sizes[-1] == 8
    assert tally.narrowed and tally.landed == 40 and sorted(stack.billed) == sorted(side.keys)


def test_a_throttled_look_stops_the_batch_not_the_run(tmp_path: Path) -> None:
    side = make_side(8)
    stack = prepared(side)

    def busy(step: str) -> None:
        if step == "before lambda.invoke" and len(stack.billed) == 1:
            stack.throttled += 1

    stack.step = busy
    go(tmp_path, side, stack)
    assert sorted(stack.billed) == sorted(side.keys)


def test_a_stack_that_is_always_busy_still_gets_on_one_by_one(tmp_path: Path) -> None:
    side = make_side(6)
    stack = prepared(side, duration=1.0)

    def busy(step: str) -> None:
        stack.throttled += step == "after cloudformation.describe_stacks"

    stack.step = busy
    tally = go(tmp_path, side, stack)
    assert tally.window == 1 and sorted(stack.billed) == sorted(side.keys)


def test_a_launch_that_is_turned_away_for_long_waits_for_another_turn(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    left = [2]

    def turned_away(**parameters: Any) -> Any:
        if left[0]:
            left[0] -= 1
            stack.throttled += 8
            raise aws_error("TooManyRequestsException", 429)
        return stack._invoke(**parameters)

    stack.steps["lambda.invoke"] = turned_away
    tally = go(tmp_path, side, stack)
    assert tally.rejected == {} and sorted(stack.billed) == sorted(side.keys)


def test_a_runner_that_is_always_too_busy_ends_in_a_refusal(tmp_path: Path) -> None:
    side = make_side(9)
    stack = prepared(side)

    def turned_away(**_: Any) -> Any:
        stack.throttled += 8
        raise aws_error("TooManyRequestsException", 429)

    stack.steps["lambda.invoke"] = turned_away
    with pytest.raises(Refusal, match="launches were rejected"):
        go(tmp_path, side, stack)
    assert stack.calls["lambda.invoke"] == OPTIONS.rejections


def test_a_run_that_failed_for_being_throttled_is_no_finding(tmp_path: Path) -> None:
    side = make_side(6)
    stack = prepared(side)
    stack.statuses = dict.fromkeys(side.keys, "FAILED")
    told = stack._get

    def with_error(table: str, key: Any) -> Any:
        row = told(table, key)
        if row and row.get("ObjectStatus") == {"S": "FAILED"}:
            row["Error"] = {"S": ERROR}
        return row

    stack._get = with_error  # type: ignore[method-assign]
    tally = go(tmp_path, side, stack, replace(OPTIONS, failure_budget=2, max_inflight=2))
    assert (tally.ends["INFRA"], tally.failed, tally.stopped) == (6, 6, {}), (
        "it says nothing of the cell, so no cell is stopped"
    )
    assert tally.narrowed
    for key in side.keys:
        record = Vault(tmp_path / "vault").get(key)
        assert record["status"] == "INFRA" and ERROR in record["status_reason"]
        [row] = score_record(record, None, PRICES)
        assert (row["status"], row["success"], row["error_class"]) == ("INFRA", False, "ThrottlingException")
        assert not ended(row), "no comparison counts it"


@pytest.mark.parametrize(
    ("reason", "is_it"),
    [
        (ERROR, True),
        ("botocore.errorfactory.ThrottlingException: Rate exceeded", True),
        ("States.TaskFailed: TooManyRequestsException", True),
        ("An error occurred (SlowDown)", True),
        ("ValidationException: the document is too large", False),
        ("the throttle lever of the engine drawing was not found", False),
        (None, False),
        (7, False),
    ],
)
def test_which_reasons_speak_of_throttling(reason: object, is_it: bool) -> None:
    assert contract.throttled(reason) is is_it


def test_pauses_differ_so_that_clients_do_not_ask_in_step() -> None:
    slept: list[float] = []
    draws = iter([0.0, 0.5, 1.0])
    clock = Clock(sleep=slept.append, chance=lambda: next(draws))
    for _ in range(3):
        clock.pause(10.0)
    assert slept == pytest.approx([8.0, 10.0, 12.0])
