"""Suite advverify: an agent that declines the table tool loses the whole list and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, rows_of, series

CELLS = ("core-tt-adv-int", "core-tt-adv-sep")
SWITCH = {"extraction_model": "sonnet5"}


def declining(share: float) -> Any:
    return lambda profile: profile.model_copy(update={"declined_table_tool": share})


def test_on_065_some_runs_lose_the_list_and_most_do_not(grid: Grid) -> None:
    summary = grid.run("advverify", "0.6.5", repeats=40, cells=["core-tt-adv-sep"], **SWITCH)
    recalls = series(summary, "core-tt-adv-sep", None, "completeness_recall")
    assert set(recalls) == {0.0, 1.0} and 0 < recalls.count(0.0) < 20


@pytest.mark.parametrize("version", ["0.6.8", "0.6.9"])
def test_from_068_none_does(grid: Grid, version: str) -> None:
    summary = grid.run("advverify", version, **SWITCH)
    for cell in CELLS:
        assert series(summary, cell, None, "completeness_recall") == [1.0] * 4


@pytest.mark.parametrize("cell", CELLS)
def test_a_declined_list_is_null_in_a_run_that_completes_with_perfect_scalars(grid: Grid, cell: str) -> None:
    summary = grid.run("advverify", "0.6.5", cells=[cell], repeats=1, change=declining(1.0), **SWITCH)
    (row,) = rows_of(summary, cell)
    assert row["status"] == "COMPLETED" and row["completeness_recall"] == 0.0 and row["scalar_accuracy"] == 1.0
    assert row["n_gaps"] == row["rows_truth"] and row["cell_accuracy"] is None


def test_without_the_hazard_065_is_complete(grid: Grid) -> None:
    summary = grid.run("advverify", "0.6.5", change=declining(0.0), **SWITCH)
    assert {row["completeness_recall"] for row in summary["rows"]} == {1.0}


def test_the_study_runs_on_the_product_default_model(grid: Grid) -> None:
    summary = grid.run("advverify", repeats=1, **SWITCH)
    assert summary["meta"]["extraction_model"] == "sonnet5" and summary["meta"]["slug"] == "extraction-model-sonnet5"
