"""Several passes of one extractor over one suite: mean, range and deviation of each figure."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Aggregate:
    """A figure over passes. `stdev` is the sample form (n - 1), 0.0 for one pass.

    `measured` passes had a value; mean and stdev are None unless all had one, the range is that of the measured ones.
    """

    runs: int
    measured: int
    mean: float | None
    minimum: float | None
    maximum: float | None
    spread: float | None
    stdev: float | None


def aggregate(values: Sequence[float | None]) -> Aggregate:
    """Mean, minimum, maximum, spread (maximum - minimum) and sample standard deviation of the values of the passes."""
    known = [value for value in values if value is not None]
    if not known:
        return Aggregate(len(values), 0, None, None, None, None, None)
    low, high = min(known), max(known)
    whole = len(known) == len(values)
    deviation = statistics.stdev(known) if len(known) > 1 else 0.0
    mean = min(high, max(low, statistics.fmean(known)))  # fmean of equal values may miss them by a rounding
    return Aggregate(
        runs=len(values),
        measured=len(known),
        mean=mean if whole else None,
        minimum=low,
        maximum=high,
        spread=high - low,
        stdev=deviation if whole else None,
    )


def aggregate_figures(passes: Sequence[Mapping[str, float | None]]) -> dict[str, Aggregate]:
    """Each figure over the passes; one that a pass lacks counts as not measured there."""
    names = list(dict.fromkeys(name for values in passes for name in values))
    return {name: aggregate([values.get(name) for values in passes]) for name in names}
