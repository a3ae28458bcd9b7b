"""Passes, what is kept of them, and comparisons."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.bench.extraction import extract_pass
from idpbench.claims.bench.saved import save_pass
from idpbench.claims.bench.sources import Absent, Source, sources_of
from idpbench.claims.bench.work import measures
from idpbench.claims.compare import cell, compare
from idpbench.claims.emitted import Claim
from idpbench.claims.extractors.base import ExtractorUnavailable
from idpbench.claims.pages.terminal import comparison_text
from idpbench.claims.recordings import write_emissions
from idpbench.claims.suite.model import Case, Snapshot, Suite
from idpbench.files.errors import Refusal
from idpbench.files.tables import MISSING

ROOT = Path(__file__).resolve().parents[3]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Reader:
    """Accepts letters, and does what the source says."""

    extractor_id = "reader"
    version = "1"
    deterministic = True
    provider_model = "none"
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        return source_type == "LETTER"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        if data == b"broken":
            raise ValueError("cannot read it")
        if data == b"no key":
            raise ExtractorUnavailable("reader: no key")
        return [Claim(data.decode(), 0.8)]


def suite_of(*cases: Case) -> Suite:
    return Suite("letters-001", "Letters", "1", "post", ("LETTER",), cases)


def test_a_case_is_ok_or_says_why_it_is_not() -> None:
    sources = [
        Source("read", b"A fact.", None),
        Source("other", b"A fact.", "INVOICE"),
        Source("broken", b"broken", "LETTER"),
        Absent("lost", "no such folder"),
    ]
    cases = extract_pass(suite_of(), Reader(), sources).cases
    assert [case.status for case in cases] == ["ok", "declined", "raises", "missing_fixture"]
    assert cases[2].note == "ValueError: cannot read it"


@pytest.mark.parametrize(
    ("state", "note"),
    [
        (lambda: [{"content": "a", "confidence": 1}], "found dict among its claims"),
        (lambda: None, "NoneType"),
        (lambda: [Claim("\ud800", 0.5)], "no Unicode text"),
        (lambda: [Claim("a", 0.5, ("\udfff",))], "no Unicode text"),
        (lambda: [Claim("a", 0.5, (None,))], "subject is no text but NoneType"),  # type: ignore[arg-type]
        (lambda: [Claim("a", 0.5, "Ada")], "subjects are one text"),  # type: ignore[arg-type]
        (lambda: [Claim("a", 0.5, modality=3)], "modality is no text but int"),  # type: ignore[arg-type]
        (lambda: [Claim("a", float("nan"))], "confidence nan"),
        (lambda: json.loads("\ud800"), "JSONDecodeError"),
    ],
)
def test_what_no_judge_could_read_fails_its_case_alone(
    state: Any, note: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Reader, "extract", lambda self, data, kind: state() if data == b"odd" else [Claim("b", 1)])
    made = extract_pass(suite_of(), Reader(), [Source("odd", b"odd", None), Source("even", b"even", None)])
    assert [case.status for case in made.cases] == ["raises", "ok"]
    assert note in made.cases[0].note
    write_emissions(tmp_path / "emitted.json", made)


def test_an_extractor_that_cannot_work_measures_nothing() -> None:
    with pytest.raises(ExtractorUnavailable):
        extract_pass(suite_of(), Reader(), [Source("one", b"no key", None)])


def test_an_inline_source_has_no_type_and_a_lost_fixture_leaves_its_case_out(tmp_path: Path) -> None:
    suite = suite_of(
        Case("inline", (), snapshot=Snapshot("0" * 64), inline_content="é"), Case("fixed", (), fixture="gone")
    )
    inline, fixed = sources_of(suite, tmp_path)
    assert inline == Source("inline", "é".encode(), None)
    assert isinstance(fixed, Absent) and "gone" in fixed.note


def test_a_kept_pass_is_never_written_over(tmp_path: Path) -> None:
    result = {"extractor_id": "reader", "suite_id": "letters-001", "n": 1}
    first = save_pass(tmp_path, result, NOON)
    second = save_pass(tmp_path, {**result, "n": 2}, NOON.astimezone() + timedelta(milliseconds=3))
    assert first is not None and second is not None
    assert first.name == "20261130T120000Z-benchmark-reader-letters-001.json"
    assert second.name == "20261130T120000Z-benchmark-reader-letters-001-2.json"
    assert '"n": 1' in first.read_text() and '"n": 2' in second.read_text()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_disk_that_cannot_be_written_costs_the_file_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "runs").write_text("a file in the way")
    assert save_pass(tmp_path / "runs", {"extractor_id": "reader", "suite_id": "letters-001"}, NOON) is None
    assert "this pass is not kept" in caplog.text


def aggregate(name: str, precision: float | None, support: int, runs: int = 1, cases_run: int = 1) -> dict[str, Any]:
    figures = {"precision": {"value": precision, "support": support}}
    summary = {"mean": precision, "minimum": precision, "maximum": precision}
    return {
        "suite_id": "letters-001",
        "suite_version": "1",
        "extractor_id": name,
        "judge": {"id": "j"},
        "runs": runs,
        "figures": {"precision": summary},
        "passes": [{"cases_run": cases_run, "figures": figures}] * runs,
    }


def test_a_cell_has_an_interval_that_more_passes_over_the_same_sources_do_not_narrow() -> None:
    once = cell(aggregate("a", 0.8, 50), "precision")
    often = cell(aggregate("a", 0.8, 50, runs=10), "precision")
    assert once == often
    assert once.low is not None and once.high is not None and once.low < 0.8 < once.high


def test_a_cell_is_empty_where_no_case_was_run_or_nothing_was_stated() -> None:
    assert cell(aggregate("a", 1.0, 0, cases_run=0), "precision").mean is None
    assert cell(aggregate("a", None, 0), "precision").mean is None
    assert cell(aggregate("a", 1.0, 3), "recall").mean is None


def test_results_of_two_judges_are_not_compared() -> None:
    other = {**aggregate("b", 0.5, 4), "judge": {"id": "k"}}
    with pytest.raises(Refusal, match="one judge"):
        compare([[aggregate("a", 0.5, 4), other]], ["a", "b"])
    table = compare([[aggregate("a", 0.5, 4), aggregate("b", None, 0)]], ["b", "a"])
    assert list(table["suites"][0]["metrics"]["precision"]) == ["b", "a"]


def test_every_shipped_suite_has_exactly_one_extractor_to_measure() -> None:
    found = measures(ROOT)
    assert len({(one.kind, one.suite_id) for one in found}) == len(found)
    assert sum(one.kind == "suites" for one in found) >= 6
    assert {one.kind for one in found} == {"suites", "modality", "polarity", "validity"}


def test_every_cell_of_a_comparison_says_what_it_stands_on() -> None:
    text = comparison_text(compare([[aggregate("a", 0.5, 12), aggregate("b", None, 0)]], ["a", "b"]))
    line = next(line for line in text.splitlines() if line.startswith("precision"))
    assert "0.500 [" in line and " of 12" in line
    assert line.rstrip().endswith(MISSING)
