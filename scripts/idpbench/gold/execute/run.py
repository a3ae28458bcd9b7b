"""From a recipe and a workbook to the tidy table and its trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.gold.execute.headers import assign, source_of
from idpbench.gold.execute.production import COUNTED, Production
from idpbench.gold.execute.selection import Selector, find_sheet
from idpbench.gold.issues import Issue, Unusable, unusable
from idpbench.gold.recipe.schema import Recipe, RecipeTable
from idpbench.gold.tidy import Table
from idpbench.gold.trace import HeaderTrace, TraceRow
from idpbench.gold.workbook import Address, Sheet, Workbook

MOST_OUTPUT = 256 << 20
"""Bytes of table and trace together, estimated before they are made: a small recipe can multiply long texts."""

_ASSIGNMENT = 80  # bytes of a header's record in the trace beside its texts


@dataclass(frozen=True)
class _Block:
    """One table of a recipe, executed: its value cells in row-major order and each header's record for each."""

    index: int
    table: RecipeTable
    sheet: Sheet
    values: Sequence[Address]
    headers: Sequence[Sequence[HeaderTrace]]

    def texts(self) -> Iterator[str]:
        """The value cells' texts; "" for blanks."""
        cells = self.sheet.cells
        return (cells[address].text if address in cells else "" for address in self.values)


def execute(recipe: Recipe, workbook: Workbook) -> Production:
    """Execute a recipe. The same recipe and workbook give the same bytes everywhere.

    Unusable with codes SHEET_NOT_FOUND, SHEET_AMBIGUOUS, TOO_MANY_CELLS, or TOO_LARGE for an output of more than
    256 MiB. An output without rows is no fault here; a warning says so.
    """
    sheets = _sheets(recipe, workbook)
    selector = Selector()
    counts = dict.fromkeys(COUNTED, 0)
    room = MOST_OUTPUT
    blocks = []
    for index, (table, sheet) in enumerate(zip(recipe.tables, sheets, strict=True)):
        path = f"$.tables[{index}]"
        chosen, place_of = table.values.select, f"{path}.values.select"
        values = selector.filtered(sheet, selector.cells(sheet, chosen, place_of), chosen.where, place_of)
        if not table.values.keep_blank:
            values = [address for address in values if address in sheet.cells]
        headers = []
        for place, header in enumerate(table.headers):
            assigned = assign(sheet, header, values, selector, f"{path}.headers[{place}]")
            room -= sum(2 * len(trace.value or "") for trace in assigned.traces) + _ASSIGNMENT * len(values)
            if room < 0:
                raise unusable("TOO_LARGE", "$", f"the output would be larger than {MOST_OUTPUT} bytes")
            counts["UNUSED_HEADER_CELL"] += assigned.unused_cells
            counts["UNUSED_KEY"] += assigned.unused_keys
            counts["MISSING_ASSIGNMENT"] += sum(trace.state == "missing" for trace in assigned.traces)
            counts["AMBIGUOUS_ASSIGNMENT"] += sum(trace.state == "ambiguous" for trace in assigned.traces)
            headers.append(assigned.traces)
        block = _Block(index, table, sheet, values, headers)
        room -= sum(map(len, block.texts()))
        if room < 0:
            raise unusable("TOO_LARGE", "$", f"the output would be larger than {MOST_OUTPUT} bytes")
        blocks.append(block)
    tidy, trace = _rows(blocks, output_columns(recipe))
    return Production(tidy, trace, tuple(_warnings(blocks)), counts)


def output_columns(recipe: Recipe) -> tuple[str, ...]:
    """The columns of a recipe's output: all header names by code point, then all value names."""
    headers = {header.name for table in recipe.tables for header in table.headers}
    return (*sorted(headers), *sorted({table.values.name for table in recipe.tables}))


def _sheets(recipe: Recipe, workbook: Workbook) -> list[Sheet]:
    sheets: list[Sheet] = []
    issues: list[Issue] = []
    for index, table in enumerate(recipe.tables):
        try:
            sheets.append(find_sheet(workbook, table.sheet, f"$.tables[{index}].sheet"))
        except Unusable as fault:
            issues += fault.issues
    if issues:
        raise Unusable(issues)
    return sheets


def _rows(blocks: Sequence[_Block], columns: tuple[str, ...]) -> tuple[Table, tuple[TraceRow, ...]]:
    """All rows in source order: sheet, row, column, table."""
    place = {name: index for index, name in enumerate(columns)}
    rows = []
    for block in blocks:
        value_place = place[block.table.values.name]
        places = [place[header.name] for header in block.table.headers]
        records: Iterable[tuple[HeaderTrace, ...]] = zip(*block.headers, strict=True)
        if not block.headers:
            records = [()] * len(block.values)
        for address, text, record in zip(block.values, block.texts(), records, strict=True):
            fields = [""] * len(columns)
            fields[value_place] = text
            for index, trace in zip(places, record, strict=True):
                fields[index] = trace.value or ""
            order = (block.sheet.index, *address, block.index)
            rows.append((order, tuple(fields), TraceRow(source_of(block.sheet, address), record)))
    rows.sort(key=lambda row: row[0])
    return Table(columns, tuple(row[1] for row in rows)), tuple(row[2] for row in rows)


def _warnings(blocks: Sequence[_Block]) -> Iterator[Mapping[str, Any]]:
    seen: set[tuple[int, Address]] = set()
    for block in blocks:
        if not block.values:
            yield {"code": "EMPTY_VALUE_SELECTION", "table": block.table.name}
        cells = [(block.sheet.index, address) for address in block.values]
        for cell in cells:
            if cell in seen:
                address = source_of(block.sheet, cell[1])
                yield {"code": "OVERLAPPING_VALUE_CELL", "table": block.table.name, "address": address}
        seen.update(cells)
