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
    """One test of a family. `p` by side, counted as 1 unless the effect is beyond its threshold there; `reach` is
    F(side, t); `q` and `possible` (is F(level) above 0?) are filled in by `adjust`."""

    level: float
    p: dict[int, float]
    beyond: dict[int, bool]
    reach: Callable[[int, Floats], Floats]
    q: dict[int, float | None] = field(default_factory=dict)
    possible: dict[int, bool] = field(default_factory=dict)

    def left_out(self, side: int) -> bool:
        """Has it clearly gone the other way?"""
        return self.p[-side] <= self.level + EPSILON and self.p[side] > self.level + EPSILON


def adjust(family: Sequence[Entry]) -> dict[int, int]:
    """Fill in q on both sides; returns m by side: tests that could be a finding and are not left out."""
    counted = {}
    for side in SIDES:
        points = np.array(sorted({entry.p[side] for entry in family if entry.beyond[side]}))
        total, m = np.zeros(len(points)), 0
        for entry in family:
            values = entry.reach(side, np.append(points, entry.level))
            entry.possible[side] = bool(values[-1] > 0)
            if not entry.left_out(side):
                total += values[:-1]
                m += entry.possible[side]
        counted[side] = m
        if len(points):
            rejected = np.sort([entry.p[side] for entry in family if entry.beyond[side]])
            ratio = total / np.searchsorted(rejected, points + EPSILON, "right")
            ratio = np.minimum.accumulate(ratio[::-1])[::-1]
        for entry in family:
            if not entry.possible[side]:
                entry.q[side] = None
            elif not entry.beyond[side]:
                entry.q[side] = 1.0
            else:
                entry.q[side] = min(1.0, float(ratio[np.searchsorted(points, entry.p[side])]))
    return counted
