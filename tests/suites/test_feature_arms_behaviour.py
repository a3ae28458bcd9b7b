"""Suites restatement, splitcost and multiinstance: one knob each, judged on what it can move."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, series, settings

from idpbench.matrix.configs import resolve_axes

TWO, ONE = "twodocs_2x20", "small_narrow"


@pytest.fixture(scope="module")
def restatement(grid: Grid) -> dict[str, Any]:
    return grid.run("restatement")


@pytest.fixture(scope="module")
def instances(grid: Grid) -> dict[str, Any]:
    return grid.run("multiinstance")


def test_dropping_the_second_copy_of_the_schema_costs_no_rows(restatement: dict[str, Any]) -> None:
    for metric in ("completeness_recall", "cell_accuracy"):
        assert series(restatement, "restate-off", None, metric) == series(restatement, "restate-on", None, metric)
    assert set(series(restatement, "restate-off", None, "completeness_recall")) == {1.0}


def test_dropping_it_makes_what_is_cached_smaller(restatement: dict[str, Any]) -> None:
    tokens = figures(restatement, "tokens")
    for name in ("valuenoise_100", "longdesc_100"):
        with_copy = {one["cacheWriteInputTokens"] for one in tokens["restate-on", name]}
        without = {one["cacheWriteInputTokens"] for one in tokens["restate-off", name]}
        assert max(without) < min(with_copy)


def test_looking_for_boundaries_costs_a_little_and_changes_nothing_on_one_statement(grid: Grid) -> None:
    summary = grid.run("splitcost")
    looked, whole = series(summary, "split-llm", ONE, "cost"), series(summary, "split-disabled", ONE, "cost")
    assert all(0 < dear - cheap < 0.1 * cheap for dear, cheap in zip(looked, whole, strict=True))
    assert len(looked) == 5
    phases = figures(summary, "cost_by_phase")
    assert (
        phases["split-llm", ONE][0]["Classification"] > phases["split-disabled", ONE][0]["Classification"]
        and phases["split-llm", ONE][0]["Extraction"] == phases["split-disabled", ONE][0]["Extraction"]
    )
    for metric in ("completeness_recall", "cell_accuracy", "sections_correct"):
        assert series(summary, "split-llm", ONE, metric) == series(summary, "split-disabled", ONE, metric)


def test_two_records_in_one_section_are_lost_silently_or_reported_or_returned(instances: dict[str, Any]) -> None:
    recall, issues = figures(instances, "completeness_recall"), figures(instances, "processing_issues")
    assert recall["mi-silent", TWO] == recall["mi-detected", TWO] == [0.5] * 3
    assert recall["mi-wrapped", TWO] == [1.0] * 3
    assert issues["mi-silent", TWO] == issues["mi-wrapped", TWO] == [{}] * 3
    assert issues["mi-detected", TWO] == [{"MULTIPLE_INSTANCES": 1}] * 3


def test_detection_reports_and_changes_nothing_else(instances: dict[str, Any]) -> None:
    for silent, told in (("mi-silent", "mi-detected"), ("detect-off", "detect-on")):
        for metric in ("completeness_recall", "cell_accuracy", "sections", "tokens", "cost"):
            assert series(instances, silent, None, metric) == series(instances, told, None, metric)


def test_where_boundaries_are_found_there_is_nothing_to_detect(instances: dict[str, Any]) -> None:
    for cell in ("detect-off", "detect-on"):
        assert series(instances, cell, TWO, "completeness_recall") == [1.0] * 3
        assert series(instances, cell, TWO, "sections_correct") == [1.0] * 3
        assert series(instances, cell, None, "processing_issues") == [{}] * 6


def test_one_statement_is_the_same_in_all_five_cells(instances: dict[str, Any]) -> None:
    recall, issues = figures(instances, "completeness_recall"), figures(instances, "processing_issues")
    cells = {cell for cell, _ in recall}
    assert len(cells) == 5
    assert all(recall[cell, ONE] == [1.0] * 3 and issues[cell, ONE] == [{}] * 3 for cell in cells)


def test_arms_of_every_feature_suite_differ_in_one_axis() -> None:
    paired = [suite for suite in settings().suites.values() if suite.pairs]
    assert len(paired) >= 10
    for suite in paired:
        for left, right in suite.pairs:
            one, other = (resolve_axes(settings(), cell, {}) for cell in (left, right))
            assert len([axis for axis in one if one[axis] != other[axis]]) == 1
