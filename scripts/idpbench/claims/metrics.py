"""The figures of a pass, pooled over its cases, each with the number of things it is a share of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.claims.ece import expected_calibration_error
from idpbench.claims.mode import Mode
from idpbench.claims.outcomes import CaseScore

NORMATIVE = ("precision", "recall", "calibration_error", "calibration_error_semantic")


@dataclass(frozen=True)
class Figure:
    """A value within [0, 1] and its support; None where there was nothing to measure (not in reference mode)."""

    value: float | None
    support: int


def share(part: int, whole: int, mode: Mode, vacuous: float) -> Figure:
    """`part` of `whole`; of nothing: None, in reference mode the vacuous value."""
    if whole:
        return Figure(part / whole, whole)
    return Figure(vacuous if mode == "reference" else None, 0)


def precision(cases: Sequence[CaseScore], mode: Mode) -> Figure:
    """Full matches of stated claims; matches of optional gold claims count."""
    return share(sum(case.matched_count for case in cases), sum(case.emitted_count for case in cases), mode, 1.0)


def recall(cases: Sequence[CaseScore], mode: Mode) -> Figure:
    """Required gold claims fully matched, of all required ones of the cases that ran."""
    matched = sum(case.matched_required_count for case in cases)
    return share(matched, sum(case.required_count for case in cases), mode, 1.0)


def calibration(pairs: Sequence[tuple[float, bool]], mode: Mode) -> Figure:
    """Expected calibration error of stated confidences."""
    if pairs or mode == "reference":
        return Figure(expected_calibration_error(pairs, mode), len(pairs))
    return Figure(None, 0)


def normative(cases: Sequence[CaseScore], mode: Mode) -> dict[str, Figure]:
    """Precision, recall, and the calibration error with a full match, or with any match, counted as right."""
    full = [
        (confidence, outcome == "matched")
        for case in cases
        for (confidence, _), outcome in zip(case.graded, case.outcomes, strict=True)
    ]
    semantic = [pair for case in cases for pair in case.graded]
    return {
        "precision": precision(cases, mode),
        "recall": recall(cases, mode),
        "calibration_error": calibration(full, mode),
        "calibration_error_semantic": calibration(semantic, mode),
    }
