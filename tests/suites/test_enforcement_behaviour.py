"""Suites enforcement and enforcecost: coercion moves typed values where pages print them otherwise, nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, mean, rows_of, series

OFF, WARN, ESCALATE = "enforce-off", "enforce-warn", "enforce-escalate"


@pytest.fixture(scope="module")
def summary(grid: Grid) -> dict[str, Any]:
    return grid.run("enforcement")


@pytest.fixture(scope="module")
def dear(grid: Grid) -> dict[str, Any]:
    return grid.run("enforcecost")


def test_list_cells_gain_on_the_statement_with_printed_values(summary: dict[str, Any]) -> None:
    cells = figures(summary, "cell_accuracy")
    assert mean(cells[WARN, "valuenoise_100"]) > mean(cells[OFF, "valuenoise_100"]) + 0.2


def test_the_rendered_text_is_no_judge_of_typed_values(summary: dict[str, Any]) -> None:
    typed, rendered = figures(summary, "typed_accuracy"), figures(summary, "scalar_accuracy")
    assert mean(typed[WARN, "kv_form"]) > mean(typed[OFF, "kv_form"]) + 0.2
    assert mean(rendered[WARN, "kv_form"]) < mean(rendered[OFF, "kv_form"])


def test_nothing_moves_on_an_ordinary_statement(summary: dict[str, Any]) -> None:
    for metric in ("completeness_recall", "scalar_accuracy", "typed_accuracy", "cell_accuracy", "cost", "tokens"):
        found = figures(summary, metric)
        assert found[WARN, "small_narrow"] == found[OFF, "small_narrow"]


def test_the_rows_say_whether_coercion_had_anything_to_do(summary: dict[str, Any]) -> None:
    done = figures(summary, "coercions")
    assert all(count > 0 for name in ("valuenoise_100", "kv_form") for count in done[WARN, name])
    assert done[WARN, "small_narrow"] == [0] * 3
    assert all(count is None for row in rows_of(summary, OFF) for count in [row["coercions"]])
    assert summary["cell_stats"][WARN]["coercions"]["n"] == 9 and summary["cell_stats"][OFF]["coercions"]["n"] == 0


def test_an_ambiguous_date_is_refused_counted_and_reported_as_invalid(summary: dict[str, Any]) -> None:
    for row in rows_of(summary, WARN, "valuenoise_100"):
        assert row["coercion_refusals"] == row["validation_errors"] > 0 == row["validation_valid_rate"]
        assert row["status"] == "COMPLETED"


def test_the_form_runs_under_its_own_class_in_the_same_command(summary: dict[str, Any]) -> None:
    assert {row["class"] for row in rows_of(summary, WARN, "kv_form")} == {"kv_form"}
    assert summary["meta"]["docs_other_class"] == [{"document": "kv_form", "class": "kv_form"}]


def test_the_two_arms_spend_alike(summary: dict[str, Any]) -> None:
    assert series(summary, WARN, None, "cost") == series(summary, OFF, None, "cost")


def test_escalation_reads_failing_fields_again_and_pays_for_it(dear: dict[str, Any]) -> None:
    cost, right = figures(dear, "cost"), figures(dear, "cell_accuracy")
    name = "valuenoise_100"
    assert len(cost[WARN, name]) == 5 and min(cost[ESCALATE, name]) > 1.15 * max(cost[WARN, name])
    assert min(right[ESCALATE, name]) > max(right[WARN, name])
    assert all(row["coercion_refusals"] == 0 for row in rows_of(dear, ESCALATE))


def test_escalation_costs_nothing_where_nothing_fails(grid: Grid) -> None:
    summary = grid.run("coresynth", cells=[WARN, ESCALATE], documents=["small_narrow"])
    cost = figures(summary, "cost")
    assert cost[WARN, "small_narrow"] == cost[ESCALATE, "small_narrow"]
