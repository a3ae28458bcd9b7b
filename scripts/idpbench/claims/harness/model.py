"""A harness suite as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["modality", "polarity", "validity"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MODALITIES = ("FALSIFIABLE", "EVALUATIVE", "EXPERIENTIAL", "CONSTITUTIVE")
POLARITIES = ("ASSERTED", "DECLINED", "HYPOTHETICAL")
NARRATIVE = "NARRATIVE"


@dataclass(frozen=True)
class Label:
    """A gold claim with the property that is measured.

    `value` is its modality or polarity, empty in a validity suite; there `expected_valid_until` is an ISO date, or None
    for a durable claim.
    """

    content: str
    value: str = ""
    expected_valid_until: str | None = None


@dataclass(frozen=True)
class HarnessCase:
    """One text and its labels. `reference_date` (validity) is the ISO date on which the text is read."""

    case_id: str
    text: str
    labels: tuple[Label, ...]
    narrative_expected: bool = True
    reference_date: str | None = None


@dataclass(frozen=True)
class HarnessSuite:
    """A suite of one kind; `date_tolerance_days` counts for validity alone."""

    kind: Kind
    suite_id: str
    name: str
    version: str
    domain: str
    source_type: str
    cases: tuple[HarnessCase, ...]
    metrics: tuple[str, ...] = ()
    date_tolerance_days: int = 3
    source: str = ""
    digest: str = ""
