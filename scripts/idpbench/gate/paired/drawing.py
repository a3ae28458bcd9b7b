"""Nulls by drawing: one pass over the strata, each drawn once and added to every test that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

import numpy as np

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.nulls import Drawn, log_ratio
from idpbench.gate.paired.relabel import DRAWS, Draws, Floats
from idpbench.gate.paired.strata import Stratum


class DrawCache:
    """The draws of strata by document and number of runs, the last `keep` of them."""

    def __init__(self, count: int, keep: int = 8) -> None:
        self.count = count
        self.keep = keep
        self._held: dict[tuple[str, int, int], Draws] = {}

    def get(self, key: str, n: int, k: int) -> Draws:
        name = (key, n, k)
        found = self._held.pop(name, None) or Draws(key, n, k, self.count)
        self._held[name] = found  # the newest last
        if len(self._held) > self.keep:
            del self._held[next(iter(self._held))]
        return found


Parts = tuple[Floats, ...]  # (difference of means,), or of a bill (mean of new, mean of base)


def contribution(stratum: Stratum, bill: bool, cache: DrawCache) -> tuple[Parts, Parts | None]:
    """What a stratum adds to its tests in every draw, forward, and backward where the sides are of unlike size."""
    pooled, new, base = stratum.pooled, stratum.n_new, stratum.n_base
    forward = _parts(pooled, new, base, bill, cache.get(stratum.key, len(pooled), new))
    if new == base:
        return forward, None
    return forward, mirror(_parts(pooled, base, new, bill, cache.get(stratum.key, len(pooled), base)))


def _parts(pooled: list[float], chosen: int, rest: int, bill: bool, draws: Draws) -> Parts:
    total = fsum(pooled)
    if not bill:
        return (draws.line(pooled, chosen, 1 / chosen + 1 / rest, -total / rest),)
    return draws.line(pooled, chosen, 1 / chosen, 0.0), draws.line(pooled, chosen, -1 / rest, total / rest)


def mirror(parts: Parts) -> Parts:
    """The same draws with the sides exchanged."""
    return (-parts[0],) if len(parts) == 1 else (parts[1], parts[0])


class Accumulator:
    """The running sums of one test over its live strata."""

    def __init__(self, count: int, bill: bool) -> None:
        self.bill = bill
        self.forward: Parts = tuple(np.zeros(count) for _ in range(2 if bill else 1))
        self.backward: Parts | None = None

    def add(self, parts: tuple[Parts, Parts | None]) -> None:
        """Add what `contribution` gave."""
        forward, backward = parts
        if backward is not None and self.backward is None:
            self.backward = tuple(part.copy() for part in mirror(self.forward))
        for total, part in zip(self.forward, forward, strict=True):
            total += part
        if self.backward is not None:
            for total, part in zip(self.backward, backward or mirror(forward), strict=True):
                total += part

    def copy(self) -> Accumulator:
        other = Accumulator(0, self.bill)
        other.forward = tuple(part.copy() for part in self.forward)
        other.backward = None if self.backward is None else tuple(part.copy() for part in self.backward)
        return other

    def null(self, strata: Sequence[Stratum], threshold: float) -> Drawn:
        """The null of a test whose live strata have all been added."""
        forward = self._effect(self.forward, strata)
        backward = self._effect(self.backward or mirror(self.forward), strata)
        beyond = {
            1: int(np.count_nonzero(forward >= threshold - EPSILON)),
            -1: int(np.count_nonzero(backward <= -threshold + EPSILON)),
        }
        low, high = self._extremes(strata)
        can = {1: high >= threshold - EPSILON, -1: low <= -threshold + EPSILON}
        return Drawn(_statistic(self.forward), self.backward and _statistic(self.backward), beyond, can)

    def _effect(self, parts: Parts, strata: Sequence[Stratum]) -> Floats:
        result: Floats = log_ratio(parts[0], parts[1], strata) if self.bill else parts[0] / len(strata)
        return result

    def _extremes(self, strata: Sequence[Stratum]) -> tuple[float, float]:
        live = [s for s in strata if s.live]
        if not self.bill:
            ends = [s.extremes() for s in live]
            return fsum(low for low, _ in ends) / len(strata), fsum(high for _, high in ends) / len(strata)
        found = []
        for largest in (False, True):
            new = base = 0.0
            for s in live:
                chosen = fsum(s.pooled[s.n_base :] if largest else s.pooled[: s.n_new])
                new += chosen / s.n_new
                base += (fsum(s.pooled) - chosen) / s.n_base
            found.append(float(log_ratio(new, base, strata)))
        return found[0], found[1]


def _statistic(parts: Parts) -> Floats:
    return parts[0] if len(parts) == 1 else parts[0] - parts[1]


def draw_one(strata: Iterable[Stratum], threshold: float, bill: bool, count: int = DRAWS) -> Drawn:
    """The null of a single test, by `count` draws."""
    listed, cache = list(strata), DrawCache(count)
    total = Accumulator(count, bill)
    for stratum in listed:
        if stratum.live:
            total.add(contribution(stratum, bill, cache))
    return total.null(listed, threshold)
