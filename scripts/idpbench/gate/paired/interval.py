"""Intervals of effects: pooled run-to-run variance of the strata, Satterthwaite's degrees of freedom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.strata import Stratum
from idpbench.gate.paired.student import quantile


@dataclass(frozen=True)
class Interval:
    """A 95 % interval `effect` +- `half`; `borrowed`: a stratum without repeats took its variance from the others."""

    half: float
    se: float
    df: float
    borrowed: bool = False


def repeats(strata: Sequence[Stratum]) -> bool:
    """Has any side of any stratum more than one run?"""
    return any(s.df > 0 for s in strata)


def steady(strata: Sequence[Stratum]) -> bool:
    """Constant within every side, with repeats to show it: the effect is exact."""
    return all(s.steady for s in strata) and repeats(strata)


def borrowed_variance(strata: Sequence[Stratum]) -> float:
    """The mean run-to-run variance of the strata with repeats, weighted by their degrees of freedom."""
    own = [s for s in strata if s.df > 0]
    return fsum(s.variance * s.df for s in own) / sum(s.df for s in own)


def mean_interval(strata: Sequence[Stratum], grid: bool) -> Interval | None:
    """Interval of the mean over strata of differences of means; None where nothing says how runs vary.

    Without any repeats the grid's is that of the spread of the strata's differences (three strata or more).
    """
    if not repeats(strata):
        return _between([s.difference for s in strata]) if grid else None
    if steady(strata):
        return None
    count = len(strata)
    lent = borrowed_variance(strata)
    terms, own = [], []
    for s in strata:
        term = (s.variance if s.df else lent) * (1 / s.n_base + 1 / s.n_new) / count**2
        terms.append(term)
        if s.df:
            own.append((term, s.df))
    return _satterthwaite(terms, own, borrowed=len(own) < len(terms))


def bill_interval(strata: Sequence[Stratum], grid: bool) -> Interval | None:
    """Interval of log(sum of new / sum of base) by the delta method, each side with its own variance.

    Where a stratum lacks two runs on a side, the grid's comes from the residuals of the strata's shares.
    """
    if steady(strata):
        return None
    new, base = fsum(s.mean_new for s in strata), fsum(s.mean_base for s in strata)
    if all(s.n_base > 1 and s.n_new > 1 for s in strata):
        own = []
        for s in strata:
            side_new = s.ss_new / (s.n_new - 1) / s.n_new / new**2
            side_base = s.ss_base / (s.n_base - 1) / s.n_base / base**2
            own.append((side_new + side_base, s.df))
        return _satterthwaite([term for term, _ in own], own)
    count = len(strata)
    if not grid or count < 3:
        return None
    residuals = fsum((s.mean_new / new - s.mean_base / base) ** 2 for s in strata)
    return _interval(math.sqrt(count / (count - 1) * residuals), count - 1)


def _between(differences: list[float]) -> Interval | None:
    count = len(differences)
    if count < 3:
        return None
    mean = fsum(differences) / count
    spread = fsum((d - mean) ** 2 for d in differences) / (count - 1)
    return _interval(math.sqrt(spread / count), count - 1)


def _satterthwaite(terms: list[float], own: list[tuple[float, int]], borrowed: bool = False) -> Interval | None:
    weight = fsum(term**2 / df for term, df in own)
    if weight <= 0:
        return None
    # A borrowed variance adds to the standard error and not to what is known about it.
    df = fsum(term for term, _ in own) ** 2 / weight
    return _interval(math.sqrt(fsum(terms)), df, borrowed)


def _interval(se: float, df: float, borrowed: bool = False) -> Interval | None:
    if se <= EPSILON:
        return None
    return Interval(quantile(0.975, df) * se, se, df, borrowed)
