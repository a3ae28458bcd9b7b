"""Suite astravalue: a dearer model loses where the cheaper one is complete, and is paid for what does not fit it."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, rows_of, settings, with_model

from idpbench.summary.controls import judge_controls

CHEAP, DEAR, GLOBAL = "sonnet5-simple-sep", "astra-simple-sep", "astraglobal-simple-sep"
CHEAP_SHARDS, DEAR_SHARDS = "sonnet5-adv-sep", "astra-adv-sep"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(grid: Grid) -> dict[str, Any]:
    return grid.run("astravalue", documents=["small_narrow"])


@pytest.fixture(scope="module")
def large(grid: Grid) -> dict[str, Any]:
    return grid.run("astravalue", documents=["med_narrow", "large_narrow"], repeats=2)


@pytest.fixture(scope="module")
def dense(grid: Grid, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """With a text layer: how well a scan is read is tested where it is read, and its pages weigh the same."""
    clear = Grid(tmp_path_factory.mktemp("dense"), grid.cache)
    clear.unscanned("dense_250")
    return clear.run("astravalue", cells=[CHEAP, DEAR, CHEAP_SHARDS], documents=["dense_250"], repeats=1)


def test_the_control_is_lost_by_the_dearer_model_in_both_modes(small: dict[str, Any]) -> None:
    controls = small["meta"]["controls"]
    assert [(one["cheaper"], one["dearer"], one["holds"]) for one in controls] == [
        (CHEAP, DEAR, True),
        (CHEAP_SHARDS, DEAR_SHARDS, True),
    ]
    assert set(figures(small, "cell_accuracy")[CHEAP, "small_narrow"]) == {1.0}


def test_a_control_that_the_dearer_model_does_not_lose_is_said_to_break_the_suite(small: dict[str, Any]) -> None:
    rows = [{**row, "cost": row["cost"] / 100 if row["cell"] == DEAR else row["cost"]} for row in small["rows"]]
    (broken, _) = judge_controls(rows, small["meta"]["controls"]) or []
    assert broken["holds"] is False and broken["text"].startswith("THE SUITE IS BROKEN")
    (unknown, _) = judge_controls([row for row in rows if row["cell"] != CHEAP], small["meta"]["controls"]) or []
    assert unknown["holds"] is None and CHEAP in unknown["text"]


def test_the_global_endpoint_is_a_little_cheaper_and_nothing_else(small: dict[str, Any]) -> None:
    cost, tokens = figures(small, "cost"), figures(small, "tokens")
    assert tokens[GLOBAL, "small_narrow"] == tokens[DEAR, "small_narrow"]
    for near, far in zip(cost[GLOBAL, "small_narrow"], cost[DEAR, "small_narrow"], strict=True):
        assert 0.88 < near / far < 0.95


def test_repeats_after_the_first_read_the_cache_and_the_series_is_kept(small: dict[str, Any]) -> None:
    for cell in (CHEAP, DEAR):
        read = [one["cacheReadInputTokens"] for one in figures(small, "tokens")[cell, "small_narrow"]]
        assert read[0] == 0 and len(read) == 5 and all(tokens > 0 for tokens in read[1:])
    cost = figures(small, "cost")[CHEAP, "small_narrow"]
    assert all(later < cost[0] for later in cost[1:])


def test_a_cache_read_without_a_known_price_is_priced_as_input_and_says_so(small: dict[str, Any]) -> None:
    for row in rows_of(small, DEAR, "small_narrow")[1:]:
        assert any("cache read" in note for note in row["cost_notes"])


def test_nine_pages_fit_both_and_seventeen_only_the_larger_window(large: dict[str, Any]) -> None:
    status = figures(large, "status")
    assert set(status[CHEAP, "med_narrow"]) == set(status[DEAR, "med_narrow"]) == {"COMPLETED"}
    assert set(status[CHEAP, "large_narrow"]) == {"FAILED"} and set(status[DEAR, "large_narrow"]) == {"COMPLETED"}
    for row in rows_of(large, CHEAP, "large_narrow"):
        assert (row["error_class"], row["failure_phase"]) == ("ValidationException", "Extraction")


def test_shards_let_the_cheaper_model_do_the_large_document_for_less(large: dict[str, Any]) -> None:
    recall, cost = figures(large, "completeness_recall"), figures(large, "cost")
    assert recall[CHEAP_SHARDS, "large_narrow"] == recall[DEAR, "large_narrow"] == [1.0, 1.0]
    assert max(cost[CHEAP_SHARDS, "large_narrow"]) < min(cost[DEAR, "large_narrow"])


def test_the_refusal_follows_from_the_window(grid: Grid) -> None:
    def wider(profile: Any) -> Any:
        return with_model(profile, settings().models["sonnet5"].model_id, hard_window=400_000)

    summary = grid.run("astravalue", cells=[CHEAP], documents=["large_narrow"], repeats=1, change=wider)
    assert figures(summary, "completeness_recall") == {(CHEAP, "large_narrow"): [1.0]}


def test_the_plan_expects_the_refusals_and_nothing_else(large: dict[str, Any]) -> None:
    expected = {(one["cell"], one["document"]) for one in large["meta"]["expected_fail"]}
    assert expected == {(CHEAP, "large_narrow"), (CHEAP, "dense_250")}


def test_the_dense_document_is_for_the_larger_window_or_for_shards(dense: dict[str, Any]) -> None:
    status, recall = figures(dense, "status"), figures(dense, "completeness_recall")
    assert status[CHEAP, "dense_250"] == ["FAILED"]
    assert recall[DEAR, "dense_250"] == recall[CHEAP_SHARDS, "dense_250"] == [1.0]
    assert figures(dense, "coercions")[DEAR, "dense_250"][0] > 100


def test_a_request_in_the_dearer_price_band_is_priced_there(dense: dict[str, Any], large: dict[str, Any]) -> None:
    def per_token(summary: dict[str, Any], document: str) -> float:
        (first, *_) = rows_of(summary, DEAR, document)
        used = first["tokens_by_phase"]["Extraction"]
        return float(first["cost_by_phase"]["Extraction"]) / (used["inputTokens"] + 5 * used["outputTokens"])

    assert per_token(dense, "dense_250") > 1.5 * per_token(large, "large_narrow")
