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
    """The draws of the strata of one document, by number of runs; replaced when the next document comes."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._key = ""
        self._held: dict[tuple[int, int], Draws] = {}

    def get(self, key: str, n: int, k: int) -> Draws:
        if key != self._key:
            self._key, self._held = key, {}
        if (n, k) not in self._held:
            self._held[n, k] = Draws(key, n, k, self.count)
        return self._held[n, k]


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
        backward = mirror(self.forward) if self.backward is None else self.backward
        effects = [self._effect(parts, strata) for parts in (self.forward, backward)]
        beyond = {
            1: int(np.count_nonzero(effects[0] >= threshold - EPSILON)),
            -1: int(np.count_nonzero(effects[1] <= -threshold + EPSILON)),
        }
        low, high = self._extremes(strata)
        can = {1: high >= threshold - EPSILON, -1: low <= -threshold + EPSILON}
        return Drawn(_statistic(self.forward), _statistic(backward), beyond, can)

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
