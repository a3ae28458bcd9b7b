"""Claims as an extractor states them, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Status = Literal["ok", "declined", "raises", "missing_fixture"]
STATUSES: tuple[Status, ...] = get_args(Status)
SKIPPED: frozenset[Status] = frozenset({"declined", "missing_fixture"})


@dataclass(frozen=True)
class Claim:
    """One stated fact. `confidence` within [0, 1]; `expected_valid_until` an ISO date, None for a durable fact.

    `modality` and `polarity` are as emitted; the harnesses read them, the benchmark does not.
    """

    content: str
    confidence: float
    subjects: tuple[str, ...] = ()
    modality: str | None = None
    polarity: str | None = None
    expected_valid_until: str | None = None


@dataclass(frozen=True)
class CaseEmission:
    """What came of one case. Only a case with status `ok` has claims; `note` says why another has none."""

    case_id: str
    status: Status
    claims: tuple[Claim, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Emissions:
    """One pass of one extractor over one suite.

    `partial`: read from a saved report, which leaves out the cases that were skipped.
    """

    extractor_id: str
    extractor_version: str
    suite_id: str
    cases: tuple[CaseEmission, ...]
    provider_model: str = "none"
    partial: bool = False
