"""Header cells as anchors: on which side of a value they stand, and over which cells they reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from idpbench.gold.recipe.address import LAST_ROW, read_cell
from idpbench.gold.recipe.schema import Direction, Fill, SelectHeader, default_fill
from idpbench.gold.workbook import Address, Sheet

FARTHEST = LAST_ROW + 1
"""A cross index beyond every sheet: the end of a fill that nothing ends."""


class Anchor(NamedTuple):
    """A header cell in the axes of its direction.

    `along` grows towards the value: an anchor is on the named side of a value where its `along` is smaller. `across`
    is its index on the cross axis; `first` to `last` (inclusive) are the cross indices that it reaches.
    """

    along: int
    across: int
    first: int
    last: int
    text: str
    address: Address


@dataclass(frozen=True)
class Side:
    """The anchors of one header that share a direction."""

    direction: Direction
    anchors: tuple[Anchor, ...]


def upright(direction: Direction) -> bool:
    """Whether headers of a direction stand above or below: the cross axis then counts columns."""
    return direction.startswith(("above", "below"))


def along_and_across(direction: Direction, cells: Iterable[Address]) -> list[tuple[int, int]]:
    """Cells in the axes of a direction."""
    sign = 1 if direction.startswith(("above", "left")) else -1
    if upright(direction):
        return [(sign * row, column) for row, column in cells]
    return [(sign * column, row) for row, column in cells]


def sides(sheet: Sheet, header: SelectHeader, cells: Iterable[Address]) -> tuple[list[Side], int]:
    """The sides of a header from its selected cells, and how many keys of `overrides` and `spans` name no anchor.

    A blank cell is no anchor. Bands and their neighbours are formed per direction.
    """
    present = [address for address in cells if address in sheet.cells]
    overrides = {read_cell(key): direction for key, direction in header.overrides.items()}
    spans = {read_cell(key): span for key, span in header.spans.items()}
    known = set(present)
    unused = sum(key not in known for key in (*overrides, *spans))
    by_direction: dict[Direction, list[Address]] = {}
    for address in present:
        by_direction.setdefault(overrides.get(address, header.direction), []).append(address)
    merges = {merge[:2]: merge for merge in sheet.merges}
    found = []
    for direction, addresses in by_direction.items():
        fill = header.fill if header.fill and direction == header.direction else default_fill(direction)
        found.append(Side(direction, tuple(_anchors(sheet, direction, fill, addresses, spans, merges))))
    return found, unused


def _anchors(
    sheet: Sheet,
    direction: Direction,
    fill: Fill,
    addresses: Sequence[Address],
    spans: Mapping[Address, tuple[int, int]],
    merges: Mapping[Address, tuple[int, int, int, int]],
) -> Iterable[Anchor]:
    bands: dict[int, list[tuple[int, Address]]] = {}
    for address, (along, across) in zip(addresses, along_and_across(direction, addresses), strict=True):
        bands.setdefault(along, []).append((across, address))
    for along, band in bands.items():
        band.sort()
        for index, (across, address) in enumerate(band):
            if address in spans:
                reach = spans[address]
            elif fill == "merge" and address in merges:
                top, left, bottom, right = merges[address]
                reach = (left, right) if upright(direction) else (top, bottom)
            else:
                before = band[index - 1][0] if index else None
                after = band[index + 1][0] if index + 1 < len(band) else None
                reach = _reach(fill, before, across, after)
            yield Anchor(along, across, *reach, sheet.cells[address].text, address)


def _reach(fill: Fill, before: int | None, across: int, after: int | None) -> tuple[int, int]:
    """The span of an anchor between its neighbours in the band; an exact middle belongs to both."""
    if fill == "forward":
        return across, FARTHEST if after is None else after - 1
    if fill == "backward":
        return 0 if before is None else before + 1, across
    if fill == "closest":
        first = 0 if before is None else (before + across + 1) // 2
        return first, FARTHEST if after is None else (across + after) // 2
    return across, across
