"""Relabellings of a stratum: all of them in one table, or draws whose seed knows neither side, file nor neighbours."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SEED = 20261130
DRAWS = 99_999
MOST_DRAWS = 2_000_000
# Joint relabellings up to which a test is exact; with one live stratum alone, ten repeats a side still are.
MOST_JOINT = 100_000
MOST_ALONE = 200_000
BLOCK = 4096
SMALL = 1 << 16  # what indices of 16 bits can count


@lru_cache(maxsize=64)
def labelings(n: int, k: int) -> Floats:
    """All C(n, k) ways to call k of n runs new: a matrix of 0 and 1, one row each."""
    table = np.zeros((comb(n, k), n))
    chosen = np.fromiter((i for c in combinations(range(n), k) for i in c), dtype=np.intp, count=comb(n, k) * k)
    table[np.repeat(np.arange(comb(n, k)), k), chosen] = 1.0
    return table


def exact(sizes: list[tuple[int, int]]) -> bool:
    """Are the joint relabellings of live strata (runs, new runs) few enough to list?"""
    most, joint = MOST_ALONE if len(sizes) == 1 else MOST_JOINT, 1
    for n, k in sizes:
        joint *= comb(n, k)
        if joint > most:
            return False
    return True


def differences(pooled: list[float], k: int) -> Floats:
    """Mean of the k runs called new minus mean of the others, for every relabelling (in the order of `labelings`)."""
    values = np.array(pooled)
    sums = labelings(len(pooled), k) @ values
    rest = len(pooled) - k
    result: Floats = sums * (1 / k + 1 / rest) - values.sum() / rest
    return result


def sums_of_new(pooled: list[float], k: int) -> Floats:
    """Sum of the k runs called new, for every relabelling."""
    result: Floats = labelings(len(pooled), k) @ np.array(pooled)
    return result


class Draws:
    """Draws of relabellings of one stratum: indices into `labelings`, or where those are too many, subsets.

    The generator starts from the stratum's key alone, so that every test which holds the stratum sees the same draws.
    """

    def __init__(self, key: str, n: int, k: int, count: int) -> None:
        word = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
        source = np.random.PCG64([SEED, word])
        total = comb(n, k)
        self.indices: Any = None
        self.order: Any = None
        if total <= MOST_ALONE:
            # Scaling 32 random bits is quicker than drawing below a bound, and even to 1 in 20,000 at worst.
            raw = np.asarray(source.random_raw(count // 2 + 1)).astype("<u8", copy=False)
            bits = np.multiply(raw.view("<u4")[:count], np.uint64(total), dtype=np.uint64)
            bits >>= np.uint64(32)
            self.indices = bits.astype(np.uint16 if total <= SMALL else np.intp)
        else:
            generator, parts = np.random.Generator(source), []
            for start in range(0, count, BLOCK):
                noise = generator.random((min(BLOCK, count - start), n))
                parts.append(np.argpartition(noise, k - 1, axis=1)[:, :k].astype(np.int16))
            self.order = np.concatenate(parts)

    def line(self, pooled: list[float], k: int, slope: float, offset: float) -> Floats:
        """slope x (sum of the chosen runs) + offset, in every draw."""
        if self.indices is not None:
            taken: Floats = np.take(sums_of_new(pooled, k) * slope + offset, self.indices)
            return taken
        result: Floats = np.take(np.array(pooled), self.order).sum(axis=1) * slope + offset
        return result
