"""Suite full: all cells of core and of the sweeps; here on the smallest document, where nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures

NAME = "tiny_form"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def full(grid: Grid) -> dict[str, Any]:
    return grid.run("full", documents=[NAME])


def test_every_cell_completes_and_only_reading_by_a_model_costs_a_field(full: dict[str, Any]) -> None:
    assert len(full["cell_stats"]) == 49
    assert {row["status"] for row in full["rows"]} == {"COMPLETED"}
    assert {row["completeness_recall"] for row in full["rows"]} == {1.0}
    lost = {cell for (cell, _), values in figures(full, "scalar_accuracy").items() if values != [1.0]}
    assert lost == {"core-llm-simple-sep", "sweep-ocr-bedrock-llm"}


def test_a_sweep_that_resolves_like_another_cell_is_measured_like_it(full: dict[str, Any]) -> None:
    aliases = full["meta"]["aliases"]
    assert {"sweep-ocr-bda": "core-bda-simple-sep", "sweep-forcing-on": "force-on"}.items() <= aliases.items()
    for metric in ("completeness_recall", "scalar_accuracy", "cell_accuracy", "sections", "n_conf_leaves"):
        found = figures(full, metric)
        assert all(found[alias, NAME] == found[first, NAME] for alias, first in aliases.items()), metric


def test_models_cost_what_their_rates_say(full: dict[str, Any]) -> None:
    cost = {cell: values[0] for (cell, _), values in figures(full, "cost").items()}
    dearest_first = [
        cost[f"sweep-extraction-model-{model}"]
        for model in ("astra", "opus5", "opus55", "sonnet5", "nova-pro", "nova-lite")
    ]
    assert dearest_first == sorted(dearest_first, reverse=True) and len(set(dearest_first)) == len(dearest_first)
    for phase in ("classification", "confidence"):
        assert cost[f"sweep-{phase}-model-sonnet5"] > cost[f"sweep-{phase}-model-nova-2-lite"]


def test_each_sweep_moves_one_axis_and_the_plan_knows_what_cannot_fit(full: dict[str, Any]) -> None:
    default = next(row["resolved"] for row in full["rows"] if row["cell"] == "core-tt-simple-sep")
    for row in full["rows"]:
        if row["cell"].startswith("sweep-"):
            apart = [axis for axis, value in row["resolved"].items() if value != default[axis]]
            assert len(apart) == (0 if row["cell"] in full["meta"]["aliases"] and "nova-2-lite" in row["cell"] else 1)
    expected = {(one["cell"], one["document"]) for one in full["meta"]["expected_fail"]}
    assert ("sweep-extraction-model-sonnet5", "dense_250") in expected
    assert not [cell for cell, _ in expected if "-adv-" in cell or cell == "sweep-extraction-mode-advanced"]
