"""Whether a result is good enough for the caller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

FailOn = Literal["none", "precision", "recall", "calibration"]
FAIL_ON: tuple[FailOn, ...] = get_args(FailOn)
THRESHOLD = 0.9


def fails(means: Mapping[str, float | None], fail_on: FailOn, threshold: float = THRESHOLD) -> bool:
    """Judge the mean over the passes.

    Precision and recall fail below the threshold, calibration_error above it; equal passes. A figure that is missing or
    was not measured fails: an extractor that states nothing is not precise. `none` never fails.
    """
    if fail_on == "none":
        return False
    value = means.get("calibration_error" if fail_on == "calibration" else fail_on)
    if value is None:
        return True
    return value > threshold if fail_on == "calibration" else value < threshold
