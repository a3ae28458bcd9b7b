"""Claims as an extractor states them, case by case."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

Status = Literal["ok", "declined", "raises", "missing_fixture"]
STATUSES: tuple[Status, ...] = get_args(Status)
OPTIONAL = ("modality", "polarity", "expected_valid_until")
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

    def __post_init__(self) -> None:
        """A ValueError for what no judge could read, or no file hold."""
        if isinstance(self.subjects, str):
            raise ValueError("subjects are one text, no list of texts")
        optional = {name: value for name in OPTIONAL if (value := getattr(self, name)) is not None}
        for name, text in [
            ("content", self.content),
            *(("subject", each) for each in self.subjects),
            *optional.items(),
        ]:
            if not isinstance(text, str):
                raise ValueError(f"{name} is no text but {type(text).__name__}")
            if not _is_unicode(text):
                raise ValueError(f"{name} {text[:60]!r} is no Unicode text: half of a surrogate pair stands alone")
        stated = self.confidence
        if isinstance(stated, bool) or not isinstance(stated, (int, float)):
            raise ValueError(f"confidence is no number but {type(stated).__name__}")
        if not math.isfinite(stated) or not 0 <= stated <= 1:
            raise ValueError(f"confidence {stated} is not within [0, 1]")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


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
