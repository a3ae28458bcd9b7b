"""Lines to tables: header matching, learnt columns, rows with wrapped cells, continuation over pages.

1. A header line is one on which most words belong to known column names (compared fuzzily: OCR misreads headers too).
2. A column starts as its header's box and is widened by every chunk of the body that overlaps it alone, twice, so that
   right-aligned numbers, wider than their header, come to belong to it.
3. Words go to the column their middle lies in or is nearest to.
4. A line that starts a row (its first cell passes `starts_row`) opens one; other lines continue the row above them
   while they are close to it; after a wide gap the table has ended.
5. A page whose table has no heading of its own continues the last table of the page before.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from statistics import median_low

from rapidfuzz.fuzz import ratio

from idpbench.reading.lines import Line, page_lines
from idpbench.reading.words import Box, Page, Word, bounds, joined

HEADER_LIKENESS = 74.0  # of 100: one wrong letter in a word of four
HEADER_SHARE = 0.7  # share of a header line's letters that its column names must explain
HEADER_DIGITS = 0.15  # share of digits above which a line is data, not a header
TABLE_END = 2.2  # a gap this many times the usual distance of two lines ends a table
_CONTINUED = re.compile(r"\s*\(\s*cont(?:inued|\.|'d|d)?\s*\)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name (as given; as printed where the name was not among those given) and its extent."""

    name: str
    x0: float
    x1: float
    known: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """The words of one cell in reading order (several lines when wrapped)."""

    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return joined(self.words)

    @property
    def confidence(self) -> float:
        """Confidence of the least certain word."""
        return min(word.confidence for word in self.words)

    @property
    def box(self) -> Box:
        return bounds(self.words)


@dataclass(slots=True)
class Row:
    """Cells by column name; a column without words on this row is absent."""

    page: int
    cells: dict[str, Cell]
    top: float


@dataclass(slots=True)
class Table:
    """One table, over all the pages that continue it. `heading` is the line over its header, "" without one."""

    heading: str
    columns: tuple[Column, ...]
    rows: list[Row] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    parts: list[tuple[int, float, str]] = field(default_factory=list)  # (page, top, heading) of each printed header


def first_cell_has_digit(text: str) -> bool:
    """The default test of a row's first cell: dates and numbers have one, wrapped prose and specks do not."""
    return any(char.isdigit() for char in text)


def read_tables(
    pages: Sequence[Page] | Sequence[list[Line]],
    names: Sequence[str],
    *,
    starts_row: Callable[[str], bool] = first_cell_has_digit,
) -> list[Table]:
    """All tables whose header lines name at least two of `names` (all, if fewer), in reading order over the pages.

    `pages` are pages in order, or their lines where the caller has them already. A part without a heading on a later
    page, or with a heading that equals the last one apart from `(continued)`, goes on with the table before it.
    """
    tables: list[Table] = []
    for page in pages:
        lines = page_lines(page) if isinstance(page, Page) else list(page)
        if lines:
            _read_page(lines, names, starts_row, tables)
    return tables


def _read_page(lines: list[Line], names: Sequence[str], starts_row: Callable[[str], bool], tables: list[Table]) -> None:
    headers = [(at, columns) for at, line in enumerate(lines) if (columns := match_header(line, names))]
    if not headers:
        _continue_without_header(lines, starts_row, tables)
        return
    for number, (at, columns) in enumerate(headers):
        heading_at = _heading_line(lines, at, headers[number - 1][0] if number else -1)
        end = len(lines)
        if number + 1 < len(headers):
            following = headers[number + 1][0]
            end = following if _heading_line(lines, following, at) is None else following - 1
        heading = _CONTINUED.sub("", lines[heading_at].text) if heading_at is not None else ""
        body = lines[at + 1 : end]
        learnt = learn_columns(columns, body)
        rows = _rows(body, learnt, starts_row)
        table = _table_to_continue(tables, heading, learnt, lines[at].page, number == 0)
        if table is None:
            table = Table(heading, learnt)
            tables.append(table)
        table.rows += rows
        table.parts.append((lines[at].page, lines[at].top, heading))
        if lines[at].page not in table.pages:
            table.pages.append(lines[at].page)


