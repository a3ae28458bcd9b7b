"""Looking up the header of every value cell at once.

Values are visited in the order of their cross index. At each, the anchors whose span holds that index are *active*;
they are kept sorted towards the value, so that the candidates of a value are a prefix, its nearest band the end of that
prefix, and everything else a bisection. With n anchors and m values this takes (n + m) log(n + m) steps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from idpbench.gold.execute.anchors import Anchor, Side, along_and_across
from idpbench.gold.execute.distance import NearestByDistance
from idpbench.gold.workbook import Address

_SHIFT = 21
"""Bits of a cross index: a sorting key is `along << 21 | across`, one integer, unique within a side."""


class Choice(NamedTuple):
    """The first candidate of a value on one side; `uniform` where all candidates in sight have its text."""

    anchor: Anchor
    uniform: bool


def look_up(
    sides: Sequence[Side], values: Sequence[Address], nearest_band: bool
) -> Iterator[tuple[Side, Choice] | None]:
    """For each value its first candidate in order, and whether any candidate in sight disagrees; None without one.

    One direction: by distance along its axis, then across, then address. Several: by Manhattan distance, then address.
    With `nearest_band` only the nearest band of each direction that holds a candidate is in sight.
    """
    if not sides:
        return iter([None] * len(values))
    by_distance = len(sides) > 1 and not nearest_band
    answers = [_Sweep(side, nearest_band, by_distance).answers(values) for side in sides]
    if len(sides) == 1:
        only = sides[0]
        return ((only, choice) if choice else None for choice in answers[0])
    return (_first(sides, value, choices) for value, choices in zip(values, zip(*answers, strict=True), strict=True))


def _first(sides: Sequence[Side], value: Address, choices: Sequence[Choice | None]) -> tuple[Side, Choice] | None:
    found = [(side, choice) for side, choice in zip(sides, choices, strict=True) if choice]
    if not found:
        return None
    side, best = min(found, key=lambda pair: (_manhattan(value, pair[1].anchor.address), pair[1].anchor.address))
    uniform = all(choice.uniform and choice.anchor.text == best.anchor.text for _, choice in found)
    return side, Choice(best.anchor, uniform)


def _manhattan(one: Address, other: Address) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


class _Sweep:
    """One side's answers to all values."""

    def __init__(self, side: Side, nearest_band: bool, by_distance: bool) -> None:
        self.side = side
        self.nearest_band = nearest_band
        self.anchors = {anchor.along << _SHIFT | anchor.across: anchor for anchor in side.anchors}
        self.active: list[int] = []
        self.breaks: list[int] = []  # active keys whose text is not that of the active key before
        self.distance = NearestByDistance(self.anchors) if by_distance else None

    def answers(self, values: Sequence[Address]) -> list[Choice | None]:
        """The choice of each value, in the order of the values."""
        found: list[Choice | None] = [None] * len(values)
        places = along_and_across(self.side.direction, values)
        queries = sorted((across, along, index) for index, (along, across) in enumerate(places))
        opening = sorted((anchor.first, key) for key, anchor in self.anchors.items())
        closing = sorted((anchor.last, key) for key, anchor in self.anchors.items())
        passing = sorted((anchor.across, key) for key, anchor in self.anchors.items()) if self.distance else []
        opened = closed = passed = 0
        known: dict[tuple[int, bool], Choice] = {}
        for across, along, index in queries:
            while opened < len(opening) and opening[opened][0] <= across:
                key = opening[opened][1]
                opened += 1
                if self.anchors[key].last >= across:
                    self._add(key, across)
            while closed < len(closing) and closing[closed][0] < across:
                self._remove(closing[closed][1])
                closed += 1
            while passed < len(passing) and passing[passed][0] <= across:
                if self.distance:
                    self.distance.turn(passing[passed][1])
                passed += 1
            answer = self._answer(along, across)
            if answer is not None:
                found[index] = known.get(answer) or known.setdefault(answer, Choice(self.anchors[answer[0]], answer[1]))
        return found

    def _answer(self, along: int, across: int) -> tuple[int, bool] | None:
        """The key of the first candidate, and whether all in sight have its text."""
        active, breaks = self.active, self.breaks
        end = bisect_left(active, along << _SHIFT)
        if not end:
            return None
        last = active[end - 1]
        base = last >> _SHIFT << _SHIFT
        start = bisect_left(active, base, 0, end)
        if self.nearest_band:
            broken = bisect_right(breaks, active[start])
            uniform = broken == len(breaks) or breaks[broken] > last
        else:
            uniform = not breaks or breaks[0] > last
        if self.distance:
            return self.distance.first(along << _SHIFT, across), uniform
        place = bisect_left(active, base | across, start, end)
        if place == end or (place > start and across - (active[place - 1] - base) <= active[place] - base - across):
            place -= 1
        return active[place], uniform

    def _add(self, key: int, across: int) -> None:
        place = bisect_left(self.active, key)
        self._join(place, key, insort)
        self.active.insert(place, key)
        if self.distance:
            self.distance.add(key, across)

    def _remove(self, key: int) -> None:
        place = bisect_left(self.active, key)
        if place == len(self.active) or self.active[place] != key:
            return  # its span lay between two cross indices that were asked for
        del self.active[place]
        self._join(place, key, _drop)
        if self.distance:
            self.distance.remove(key)

    def _join(self, place: int, key: int, change: Callable[[list[int], int], None]) -> None:
        """Keep `breaks` true while `key` comes to (insort) or goes from (drop) this place among the others."""
        active, anchors = self.active, self.anchors
        text = anchors[key].text
        before = anchors[active[place - 1]].text if place else None
        if place < len(active):
            after = active[place]
            apart = before is not None and before != anchors[after].text
            through = text != anchors[after].text
            if apart is not through:
                coming = change is insort
                (insort if through is coming else _drop)(self.breaks, after)
        if before is not None and before != text:
            change(self.breaks, key)


def _drop(keys: list[int], key: int) -> None:
    del keys[bisect_left(keys, key)]
