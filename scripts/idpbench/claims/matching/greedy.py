"""Greedy one-to-one assignment without a list of all pairs: a heap of the best free partner of each line.

Pairs come in the order of (similarity, stated index, gold index), all descending: on a tie the later claim wins. It is
greedy by definition, not the assignment of the largest sum.

A line is a stated claim or, where the gold claims differ more in how well they do overall, a gold claim: then the best
partners of the lines are not all the same few, and hardly any has to be looked for again. Both give the same pairs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from idpbench.claims.matching.scores import Scores

Pair = tuple[int, int]
Ask = Callable[[int, int], bool]
_FEW = 1_000_000  # pairs up to which the choice of lines is not worth a look


class Veto(Protocol):
    """Pairs that must not be made."""

    def golds_barred(self, emitted: int) -> NDArray[np.bool_]:
        """Per gold claim, whether this stated claim must not be paired with it."""

    def emitted_barred(self, gold: int) -> NDArray[np.bool_]:
        """Per stated claim, whether this gold claim must not be paired with it."""


def assign(
    scores: Scores,
    threshold: float,
    ask: Ask | None = None,
    prefilter: float = 0.65,
    veto: Veto | None = None,
    by_gold: bool | None = None,
) -> list[Pair]:
    """Accepted (stated, gold) pairs in order of acceptance; each index at most once.

    Without `ask` every pair at or above `threshold` is accepted if both sides are free. With it, pairs from `prefilter`
    up are candidates: those at or above `threshold` are accepted unasked, the others if ask(stated, gold) is true, in
    order and only while both sides are free; a refused pair leaves both free. A threshold below `prefilter` has no
    effect below it then. `by_gold` sets what a line is; None chooses.
    """
    if not scores.bare or not scores.golds:
        return []
    sure = scores.floor(threshold)
    floor = sure if ask is None else scores.floor(prefilter)
    golds_are_lines = _hub_golds(scores) if by_gold is None else by_gold
    return _Walk(scores, floor, sure, ask, veto, golds_are_lines).run()


def _hub_golds(scores: Scores) -> bool:
    """Whether gold claims differ more in their mean similarity than stated claims do."""
    values = scores.reversed_values
    if values.size <= _FEW:
        return False
    return bool(values.mean(axis=0).var() > values.mean(axis=1).var())


class _Walk:
    """Lines and places count from the last claim, so that the first maximum is the later claim of a tie."""

    def __init__(
        self, scores: Scores, floor: float, sure: float, ask: Ask | None, veto: Veto | None, golds_are_lines: bool
    ) -> None:
        values = scores.reversed_values[::-1]
        self.matrix = values.T if golds_are_lines else values
        self.golds_are_lines = golds_are_lines
        self.last = (len(scores.bare) - 1, len(scores.golds) - 1)
        self.floor, self.sure, self.ask, self.veto = floor, sure, ask, veto
        self.taken = np.zeros(self.matrix.shape[1], dtype=values.dtype)  # a penalty for each place
        self.penalty = values.dtype.type(-4 * scores.unit)
        self.row = np.empty_like(self.taken)
        self.refused: dict[int, list[int]] = {}
        self.heap: list[tuple[Any, int, int]] = []

    def run(self) -> list[Pair]:
        pairs: list[Pair] = []
        for line in range(len(self.matrix)):
            self._push(line)
        while self.heap:
            negative, from_last_emitted, from_last_gold = heapq.heappop(self.heap)
            place = from_last_emitted if self.golds_are_lines else from_last_gold
            line = from_last_gold if self.golds_are_lines else from_last_emitted
            if self.taken[place]:
                self._push(line)
                continue
            pair = self.last[0] - from_last_emitted, self.last[1] - from_last_gold
            if self.ask is None or -negative >= self.sure or self.ask(*pair):
                self.taken[place] = self.penalty
                pairs.append(pair)
            else:
                self.refused.setdefault(line, []).append(place)
                self._push(line)
        return pairs

    def _push(self, line: int) -> None:
        """Put a line's best free partner on the heap, if it reaches the floor."""
        row = np.add(self.matrix[line], self.taken, out=self.row)
        if self.veto is not None:
            row[self._barred(self.veto, line)] = self.penalty
        if line in self.refused:
            row[self.refused[line]] = self.penalty
        place = int(row.argmax())
        value = row[place].item()
        if value >= self.floor:
            pair = (place, line) if self.golds_are_lines else (line, place)
            heapq.heappush(self.heap, (-value, *pair))

    def _barred(self, veto: Veto, line: int) -> NDArray[np.bool_]:
        if self.golds_are_lines:
            return veto.emitted_barred(self.last[1] - line)[::-1]
        return veto.golds_barred(self.last[0] - line)[::-1]
