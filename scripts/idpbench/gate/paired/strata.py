"""A stratum: the values that one document of a cell has on the two sides, and what a test over strata adds up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import fsum

from idpbench.gate.findings import EPSILON


class Stratum:
    """Values of one document on both sides, sorted. `key` seeds its draws; `live`: its values differ at all;
    `steady`: they do not within either side; `ss` is the sum of squares within the sides."""

    __slots__ = (
        "base", "df", "difference", "full", "key", "live", "mean_base", "mean_new", "n_base", "n_new", "new", "pooled",
        "ss_base", "ss_new", "steady",
    )  # fmt: skip

    def __init__(self, key: str, base: list[float], new: list[float], full: bool = True) -> None:
        self.key = key
        self.full = full
        self.base = sorted(base)
        self.new = sorted(new)
        self.n_base = len(base)
        self.n_new = len(new)
        self.df = self.n_base + self.n_new - 2
        self.pooled = sorted(self.base + self.new)
        self.mean_base = fsum(base) / len(base)
        self.mean_new = fsum(new) / len(new)
        self.difference = self.mean_new - self.mean_base
        self.live = self.pooled[-1] - self.pooled[0] > EPSILON
        self.steady = not self.live or (
            self.base[-1] - self.base[0] <= EPSILON and self.new[-1] - self.new[0] <= EPSILON
        )
        self.ss_base = 0.0 if self.steady else fsum((value - self.mean_base) ** 2 for value in base)
        self.ss_new = 0.0 if self.steady else fsum((value - self.mean_new) ** 2 for value in new)

    @property
    def variance(self) -> float:
        """Pooled from both sides; only where df is above 0."""
        return (self.ss_base + self.ss_new) / self.df

    def extremes(self) -> tuple[float, float]:
        """The least and the largest difference of means that any relabelling gives."""
        k, m = self.n_new, self.n_base
        low, high, total = fsum(self.pooled[:k]), fsum(self.pooled[m:]), fsum(self.pooled)
        return low / k - (total - low) / m, high / k - (total - high) / m


class Column:
    """One metric of a document over the runs that measured it: from here strata are cut, under any labels.

    `logarithm` judges the logarithm of the values (cost).
    """

    __slots__ = ("fixed", "full", "key", "live", "runs", "values")

    def __init__(self, key: str, column: Sequence[float | None], logarithm: bool = False) -> None:
        self.key = key
        self.runs = [run for run, value in enumerate(column) if value is not None]
        self.values = [math.log(value) if logarithm else value for value in column if value is not None]
        self.full = len(self.runs) == len(column)
        self.live = bool(self.values) and max(self.values) - min(self.values) > EPSILON
        self.fixed: dict[int, Stratum] = {}

    def stratum(self, labels: Sequence[bool]) -> Stratum | None:
        """The stratum under these labels; None where a side measured nothing."""
        if not self.live:
            return self._fixed(sum(labels[run] for run in self.runs))
        base: list[float] = []
        new: list[float] = []
        for run, value in zip(self.runs, self.values, strict=True):
            (new if labels[run] else base).append(value)
        return Stratum(self.key, base, new, self.full) if base and new else None

    def _fixed(self, n_new: int) -> Stratum | None:
        """Where nothing differs, only the numbers of runs matter."""
        if not 0 < n_new < len(self.values):
            return None
        if n_new not in self.fixed:
            value = fsum(self.values) / len(self.values)
            self.fixed[n_new] = Stratum(self.key, [value] * (len(self.values) - n_new), [value] * n_new, self.full)
        return self.fixed[n_new]


def mean_effect(strata: Sequence[Stratum]) -> float:
    """Mean over strata of (mean of new - mean of base)."""
    return fsum(s.difference for s in strata) / len(strata)


def bill_effect(strata: Sequence[Stratum]) -> float:
    """Logarithm of the ratio of the sums over strata of mean cost."""
    return math.log(fsum(s.mean_new for s in strata)) - math.log(fsum(s.mean_base for s in strata))
