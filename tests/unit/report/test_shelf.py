"""What lies in results/, and how a page states what it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest
from published import broken, line, publish_side, repeats, sides

from idpbench.files.atomic import write_text
from idpbench.files.errors import Refusal
from idpbench.report.shelf import each_release, evidence_of, newest, pick


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "local"


def test_the_newest_release_is_by_number_and_not_by_letter(results: Path) -> None:
    for version in ("0.6.9", "0.6.10", "0.6.8"):
        publish_side(results, version, "scaling", [line("core-tt-simple-sep", "scale_25")])
    assert newest(sides(results)) == "0.6.10"
    assert [item.version for item in each_release(sides(results), "scaling")] == ["0.6.10", "0.6.9", "0.6.8"]


def test_a_newer_release_is_chosen_before_a_better_suite_and_a_better_suite_within_one(results: Path) -> None:
    rows = [line("core-tt-simple-sep", "tiny_form")]
    publish_side(results, "0.6.8", "coresynth", rows)
    publish_side(results, "0.6.9", "corefast", rows)
    chosen = pick(sides(results), ("coresynth", "corefast"))
    assert chosen is not None and chosen.address == "v0.6.9/corefast"
    publish_side(results, "0.6.9", "coresynth", rows)
    chosen = pick(sides(results), ("coresynth", "corefast"))
    assert chosen is not None and chosen.address == "v0.6.9/coresynth"


def test_a_side_with_overrides_or_of_another_series_is_not_chosen(results: Path) -> None:
    rows = [line("core-tt-simple-sep", "tiny_form")]
    publish_side(results, "0.6.9", "corefast", rows, slug="ocr-bda")
    publish_side(results, "0.6.8", "corefast", rows, series="b")
    assert pick(sides(results), ("corefast",)) is None


def test_evidence_names_release_runs_failures_and_day(results: Path) -> None:
    rows = [*repeats(2, "core-tt-simple-sep", "scale_25"), broken("core-tt-simple-sep", "scale_3200")]
    publish_side(results, "0.6.9", "scaling", rows)
    assert evidence_of(sides(results)[0]).line() == "0.6.9, scaling: 3 runs, 1 failed, 2026-11-10"


def test_a_run_of_a_labelled_set_counts_once_and_one_that_never_began_not_at_all(results: Path) -> None:
    parts = [line("core-tt-simple-sep", "realkie", 0) | {"sub_doc": f"{n}.pdf"} for n in range(5)]
    never = line("core-tt-simple-sep", "tiny_form") | {"status": "NOT_LAUNCHED", "success": False}
    publish_side(results, "0.6.9", "core", [*parts, never], partial=True)
    found = evidence_of(sides(results)[0])
    assert (found.runs, found.failed) == (1, 0)
    assert found.line().endswith("PARTIAL")


def test_a_damaged_summary_is_refused_by_name(results: Path) -> None:
    write_text(results / "v0.6.9" / "scaling" / "summary.json", "{}")
    with pytest.raises(Refusal, match=r"scaling/summary\.json: rows"):
        sides(results)
