"""Isotonic regression of correctness on stated confidence, by pooling adjacent violators."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.claims.calibrate.temperature import Pair
from idpbench.claims.mode import Mode

MIN_BLOCK = 10

Breakpoint = tuple[float, float]


@dataclass(frozen=True)
class _Block:
    total: float
    right: int
    count: int

    @property
    def rate(self) -> float:
        return self.right / self.count

    def joined(self, other: _Block) -> _Block:
        return _Block(self.total + other.total, self.right + other.right, self.count + other.count)


def fit_isotonic(pairs: Sequence[Pair], min_block: int = MIN_BLOCK, mode: Mode = "default") -> tuple[Breakpoint, ...]:
    """(mean stated confidence, hit rate) of each block, ascending; empty without pairs.

    A block joins the one before it while that one's hit rate is not lower; blocks under `min_block` pairs then join
    their smaller neighbour, the first small one first, the left of two equal ones. Equal confidences are pooled before;
    in reference mode they are not, and the map depends on the order of the pairs.
    """
    blocks: list[_Block] = []
    for block in _singles(pairs) if mode == "reference" else _pooled(pairs):
        blocks.append(block)
        while len(blocks) > 1 and blocks[-2].rate >= blocks[-1].rate:
            last = blocks.pop()
            blocks[-1] = blocks[-1].joined(last)
    while len(blocks) > 1 and (small := _first_small(blocks, min_block)) is not None:
        left = _left_of_the_pair(blocks, small)
        blocks[left : left + 2] = [blocks[left].joined(blocks[left + 1])]
    return tuple((block.total / block.count, block.rate) for block in blocks)


def apply_isotonic(confidence: float, breakpoints: Sequence[Breakpoint]) -> float:
    """Linear between the breakpoints, flat outside them; the confidence itself without any."""
    if not breakpoints:
        return confidence
    places = [place for place, _ in breakpoints]
    index = bisect_right(places, confidence)
    if index == 0:
        return breakpoints[0][1]
    if index == len(breakpoints):
        return breakpoints[-1][1]
    (low, below), (high, above) = breakpoints[index - 1], breakpoints[index]
    return below + (above - below) * (confidence - low) / (high - low)


def _singles(pairs: Sequence[Pair]) -> list[_Block]:
    return [_Block(confidence, int(right), 1) for confidence, right in sorted(pairs, key=lambda pair: pair[0])]


def _pooled(pairs: Sequence[Pair]) -> list[_Block]:
    tally: dict[float, tuple[int, int]] = {}
    for confidence, right in pairs:
        hits, count = tally.get(confidence, (0, 0))
        tally[confidence] = hits + right, count + 1
    return [_Block(confidence * count, hits, count) for confidence, (hits, count) in sorted(tally.items())]


def _first_small(blocks: Sequence[_Block], min_block: int) -> int | None:
    return next((index for index, block in enumerate(blocks) if block.count < min_block), None)


def _left_of_the_pair(blocks: Sequence[_Block], small: int) -> int:
    """Index of the left block of the two to join."""
    if small == 0:
        return 0
    if small == len(blocks) - 1:
        return small - 1
    return small - 1 if blocks[small - 1].count <= blocks[small + 1].count else small
