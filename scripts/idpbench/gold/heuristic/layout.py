"""Where the figures of a sheet stand: data rows, label columns, and the blocks that they form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from idpbench.gold.workbook import Cell, Sheet

# What stands in for a figure that is not there: at most three signs and letters, as in `-`, `..`, `na`, `n/a`, `*`.
STAND_IN = re.compile(r"^(?:[-–—*.:xe]{1,3}|na|np|n/a|n\.a\.)$", re.IGNORECASE)
MOST_TEXT = 40  # a text longer than this is a note or a title, no label of a column
DENSE = 0.3  # share of a block's rows in which a value column holds a figure, at the least


@dataclass(frozen=True)
class Block:
    """A rectangle of figures with the columns of labels left of it, and with those right of it."""

    top: int
    bottom: int
    columns: tuple[int, ...]
    labels: tuple[int, ...]
    trailing: tuple[int, ...] = ()

    @property
    def left(self) -> int:
        return self.columns[0]

    @property
    def right(self) -> int:
        return self.columns[-1]


def is_figure(cell: Cell) -> bool:
    """Whether a cell may be an observation: a number, a truth value, an error, or a sign that stands in for one."""
    return cell.kind in ("number", "boolean", "error") or (cell.kind == "text" and bool(STAND_IN.match(cell.text)))


def is_year(cell: Cell) -> bool:
    """Whether a number could be a calendar year."""
    return cell.kind == "number" and cell.text.isdigit() and 1900 <= int(cell.text) <= 2100


def by_row(sheet: Sheet) -> dict[int, dict[int, Cell]]:
    """Row -> column -> cell, non-blank cells only."""
    rows: dict[int, dict[int, Cell]] = {}
    for (row, column), cell in sheet.cells.items():
        rows.setdefault(row, {})[column] = cell
    return rows


def is_data_row(cells: Mapping[int, Cell]) -> bool:
    """Whether a row holds observations: figures that are not all years, and no long text beside them."""
    figures = [column for column, cell in cells.items() if is_figure(cell)]
    numbers = [cells[column] for column in figures if cells[column].kind != "text"]
    if not figures or (numbers and all(is_year(cell) for cell in numbers)):
        return False
    after = [cell for column, cell in cells.items() if column > figures[0] and cell.kind == "text"]
    return not any(len(cell.text) > MOST_TEXT or " " in cell.text.strip() for cell in after if not is_figure(cell))


def runs_of(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last) pairs."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs


def find_blocks(sheet: Sheet) -> list[Block]:
    """The blocks of a sheet from top to bottom, then from left to right; none where nothing looks like figures."""
    rows = by_row(sheet)
    data = sorted(row for row, cells in rows.items() if is_data_row(cells))
    blocks: list[Block] = []
    for top, bottom in runs_of(data):
        blocks += _side_by_side([rows[row] for row in range(top, bottom + 1)], top, bottom)
    return _without_notes(blocks)


def _side_by_side(rows: Sequence[Mapping[int, Cell]], top: int, bottom: int) -> list[Block]:
    """One run of data rows, cut where columns of text stand between columns of figures."""
    used = sorted({column for cells in rows for column in cells})
    kinds = {column: _column_kind([cells[column] for cells in rows if column in cells], len(rows)) for column in used}
    if used and kinds[used[0]] == "figures" and len(used) > 1 and _could_label(rows, used[0]):
        kinds[used[0]] = "labels"
    blocks: list[Block] = []
    labels: list[int] = []
    values: list[int] = []
    for column in used:
        if kinds[column] == "labels" and values and _opens_another(column, used, kinds):
            blocks.append(Block(top, bottom, tuple(values), tuple(labels)))
            labels, values = [], []
        if kinds[column] == "labels":
            if not values:
                labels.append(column)
        elif kinds[column] == "figures":
            values.append(column)
    if values:
        trailing = tuple(column for column in used if column > values[-1] and kinds[column] == "labels")
        blocks.append(Block(top, bottom, tuple(values), tuple(labels), trailing))
    return blocks


def _column_kind(cells: Sequence[Cell], rows: int) -> str:
    figures = sum(1 for cell in cells if is_figure(cell))
    if cells and all(cell.kind == "date" for cell in cells):
        return "labels"
    if figures * 2 > len(cells):
        return "figures" if figures >= DENSE * rows or rows <= 3 else "sparse"
    return "labels" if len(cells) * 2 >= rows or figures == 0 else "sparse"


def _could_label(rows: Sequence[Mapping[int, Cell]], column: int) -> bool:
    """Whether the first column, though of numbers, names its rows: years or codes, none twice."""
    cells = [cells[column] for cells in rows if column in cells]
    texts = [cell.text for cell in cells]
    return len(cells) == len(rows) > 1 and len(set(texts)) == len(texts) and all(is_year(cell) for cell in cells)


def _opens_another(column: int, used: Sequence[int], kinds: Mapping[int, str]) -> bool:
    """Whether a column of text begins another table: an empty column stands before it, and figures after it."""
    return column - 1 not in used and any(kinds[later] == "figures" for later in used if later > column)


def _without_notes(blocks: list[Block]) -> list[Block]:
    """Drop single rows far narrower than the widest block: notes with a number in them."""
    if not blocks:
        return []
    widest = max(len(block.columns) for block in blocks)
    return [b for b in blocks if b.bottom > b.top or len(b.columns) * 2 > widest or widest <= 2]
