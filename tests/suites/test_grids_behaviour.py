"""Suites smoke, corefast, coresynth, simplegrid and core: broad grids, on the documents that are quickly read."""

from __future__ import annotations

from typing import Any

import pytest
from inprocess import Grid, figures, settings

from idpbench.files.schema import check
from idpbench.matrix.plan import build_plan

QUICK = ("tiny_form", "small_narrow")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def quick(grid: Grid) -> dict[str, Any]:
    return grid.run("coresynth", documents=QUICK)


@pytest.fixture(scope="module")
def synth(grid: Grid) -> dict[str, Any]:
    cells = ["core-tt-simple-sep", "core-tt-simple-int", "core-tt-adv-int", "core-bda-adv-sep"]
    return grid.run("coresynth", cells=cells)


def test_every_cell_completes_the_small_documents(quick: dict[str, Any]) -> None:
    assert len(quick["cell_stats"]) == 19
    assert {row["status"] for row in quick["rows"]} == {"COMPLETED"}
    assert {row["completeness_recall"] for row in quick["rows"]} == {1.0}


def test_cells_that_resolve_alike_are_measured_alike(quick: dict[str, Any]) -> None:
    aliases = quick["meta"]["aliases"]
    assert {"enforce-warn", "force-off", "split-llm", "restate-on"} <= set(aliases)
    for metric in ("completeness_recall", "cell_accuracy", "scalar_accuracy"):
        found = figures(quick, metric)
        for alias, first in aliases.items():
            assert all(found[alias, name] == found[first, name] for name in QUICK)


def test_no_confidence_is_not_full_coverage(quick: dict[str, Any]) -> None:
    found = figures(quick, "conf_coverage")
    assert found["core-tt-simple-off", "small_narrow"] == [None]
    assert found["core-tt-simple-sep", "small_narrow"] == [1.0]


def test_the_integrated_answer_of_a_long_or_wide_list_is_cut_in_simple_mode_alone(synth: dict[str, Any]) -> None:
    recall = figures(synth, "completeness_recall")
    for name in ("large_narrow", "wide_400"):
        assert recall["core-tt-simple-int", name][0] < 0.9
        assert recall["core-tt-simple-sep", name] == recall["core-tt-adv-int", name] == [1.0]


def test_eight_lists_are_one_list(synth: dict[str, Any]) -> None:
    recall = figures(synth, "completeness_recall")
    assert all(recall[cell, "manylists_400"] == [1.0] for cell in synth["cell_stats"])


def test_a_release_is_told_from_the_next_by_what_it_documents(grid: Grid) -> None:
    """0.6.9: bold labels cost a page-reading model one scalar; fewer extraction requests cost less. Nothing else."""
    cells = ["core-llm-simple-sep", "core-tt-simple-sep", "core-tt-adv-sep"]
    old, new = (grid.run("coresynth", version, cells=cells, documents=QUICK) for version in ("0.6.8", "0.6.9"))
    before, after = figures(old, "scalar_accuracy"), figures(new, "scalar_accuracy")
    lost = {key for key in before if after[key] != before[key]}
    assert lost == {("core-llm-simple-sep", "tiny_form")}
    written = [
        sum(one["cacheWriteInputTokens"] for one in figures(side, "tokens")["core-tt-adv-sep", "small_narrow"])
        for side in (old, new)
    ]
    assert written[1] < 0.6 * written[0]


def test_a_light_model_keeps_to_simple_mode_and_loses_what_its_answer_cannot_hold(grid: Grid) -> None:
    summary = grid.run(
        "simplegrid",
        cells=["core-tt-simple-sep"],
        documents=[*QUICK, "med_narrow", "wide_400"],
        extraction_model="nova_lite",
    )
    recall = figures(summary, "completeness_recall")
    cell = "core-tt-simple-sep"
    assert recall[cell, "small_narrow"] == [1.0] and recall[cell, "med_narrow"][0] < 1
    assert recall[cell, "wide_400"][0] < recall[cell, "med_narrow"][0]
    advanced = build_plan(settings(), "coresynth", {"extraction_model": "nova_lite"})
    assert {one.cell for one in advanced.skipped} == {
        cell for cell, axes in advanced.cells.items() if axes["extraction_mode"] == "advanced"
    }


def test_what_is_near_the_limit_of_a_request_is_expected_to_fail_as_well(grid: Grid) -> None:
    summary = grid.run(
        "simplegrid", cells=["core-tt-simple-sep"], documents=["large_narrow"], extraction_model="nova_lite"
    )
    assert figures(summary, "status") == {("core-tt-simple-sep", "large_narrow"): ["FAILED"]}
    expected = {(one["cell"], one["document"]): one["reason"] for one in summary["meta"]["expected_fail"]}
    assert "may be too large" in expected["core-tt-simple-sep", "large_narrow"]


def test_sizes_are_those_of_the_specification() -> None:
    sizes = {name: build_plan(settings(), name).launches_total for name in settings().suites}
    assert sizes["smoke"] == 4 and sizes["corefast"] == 171 and sizes["coresynth"] == 133 and sizes["simplegrid"] == 63
    assert build_plan(settings(), "core").runs_total == 893 and sizes["core"] == 171
    assert sizes["astravalue"] == 100 and sizes["astracap"] == 12 and sizes["opus55value"] == 40


def test_less_than_the_suite_asks_and_what_is_left_out_stand_in_meta(grid: Grid) -> None:
    summary = grid.run("corefast", cells=["core-tt-simple-sep"], documents=["tiny_form"], repeats=1)
    assert "1 of the suite's 3 repeats" in summary["meta"]["capped"]
    assert grid.run("smoke", cells=["core-tt-simple-sep"], documents=["tiny_form"])["meta"]["capped"] is None
    core = grid.run("core", cells=["core-tt-simple-sep"], documents=["tiny_form"])
    assert {one["document"] for one in core["meta"]["docs_unlaunchable"]} == {"realkie", "ocr_bench"}
    assert len(core["meta"]["skipped"]) == 38 and "no_reference" in core["meta"]["skipped"][0]["reason"]


def test_a_summary_made_in_process_is_what_the_workflow_publishes(quick: dict[str, Any]) -> None:
    check(quick, "summary", "in process")
