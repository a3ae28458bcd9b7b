"""What the plan says cannot fit stays outside the gate, unless it succeeds after all."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, settings, with_model

from idpbench.gate.options import Options
from idpbench.gate.render_text import render
from idpbench.gate.verdict import make_comparison

CHEAP, DEAR = "sonnet5-simple-sep", "astra-simple-sep"
KEY = f"{CHEAP}|large_narrow.pdf"


def wider(profile: Any) -> Any:
    return with_model(profile, settings().models["sonnet5"].model_id, hard_window=400_000)


@pytest.fixture(scope="module")
def usual(grid: Grid) -> dict[str, Any]:
    return grid.run("astravalue", cells=[CHEAP, DEAR], documents=["small_narrow", "large_narrow"], repeats=3)


@pytest.fixture(scope="module")
def surprising(grid: Grid) -> dict[str, Any]:
    return grid.run(
        "astravalue", cells=[CHEAP, DEAR], documents=["small_narrow", "large_narrow"], repeats=3, change=wider
    )


def test_a_failure_that_was_expected_on_both_sides_is_told_apart_and_not_judged(usual: dict[str, Any]) -> None:
    comparison = make_comparison(usual, usual)
    (told,) = comparison["coverage"]["expected_fail"]
    assert told["key"] == KEY and not told["judged"] and "input too large" in told["text"]
    assert told["new"] == told["base"] == {"runs": 3, "failures": 3}
    assert not [test for test in comparison["tests"] if test["key"] == KEY]
    assert comparison["verdict"] == "pass"
    assert f"{KEY}: expected to fail, so not judged" in render(comparison)


def test_one_that_succeeds_on_one_side_is_said_and_judged(usual: dict[str, Any], surprising: dict[str, Any]) -> None:
    gained = make_comparison(surprising, usual)
    (told,) = gained["coverage"]["expected_fail"]
    assert told["judged"] and "unexpectedly succeeded on new" in told["text"]
    assert (KEY, "failures") in {(one["key"], one["metric"]) for one in gained["rows"]["improvements"]}
    lost = make_comparison(usual, surprising)
    assert (KEY, "failures") in {(one["key"], one["metric"]) for one in lost["rows"]["regressions"]}
    assert "unexpectedly succeeded on base" in lost["coverage"]["expected_fail"][0]["text"]
    assert lost["verdict"] == "regression"


@pytest.mark.parametrize("rules", ["classic", "paired"])
def test_an_unexpected_failure_is_judged_as_ever(usual: dict[str, Any], rules: Any) -> None:
    meta = {**usual["meta"], "expected_fail": []}
    broken = [{**row, "success": False, "status": "FAILED"} if row["cell"] == DEAR else row for row in usual["rows"]]
    comparison = make_comparison({**usual, "rows": broken}, {**usual, "meta": meta}, options=Options(rules))
    assert {one["key"] for one in comparison["rows"]["regressions"]} >= {f"{DEAR}|small_narrow.pdf"}


def test_a_document_added_to_the_plan_that_fails_as_expected_asks_for_no_second_look(usual: dict[str, Any]) -> None:
    base = {**usual, "rows": [row for row in usual["rows"] if row["doc"] != "large_narrow.pdf"]}
    comparison = make_comparison(usual, base)
    added = {one["key"]: one["second_look"] for one in comparison["coverage"]["added"]}
    assert added == {KEY: False, f"{DEAR}|large_narrow.pdf": False}
    unforeseen = {**usual, "meta": {**usual["meta"], "expected_fail": []}}
    added = {one["key"]: one["second_look"] for one in make_comparison(unforeseen, base)["coverage"]["added"]}
    assert added == {KEY: True, f"{DEAR}|large_narrow.pdf": False}


def test_between_arms_a_side_that_cannot_take_the_document_is_no_finding(usual: dict[str, Any]) -> None:
    for arms, side in (((DEAR, CHEAP), "base"), ((CHEAP, DEAR), "new")):
        comparison = make_comparison(usual, usual, options=Options(arms=arms))
        (told,) = comparison["coverage"]["expected_fail"]
        assert list(told["reasons"]) == [side] and not told["judged"]
        found = [one for level in ("rows", "cells") for one in comparison[level]["regressions"]]
        assert not [one for one in found if one["metric"] == "failures"]
