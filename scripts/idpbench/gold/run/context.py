"""The sheet as a model is shown it: used range, merged ranges, then one line per non-blank cell, cut at a fixed length.

    R3C2 number 14.5
    R4C1 text "Northern region" indent=1 bold

Texts and error values stand as JSON strings, so that a line always ends where the cell does. The limit belongs to the
version: a result that names CONTEXT_VERSION thereby records where its context was cut.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from idpbench.gold.workbook import Cell, Sheet, Workbook

CONTEXT_VERSION = "gold-context/1"
MOST_CHARACTERS = 200_000
QUOTED = ("text", "error")


def context(workbook: Workbook, sheet: str | None, most: int = MOST_CHARACTERS) -> str:
    """The named sheet, or every sheet where the task names none; a title that is not found shows every sheet too."""
    chosen = [found for found in workbook.sheets if found.title == sheet] or list(workbook.sheets)
    titles = ", ".join(_quoted(found.title) for found in workbook.sheets)
    parts = [f"The workbook has {len(workbook.sheets)} sheets, in this order: {titles}\n"]
    left = most - len(parts[0])
    for found in chosen:
        text = _cut(_lines(found), left, len(found.cells))
        parts.append(text)
        left -= len(text)
    return "\n".join(parts)


def _lines(sheet: Sheet) -> Iterator[str]:
    yield f"Sheet {_quoted(sheet.title)}"
    yield f"Used: {sheet.last_row} rows, {sheet.last_column} columns, {len(sheet.cells)} cells that are not blank"
    merges = " ".join(f"R{top}C{left}:R{bottom}C{right}" for top, left, bottom, right in sheet.merges)
    yield f"Merged: {merges or 'none'}"
    for (row, column), cell in sheet.cells.items():
        yield f"R{row}C{column} {cell.kind} {_shown(cell)}"


def _shown(cell: Cell) -> str:
    text = _quoted(cell.text) if cell.kind in QUOTED else cell.text
    return f"{text}{f' indent={cell.indent}' if cell.indent else ''}{' bold' if cell.bold else ''}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _cut(lines: Iterable[str], most: int, cells: int) -> str:
    """Whole lines up to `most` characters, and a last line that says so where some are left out."""
    kept: list[str] = []
    length = 0
    for line in lines:
        length += len(line) + 1
        if length > most:
            kept.append(f"(cut here: the sheet has {cells} cells, {max(0, len(kept) - 3)} are shown)")
            break
        kept.append(line)
    return "".join(f"{line}\n" for line in kept)
