"""Suite intconf: up to 0.6.5 integrated confidence costs list rows, which only completeness sees."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, series

from idpbench.gate.verdict import make_comparison

INTEGRATED, SEPARATE = "core-tt-simple-int", "core-tt-simple-sep"


@pytest.fixture(scope="module")
def before(grid: Grid) -> dict[str, Any]:
    return grid.run("intconf", "0.6.5")


@pytest.fixture(scope="module")
def after(grid: Grid) -> dict[str, Any]:
    return grid.run("intconf", "0.6.8")


def test_on_065_integrated_mode_loses_rows_in_every_run_and_separate_mode_none(before: dict[str, Any]) -> None:
    assert all(recall < 0.95 for recall in series(before, INTEGRATED, None, "completeness_recall"))
    assert series(before, SEPARATE, None, "completeness_recall") == [1.0] * 4


@pytest.mark.parametrize("metric", ["scalar_accuracy", "typed_accuracy", "cell_accuracy", "conf_coverage", "success"])
def test_no_other_metric_sees_the_loss(before: dict[str, Any], metric: str) -> None:
    assert series(before, INTEGRATED, None, metric) == series(before, SEPARATE, None, metric) == [1.0] * 4


def test_from_068_nothing_is_lost(after: dict[str, Any]) -> None:
    for cell in (INTEGRATED, SEPARATE):
        assert series(after, cell, None, "completeness_recall") == [1.0] * 4


def test_the_loss_follows_from_the_guesses_a_cell(grid: Grid) -> None:
    def one_guess(profile: Any) -> Any:
        return profile.model_copy(update={"guesses_per_cell": 1})

    summary = grid.run("intconf", "0.6.5", cells=[INTEGRATED], repeats=1, change=one_guess)
    assert series(summary, INTEGRATED, None, "completeness_recall") == [1.0]


def test_the_gate_finds_the_loss_and_names_its_cell_alone(before: dict[str, Any], after: dict[str, Any]) -> None:
    comparison = make_comparison(before, after)
    found = {(one["key"], one["metric"]) for one in comparison["rows"]["regressions"]}
    assert (f"{INTEGRATED}|longdesc_100.pdf", "completeness_recall") in found
    assert {key for key, _ in found} == {f"{INTEGRATED}|longdesc_100.pdf"}
    assert comparison["verdict"] == "regression"
