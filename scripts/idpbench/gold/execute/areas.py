"""Sets of cells given as rectangles: the union of some less the union of others, never larger than its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from idpbench.gold.recipe.address import Area


def clipped(areas: Iterable[Area], last_row: int, last_column: int) -> list[Area]:
    """The parts of areas within the first `last_row` rows and `last_column` columns; empty ones are dropped."""
    return [
        Area(area.top, area.left, min(area.bottom, last_row), min(area.right, last_column))
        for area in areas
        if area.top <= last_row and area.left <= last_column
    ]


def difference(include: Sequence[Area], exclude: Sequence[Area]) -> Iterator[Area]:
    """Disjoint areas that make up the union of `include` less the union of `exclude`, from top to bottom, then left.

    Rows are swept from top to bottom over the limits of the rectangles, columns are held in a segment tree: n
    rectangles cost n log n plus the log of n for each area yielded, however large they are and however they overlap.
    """
    columns = sorted({limit for area in (*include, *exclude) for limit in (area.left, area.right + 1)})
    if not include or len(columns) < 2:
        return
    place = {column: index for index, column in enumerate(columns)}
    events: dict[int, list[tuple[int, int, int, int]]] = {}
    for kind, areas in enumerate((include, exclude)):
        for area in areas:
            span = place[area.left], place[area.right + 1]
            events.setdefault(area.top, []).append((*span, kind, 1))
            events.setdefault(area.bottom + 1, []).append((*span, kind, -1))
    tree = _Columns(len(columns) - 1)
    rows = sorted(events)
    for row, following in pairwise(rows):
        for event in events[row]:
            tree.change(*event)
        for index in tree.kept():
            yield Area(row, columns[index], following - 1, columns[index + 1] - 1)


class _Columns:
    """Which of `size` elementary columns are included and not excluded, under changes of whole spans."""

    def __init__(self, size: int) -> None:
        self.size = size
        nodes = 4 * size
        self.covers = [0] * nodes, [0] * nodes  # spans that cover a node and not its parent: included, excluded
        self.free = [True] * nodes  # below and at this node, some column is not excluded
        self.some = [False] * nodes  # below and at this node, some column is included and not excluded

    def change(self, first: int, end: int, kind: int, amount: int) -> None:
        """Add a span of columns `first` to `end` (exclusive) to the included (0) or excluded (1), or take it away."""
        self._change(1, 0, self.size, first, end, kind, amount)

    def _change(self, node: int, low: int, high: int, first: int, end: int, kind: int, amount: int) -> None:
        if end <= low or high <= first:
            return
        if first <= low and high <= end:
            self.covers[kind][node] += amount
        else:
            middle = (low + high) // 2
            self._change(2 * node, low, middle, first, end, kind, amount)
            self._change(2 * node + 1, middle, high, first, end, kind, amount)
        leaf = high - low == 1
        included, excluded = self.covers[0][node] > 0, self.covers[1][node] > 0
        left, right = 2 * node, 2 * node + 1
        free = leaf or self.free[left] or self.free[right]
        self.free[node] = free and not excluded
        below = not leaf and (self.some[left] or self.some[right])
        self.some[node] = not excluded and ((included and free) or below)

    def kept(self) -> Iterator[int]:
        """The columns that are included and not excluded, from left to right."""
        return self._kept(1, 0, self.size, False)

    def _kept(self, node: int, low: int, high: int, covered: bool) -> Iterator[int]:
        covered = covered or self.covers[0][node] > 0
        if not (self.free[node] if covered else self.some[node]):
            return
        if high - low == 1:
            yield low
            return
        middle = (low + high) // 2
        yield from self._kept(2 * node, low, middle, covered)
        yield from self._kept(2 * node + 1, middle, high, covered)
