"""Conformance: does an extractor fill in the fields of a claim? Whether the claims are right is the benchmark's matter.

Required, and a failure where it does not hold: at least one claim, every content a text that says something, every
confidence within [0, 1] (a Claim cannot be made otherwise, so this shows as an error of the extractor), the same claims
the second time where the extractor says it is deterministic. Recommended, and reported as shares: subjects named, and
every property that a claim states spelt as the harnesses read it. The report carries the digest of the fixtures: two
reports are comparable only where it is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors.base import Extractor, ExtractorUnavailable
from idpbench.claims.harness.model import MODALITIES, NARRATIVE, POLARITIES
from idpbench.claims.routing import owner
from idpbench.claims.suite.fixtures import Fixture, corpus_digest, fixture_ids, load_fixture
from idpbench.files.errors import bad_input

KIND = "claims-conformance"


@dataclass(frozen=True)
class FixtureReport:
    """One fixture. `failures` are the required points that do not hold; shares are None where there are no claims."""

    fixture_id: str
    source_type: str
    extractor_id: str | None
    extractor_version: str | None
    claims: int
    failures: tuple[str, ...]
    with_subjects: float | None
    well_spelt: float | None


def conformance(folder: Path | str, registry: Sequence[Extractor], extractor_id: str | None = None) -> dict[str, Any]:
    """Run every fixture through the owner of its source type, or those that `extractor_id` owns through it alone.

    A document `idpbench/claims-conformance/1`; `passed` says that no fixture has a failure. Refusals: no fixtures (of
    that extractor), a damaged one. ExtractorUnavailable goes through.
    """
    reports = []
    for name in fixture_ids(folder):
        fixture = load_fixture(folder, name)
        extractor = owner(fixture.source_type, registry)
        if extractor_id is None or (extractor is not None and extractor.extractor_id == extractor_id):
            reports.append(fixture_report(fixture, extractor))
    if not reports:
        what = "no fixture" if extractor_id is None else f"no fixture that is routed to {extractor_id}"
        raise bad_input(folder, "", what, "at least one", "check the folder and the extractor's name")
    return {
        "schema": f"idpbench/{KIND}/1",
        "corpus_digest": corpus_digest(folder),
        "passed": not any(report.failures for report in reports),
        "fixtures": [_document(report) for report in reports],
    }


def fixture_report(fixture: Fixture, extractor: Extractor | None) -> FixtureReport:
    """What one extractor makes of one fixture; without an extractor, that nobody owns its type."""
    if extractor is None:
        unowned = (f"no extractor accepts {fixture.source_type}",)
        return FixtureReport(fixture.fixture_id, fixture.source_type, None, None, 0, unowned, None, None)
    try:
        claims = list(extractor.extract(fixture.data, fixture.source_type))
        again = list(extractor.extract(fixture.data, fixture.source_type)) if extractor.deterministic else claims
    except ExtractorUnavailable:
        raise
    except Exception as error:  # a plug-in may raise anything
        claims, again, failures = [], [], [f"raises {type(error).__name__}: {error}"]
    else:
        failures = _failures(claims)
    if claims != again:
        failures.append("says it is deterministic and gives other claims the second time")
    return FixtureReport(
        fixture.fixture_id,
        fixture.source_type,
        extractor.extractor_id,
        extractor.version,
        len(claims),
        tuple(failures),
        _share([bool(claim.subjects) for claim in claims]),
        _share([_is_well_spelt(claim) for claim in claims]),
    )


def _failures(claims: Sequence[Claim]) -> list[str]:
    if not claims:
        return ["no claims"]
    return [f"claim {number}: no content" for number, claim in enumerate(claims) if not claim.content.strip()]


def _is_well_spelt(claim: Claim) -> bool:
    """Whether subjects, modality, polarity and end of validity, as far as they are stated, read as what they are."""
    try:
        if claim.expected_valid_until is not None:
            date.fromisoformat(claim.expected_valid_until)
    except ValueError:
        return False
    return (
        all(name.strip() for name in claim.subjects)
        and claim.modality in (None, NARRATIVE, *MODALITIES)
        and claim.polarity in (None, *POLARITIES)
    )


def _share(held: Sequence[bool]) -> float | None:
    return sum(held) / len(held) if held else None


def _document(report: FixtureReport) -> dict[str, Any]:
    return {
        "fixture_id": report.fixture_id,
        "source_type": report.source_type,
        "extractor_id": report.extractor_id,
        "extractor_version": report.extractor_version,
        "claims": report.claims,
        "failures": list(report.failures),
        "recommended": {"with_subjects": report.with_subjects, "well_spelt": report.well_spelt},
    }
