"""Suites boundary and boundaryctl: one statement is one section, two are two; the first prompt cut every page off."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, series

FOUND, WHOLE, OLD = "split-llm", "split-disabled", "split-llm-legacyprompt"
ONE, NUMBERED, TWO = "small_narrow", "paginated_3pg", "twodocs_2x20"


@pytest.fixture(scope="module")
def boundary(grid: Grid) -> dict[str, Any]:
    return grid.run("boundary")


@pytest.fixture(scope="module")
def control(grid: Grid) -> dict[str, Any]:
    return grid.run("boundaryctl")


def test_one_statement_is_one_section_and_two_are_two_in_every_run(boundary: dict[str, Any]) -> None:
    sections = figures(boundary, "sections")
    assert sections[FOUND, ONE] == sections[FOUND, NUMBERED] == [1] * 5
    assert sections[FOUND, TWO] == [2] * 5
    assert boundary["cell_stats"][FOUND]["sections_correct"]["mean"] == 1.0


def test_never_splitting_fails_the_other_direction(boundary: dict[str, Any]) -> None:
    right = figures(boundary, "sections_correct")
    assert right[WHOLE, ONE] == right[WHOLE, NUMBERED] == [1.0] * 5
    assert right[WHOLE, TWO] == [0.0] * 5


def test_the_first_prompt_splits_one_statement_by_page_and_gets_two_right(control: dict[str, Any]) -> None:
    right, sections = figures(control, "sections_correct"), figures(control, "sections")
    assert right[OLD, ONE] == right[OLD, NUMBERED] == [0.0] * 5 and right[OLD, TWO] == [1.0] * 5
    assert sections[OLD, ONE] == [3] * 5


def test_only_the_count_of_sections_sees_a_document_that_fell_apart(control: dict[str, Any]) -> None:
    for metric in ("completeness_recall", "scalar_accuracy", "cell_accuracy", "success"):
        assert series(control, OLD, ONE, metric) == [1.0] * 5


def test_the_control_differs_from_the_suite_in_its_prompt_alone(grid: Grid) -> None:
    (old,) = {run.config_name: c for run in grid.side("boundaryctl").runs for c in [run.config_name]}
    before = grid.side("boundaryctl").configurations[old]
    side = grid.side("boundary")
    (now,) = {run.config_name for run in side.runs if run.cell == FOUND}
    after = side.configurations[now]
    assert before["classification"]["task_prompt"] != after["classification"]["task_prompt"]
    same = {**before, "classification": {**before["classification"], "task_prompt": ""}}
    assert same == {**after, "classification": {**after["classification"], "task_prompt": ""}}


def test_before_boundaries_were_looked_for_two_statements_were_one_section(grid: Grid) -> None:
    summary = grid.run("boundary", "0.6.5", cells=[FOUND], repeats=1)
    assert figures(summary, "sections") == {(FOUND, ONE): [1], (FOUND, NUMBERED): [1], (FOUND, TWO): [1]}
    assert series(summary, FOUND, TWO, "completeness_recall") == [0.5]


def test_without_the_rule_of_continued_tables_an_unnumbered_statement_falls_apart(grid: Grid) -> None:
    def no_tables(profile: Any) -> Any:
        return profile.model_copy(update={"boundary_rules": ("page_number", "identity")})

    summary = grid.run("boundary", cells=[FOUND], repeats=1, change=no_tables)
    assert figures(summary, "sections") == {(FOUND, ONE): [3], (FOUND, NUMBERED): [1], (FOUND, TWO): [2]}
