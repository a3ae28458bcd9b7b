"""Rows: the metrics of one document that were measured on the same runs are relabelled together, run by run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb

import numpy as np

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.nulls import largest_at_most
from idpbench.gate.paired.relabel import DRAWS, MOST_ALONE, Draws, Floats, differences, labelings

HARM, BENEFIT = 1, -1
SIDES = (HARM, BENEFIT)


class UnitNull:
    """All relabellings of the runs of one document (or draws, above 200,000), for several metrics at once.

    `columns` are the metrics' values by run, `signs` +1 where a larger value is worse, `thresholds` the least effect
    that counts. A metric's p is 1 in relabellings where its effect is not beyond its threshold; the unit's p is the
    chance of a smallest p as small as the observed smallest.
    """

    def __init__(
        self, key: str, columns: Sequence[Sequence[float]], k: int, signs: Sequence[int], thresholds: Sequence[float]
    ) -> None:
        n = len(columns[0])
        order = sorted(range(n), key=lambda run: tuple(column[run] for column in columns))
        values = np.array([[column[run] for run in order] for column in columns])
        self.exact = comb(n, k) <= MOST_ALONE
        self.effects = _exact_effects(values, k) if self.exact else _drawn_effects(key, values, k)
        self.signs = signs
        self.extra = 0 if self.exact else 1  # a draw counts the observed relabelling as one more
        self.size = self.effects.shape[1] + self.extra
        self.sorted = np.sort(self.effects, axis=1)
        self.least: dict[int, list[float]] = {}
        self.smallest: dict[int, Floats] = {}
        self.joint_least: dict[int, float] = {}
        self.attainable: dict[int, Floats] = {}
        for side in SIDES:
            self._side(side, values, k, np.array(thresholds))

    def _side(self, side: int, values: Floats, k: int, thresholds: Floats) -> None:
        chances = np.ones_like(self.effects)
        least = []
        for metric, effects in enumerate(self.effects):
            direction = side * self.signs[metric]
            beyond = direction * effects >= thresholds[metric] - EPSILON
            chances[metric, beyond] = self._tail(metric, effects[beyond], direction)
            # Even the largest relabelling, drawn or not, decides whether a finding is within reach.
            reachable = beyond.any() or _largest(values[metric], k, direction) >= thresholds[metric] - EPSILON
            floor = 1 / self.size if self.extra else 1.0
            least.append(min(float(chances[metric].min()), floor) if reachable else np.inf)
        smallest = np.sort(chances.min(axis=0))
        beyond_any = smallest[smallest < 1]
        self.smallest[side], self.least[side] = smallest, least
        self.joint_least[side] = float("inf")
        if self.exact:
            found = np.unique(np.searchsorted(smallest, beyond_any + EPSILON, "right")) / self.size
            self.attainable[side] = found
            if len(found):
                self.joint_least[side] = float(found[0])
        else:
            cap = (len(beyond_any) + 1) / self.size if min(least) < np.inf else 0.0
            self.attainable[side] = np.array([cap])
            if cap:
                self.joint_least[side] = 1 / self.size

    def _tail(self, metric: int, observed: Floats, direction: int) -> Floats:
        """p of effects in a direction (+1 upwards)."""
        ordered = self.sorted[metric]
        if direction > 0:
            count = len(ordered) - np.searchsorted(ordered, observed - EPSILON, "left")
        else:
            count = np.searchsorted(ordered, observed + EPSILON, "right")
        result: Floats = (count + self.extra) / self.size
        return result

    def p(self, metric: int, effect: float, side: int) -> float:
        """A metric's own p on a side."""
        return float(self._tail(metric, np.array([effect]), side * self.signs[metric])[0])

    def joint(self, smallest: float, side: int) -> float:
        """The unit's p, given the observed smallest p of its metrics (1 where none is beyond its threshold)."""
        if smallest >= 1:
            return 1.0
        count = int(np.searchsorted(self.smallest[side], smallest + EPSILON, "right"))
        return float((count + self.extra) / self.size)

    def reach(self, side: int, points: Floats) -> Floats:
        """F(t): the chance of a unit's p <= t with some effect beyond its threshold."""
        if self.exact:
            return largest_at_most(self.attainable[side], points)
        capped: Floats = np.minimum(points, self.attainable[side][0])
        return capped


class SingleNull:
    """The same for a document with one metric that varies, all relabellings listed: its p is the unit's p."""

    exact = True

    def __init__(self, column: Sequence[float], k: int, sign: int, threshold: float) -> None:
        self.effects = np.sort(differences(sorted(column), k))
        self.sign, self.threshold, self.size = sign, threshold, len(self.effects)
        self.joint_least = {side: self._least(side) for side in SIDES}
        self.least = {side: [value] for side, value in self.joint_least.items()}
        self.attainable: dict[int, Floats] = {}

    def _least(self, side: int) -> float:
        direction = side * self.sign
        extreme = float(self.effects[-1 if direction > 0 else 0])
        return self.p(0, extreme, side) if direction * extreme >= self.threshold - EPSILON else math.inf

    def p(self, metric: int, effect: float, side: int) -> float:
        """The metric's p on a side."""
        if side * self.sign > 0:
            count = self.size - self.effects.searchsorted(effect - EPSILON, "left")
        else:
            count = self.effects.searchsorted(effect + EPSILON, "right")
        return int(count) / self.size

    def joint(self, smallest: float, side: int) -> float:
        """The unit's p is its only metric's."""
        return smallest

    def reach(self, side: int, points: Floats) -> Floats:
        """F(t): the chance of p <= t and an effect beyond the threshold."""
        if side not in self.attainable:
            direction = side * self.sign
            beyond = self.effects[direction * self.effects >= self.threshold - EPSILON]
            if direction > 0:
                tails = self.size - self.effects.searchsorted(beyond - EPSILON, "left")
            else:
                tails = self.effects.searchsorted(beyond + EPSILON, "right")
            self.attainable[side] = np.unique(tails) / self.size
        return largest_at_most(self.attainable[side], points)


def _exact_effects(values: Floats, k: int) -> Floats:
    rest = values.shape[1] - k
    sums = values @ labelings(values.shape[1], k).T
    result: Floats = sums * (1 / k + 1 / rest) - values.sum(axis=1, keepdims=True) / rest
    return result


def _drawn_effects(key: str, values: Floats, k: int) -> Floats:
    rest = values.shape[1] - k
    draws = Draws(key, values.shape[1], k, DRAWS)
    lines = [draws.line(list(row), k, 1 / k + 1 / rest, -float(row.sum()) / rest) for row in values]
    return np.array(lines)


def _largest(values: Floats, k: int, direction: int) -> float:
    """The largest effect in a direction that any relabelling gives."""
    ordered = np.sort(values)
    chosen = ordered[-k:] if direction > 0 else ordered[:k]
    rest = len(values) - k
    return float(direction * (chosen.sum() * (1 / k + 1 / rest) - values.sum() / rest))
