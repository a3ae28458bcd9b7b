"""A stratum: the values that one document of a cell has on the two sides, and what a test over strata adds up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import fsum

from idpbench.gate.findings import EPSILON


class Stratum:
    """Values of one document on both sides, sorted. `key` seeds its draws; `live`: its values differ at all;
    `steady`: they do not within either side; `ss` is the sum of squares within the sides."""

    __slots__ = ("base", "full", "key", "live", "mean_base", "mean_new", "new", "pooled", "ss_base", "ss_new", "steady")

    def __init__(self, key: str, base: list[float], new: list[float], full: bool = True) -> None:
        self.key = key
        self.full = full
        self.base = sorted(base)
        self.new = sorted(new)
        self.pooled = sorted(self.base + self.new)
        self.mean_base = fsum(base) / len(base)
        self.mean_new = fsum(new) / len(new)
        self.live = self.pooled[-1] - self.pooled[0] > EPSILON
        self.steady = not self.live or (
            self.base[-1] - self.base[0] <= EPSILON and self.new[-1] - self.new[0] <= EPSILON
        )
        self.ss_base = 0.0 if self.steady else fsum((value - self.mean_base) ** 2 for value in base)
        self.ss_new = 0.0 if self.steady else fsum((value - self.mean_new) ** 2 for value in new)

    @property
    def n_base(self) -> int:
        return len(self.base)

    @property
    def n_new(self) -> int:
        return len(self.new)

    @property
    def difference(self) -> float:
        return self.mean_new - self.mean_base

    @property
    def df(self) -> int:
        return len(self.pooled) - 2

    @property
    def variance(self) -> float:
        """Pooled from both sides; only where df is above 0."""
        return (self.ss_base + self.ss_new) / self.df

    def extremes(self) -> tuple[float, float]:
        """The least and the largest difference of means that any relabelling gives."""
        k, m = self.n_new, self.n_base
        low, high, total = fsum(self.pooled[:k]), fsum(self.pooled[m:]), fsum(self.pooled)
        return low / k - (total - low) / m, high / k - (total - high) / m


def make_stratum(
    key: str, column: Sequence[float | None], labels: Sequence[bool], logarithm: bool = False
) -> Stratum | None:
    """The stratum of a column under given labels; None where a side has no measured value."""
    base: list[float] = []
    new: list[float] = []
    for value, label in zip(column, labels, strict=True):
        if value is not None:
            (new if label else base).append(math.log(value) if logarithm else value)
    if not base or not new:
        return None
    return Stratum(key, base, new, len(base) + len(new) == len(labels))


def mean_effect(strata: Sequence[Stratum]) -> float:
    """Mean over strata of (mean of new - mean of base)."""
    return fsum(s.difference for s in strata) / len(strata)


def bill_effect(strata: Sequence[Stratum]) -> float:
    """Logarithm of the ratio of the sums over strata of mean cost."""
    return math.log(fsum(s.mean_new for s in strata)) - math.log(fsum(s.mean_base for s in strata))
