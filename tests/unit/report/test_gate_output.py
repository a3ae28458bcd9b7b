"""The page made from what the gate really writes, and the parts of it that a small grid does not show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sides import comparison, failed, finding, row, wide_grid, write_side

from idpbench.files.canonical import read_json, write_json
from idpbench.gate.verdict import make_comparison
from idpbench.report.blind import certificate_sentence
from idpbench.report.coverage import statements
from idpbench.report.headline import notable
from idpbench.report.inputs import Inputs, Run, load
from idpbench.report.lines import classic_lines, notes
from idpbench.report.ownership import Claims, decide
from idpbench.report.release_page import pair_of, render
from idpbench.report.spelling import code, probability
from idpbench.report.strata import paired, run_to_run_cv, values
from idpbench.report.verdict import Finding, blindness, counts

CELLS = ("alpha-sep", "beta-int", "gamma-off")
DOCS = {"tiny_form": 0.03, "small_narrow": 0.15}


def judged(folder: Path, new: list[dict[str, Any]], base: list[dict[str, Any]], **more: Any) -> Inputs:
    """Sides written, compared by the gate itself, loaded."""
    write_side(folder / "new", "0.6.9", new, **more)
    write_side(folder / "base", "0.6.8", base, **more)
    sides = (read_json(folder / side / "summary.json") for side in ("new", "base"))
    write_json(folder / "comparison.json", make_comparison(*sides))
    return load(folder / "new", folder / "base", folder / "comparison.json")


def page(inputs: Inputs) -> str:
    return render(inputs, decide(pair_of(inputs), Claims()), Path("no-figures"))


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Three cells with noise; one document lost most of its rows, and a run failed."""
    new = wide_grid(2, CELLS, DOCS, 3)
    for line in new:
        if (line["cell"], line["doc"]) == ("beta-int", "small_narrow.pdf"):
            line["completeness_recall"] = 0.1
    new[-1] = failed("gamma-off", "small_narrow", 2, "ThrottlingException: slow down")
    return judged(tmp_path_factory.mktemp("noisy"), new, wide_grid(1, CELLS, DOCS, 3))


def test_the_page_counts_the_findings_that_the_gate_made(noisy: Inputs) -> None:
    text = page(noisy)
    for kind, title in (
        ("regressions", "Regressions"),
        ("improvements", "Improvements"),
        ("inconclusive", "Inconclusive"),
    ):
        number = sum(counts(noisy.comparison, kind).values())
        assert f"### {title} ({number})" in text
    assert noisy.comparison["verdict"] == "regression"
    assert "`beta-int\\|small_narrow.pdf`" in text


