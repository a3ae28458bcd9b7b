"""What a test's effect would be if the sides were labelled by chance: exactly, or by drawing.

An effect is judged against a null on two sides: `up` (as large or larger) and `down` (as small or smaller).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.relabel import Floats, differences, exact, sums_of_new
from idpbench.gate.paired.strata import Stratum

Mask = NDArray[np.bool_]


class Null(ABC):
    """The distribution of a test statistic over relabellings, and which of them have an effect beyond the threshold."""

    exact: bool
    least: dict[int, float]  # the smallest p of an effect beyond the threshold, upwards and downwards

    @abstractmethod
    def p(self, observed: float) -> tuple[float, float]:
        """Chance of a statistic at least as large, and of one at least as small, ties included."""

    @abstractmethod
    def reach(self, side: int, points: Floats) -> Floats:
        """F(t) for every t: the chance of p <= t and an effect beyond the threshold on `side` (+1 up, -1 down)."""


class Still(Null):
    """Nothing differs: every relabelling is like every other."""

    exact = True

    def __init__(self) -> None:
        self.least = {1: math.inf, -1: math.inf}

    def p(self, observed: float) -> tuple[float, float]:
        return 1.0, 1.0

    def reach(self, side: int, points: Floats) -> Floats:
        return np.zeros(len(points))


class Unknown(Still):
    """Not looked at, since no relabelling could be a finding."""

    exact = False

    def p(self, observed: float) -> tuple[float, float]:
        return math.nan, math.nan


class Listed(Null):
    """All relabellings, as distinct values with their counts. `up` and `down` flag those beyond the threshold."""

    exact = True

    def __init__(self, statistic: Floats, counts: Floats, up: Mask, down: Mask) -> None:
        order = np.argsort(statistic, kind="stable")
        self.statistic = statistic[order]
        self.total = np.concatenate(([0.0], np.cumsum(counts[order])))  # relabellings below each place
        self.attainable = {1: self._attainable(up[order], 1), -1: self._attainable(down[order], -1)}
        self.least = {side: float(found[0]) if len(found) else math.inf for side, found in self.attainable.items()}

    def _tail(self, observed: Any, side: int) -> Any:
        size = self.total[-1]
        if side > 0:
            return (size - self.total[np.searchsorted(self.statistic, observed - EPSILON, "left")]) / size
        return self.total[np.searchsorted(self.statistic, observed + EPSILON, "right")] / size

    def _attainable(self, beyond: Mask, side: int) -> Floats:
        found: Floats = np.unique(self._tail(self.statistic[beyond], side))
        return found

    def p(self, observed: float) -> tuple[float, float]:
        return float(self._tail(observed, 1)), float(self._tail(observed, -1))

    def reach(self, side: int, points: Floats) -> Floats:
        return largest_at_most(self.attainable[side], points)


class Drawn(Null):
    """Draws in both orders of the sides: `forward` calls runs new, `backward` calls runs base.

    Each test takes the order in which its observed effect is positive (at zero the mean of both), so that swapping
    the sides swaps the two p exactly. `backward` is None where every stratum has as many runs on both sides: it is
    the mirror of `forward`. `beyond` counts draws beyond the threshold, upwards forward and downwards backward; `can`
    says whether even the largest relabelling is.
    """

    exact = False

    def __init__(self, forward: Floats, backward: Floats | None, beyond: dict[int, int], can: dict[int, bool]) -> None:
        self.forward, self.backward = forward, backward
        self.beyond, self.can = beyond, can
        self.size = len(forward)
        self.least = {side: 1 / (self.size + 1) if can[side] else math.inf for side in can}

    def hits(self, observed: float) -> tuple[float, float]:
        """Draws at least as large and at least as small as observed."""
        found = []
        if observed >= 0:
            found.append(_tails(self.forward, observed))
        if observed <= 0 and self.backward is not None:
            found.append(_tails(self.backward, observed))
        elif observed <= 0:
            down, up = _tails(self.forward, -observed)
            found.append((up, down))
        return sum(up for up, _ in found) / len(found), sum(down for _, down in found) / len(found)

    def release(self) -> None:
        """Forget the draws; what they counted stays."""
        self.forward, self.backward = np.zeros(0), None

    def p(self, observed: float) -> tuple[float, float]:
        up, down = self.hits(observed)
        return (up + 1) / (self.size + 1), (down + 1) / (self.size + 1)

    def reach(self, side: int, points: Floats) -> Floats:
        if not self.can[side]:
            return np.zeros(len(points))
        result: Floats = np.minimum(points, (self.beyond[side] + 1) / (self.size + 1))
        return result


def _tails(draws: Floats, observed: float) -> tuple[int, int]:
    """How many draws are at least, and how many at most, as large as observed."""
    up, down = np.count_nonzero(draws >= observed - EPSILON), np.count_nonzero(draws <= observed + EPSILON)
    return int(up), int(down)


def largest_at_most(sorted_values: Floats, points: Floats) -> Floats:
    """The largest value not above each point, 0 where there is none."""
    if not len(sorted_values):
        return np.zeros(len(points))
    place = np.searchsorted(sorted_values, points + EPSILON, "right")
    result: Floats = np.where(place > 0, sorted_values[np.maximum(place - 1, 0)], 0.0)
    return result


def statistic_of(strata: Sequence[Stratum]) -> float:
    """What the null is about: the sum over live strata of the differences of means."""
    return fsum(s.difference for s in strata if s.live)


def listed_null(strata: Sequence[Stratum], threshold: float, bill: bool) -> Null | None:
    """The null of a test over strata, or None where the relabellings are too many to list.

    `bill` judges the threshold on the logarithm of the ratio of the sums.
    """
    live = [s for s in strata if s.live]
    if not live:
        return Still()
    if not exact([(len(s.pooled), s.n_new) for s in live]):
        return None
    return _listed(strata, live, threshold, bill)


def _listed(strata: Sequence[Stratum], live: Sequence[Stratum], threshold: float, bill: bool) -> Null:
    if not bill:
        total, counts = _sum([distinct(differences(s.pooled, s.n_new)) for s in live])
        effect = total[0] / len(strata)
        return Listed(total[0], counts, effect >= threshold - EPSILON, effect <= -threshold + EPSILON)
    parts = []
    for s in live:
        sums, counts = distinct(sums_of_new(s.pooled, s.n_new))
        parts.append((np.array([sums[0] / s.n_new, (fsum(s.pooled) - sums[0]) / s.n_base]), counts))
    (new, base), counts = _sum(parts)
    ratio = log_ratio(new, base, strata)
    return Listed(new - base, counts, ratio >= threshold - EPSILON, ratio <= -threshold + EPSILON)


def distinct(values: Floats) -> tuple[Floats, Floats]:
    """Distinct values (one row) and how often each occurs; what differs by less than 1e-12 is the same."""
    found, counts = np.unique(np.round(values, 12), return_counts=True)
    return found[np.newaxis], counts.astype(np.float64)


def _sum(parts: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Sums over all combinations of the strata's values (by row), with their counts."""
    total, counts = parts[0]
    for values, weights in parts[1:]:
        total = np.array([np.add.outer(a, b).ravel() for a, b in zip(total, values, strict=True)])
        counts = np.multiply.outer(counts, weights).ravel()
    return total, counts


def log_ratio(new: Any, base: Any, strata: Sequence[Stratum]) -> Any:
    """Logarithm of new over base, with the strata that do not vary added to both."""
    fixed_new = fsum(s.mean_new for s in strata if not s.live)
    fixed_base = fsum(s.mean_base for s in strata if not s.live)
    return np.log(new + fixed_new) - np.log(base + fixed_base)
