"""Suite astracap: 66 pages are too large for either window in one request; shards take over."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, rows_of, settings, with_model

SIMPLE = ("sonnet5-simple-sep", "astra-simple-sep")
SHARDS = ("sonnet5-adv-sep", "astra-adv-sep", "sonnet5-adv-wide", "astra-adv-wide")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def summary(grid: Grid) -> dict[str, Any]:
    return grid.run("astracap", repeats=1)


def test_both_models_refuse_the_document_in_one_request(summary: dict[str, Any]) -> None:
    for cell in SIMPLE:
        (row,) = rows_of(summary, cell)
        assert row["status"] == "FAILED" and "too long" in row["status_reason"]
        assert row["error_class"] == "ValidationException" and row["failure_phase"] == "Extraction"
    assert {one["cell"] for one in summary["meta"]["expected_fail"]} == set(SIMPLE)


def test_what_was_spent_before_the_refusal_is_counted_and_is_no_quality(summary: dict[str, Any]) -> None:
    for cell in SIMPLE:
        stats = summary["cell_stats"][cell]
        assert stats["n_fail"] == 1 and stats["completeness_recall"]["n"] == 0
        assert stats["cost_per_correct_field"]["value"] is None and stats["cost_per_correct_field"]["cost"] > 0


def test_shards_of_either_size_rescue_both(summary: dict[str, Any]) -> None:
    recall = figures(summary, "completeness_recall")
    assert [recall[cell, "scale_3200"] for cell in SHARDS] == [[1.0]] * 4


def test_shards_on_the_cheaper_model_are_the_cheaper_answer(summary: dict[str, Any]) -> None:
    cost = figures(summary, "cost")
    assert cost["sonnet5-adv-sep", "scale_3200"][0] < cost["astra-adv-sep", "scale_3200"][0] / 2


def test_wide_shards_are_fewer(summary: dict[str, Any]) -> None:
    written = {
        cell: figures(summary, "tokens_by_model")[cell, "scale_3200"][0]["us.anthropic.claude-sonnet-5"]
        for cell in ("sonnet5-adv-sep", "sonnet5-adv-wide")
    }
    requests = figures(summary, "requests")
    assert all(one["cacheWriteInputTokens"] > 0 for one in written.values())
    # fewer shards repeat the prefix less often
    assert written["sonnet5-adv-wide"]["cacheWriteInputTokens"] < written["sonnet5-adv-sep"]["cacheWriteInputTokens"]
    assert requests["sonnet5-adv-wide", "scale_3200"][0] < requests["sonnet5-adv-sep", "scale_3200"][0]


def test_a_window_that_is_large_enough_takes_it_in_one_request(grid: Grid) -> None:
    def wider(profile: Any) -> Any:
        return with_model(profile, settings().models["astra"].model_id, hard_window=2_000_000)

    summary = grid.run("astracap", cells=["astra-simple-sep"], repeats=1, change=wider)
    assert figures(summary, "completeness_recall") == {("astra-simple-sep", "scale_3200"): [1.0]}