def _continue_without_header(lines: list[Line], starts_row: Callable[[str], bool], tables: list[Table]) -> None:
    """Rows of a page that repeats no header: under the columns of the table that ran up to the page before."""
    if not tables or not tables[-1].pages or tables[-1].pages[-1] != lines[0].page - 1:
        return
    table = tables[-1]
    rows = _rows(lines, table.columns, starts_row)
    full = [row for row in rows if len(row.cells) >= max(2, len(table.columns) // 2)]
    if full:
        table.rows += full
        table.pages.append(lines[0].page)


def _table_to_continue(
    tables: list[Table], heading: str, columns: Sequence[Column], page: int, first: bool
) -> Table | None:
    if not tables:
        return None
    last = tables[-1]
    same_columns = [column.name for column in last.columns] == [column.name for column in columns]
    if not same_columns or not last.pages or last.pages[-1] not in (page, page - 1):
        return None
    if heading and ratio(heading.lower(), last.heading.lower()) >= 90:
        return last
    return last if not heading and first and last.pages[-1] == page - 1 else None


def _heading_line(lines: list[Line], header: int, after: int) -> int | None:
    """The line over a header that names the table: near it, without a colon, in one piece and without a row's shape."""
    at = header - 1
    if at <= after:
        return None
    line = lines[at]
    near = lines[header].centre - line.centre < 4.5 * line.size
    one_piece = len(line.chunks(2.5 * line.size)) == 1
    words = [word for word in line.words if any(char.isalpha() for char in word.text)]
    return (
        at if near and one_piece and words and not line.text.rstrip().endswith(":") and ": " not in line.text else None
    )


def match_header(line: Line, names: Sequence[str]) -> tuple[Column, ...] | None:
    """The columns of a header line, left to right, or None when the line is none.

    Names of several words match consecutive words, longest names first; printed words that no name explains become
    columns of their own, so that their values do not fall into their neighbours.
    """
    words = line.words
    text = line.text
    if len(words) < 2 or sum(map(str.isdigit, text)) > HEADER_DIGITS * len(text):
        return None
    if not _names_explain([_letters(word.text) for word in words], _vocabulary(tuple(names))):
        return None
    owner: list[str | None] = [None] * len(words)
    taken: dict[str, list[int]] = {}
    for name in sorted(names, key=lambda text: -len(_letters(text))):
        best: tuple[float, int, int] | None = None
        count = len(name.split())
        for start in range(len(words)):
            for size in range(1, count + 1):
                span = range(start, start + size)
                if span.stop > len(words) or any(owner[at] for at in span):
                    break
                likeness = ratio(_letters("".join(words[at].text for at in span)), _letters(name))
                if likeness >= HEADER_LIKENESS and (best is None or likeness > best[0]):
                    best = (likeness, start, size)
        if best is not None:
            taken[name] = list(range(best[1], best[1] + best[2]))
            for at in taken[name]:
                owner[at] = name
    if len(taken) < min(2, len(names)):
        return None
    letters = [len(_letters(word.text)) for word in words]
    explained = sum(count for count, name in zip(letters, owner, strict=True) if name)
    if explained < HEADER_SHARE * sum(letters):
        return None
    columns = [Column(name, *_extent([words[at] for at in places])) for name, places in taken.items()]
    for chunk in line.chunks():
        rest = [word for word in chunk if owner[words.index(word)] is None and _letters(word.text)]
        if rest:
            columns.append(Column(joined(rest), *_extent(rest), known=False))
    return tuple(sorted(columns, key=lambda column: column.x0))


def _names_explain(words: Sequence[str], vocabulary: Sequence[str]) -> bool:
    """Quick test before the matching: do enough of the letters stand in words that resemble a word of a name?"""
    near = sum(len(word) for word in words if any(ratio(word, known) >= HEADER_LIKENESS for known in vocabulary))
    return near >= HEADER_SHARE / 2 * sum(map(len, words))  # half: a name's words may be misread one by one


@lru_cache(maxsize=64)
def _vocabulary(names: tuple[str, ...]) -> tuple[str, ...]:
    """The single words of the names, and the names written without spaces (as OCR may join them)."""
    return tuple(sorted({_letters(part) for name in names for part in (*name.split(), name)}))


def learn_columns(columns: Sequence[Column], body: Sequence[Line]) -> tuple[Column, ...]:
    """The columns widened by the chunks of the body that overlap exactly one of them."""
    extents = [(column.x0, column.x1) for column in columns]
    chunks = [_extent(chunk) for line in body for chunk in line.chunks()]
    for _ in range(2):
        wider = list(extents)
        for x0, x1 in chunks:
            hits = [at for at, (left, right) in enumerate(extents) if x0 < right and x1 > left]
            if len(hits) == 1:
                left, right = wider[hits[0]]
                wider[hits[0]] = (min(left, x0), max(right, x1))
        extents = wider
    return tuple(Column(column.name, x0, x1, column.known) for column, (x0, x1) in zip(columns, extents, strict=True))


def split_cells(line: Line, columns: Sequence[Column]) -> dict[str, list[Word]]:
    """The line's words by column: a word belongs to the column its middle lies in, else to the nearest."""
    borders = [(before.x1 + after.x0) / 2 for before, after in pairwise(columns)]
    cells: dict[str, list[Word]] = {}
    for word in line.words:
        cells.setdefault(columns[bisect_left(borders, word.middle)].name, []).append(word)
    return cells


def _rows(body: Sequence[Line], columns: Sequence[Column], starts_row: Callable[[str], bool]) -> list[Row]:
    split = [split_cells(line, columns) for line in body]
    anchor = columns[0].name
    starts = [anchor in cells and starts_row(joined(cells[anchor])) for cells in split]
    pitch = _usual_distance(body)
    rows: list[tuple[Line, dict[str, list[Word]]]] = []
    for at, (line, cells) in enumerate(zip(body, split, strict=True)):
        far = at > 0 and line.centre - body[at - 1].centre > TABLE_END * pitch
        if starts[at]:
            rows.append((line, {name: list(words) for name, words in cells.items()}))
        elif far and rows:
            # after the gap only another row can follow (a gap within a table), never a wrapped cell
            if not any(starts[at + 1 : at + 3]):
                break
        elif rows and anchor not in cells:
            for name, words in cells.items():
                rows[-1][1].setdefault(name, []).extend(words)
        elif rows and len(cells) == 1:
            break  # a line of prose that begins in the first column
    return [
        Row(line.page, {name: Cell(tuple(words)) for name, words in cells.items()}, line.top) for line, cells in rows
    ]


def _usual_distance(body: Sequence[Line]) -> float:
    """Median distance of neighbouring lines; at most three word heights, for the few lines of a short table."""
    distances = [after.centre - before.centre for before, after in pairwise(body)]
    return min(median_low(distances), 3 * body[0].size) if distances else float("inf")


def _letters(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _extent(words: Sequence[Word]) -> tuple[float, float]:
    return min(word.x0 for word in words), max(word.x1 for word in words)
