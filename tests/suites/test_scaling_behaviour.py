"""Suites scaling and scalingsimple: simple mode has a cliff where its answer no longer fits, advanced mode has none."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, rows_of, settings, with_model

SIMPLE, ADVANCED = "core-tt-simple-sep", "core-tt-adv-sep"
SIZES = (25, 100, 400, 800, 1200, 1600, 3200)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def summary(grid: Grid) -> dict[str, Any]:
    return grid.run("scaling")


def by_size(summary: dict[str, Any], cell: str, metric: str = "completeness_recall") -> dict[int, Any]:
    found = figures(summary, metric)
    return {size: found[cell, f"scale_{size}"][0] for size in SIZES if (cell, f"scale_{size}") in found}


def largest_complete(recalls: dict[int, float]) -> int:
    return max(size for size, recall in recalls.items() if recall == 1.0)


def capped(grid: Grid, factor: float) -> dict[int, float]:
    control = settings().models["sonnet46"]

    def change(profile: Any) -> Any:
        return with_model(profile, control.model_id, output_cap=round(control.output_cap * factor))

    documents = ["scale_400", "scale_800", "scale_1200", "scale_1600"]
    return by_size(grid.run("scaling", cells=[SIMPLE], documents=documents, change=change), SIMPLE)


def test_simple_mode_is_complete_up_to_800_rows_and_then_loses_more_with_every_size(summary: dict[str, Any]) -> None:
    recalls = by_size(summary, SIMPLE)
    assert largest_complete(recalls) == 800
    assert 1 > recalls[1200] > recalls[1600] > recalls[3200]


def test_the_loss_is_silent(summary: dict[str, Any]) -> None:
    for size in (1200, 1600):
        (row,) = rows_of(summary, SIMPLE, f"scale_{size}")
        assert row["status"] == "COMPLETED" and row["error_class"] is None
        assert row["scalar_accuracy"] == row["cell_accuracy"] == row["conf_coverage"] == 1.0


def test_what_is_lost_is_the_end_of_the_list(summary: dict[str, Any]) -> None:
    for row in rows_of(summary, SIMPLE):
        assert row["truncation_prefix"] == row["rows_extracted"] == row["rows_truth"] - row["n_gaps"]


def test_advanced_mode_is_complete_at_every_size(summary: dict[str, Any]) -> None:
    assert by_size(summary, ADVANCED) == dict.fromkeys(SIZES, 1.0)


def test_the_largest_document_does_not_fit_one_request_and_the_plan_knew(summary: dict[str, Any]) -> None:
    (row,) = rows_of(summary, SIMPLE, "scale_3200")
    assert (row["status"], row["error_class"], row["failure_phase"]) == ("FAILED", "ValidationException", "Extraction")
    assert "too long" in row["status_reason"] and row["cost"] > 0
    expected = summary["meta"]["expected_fail"]
    assert [(one["cell"], one["document"]) for one in expected] == [(SIMPLE, "scale_3200")]


def test_the_cliff_moves_with_the_output_cap(grid: Grid, summary: dict[str, Any]) -> None:
    recalls = by_size(summary, SIMPLE)
    less, more = capped(grid, 0.5), capped(grid, 2.0)
    assert largest_complete(less) < largest_complete(recalls) < largest_complete(more)
    assert all(less[size] <= recalls[size] <= more[size] for size in less)


def test_scalingsimple_is_the_simple_half_with_the_same_runs(grid: Grid) -> None:
    half, whole = grid.side("scalingsimple"), grid.side("scaling")
    assert {run.cell for run in half.runs} == {SIMPLE} and len(half.runs) == len(SIZES)
    assert half.keys == {run.key for run in whole.runs if run.cell == SIMPLE}
