"""Suite opus55value: the newer model is cheaper for the same result, and the default effort is part of the switch."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, mean

OLD, NEW = ("opus5-simple-sep", "opus5-adv-sep"), ("opus55-simple-sep", "opus55-adv-sep")
DOCUMENTS = ("small_narrow", "med_narrow")


@pytest.fixture(scope="module")
def unset(grid: Grid) -> dict[str, Any]:
    return grid.run("opus55value")


@pytest.fixture(scope="module")
def high(grid: Grid) -> dict[str, Any]:
    return grid.run("opus55value", cells=[OLD[0], NEW[0]], reasoning_effort="high")


def ratio(summary: dict[str, Any], document: str, metric: str = "cost") -> float:
    found = figures(summary, metric)
    return mean(found[NEW[0], document]) / mean(found[OLD[0], document])


def test_both_models_do_the_documents_in_full(unset: dict[str, Any]) -> None:
    for metric in ("completeness_recall", "scalar_accuracy", "cell_accuracy"):
        assert {value for values in figures(unset, metric).values() for value in values} == {1.0}


def test_the_newer_model_costs_less_for_it_in_both_modes(unset: dict[str, Any]) -> None:
    cost = figures(unset, "cost")
    for old, new in zip(OLD, NEW, strict=True):
        for document in DOCUMENTS:
            assert mean(cost[new, document]) < mean(cost[old, document])


def test_the_default_effort_is_part_of_what_the_switch_saves(unset: dict[str, Any], high: dict[str, Any]) -> None:
    for document in DOCUMENTS:
        assert ratio(unset, document) < ratio(high, document) < 1
    assert "measures the switch" in " ".join(unset["meta"]["caveats"][NEW[0]])


def test_the_older_model_does_not_notice_its_own_default_being_named(
    unset: dict[str, Any], high: dict[str, Any]
) -> None:
    for document in DOCUMENTS:
        assert figures(unset, "cost")[OLD[0], document] == figures(high, "cost")[OLD[0], document]


def test_the_rerun_is_a_grid_of_its_own(grid: Grid, high: dict[str, Any]) -> None:
    plain, moved = grid.side("opus55value"), grid.side("opus55value", reasoning_effort="high")
    assert moved.address == "local/v0.6.9/opus55value__reasoning-effort-high" and not plain.keys & moved.keys
    assert high["meta"]["overrides"] == {"reasoning_effort": "high"}
    assert {row["resolved"]["reasoning_effort"] for row in high["rows"]} == {"high"}


def test_each_run_after_the_first_reads_the_cache_in_simple_mode(unset: dict[str, Any]) -> None:
    for cell in (OLD[0], NEW[0]):
        for document in DOCUMENTS:
            tokens = figures(unset, "tokens")[cell, document]
            assert [one["cacheReadInputTokens"] > 0 for one in tokens] == [False, True, True, True, True]
            assert [one["cacheWriteInputTokens"] > 0 for one in tokens] == [True, False, False, False, False]
