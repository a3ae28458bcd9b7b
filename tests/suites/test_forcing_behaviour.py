"""Suite forcing: the rate at which a forced tool was honoured comes first, since without it a delta means nothing."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, rows_of, series

OFF, ON = "force-off", "force-on"


@pytest.fixture(scope="module")
def summary(grid: Grid) -> dict[str, Any]:
    return grid.run("forcing")


@pytest.fixture(scope="module")
def rejected(grid: Grid) -> dict[str, Any]:
    return grid.run("forcing", extraction_model="opus55")


def test_every_run_that_forces_says_whether_it_was_honoured(summary: dict[str, Any]) -> None:
    assert series(summary, ON, None, "forced_tool_honored_rate") == [1.0] * 9
    assert series(summary, OFF, None, "forced_tool_honored_rate") == [None] * 9
    stats = {cell: found["forced_tool_honored_rate"]["n"] for cell, found in summary["cell_stats"].items()}
    assert stats == {ON: 9, OFF: 0}


def test_the_second_copy_of_the_schema_is_in_the_request(summary: dict[str, Any]) -> None:
    tokens = figures(summary, "tokens")
    for name in ("valuenoise_100", "longdesc_100", "kv_form"):
        on, off = tokens[ON, name][0], tokens[OFF, name][0]
        assert on["cacheWriteInputTokens"] > off["cacheWriteInputTokens"]


def test_a_model_that_rejects_a_forced_tool_records_the_reason_and_measures_nothing(rejected: dict[str, Any]) -> None:
    for row in rows_of(rejected, ON):
        assert row["status"] == "COMPLETED" and row["forced_tool_attempted"] is None
        ((reason, count),) = row["forced_tool_skips"].items()
        assert "rejects a forced tool" in reason and count == row["sections"]
    for metric in ("cost", "tokens", "cell_accuracy", "completeness_recall"):
        assert series(rejected, ON, None, metric) == series(rejected, OFF, None, metric)


def test_the_summary_warns_of_that_cell(rejected: dict[str, Any], summary: dict[str, Any]) -> None:
    assert any("forcing is not measured" in text for text in rejected["meta"]["caveats"][ON])
    assert ON not in summary["meta"]["caveats"]


def test_the_override_is_in_the_address_and_in_every_key(grid: Grid) -> None:
    plain, moved = grid.side("forcing"), grid.side("forcing", extraction_model="opus55")
    assert moved.address == "local/v0.6.9/forcing__extraction-model-opus55"
    assert plain.address == "local/v0.6.9/forcing" and not plain.keys & moved.keys