def test_each_finding_stands_on_a_line_of_its_own(noisy: Inputs) -> None:
    section = page(noisy).split("## 7.")[1].split("### Scalar")[0].split("### By the classic")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `") or line.startswith("| grid")]
    assert len(lines) == sum(
        sum(counts(noisy.comparison, kind).values()) for kind in ("regressions", "improvements", "inconclusive")
    )


def test_every_table_has_one_width(noisy: Inputs) -> None:
    width = None
    for line in page(noisy).splitlines():
        if line.startswith("|"):
            columns = len(re.findall(r"(?<!\\)\|", line))
            assert width in (None, columns), line
            width = columns
        else:
            width = None


def test_means_are_those_of_the_gate(noisy: Inputs) -> None:
    for test in noisy.comparison["tests"]:
        if test["level"] in ("cell", "grid") and test["metric"] in ("completeness_recall", "scalar_accuracy"):
            means = paired(noisy.base, noisy.new, test["metric"], None if test["level"] == "grid" else test["key"])
            assert (means.base, means.new) == (pytest.approx(test["base"]), pytest.approx(test["new"]))
            assert (means.strata, means.runs_new) == (test["documents"], test["n_new"])


def test_the_other_pass_is_printed_beside_the_one_that_decides(noisy: Inputs) -> None:
    classic = noisy.comparison["classic"]["rows"]["regressions"]
    assert classic
    lines = classic_lines(noisy.comparison)
    assert [line for line in lines if line.startswith("row regression")] == [
        f"row regression: `{item['key']}`: {item['text']}" for item in classic
    ]
    assert all(f"- {line}" in page(noisy) for line in lines)


def test_missing_keys_are_named_in_the_coverage(tmp_path: Path) -> None:
    base = wide_grid(1, CELLS, DOCS, 2)
    new = [line for line in wide_grid(1, CELLS, DOCS, 2) if line["cell"] != "gamma-off"]
    inputs = judged(tmp_path, new, base)
    lines = statements(inputs)
    assert any(line.startswith("Missing on the new side (2): gamma-off|") for line in lines)
    assert "PARTIAL" in page(inputs)
    assert "the grid is incomplete" in page(inputs)


def test_two_sides_with_other_documents_are_incomparable_and_the_difference_is_shown(tmp_path: Path) -> None:
    base = [line | {"document_digest": "a" * 64} for line in wide_grid(1, CELLS, DOCS, 2)]
    new = [line | {"document_digest": "b" * 64} for line in wide_grid(1, CELLS, DOCS, 2)]
    inputs = judged(tmp_path, new, base)
    assert inputs.comparison["verdict"] == "incomparable"
    assert any(line.startswith("Differences between the sides") for line in statements(inputs))
    assert "baseline.json was not promoted: the two sides are incomparable." in page(inputs)


def test_what_the_plan_left_out_is_said_once_where_it_is_the_same_on_both_sides(tmp_path: Path) -> None:
    left_out = [{"cell": "alpha-sep", "document": "xl", "reason": "too many pages"}]
    inputs = judged(tmp_path, wide_grid(1, CELLS, DOCS, 2), wide_grid(1, CELLS, DOCS, 2), meta={"skipped": left_out})
    assert [line for line in statements(inputs) if "too many pages" in line] == [
        "Both sides, skipped (1): cell alpha-sep, document xl, reason too many pages."
    ]


def test_a_certificate_gives_the_a_a_rate() -> None:
    found = {
        "relabellings": 200, "regression_share": 0.015, "low": 0.005, "high": 0.043, "exit4_share": 0.02, "loose": None,
    }  # fmt: skip
    assert certificate_sentence(found) == (
        "A/A rate: with both sides relabelled at random, 1.5 % of 200 relabellings give a regression "
        "(95 % interval 0.5 % to 4.3 %), 2.0 % ask for a second look."
    )
    assert "Loose here: cells 14, row cost 3." in certificate_sentence({**found, "loose": {"cells": 14, "row cost": 3}})
    assert certificate_sentence(None) == "A/A rate: not yet computed for these runs."


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"repeats_needed": 7}, "repeats that would decide it: at least 7 a side"),
        ({"notes": ["more than 40"]}, "repeats that would decide it: more than 40"),
        ({"notes": ["one thing"]}, "repeats that would decide it: unknown; one thing"),
        (
            {"confirm": True, "repeats_needed": 4},
            "asks for a second look; repeats that would decide it: at least 4 a side",
        ),
    ],
)
def test_an_undecided_finding_says_what_would_decide_it(more: dict[str, Any], said: str) -> None:
    assert notes(Finding("row", "inconclusive", finding("a|b.pdf", "scalar_accuracy", 1.0, 0.5, **more))) == said


def test_the_bill_has_no_number_of_repeats() -> None:
    assert notes(Finding("grid", "inconclusive", finding("*", "bill", 1.0, 1.2))) == ""


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({}, "no difference found"),
        ({"rows": {"inconclusive": [finding("a|b.pdf", "cost", 0.1, 0.2)]}}, "1 inconclusive, nothing else"),
        ({"rows": {"improvements": [finding("a|b.pdf", "cost", 0.2, 0.1)]}}, "cost per run of a|b $0.2000 → $0.1000"),
        (
            {
                "rows": {"regressions": [finding("a|b.pdf", "completeness_recall", 1.0, 0.1)]},
                "grid": {"regressions": [finding("*", "bill", 3.0, 4.0)]},
            },
            "bill of the grid $3.0000 → $4.0000 and 1 more",
        ),
    ],
)
def test_the_index_names_the_finding_of_the_highest_level(tmp_path: Path, levels: dict[str, Any], said: str) -> None:
    write_side(tmp_path / "new", "0.6.9", [row("a", "b", 0)])
    write_side(tmp_path / "base", "0.6.8", [row("a", "b", 0)])
    write_json(tmp_path / "comparison.json", comparison("regression" if "grid" in levels else "pass", **levels))
    assert notable(load(tmp_path / "new", tmp_path / "base", tmp_path / "comparison.json")) == said


def test_a_labelled_set_is_one_run_a_repeat(tmp_path: Path) -> None:
    lines = [
        row("a", "set", repeat, cost=0.1) | {"doc": "set", "sub_doc": f"{part}.pdf", "scalar_accuracy": part / 4}
        for repeat in range(2)
        for part in range(5)
    ]
    lines[9] |= {"success": False, "status": "FAILED", "cost": None}
    write_side(tmp_path / "side", "0.6.9", lines)
    write_json(tmp_path / "comparison.json", comparison())
    side = load(tmp_path / "side", tmp_path / "side", tmp_path / "comparison.json").new
    assert values(side, "scalar_accuracy") == {("a", "set"): [0.5, pytest.approx(0.375)]}
    assert values(side, "cost") == {("a", "set"): [pytest.approx(0.5)]}, "a set whose part failed has no known cost"


def test_unlike_documents_add_nothing_to_the_run_to_run_spread() -> None:
    assert run_to_run_cv([[1.0, 1.0], [100.0, 100.0]]) == 0
    assert run_to_run_cv([[9.0, 11.0], [900.0, 1100.0]]) == pytest.approx(2**0.5 / 10)
    assert run_to_run_cv([[1.0], [2.0]]) is None


def test_smallest_effects_of_costs_are_shown_as_relative_changes() -> None:
    tests = [
        {"level": "cell", "key": "a", "metric": metric, "verdict": "not seen", "detectable": value}
        for metric, value in (("cost", 0.1398), ("scalar_accuracy", 0.02))
    ]
    found = {one.metric: one.worst for one in blindness(comparison(tests=tests))}
    assert found == {"cost": pytest.approx(0.15, abs=1e-4), "scalar_accuracy": 0.02}


@pytest.mark.parametrize(
    ("reason", "named"),
    [
        ("ValidationException: input is too long", "ValidationException"),
        ("botocore.errorfactory.ThrottlingException: rate", "botocore.errorfactory.ThrottlingException"),
        ("the worker went away", "FAILED"),
        (None, "FAILED"),
    ],
)
def test_failures_are_counted_by_the_error_that_the_reason_names(reason: str | None, named: str, noisy: Inputs) -> None:
    run = noisy.new.runs[0]
    fields = {name: getattr(run, name) for name in Run.__dataclass_fields__}
    assert Run(**{**fields, "status": "FAILED", "reason": reason}).error_class == named


def test_words_of_a_document_are_never_markup() -> None:
    assert code("**** 12`34`\n*bold*") == "`**** 12'34' *bold*`"
    assert code("  ") == "(empty)"


@pytest.mark.parametrize(("amount", "shown"), [(None, "n/a"), (0.00001, "< 0.0001"), (0.05, "0.0500"), (1.0, "1.0000")])
def test_a_small_p_is_never_printed_as_zero(amount: float | None, shown: str) -> None:
    assert probability(amount) == shown


def test_comparison_json_itself_is_not_changed_by_rendering(noisy: Inputs) -> None:
    before = json.dumps(noisy.comparison, sort_keys=True)
    page(noisy)
    assert json.dumps(noisy.comparison, sort_keys=True) == before
