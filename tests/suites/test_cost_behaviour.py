"""Suite cost: an agent's turns vary from run to run, and its price with them; a single request does not vary."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, rows_of, series

SIMPLE = "core-tt-simple-sep"
ADVANCED = ("core-tt-adv-sep", "core-tt-adv-int", "core-tl-adv-sep", "core-bda-adv-sep")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def summary(grid: Grid) -> dict[str, Any]:
    return grid.run("cost")


def test_advanced_mode_varies_and_simple_mode_only_by_its_cache(summary: dict[str, Any]) -> None:
    spread = {cell: found["cost"]["cv"] for cell, found in summary["cell_stats"].items()}
    assert all(spread[cell] > 0.02 > spread[SIMPLE] for cell in ADVANCED)
    assert len(set(series(summary, SIMPLE, None, "cost")[1:])) == 1


def test_what_varies_is_the_price_and_never_the_result(summary: dict[str, Any]) -> None:
    for metric in ("completeness_recall", "scalar_accuracy", "cell_accuracy"):
        assert all(len(set(values)) == 1 for values in figures(summary, metric).values())


def test_the_numbers_of_turns_lie_a_factor_of_four_apart(grid: Grid) -> None:
    summary = grid.run("smoke", cells=["core-tt-adv-sep"], documents=["tiny_form"], repeats=60)
    used = [row["tokens_by_phase"]["Extraction"] for row in rows_of(summary, "core-tt-adv-sep")]
    turns = {1 + one["cacheReadInputTokens"] / one["cacheWriteInputTokens"] for one in used}
    assert turns == {2, 3, 4, 5, 6, 7, 8}
    costs = series(summary, "core-tt-adv-sep", None, "cost")
    assert max(costs) > 1.3 * min(costs)


def test_without_drawn_turns_nothing_varies(grid: Grid) -> None:
    def steady(profile: Any) -> Any:
        turns = profile.turns.model_copy(update={"least": 4, "most": 4})
        return profile.model_copy(update={"turns": turns})

    summary = grid.run("cost", cells=["core-tt-adv-sep"], repeats=3, change=steady)
    assert len(set(series(summary, "core-tt-adv-sep", None, "tokens")[0].values())) > 1
    assert len({str(tokens) for tokens in series(summary, "core-tt-adv-sep", None, "tokens")[1:]}) == 1


def test_the_same_command_gives_the_same_bill(grid: Grid, summary: dict[str, Any]) -> None:
    again = grid.run("cost", cells=["core-tt-adv-int"])
    assert series(again, "core-tt-adv-int", None, "cost") == series(summary, "core-tt-adv-int", None, "cost")


def test_a_row_names_tokens_by_model_and_phase_and_the_summary_the_date_of_its_rates(summary: dict[str, Any]) -> None:
    for row in rows_of(summary, "core-tt-adv-sep"):
        assert set(row["tokens_by_phase"]) >= {"Classification", "Extraction", "Assessment"}
        assert "us.anthropic.claude-sonnet-4-6" in row["tokens_by_model"]
        by_phase = sum(one["inputTokens"] for one in row["tokens_by_phase"].values())
        by_model = sum(one["inputTokens"] for one in row["tokens_by_model"].values())
        assert by_phase == by_model == row["tokens"]["inputTokens"]
        assert row["seconds_by_phase"]["Extraction"] > 0 and row["wall_s"] > 0
        assert abs(sum(row["cost_by_phase"].values()) - row["cost"]) < 1e-3
    assert summary["meta"]["pricing_date"] and summary["meta"]["pricing_sha256"]
