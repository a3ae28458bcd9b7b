"""Nulls by drawing: one pass over the strata, each drawn once and added to every test that holds it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import comb, fsum

import numpy as np

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.nulls import Drawn, log_ratio
from idpbench.gate.paired.relabel import DRAWS, MOST_ALONE, Draws, Floats, sums_of_new
from idpbench.gate.paired.strata import Stratum

# Joint relabellings of documents that are looked up together: their sums stay in the processor's cache.
MOST_TOGETHER = 1 << 13
# A document of a cell, its runs, its new runs.
Name = tuple[str, int, int]


class DrawCache:
    """The draws of strata by document and number of runs, the last `keep` of them."""

    def __init__(self, count: int, keep: int = 8) -> None:
        self.count = count
        self.keep = keep
        self._held: dict[Name, Draws] = {}

    def get(self, key: str, n: int, k: int) -> Draws:
        # Places in a table of relabellings are the same for k runs as for the n - k others.
        name = (key, n, min(k, n - k) if comb(n, k) <= MOST_ALONE else k)
        found = self._held.pop(name, None) or Draws(*name, self.count)
        self._held[name] = found  # the newest last
        if len(self._held) > self.keep:
            del self._held[next(iter(self._held))]
        return found


class Accumulator:
    """The running sums of one test over its live strata, in every draw.

    Strata with as many runs on both sides share one array: the difference of means, or of a bill the mean of new (that
    of base is `offset` minus it), and the backward order is its mirror. The others have arrays of their own for each
    order, of a bill two; most grids have few of them.
    """

    def __init__(self, count: int, bill: bool) -> None:
        self.bill = bill
        self.offset = 0.0
        self.even = np.zeros(count)
        self.odd: tuple[list[Floats], list[Floats]] | None = None  # forward, backward

    def add(self, stratum: Stratum, cache: DrawCache) -> None:
        """Add a live stratum."""
        pooled, new, base = stratum.pooled, stratum.n_new, stratum.n_base
        draws = cache.get(stratum.key, len(pooled), new)
        if new == base:
            self.even += draws.line(pooled, new, *self.scale(stratum))
        else:
            total = fsum(pooled)
            forward = self._parts(pooled, total, new, base, draws)
            backward = self._parts(pooled, total, base, new, cache.get(stratum.key, len(pooled), base))
            self._add_odd(forward, self._exchange(backward))

    def scale(self, stratum: Stratum) -> tuple[float, float]:
        """Slope and offset that make of the sum of the chosen runs what is added to `even`; of a bill, counts it in."""
        runs, total = stratum.n_new, fsum(stratum.pooled)
        if not self.bill:
            return 1 / runs + 1 / runs, -total / runs
        self.offset += total / runs
        return 1 / runs, 0.0

    def _parts(self, pooled: list[float], total: float, chosen: int, rest: int, draws: Draws) -> list[Floats]:
        if not self.bill:
            return [draws.line(pooled, chosen, 1 / chosen + 1 / rest, -total / rest)]
        sums = draws.line(pooled, chosen, 1.0, 0.0)
        return [sums / chosen, (total - sums) / rest]

    def _exchange(self, parts: list[Floats]) -> list[Floats]:
        """The same draws with the sides exchanged."""
        return [parts[1], parts[0]] if self.bill else [-parts[0]]

    def _add_odd(self, forward: list[Floats], backward: list[Floats]) -> None:
        if self.odd is None:
            self.odd = ([part.copy() for part in forward], [part.copy() for part in backward])
            return
        for own, other in zip(self.odd, (forward, backward), strict=True):
            for place, part in enumerate(other):
                own[place] += part

    def merge(self, other: Accumulator) -> None:
        """Add another test's strata, none of which is here yet."""
        self.even += other.even
        self.offset += other.offset
        if other.odd is not None:
            self._add_odd(*other.odd)

    def copy(self) -> Accumulator:
        other = Accumulator(0, self.bill)
        other.even, other.offset = self.even.copy(), self.offset
        if self.odd is not None:
            other._add_odd(*self.odd)
        return other

    def _orders(self) -> tuple[list[Floats], list[Floats]]:
        """Sums in both orders of the sides."""
        forward = [self.even, self.offset - self.even] if self.bill else [self.even]
        backward = self._exchange(forward)
        if self.odd is not None:
            forward = [one + more for one, more in zip(forward, self.odd[0], strict=True)]
            backward = [one + more for one, more in zip(backward, self.odd[1], strict=True)]
        return forward, backward

    def null(self, strata: Sequence[Stratum], threshold: float) -> Drawn:
        """The null of a test whose live strata have all been added."""
        forward, backward = self._orders()
        upwards, downwards = self._effect(forward, strata), self._effect(backward, strata)
        beyond = {
            1: int(np.count_nonzero(upwards >= threshold - EPSILON)),
            -1: int(np.count_nonzero(downwards <= -threshold + EPSILON)),
        }
        low, high = extremes(strata, self.bill)
        can = {1: high >= threshold - EPSILON, -1: low <= -threshold + EPSILON}
        mirrored = not self.bill and self.odd is None
        return Drawn(_statistic(forward), None if mirrored else _statistic(backward), beyond, can)

    def _effect(self, parts: list[Floats], strata: Sequence[Stratum]) -> Floats:
        result: Floats = log_ratio(parts[0], parts[1], strata) if self.bill else parts[0] / len(strata)
        return result


@dataclass
class Block:
    """Even strata of a few documents, with few joint relabellings: one look-up per test adds them all."""

    cache: DrawCache
    sizes: dict[Name, int] = field(default_factory=dict)
    tables: dict[int, tuple[Accumulator, dict[Name, Floats]]] = field(default_factory=dict)

    def add(self, total: Accumulator, stratum: Stratum, size: int) -> None:
        """Enter a stratum of `size` relabellings into a test's sum."""
        name = (stratum.key, 2 * stratum.n_new, stratum.n_new)
        if name not in self.sizes and size * math.prod(self.sizes.values()) > MOST_TOGETHER:
            self.flush()
        self.sizes[name] = size
        slope, offset = total.scale(stratum)
        _, tables = self.tables.setdefault(id(total), (total, {}))
        tables[name] = sums_of_new(stratum.pooled, stratum.n_new) * slope + offset

    def flush(self) -> None:
        """Add what was entered to the sums."""
        if not self.sizes:
            return
        index = np.zeros(self.cache.count, dtype=np.uint16)
        for name, size in self.sizes.items():
            index = index * np.uint16(size) + self.cache.get(*name).indices
        for total, tables in self.tables.values():
            joint = np.zeros(1)
            for name, size in self.sizes.items():
                joint = np.add.outer(joint, tables[name]).ravel() if name in tables else joint.repeat(size)
            total.even += joint.take(index)
        self.sizes, self.tables = {}, {}


def add_all(parts: Iterable[tuple[Accumulator, Stratum]], cache: DrawCache) -> None:
    """Add live strata, listed document by document, each to the sums of its test."""
    block = Block(cache)
    for total, stratum in parts:
        size = comb(len(stratum.pooled), stratum.n_new)
        if stratum.n_new == stratum.n_base and size <= MOST_TOGETHER:
            block.add(total, stratum, size)
        else:
            total.add(stratum, cache)
    block.flush()


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
