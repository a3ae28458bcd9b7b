"""A release that is worse in one known way is convicted of that and of nothing else; an unchanged release is not.

Profiles of the local stack are altered, or what a run leaves behind is; then the whole path is gone through: engine,
records, scores, summary, gate. A finding is named by its level, key and metric.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from inprocess import Change, Grid, with_model

from idpbench.gate.verdict import make_comparison
from idpbench.localstack.engine import Profile
from idpbench.stack.model import Side, SideRun

SIMPLE, ADVANCED = "core-tt-simple-sep", "core-tt-adv-sep"
CELLS = (SIMPLE, ADVANCED)
CONTROL = "us.anthropic.claude-sonnet-4-6"
Finding = tuple[str, str, str]
Sections = list[dict[str, Any]]
Edit = Callable[[Sections], None]


class Edited(Grid):
    """A grid whose runs of one cell lose something between the engine and the record."""

    cell: str = SIMPLE
    edit: Edit = staticmethod(lambda sections: None)

    def record(self, side: Side, run: SideRun, profile: Profile) -> dict[str, Any]:
        made = super().record(side, run, profile)
        if run.cell == self.cell:
            for document in made["documents"]:
                self.edit(document["sections"])
        return made


@pytest.fixture(scope="module")
def before(grid: Grid) -> dict[str, Any]:
    return grid.run("corefast", cells=CELLS)


@pytest.fixture(scope="module")
def worse(grid: Grid, before: dict[str, Any]) -> Callable[[Change], dict[str, Any]]:
    """The verdict on a release whose profile is changed."""
    return lambda change: make_comparison(grid.run("corefast", cells=CELLS, change=change), before)


@pytest.fixture(scope="module")
def edited(grid: Grid, before: dict[str, Any]) -> Callable[[Edit], dict[str, Any]]:
    """The verdict on a release in which one cell's sections come out otherwise."""

    def compare(edit: Edit) -> dict[str, Any]:
        other = Edited(grid.folder, grid.cache)
        other.edit = edit
        return make_comparison(other.run("corefast", cells=CELLS), before)

    return compare


def regressions(verdict: dict[str, Any]) -> set[Finding]:
    return {
        (level, found["key"], found["metric"])
        for level in ("rows", "cells", "grid")
        for found in verdict[level]["regressions"]
    }


def metrics(verdict: dict[str, Any], level: str) -> set[tuple[str, str]]:
    return {(key, metric) for at, key, metric in regressions(verdict) if at == level}


def test_an_unchanged_release_passes(grid: Grid) -> None:
    """The release grid of 0.6.9 against a second series of its own, but for the cells where OCR takes the time."""
    cells = {run.cell for run in grid.side("corefast").runs if run.resolved["ocr"] != "bedrock_llm"}
    first, second = (grid.run("corefast", cells=cells, series=series) for series in ("a", "b"))
    verdict = make_comparison(second, first)
    assert len(first["rows"]) == len(second["rows"]) == 9 * len(cells) > 100
    assert (verdict["verdict"], verdict["exit_code"]) == ("pass", 0)
    assert regressions(verdict) == set()


def test_a_lower_output_cap_loses_rows_in_simple_mode_only(worse: Callable[[Change], dict[str, Any]]) -> None:
    verdict = worse(lambda profile: with_model(profile, CONTROL, output_cap=2000))
    assert (verdict["verdict"], verdict["exit_code"]) == ("regression", 1)
    assert metrics(verdict, "rows") == {
        (f"{SIMPLE}|{document}.pdf", "completeness_recall") for document in ("small_narrow", "longdesc_100")
    }
    assert metrics(verdict, "cells") == {(SIMPLE, "completeness_recall")}
    assert metrics(verdict, "grid") == {("*", "completeness_recall")}


def test_more_conversations_make_advanced_mode_dearer(worse: Callable[[Change], dict[str, Any]]) -> None:
    verdict = worse(lambda profile: profile.model_copy(update={"conversations_per_shard": 3}))
    assert verdict["verdict"] == "regression"
    assert metrics(verdict, "cells") == {(ADVANCED, "cost")}
    assert metrics(verdict, "grid") == {("*", "bill")}
    assert {metric for _, metric in metrics(verdict, "rows")} == {"cost"}


def test_a_window_that_is_too_small_makes_runs_fail(worse: Callable[[Change], dict[str, Any]]) -> None:
    verdict = worse(lambda profile: with_model(profile, CONTROL, hard_window=20_000))
    assert verdict["verdict"] == "regression"
    assert metrics(verdict, "rows") == {
        (f"{SIMPLE}|{document}.pdf", "failures") for document in ("small_narrow", "longdesc_100")
    }
    assert (SIMPLE, "failures") in metrics(verdict, "cells") and ("*", "failures") in metrics(verdict, "grid")


def without_column(sections: Sections) -> None:
    for section in sections:
        for row in section["value"]["inference_result"]["Transactions"]:
            row.pop("Amount")


def without_field(sections: Sections) -> None:
    for section in sections:
        section["value"]["inference_result"].pop("Statement Period")


def without_confidence(sections: Sections) -> None:
    for section in sections:
        section["value"]["explainability_info"] = []


def cut_in_two(sections: Sections) -> None:
    """The last section once more, as if a border had been found inside it."""
    again = {**sections[-1], "id": "2", "key": sections[-1]["key"].replace("/sections/1/", "/sections/2/")}
    again["value"] = {**again["value"], "inference_result": {"Transactions": []}}
    sections.append(again)


@pytest.mark.parametrize(
    ("edit", "metric"),
    [
        (without_column, "cell_accuracy"),
        (without_field, "scalar_accuracy"),
        (without_confidence, "conf_coverage"),
        (cut_in_two, "sections_correct"),
    ],
)
def test_what_one_cell_loses_is_named(edited: Callable[[Edit], dict[str, Any]], edit: Edit, metric: str) -> None:
    verdict = edited(edit)
    assert (verdict["verdict"], verdict["exit_code"]) == ("regression", 1)
    assert (SIMPLE, metric) in metrics(verdict, "cells")
    assert metric in {named for _, named in metrics(verdict, "grid")}
    assert {key.split("|")[0] for level in ("rows", "cells") for key, _ in metrics(verdict, level)} == {SIMPLE}


def numbers_as_text(sections: Sections) -> None:
    for section in sections:
        found = section["value"]["inference_result"]
        found.update({name: f"about {value}" for name, value in found.items() if isinstance(value, int | float)})


def test_fields_that_lose_their_type_are_named(grid: Grid) -> None:
    """A form of 25 labelled fields, in the one suite whose runs of it are repeated."""
    other = Edited(grid.folder, grid.cache)
    other.cell, other.edit = "enforce-off", numbers_as_text
    verdict = make_comparison(
        other.run("enforcement", documents=["kv_form"]), grid.run("enforcement", documents=["kv_form"])
    )
    assert verdict["verdict"] == "regression"
    assert ("enforce-off|kv_form.pdf", "typed_accuracy") in metrics(verdict, "rows")
    assert {key for key, _ in metrics(verdict, "rows")} == {"enforce-off|kv_form.pdf"}
