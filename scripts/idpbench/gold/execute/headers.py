"""What each header of a table says about each of its value cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.gold.execute.anchors import Side, sides
from idpbench.gold.execute.lookup import Choice, look_up
from idpbench.gold.execute.selection import Selector
from idpbench.gold.recipe.address import read_cell, spell
from idpbench.gold.recipe.schema import CellHeader, ConstantHeader, Header, SelectHeader
from idpbench.gold.scalars import text_of
from idpbench.gold.trace import HeaderTrace
from idpbench.gold.workbook import Address, Sheet


@dataclass(frozen=True)
class Assigned:
    """A header's record for every value cell, in their order, and how much of the header was of no use."""

    traces: Sequence[HeaderTrace]
    unused_cells: int = 0
    unused_keys: int = 0


def assign(sheet: Sheet, header: Header, values: Sequence[Address], selector: Selector, path: str) -> Assigned:
    """Look a header up for all value cells of a table. `path` is the header's place in the recipe.

    Unusable with code TOO_MANY_CELLS or TOO_LARGE.
    """
    if isinstance(header, ConstantHeader):
        same = HeaderTrace(header.name, "constant", None, text_of(header.constant), "resolved")
        return Assigned([same] * len(values))
    if isinstance(header, CellHeader):
        return Assigned([_of_cell(sheet, header)] * len(values))
    return _of_anchors(sheet, header, values, selector, path)


def source_of(sheet: Sheet, address: Address) -> str:
    """`Sheet!R1C2`."""
    return f"{sheet.title}!{spell(*address)}"


def _of_cell(sheet: Sheet, header: CellHeader) -> HeaderTrace:
    address = read_cell(header.cell)
    cell = sheet.cells.get(address)
    if cell is None:
        return HeaderTrace(header.name, "cell", None, None, "missing")
    return HeaderTrace(header.name, "cell", source_of(sheet, address), cell.text, "resolved")


def _of_anchors(
    sheet: Sheet, header: SelectHeader, values: Sequence[Address], selector: Selector, path: str
) -> Assigned:
    cells = selector.cells(sheet, header.select, f"{path}.select")
    cells = selector.filtered(sheet, cells, header.select.where, f"{path}.select")
    found, unused_keys = sides(sheet, header, cells)
    if header.default is None:
        none = HeaderTrace(header.name, header.direction, None, None, "missing")
    else:
        none = HeaderTrace(header.name, header.direction, None, text_of(header.default), "default")
    records: dict[tuple[Address, bool], HeaderTrace] = {}

    def record(answer: tuple[Side, Choice] | None) -> HeaderTrace:
        if answer is None:
            return none
        side, (anchor, uniform) = answer
        key = anchor.address, uniform
        if key not in records:
            state = "resolved" if uniform else "ambiguous"
            source = source_of(sheet, anchor.address)
            records[key] = HeaderTrace(header.name, side.direction, source, anchor.text, state)
        return records[key]

    traces = [record(answer) for answer in look_up(found, values, header.bands == "nearest")]
    used = {address for address, _ in records}
    return Assigned(traces, sum(len(side.anchors) for side in found) - len(used), unused_keys)
