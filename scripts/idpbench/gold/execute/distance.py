"""The nearest of the active anchors by Manhattan distance, where anchors of one header look in several directions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from idpbench.gold.execute.anchors import Anchor

_Rank = tuple[int, int, int]
_NONE: _Rank = (-(1 << 62), 0, 0)


class NearestByDistance:
    """Two trees of maxima over a side's anchors in their order along the axis.

    From a value at (along, across), an anchor that the sweep has passed (its across is not larger) is nearer the
    larger along + across is; one still ahead, the larger along - across is. A prefix of either tree holds the
    candidates; equal distances go to the smaller address.
    """

    def __init__(self, anchors: Mapping[int, Anchor]) -> None:
        self.anchors = anchors
        self.keys = sorted(anchors)
        self.place = {key: index for index, key in enumerate(self.keys)}
        self.width = 1 << max(len(self.keys) - 1, 1).bit_length()
        self.passed = [(_NONE, -1)] * (2 * self.width)
        self.ahead = [(_NONE, -1)] * (2 * self.width)

    def add(self, key: int, across: int) -> None:
        """An anchor becomes active while the sweep is at a cross index."""
        anchor = self.anchors[key]
        row, column = anchor.address
        if anchor.across <= across:
            self._set(self.passed, key, ((anchor.along + anchor.across, -row, -column), key))
        else:
            self._set(self.ahead, key, ((anchor.along - anchor.across, -row, -column), key))

    def remove(self, key: int) -> None:
        """An anchor is active no longer."""
        self._set(self.passed, key, (_NONE, -1))
        self._set(self.ahead, key, (_NONE, -1))

    def turn(self, key: int) -> None:
        """The sweep reaches an anchor's own cross index."""
        if self.ahead[self.width + self.place[key]][1] == key:
            self._set(self.ahead, key, (_NONE, -1))
            self.add(key, self.anchors[key].across)

    def first(self, limit: int, across: int) -> int:
        """The key of the nearest active anchor among the keys below `limit`; there is one."""
        end = bisect_left(self.keys, limit)
        passed, ahead = self._best(self.passed, end), self._best(self.ahead, end)
        if _NONE in (passed[0], ahead[0]):
            return max(passed, ahead)[1]
        # Both as maxima of along - |across difference|, so that they compare.
        return max(
            ((passed[0][0] - across, *passed[0][1:]), passed[1]), ((ahead[0][0] + across, *ahead[0][1:]), ahead[1])
        )[1]

    def _set(self, tree: list[tuple[_Rank, int]], key: int, value: tuple[_Rank, int]) -> None:
        node = self.width + self.place[key]
        tree[node] = value
        while node > 1:
            node //= 2
            tree[node] = max(tree[2 * node], tree[2 * node + 1])

    def _best(self, tree: list[tuple[_Rank, int]], end: int) -> tuple[_Rank, int]:
        best = (_NONE, -1)
        low, high = self.width, self.width + end
        while low < high:
            if high & 1:
                high -= 1
                best = max(best, tree[high])
            if low & 1:
                best = max(best, tree[low])
                low += 1
            low //= 2
            high //= 2
        return best
