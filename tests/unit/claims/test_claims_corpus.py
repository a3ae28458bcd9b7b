"""The suites that come with the repository: valid, routed to one extractor each, and as their headers say."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.claims.extractors.registry import OWN, registry
from idpbench.claims.harness.load import discover_harness
from idpbench.claims.harness.model import KINDS, MODALITIES, POLARITIES, Kind
from idpbench.claims.routing import owners
from idpbench.claims.suite.discover import discover, suite_files, twice_named
from idpbench.claims.suite.fixtures import fixture_ids, load_fixture
from idpbench.claims.suite.model import Case, Suite
from idpbench.files.canonical import bytes_digest

CORPUS = Path(__file__).resolve().parents[3] / "corpus" / "claims"
SUITES = discover(CORPUS / "suites").suites
CALIBRATION = discover(CORPUS / "calibration").suites
BOTH = [*SUITES, *CALIBRATION]
named = pytest.mark.parametrize("suite", BOTH, ids=lambda suite: suite.suite_id)


def source(case: Case) -> tuple[bytes, str | None]:
    if case.fixture is None:
        return (case.inline_content or "").encode("utf-8"), None
    fixture = load_fixture(CORPUS / "fixtures", case.fixture)
    return fixture.data, fixture.source_type


def test_every_suite_file_loads() -> None:
    for folder in ("suites", "calibration"):
        assert not discover(CORPUS / folder).refused
    for kind in KINDS:
        assert not discover_harness(CORPUS / kind, kind).refused
    assert len(SUITES) >= 6
    assert len(CALIBRATION) >= 3
    assert not twice_named(BOTH)


@named
def test_a_suite_lies_under_its_name_and_is_routed_to_exactly_one_extractor(suite: Suite) -> None:
    assert Path(suite.source).stem == suite.suite_id
    assert len(owners(suite.source_types, registry())) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_harness_suite_is_routed_to_exactly_one_extractor(kind: Kind) -> None:
    found = discover_harness(CORPUS / kind, kind).suites
    assert found
    for suite in found:
        assert Path(suite.source).stem == suite.suite_id
        assert len(owners([suite.source_type], registry())) == 1


@pytest.mark.parametrize("folder", ["suites", "calibration"])
def test_every_suite_is_the_same_one_in_reference_mode(folder: str) -> None:
    assert discover(CORPUS / folder, "reference").suites == discover(CORPUS / folder).suites


@pytest.mark.parametrize("kind", KINDS)
def test_every_harness_suite_is_the_same_one_in_reference_mode(kind: Kind) -> None:
    assert discover_harness(CORPUS / kind, kind, "reference").suites == discover_harness(CORPUS / kind, kind).suites


def test_every_own_extractor_is_measured_by_a_suite() -> None:
    measured = {owner.extractor_id for suite in SUITES for owner in owners(suite.source_types, registry())}
    assert measured == {make().extractor_id for make in OWN}


@named
def test_every_case_has_a_source_that_is_the_one_its_digest_names(suite: Suite) -> None:
    for case in suite.cases:
        data, source_type = source(case)
        assert data
        assert source_type is None or source_type in suite.source_types
        if case.snapshot is not None:
            assert case.snapshot.content_hash == bytes_digest(data)


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.suite_id)
def test_a_benchmark_case_is_of_a_size_that_a_person_can_check(suite: Suite) -> None:
    for case in suite.cases:
        assert 1_500 <= len(source(case)[0]) <= 3_200, case.case_id
        assert 5 <= len(case.expected) <= 20, case.case_id
        assert any(gold.required for gold in case.expected)


@pytest.mark.parametrize("suite", CALIBRATION, ids=lambda suite: suite.suite_id)
def test_a_calibration_suite_makes_no_claim_about_floors(suite: Suite) -> None:
    assert all(gold.confidence_min == 0.0 for case in suite.cases for gold in case.expected)
    assert "Deliberately unnamed" in Path(suite.source).read_text(encoding="utf-8")


def test_every_fixture_is_whole_and_used() -> None:
    used = {case.fixture for suite in BOTH for case in suite.cases if case.fixture is not None}
    assert set(fixture_ids(CORPUS / "fixtures")) == used


def test_gold_subjects_have_and_have_not_references() -> None:
    for suite in SUITES:
        refs = [gold.ref for gold in suite.gold_subjects]
        assert not refs or (None in refs and any(refs)), suite.suite_id
    assert sum(bool(suite.gold_subjects) for suite in SUITES) >= 2


def test_the_harness_suites_hold_every_class() -> None:
    for kind, classes in (("modality", MODALITIES), ("polarity", POLARITIES)):
        for suite in discover_harness(CORPUS / kind, kind).suites:  # type: ignore[arg-type]
            found = {label.value for case in suite.cases for label in case.labels}
            assert found == set(classes)
    for suite in discover_harness(CORPUS / "validity", "validity").suites:
        ends = [label.expected_valid_until for case in suite.cases for label in case.labels]
        assert None in ends and any(ends)


def test_no_suite_file_lies_outside_the_folders_that_are_read() -> None:
    read = {path for folder in ("suites", "calibration", *KINDS) for path in suite_files(CORPUS / folder)}
    manifests = set((CORPUS / "fixtures").glob("*/manifest.yaml"))
    assert set(CORPUS.rglob("*.y*ml")) == read | manifests
