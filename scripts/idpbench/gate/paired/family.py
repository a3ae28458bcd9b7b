"""Discrete Benjamini-Hochberg (Heyse 2011) over a family of tests, one side at a time.

q(t) = sum over the family of F_i(t) / number of tests with p <= t, made monotone from the largest p down. A test
that cannot be a finding has F = 0 and costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.relabel import Floats
from idpbench.gate.paired.units import SIDES


@dataclass
class Entry:
    """One test of a family. `p` by side, counted as 1 unless the effect is beyond its threshold there; `least` is the
    smallest p that could be a finding (infinite: none), `reach` F(side, t); `adjust` fills in `q`."""

    level: float
    p: dict[int, float]
    beyond: dict[int, bool]
    least: dict[int, float]
    reach: Callable[[int, Floats], Floats] | None
    q: dict[int, float | None] = field(default_factory=dict)

    def possible(self, side: int) -> bool:
        """Is F(level) above 0?"""
        return self.least[side] <= self.level + EPSILON

    def left_out(self, side: int) -> bool:
        """Has it clearly gone the other way?"""
        return self.p[-side] <= self.level + EPSILON and self.p[side] > self.level + EPSILON


def adjust(family: Sequence[Entry]) -> dict[int, int]:
    """Fill in q on both sides; returns m by side: tests that could be a finding and are not left out."""
    counted = {}
    for side in SIDES:
        rejected = np.sort([entry.p[side] for entry in family if entry.beyond[side]])
        points = np.unique(rejected)
        most = float(points[-1]) + EPSILON if len(points) else -1.0
        total, m = np.zeros(len(points)), 0
        for entry in family:
            if entry.left_out(side):
                continue
            m += entry.possible(side)
            if entry.reach is not None and entry.least[side] <= most:
                total += entry.reach(side, points)
        counted[side] = m
        ratio = total / np.searchsorted(rejected, points + EPSILON, "right")
        ratio = np.minimum.accumulate(ratio[::-1])[::-1]
        for entry in family:
            entry.q[side] = None
            if entry.possible(side):
                place = np.searchsorted(points, entry.p[side]) if entry.beyond[side] else -1
                entry.q[side] = min(1.0, float(ratio[place])) if entry.beyond[side] else 1.0
    return counted
