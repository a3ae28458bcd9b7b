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


class Accumulator:
    """The running sums of one test over its live strata, in every draw.

    While every stratum has as many runs on both sides, one array says all: the difference of means, or of a bill the
    mean of new (that of base is `offset` minus it), and the backward order is its mirror. After that there is one
    array for each order, of a bill two.
    """

    def __init__(self, count: int, bill: bool) -> None:
        self.bill = bill
        self.balanced = True
        self.offset = 0.0
        self.forward = [np.zeros(count)]
        self.backward: list[Floats] = []

    def add(self, stratum: Stratum, cache: DrawCache) -> None:
        """Add a live stratum."""
        pooled, new, base = stratum.pooled, stratum.n_new, stratum.n_base
        total = fsum(pooled)
        if self.balanced and new == base:
            draws = cache.get(stratum.key, len(pooled), new)
            if self.bill:
                self.forward[0] += draws.line(pooled, new, 1 / new, 0.0)
                self.offset += total / base
            else:
                self.forward[0] += draws.line(pooled, new, 1 / new + 1 / base, -total / base)
            return
        self._unbalance()
        forward = self._parts(pooled, total, new, base, cache.get(stratum.key, len(pooled), new))
        backward = forward
        if new != base:
            backward = self._parts(pooled, total, base, new, cache.get(stratum.key, len(pooled), base))
        for place, part in enumerate(forward):
            self.forward[place] += part
        for place, part in enumerate(self._exchange(backward)):
            self.backward[place] += part

    def _parts(self, pooled: list[float], total: float, chosen: int, rest: int, draws: Draws) -> list[Floats]:
        if not self.bill:
            return [draws.line(pooled, chosen, 1 / chosen + 1 / rest, -total / rest)]
        sums = draws.line(pooled, chosen, 1.0, 0.0)
        return [sums / chosen, (total - sums) / rest]

    def _exchange(self, parts: list[Floats]) -> list[Floats]:
        """The same draws with the sides exchanged."""
        return [parts[1], parts[0]] if self.bill else [-parts[0]]

    def _unbalance(self) -> None:
        if self.balanced:
            self.balanced = False
            if self.bill:
                self.forward.append(self.offset - self.forward[0])
            self.backward = [part.copy() for part in self._exchange(self.forward)]

    def merge(self, other: Accumulator) -> None:
        """Add another test's strata, none of which is here yet. `other` may change its form, not its value."""
        if not (self.balanced and other.balanced):
            self._unbalance()
            other._unbalance()
            for place, part in enumerate(other.backward):
                self.backward[place] += part
        self.offset += other.offset
        for place, part in enumerate(other.forward):
            self.forward[place] += part

    def copy(self) -> Accumulator:
        other = Accumulator(0, self.bill)
        other.balanced, other.offset = self.balanced, self.offset
        other.forward = [part.copy() for part in self.forward]
        other.backward = [part.copy() for part in self.backward]
        return other

    def null(self, strata: Sequence[Stratum], threshold: float) -> Drawn:
        """The null of a test whose live strata have all been added. The accumulator is used up."""
        if self.bill:
            self._unbalance()
        backward = self.backward or self._exchange(self.forward)
        upwards, downwards = self._effect(self.forward, strata), self._effect(backward, strata)
        beyond = {
            1: int(np.count_nonzero(upwards >= threshold - EPSILON)),
            -1: int(np.count_nonzero(downwards <= -threshold + EPSILON)),
        }
        low, high = extremes(strata, self.bill)
        can = {1: high >= threshold - EPSILON, -1: low <= -threshold + EPSILON}
        return Drawn(_statistic(self.forward), _statistic(self.backward) if self.backward else None, beyond, can)

    def _effect(self, parts: list[Floats], strata: Sequence[Stratum]) -> Floats:
        result: Floats = log_ratio(parts[0], parts[1], strata) if self.bill else parts[0] / len(strata)
        return result


def extremes(strata: Sequence[Stratum], bill: bool) -> tuple[float, float]:
    """The least and the largest effect that any relabelling gives."""
    live = [s for s in strata if s.live]
    if not bill:
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


def _statistic(parts: list[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else parts[0] - parts[1]


def draw_one(strata: Iterable[Stratum], threshold: float, bill: bool, count: int = DRAWS) -> Drawn:
    """The null of a single test, by `count` draws."""
    listed, cache = list(strata), DrawCache(count)
    total = Accumulator(count, bill)
    for stratum in listed:
        if stratum.live:
            total.add(stratum, cache)
    return total.null(listed, threshold)
