"""A table out of text: which lines are its caption, its header, its units, its rows and its notes."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_RULE = re.compile(r"^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$")
_NUMERIC = re.compile(r"^[^A-Za-z]*\d[^A-Za-z]*$")
_YEAR = re.compile(r"^(?:1[89]|20)\d{2}$")


@dataclass(frozen=True)
class Grid:
    """Rows have as many cells as the header; `units` is empty or one text per column; notes are lines as written.

    `title` is the first line of the caption.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    caption: str = ""
    notes: str = ""
    units: tuple[str, ...] = ()


def read_grid(text: str) -> Grid:
    """The first table of a text; ValueError where there is none."""
    lines = re.split(r"\r\n|\r|\n", text)
    cells = _markdown(lines) if any(_RULE.match(line.strip()) and "|" in line for line in lines) else _csv(lines)
    width = _width(cells)
    header = _header(cells, width)
    units: tuple[str, ...] = ()
    start = header + 1
    if start < len(cells) and _is_units(cells[start]):
        units, start = tuple(_padded(cells[start], width)), start + 1
    end = start
    while end < len(cells) and len(cells[end]) == width and any(cells[end][1:]):
        end += 1
    if end == start:
        raise ValueError("found a header without rows, expected a table")
    return Grid(
        tuple(cells[header]),
        tuple(tuple(_padded(row, width)) for row in cells[start:end]),
        ", ".join(cell for cell in cells[0] if cell) if header else "",
        " ".join(cell for row in cells[:header] for cell in row if cell),
        "\n".join(", ".join(cell for cell in row if cell) for row in cells[end:]),
        units,
    )


def _csv(lines: Sequence[str]) -> list[list[str]]:
    """Rows of cells; the separator is the one that most lines hold the same number of."""
    best = max(",;\t", key=lambda mark: _agreement([line.count(mark) for line in lines if line.strip()]))
    try:
        rows = list(csv.reader(lines, delimiter=best))
    except csv.Error as error:
        raise ValueError(f"found what is no CSV ({error}), expected a table") from None
    return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]


def _agreement(counts: Sequence[int]) -> int:
    """How many lines share the commonest number of separators, none of them being zero."""
    present = [count for count in counts if count]
    return max((present.count(count) * count for count in set(present)), default=0)


def _markdown(lines: Sequence[str]) -> list[list[str]]:
    """Rows of cells; a line outside the table is one cell, emphasis and heading marks are taken off."""
    rows = []
    for line in lines:
        plain = line.strip()
        if not plain or _RULE.match(plain):
            continue
        if plain.startswith("|"):
            inner = re.split(r"(?<!\\)\|", plain.removeprefix("|").removesuffix("|"))
            rows.append(
                [re.sub(r"^[*_`]+|(?<=\w)[*_`]{2}$|`$", "", cell.strip()).replace("\\|", "|") for cell in inner]
            )
        else:
            rows.append([re.sub(r"^[#>\s]+|[*_`]{2}", "", plain)])
    return rows


def _width(cells: Sequence[Sequence[str]]) -> int:
    """Cells of a row of the table: the number that most rows share, the wider one counting for more."""
    counts = Counter(len(row) for row in cells if len(row) >= 2)
    return max(counts, key=lambda width: (counts[width] * width, width), default=0)


def _header(cells: Sequence[Sequence[str]], width: int) -> int:
    """The first row of that width, mostly filled, in which, years apart, hardly any cell is a number."""
    for index, row in enumerate(cells):
        if len(row) != width:
            continue
        filled = [cell for cell in row[1:] if cell]
        numbers = [cell for cell in filled if _NUMERIC.match(cell) and not _YEAR.match(cell)]
        if len(filled) * 2 >= len(row) - 1 and filled and len(numbers) * 3 < len(filled):
            return index
    raise ValueError("found no header, expected a table in CSV or Markdown")


def _is_units(row: Sequence[str]) -> bool:
    """A row below the header whose filled cells are units: short, in brackets or without digits, none in column one."""
    filled = [cell for cell in row[1:] if cell]
    return not row[0] and bool(filled) and all(re.fullmatch(r"[(\[]?[^\d()]{1,16}[)\]]?", cell) for cell in filled)


def _padded(row: Sequence[str], width: int) -> list[str]:
    return [*row[:width], *[""] * (width - len(row))]
