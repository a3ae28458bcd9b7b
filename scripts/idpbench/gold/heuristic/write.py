"""The recipe that the heuristic writes: one table for each group of blocks that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Protocol

from idpbench.files.canonical import pretty
from idpbench.gold.heuristic.heads import Found, find_headers, group_alike
from idpbench.gold.heuristic.layout import Block, find_blocks, is_figure
from idpbench.gold.heuristic.naming import assign
from idpbench.gold.workbook import Address, Sheet, Workbook

MOST_TABLES = 20
KEEP_BLANK = ("empty value", "stays a row", "keep blank", "blank values")


class Asked(Protocol):
    """What the heuristic is told of a column."""

    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def about(self) -> str: ...


class Task(Protocol):
    """What the heuristic is told of a member."""

    @property
    def sheet(self) -> str | None: ...
    @property
    def instruction(self) -> str: ...
    @property
    def columns(self) -> Sequence[Asked]: ...


def write_recipe(workbook: Workbook, task: Task) -> str:
    """A recipe as JSON text. Where the sheet shows no figures it selects everything, which is honest and wrong."""
    sheet = _sheet(workbook, task.sheet)
    wanted = [(column.name, column.about) for column in task.columns if column.role == "header"]
    value = next((column.name for column in task.columns if column.role == "value"), "value")
    keep = any(phrase in task.instruction for phrase in KEEP_BLANK)
    groups = group_alike(sheet, find_blocks(sheet))[:MOST_TABLES]
    tables = [
        _table(f"t{number}", sheet, group, wanted, value, keep) for number, group in enumerate(groups, start=1)
    ] or [_everything(sheet, wanted, value)]
    return pretty({"version": "gold-recipe/1", "tables": tables})


def _sheet(workbook: Workbook, title: str | None) -> Sheet:
    for sheet in workbook.sheets:
        if sheet.title == title:
            return sheet
    return max(workbook.sheets, key=lambda sheet: sum(1 for cell in sheet.cells.values() if is_figure(cell)))


def _everything(sheet: Sheet, wanted: Sequence[tuple[str, str]], value: str) -> dict[str, Any]:
    whole = f"R1C1:R{max(1, sheet.last_row)}C{max(1, sheet.last_column)}"
    return {
        "name": "t1",
        "sheet": sheet.title,
        "values": {"name": value, "select": {"include": [whole]}},
        "headers": [{"name": name, "constant": "unknown"} for name, _about in wanted],
    }


def _table(
    name: str, sheet: Sheet, group: Sequence[Block], wanted: Sequence[tuple[str, str]], value: str, keep: bool
) -> dict[str, Any]:
    values: dict[str, Any] = {"name": value, "select": {"include": [a for block in group for a in _rectangles(block)]}}
    if keep:
        values["keep_blank"] = True
    assigned = assign(sheet, find_headers(sheet, group), wanted)
    headers = [_header(column, assigned[column], group) for column, _about in wanted]
    return {"name": name, "sheet": sheet.title, "values": values, "headers": headers}


def _header(name: str, found: Found | None, group: Sequence[Block]) -> dict[str, Any]:
    if found is None:
        return {"name": name, "constant": "unknown"}
    header: dict[str, Any] = {
        "name": name,
        "direction": found.direction,
        "select": {"include": _ranges(found, group)},
    }
    if found.fill:
        header["fill"] = found.fill
    if found.nearest:
        header["bands"] = "nearest"
    return header


def _rectangles(block: Block) -> list[str]:
    """The figures of a block as ranges: one for each run of columns."""
    runs = groupby(enumerate(block.columns), key=lambda pair: pair[1] - pair[0])
    spans = [[column for _index, column in run] for _key, run in runs]
    return [_address((block.top, span[0]), (block.bottom, span[-1])) for span in spans]


def _ranges(found: Found, group: Sequence[Block]) -> list[str]:
    """The cells of a header as ranges. Blank cells inside one are no anchors, so that a range may span them."""
    if found.kind == "title":
        return [_address(cell, cell) for cell in found.anchors]
    if found.kind == "head":
        rows = sorted({row for row, _column in found.anchors})
        across = {row: sorted(column for r, column in found.anchors if r == row) for row in rows}
        return [_address((row, columns[0]), (row, columns[-1])) for row, columns in across.items()]
    column = found.anchors[0][1]
    return [_address((block.top, column), (block.bottom, column)) for block in group]


def _address(first: Address, last: Address) -> str:
    start = f"R{first[0]}C{first[1]}"
    return start if first == last else f"{start}:R{last[0]}C{last[1]}"
