"""Waivers of config/gate.yaml: what they accept, until when, and those that accept nothing; on page, text and JUnit."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sides import failed, wide_grid, write_side

from idpbench.files.canonical import read_json, write_json
from idpbench.files.schema import check
from idpbench.gate import render_github, render_junit, render_text
from idpbench.gate.verdict import make_comparison
from idpbench.report.inputs import load
from idpbench.report.ownership import Claims, decide
from idpbench.report.release_page import pair_of, render
from idpbench.settings.yamlfile import load_yaml

RULES = load_yaml(Path(__file__).resolve().parents[3] / "config" / "gate.yaml")
CELLS = ("alpha-sep", "beta-int")
DOCS = {"tiny_form": 0.03, "small_narrow": 0.15}
KEY = "beta-int|tiny_form"
LAUNCHED = datetime(2026, 11, 20, 10, tzinfo=UTC)


def waiver(until: str, **more: Any) -> dict[str, Any]:
    return {"key": KEY, "reason": "BDA is not offered here", "until": until, **more}


def told(folder: Path, new: list[dict[str, Any]], *waivers: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The comparison of these runs with two or three of an unchanged grid, and its page."""
    repeats = 1 + max(row["repeat"] for row in new)
    write_side(folder / "new", "0.6.9", new, start=LAUNCHED)
    write_side(folder / "base", "0.6.8", wide_grid(1, CELLS, DOCS, repeats))
    sides = (read_json(folder / side / "summary.json") for side in ("new", "base"))
    comparison = make_comparison(*sides, RULES | {"waivers": list(waivers)})
    check(comparison, "comparison", "comparison.json")
    write_json(folder / "comparison.json", comparison)
    inputs = load(folder / "new", folder / "base", folder / "comparison.json")
    return comparison, render(inputs, decide(pair_of(inputs), Claims()), Path("no-figures"))


@pytest.fixture
def without_a_key() -> list[dict[str, Any]]:
    return [row for row in wide_grid(1, CELLS, DOCS, 2) if f"{row['cell']}|{row['doc']}" != f"{KEY}.pdf"]


def test_a_waived_gap_passes_and_the_page_says_why_and_until_when(tmp_path: Path, without_a_key: Any) -> None:
    comparison, page = told(tmp_path, without_a_key, waiver("2027-01-31"))
    assert comparison["verdict"] == "pass"
    said = f"`{KEY}.pdf`: BDA is not offered here (until 2027-01-31)"
    assert f"Waived (1): {said}." in page
    assert f"waived: {KEY}.pdf: BDA is not offered here (until 2027-01-31)" in render_text.render(comparison)
    assert f"waived: {KEY}.pdf: BDA is not offered here (until 2027-01-31)" in render_github.render(comparison)
    (case,) = ET.fromstring(render_junit.render(comparison)).findall(f".//testcase[@classname='{KEY}.pdf']/skipped")
    assert case.get("message") == "waived: missing on the new side"


def test_a_waiver_holds_on_its_last_day_and_not_after(tmp_path: Path, without_a_key: Any) -> None:
    assert told(tmp_path / "last", without_a_key, waiver("2026-11-20"))[0]["verdict"] == "pass"
    comparison, page = told(tmp_path / "after", without_a_key, waiver("2026-11-19"))
    assert (comparison["verdict"], comparison["exit_code"]) == ("incomplete", 3)
    assert comparison["coverage"]["waived"] == []
    assert "Waivers that waive nothing (1): " in page
    assert "(until 2026-11-19, expired on 2026-11-19, and these runs were launched on 2026-11-20)" in page
    assert "waives nothing: beta-int|tiny_form" in render_text.render(comparison)


@pytest.mark.parametrize("wrong", [{"key": "beta-int|tiny_from"}, {"metric": "completeness_recall"}])
def test_a_waiver_that_matches_nothing_is_said(tmp_path: Path, without_a_key: Any, wrong: dict[str, str]) -> None:
    """A misspelt document; a metric, where it is the whole key that is missing."""
    comparison, page = told(tmp_path, without_a_key, waiver("2027-01-31") | wrong)
    assert comparison["verdict"] == "incomplete"
    assert "matches nothing that needs it" in page and "matches nothing that needs it" in render_github.render(
        comparison
    )


def test_an_undecided_second_look_can_be_waived_by_metric(tmp_path: Path) -> None:
    new = [
        failed("beta-int", "tiny_form", row["repeat"], "throttled")
        if f"{row['cell']}|{row['doc']}" == f"{KEY}.pdf"
        else row
        for row in wide_grid(1, CELLS, DOCS, 2)
    ]
    assert told(tmp_path / "plain", new)[0]["verdict"] == "inconclusive"
    both = (waiver("2027-01-31", metric="failures"), waiver("2027-01-31", key="beta-int", metric="failures"))
    comparison, page = told(tmp_path / "waived", new, *both)
    assert comparison["verdict"] == "pass"
    assert f"`{KEY}.pdf` failures: BDA is not offered here (until 2027-01-31)" in page


def test_a_regression_cannot_be_waived(tmp_path: Path) -> None:
    new = [
        row | ({"completeness_recall": 0.2} if row["cell"] == "beta-int" else {})
        for row in wide_grid(1, CELLS, DOCS, 3)
    ]
    comparison, _ = told(tmp_path, new, waiver("2027-01-31", key="beta-int"))
    assert comparison["verdict"] == "regression"
    assert comparison["coverage"]["idle_waivers"][0]["why"] == "matches nothing that needs it"
