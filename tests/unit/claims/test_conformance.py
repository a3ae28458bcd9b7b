"""Conformance: what every claim must hold, and the digest that says over which fixtures."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors.base import NO_MODEL, ExtractorUnavailable
from idpbench.claims.extractors.conformance import conformance, fixture_report
from idpbench.claims.extractors.registry import registry
from idpbench.claims.suite.fixtures import Fixture, corpus_digest, fixture_ids
from idpbench.claims.suite.model import Snapshot
from idpbench.files.errors import Refusal
from idpbench.files.schema import check

FIXTURES = Path(__file__).resolve().parents[3] / "corpus" / "claims" / "fixtures"
FIXTURE = Fixture("one", "TEXT", b"text", Snapshot("0" * 64))


class Scripted:
    """An extractor that gives what it is told to."""

    extractor_id = "scripted"
    version = "1"
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def __init__(self, give: Callable[[], list[Claim]], *, deterministic: bool = True) -> None:
        self.give = give
        self.deterministic = deterministic

    def accepts(self, source_type: str) -> bool:
        return True

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        return self.give()


def test_every_own_extractor_conforms_on_its_fixtures() -> None:
    report = conformance(FIXTURES, registry())
    check(report, "claims-conformance", "report")
    assert report["passed"]
    assert [row["fixture_id"] for row in report["fixtures"]] == fixture_ids(FIXTURES)
    assert report["corpus_digest"] == corpus_digest(FIXTURES)
    assert all(row["recommended"]["well_spelt"] == 1.0 for row in report["fixtures"])


def test_one_extractor_is_shown_its_own_fixtures_alone() -> None:
    rows = conformance(FIXTURES, registry(), "rdf-graph")["fixtures"]
    assert [row["extractor_id"] for row in rows] == ["rdf-graph"]
    with pytest.raises(Refusal, match="no fixture that is routed to nobody"):
        conformance(FIXTURES, registry(), "nobody")


def test_any_change_of_a_fixture_is_another_corpus(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES, tmp_path / "f")
    before = corpus_digest(tmp_path / "f")
    assert before == corpus_digest(FIXTURES)
    manifest = tmp_path / "f" / "eel-count" / "manifest.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert corpus_digest(tmp_path / "f") != before


@pytest.mark.parametrize(
    ("claims", "failure"),
    [
        ([], "no claims"),
        ([Claim(" ", 0.5)], "claim 0: no content"),
        ([Claim("a", 0.5), Claim("", 0.5)], "claim 1: no content"),
    ],
)
def test_what_is_required_fails_by_name(claims: list[Claim], failure: str) -> None:
    assert failure in fixture_report(FIXTURE, Scripted(lambda: claims)).failures


def test_claims_that_change_fail_only_an_extractor_that_says_it_is_deterministic() -> None:
    def give(numbers: list[int]) -> list[Claim]:
        numbers.append(0)
        return [Claim(f"claim {len(numbers)}", 0.5)]

    assert fixture_report(FIXTURE, Scripted(lambda kept=[]: give(kept))).failures  # type: ignore[misc]
    assert not fixture_report(FIXTURE, Scripted(lambda kept=[]: give(kept), deterministic=False)).failures  # type: ignore[misc]


def test_what_is_recommended_is_a_share() -> None:
    claims = [Claim("a", 0.5, ("A",)), Claim("b", 0.5), Claim("c", 0.5, modality="SURE"), Claim("d", 0.5, ("D",))]
    late = Claim("e", 0.5, expected_valid_until="next week")
    report = fixture_report(FIXTURE, Scripted(lambda: [*claims, late]))
    assert (report.with_subjects, report.well_spelt, report.failures) == (0.4, 0.6, ())


def test_an_error_and_a_type_without_owner_are_failures_and_a_missing_key_is_none() -> None:
    def broken() -> list[Claim]:
        raise ValueError("no table")

    def without_key() -> list[Claim]:
        raise ExtractorUnavailable("no key")

    assert fixture_report(FIXTURE, Scripted(broken)).failures == ("raises ValueError: no table",)
    unsure = fixture_report(FIXTURE, Scripted(lambda: [Claim("a", 1.2)]))
    assert unsure.failures == ("raises ValueError: confidence 1.2 is not within [0, 1]",)
    assert fixture_report(FIXTURE, None).failures == ("no extractor accepts TEXT",)
    with pytest.raises(ExtractorUnavailable):
        fixture_report(FIXTURE, Scripted(without_key))
