"""The bytes of each case of a suite."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from idpbench.claims.suite.fixtures import load_fixture
from idpbench.claims.suite.model import Case, Suite
from idpbench.files.errors import Refusal


@dataclass(frozen=True)
class Source:
    """What an extractor gets. `source_type` is None for an inline case, which is never declined."""

    case_id: str
    data: bytes
    source_type: str | None


@dataclass(frozen=True)
class Absent:
    """A case without a source, and why."""

    case_id: str
    note: str


def sources_of(suite: Suite, fixtures: Path) -> list[Source | Absent]:
    """The source of every case in the suite's order; a fixture that is missing or damaged leaves its case out."""
    return [_source(case, fixtures) for case in suite.cases]


def present(sources: Iterable[Source | Absent]) -> list[Source]:
    """Those that there are."""
    return [source for source in sources if isinstance(source, Source)]


def _source(case: Case, fixtures: Path) -> Source | Absent:
    if case.fixture is None:
        return Source(case.case_id, (case.inline_content or "").encode("utf-8"), None)
    try:
        fixture = load_fixture(fixtures, case.fixture)
    except Refusal as error:
        return Absent(case.case_id, str(error))
    return Source(case.case_id, fixture.data, fixture.source_type)
