"""Lines to tables without knowing what stands in them: header lines, columns, rows with wrapped cells.

A header is a line of at least two spans without digits, over lines that fill its columns. A line in several pieces
that fills the first column and another one, or more than half of the columns, opens a row; a line close beneath that
fills fewer continues it; a wide gap, or a line that fits no column, ends the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from idpbench.localstack.engine.labels import normal, unnumbered
from idpbench.localstack.engine.pages import Element, Line, Span, Table, cover
from idpbench.reading.words import Word

END_GAP = 1.9  # times the usual distance of rows
WRAP_GAP = 1.75  # times the line height: wrapped cells stand closer than this

Cells = list[list[Word]]
Assign = Callable[[Line, Sequence["Column"]], Cells]


class Column:
    """One column: header span and horizontal extent, which body cells widen."""

    __slots__ = ("header", "x0", "x1")

    def __init__(self, header: Span) -> None:
        self.header = header
        self.x0 = header.x0
        self.x1 = header.x1


def is_header(line: Line) -> bool:
    """Spans of words without digits (box numbers apart) and colons, at least two of them."""
    if len(line.spans) < 2:
        return False
    for span in line.spans:
        text = unnumbered(normal(span.text))
        if ":" in span.text or not any(char.isalpha() for char in text) or any(char.isdigit() for char in text):
            return False
    return True


def find_tables(lines: Sequence[Line]) -> list[Element]:
    """The page's elements in reading order: tables where there are some, all other lines as they are."""
    elements: list[Element] = []
    at = 0
    while at < len(lines):
        table, end = _table_at(lines, at) if is_header(lines[at]) else (None, at)
        if table is None:
            elements.append(lines[at])
            at += 1
        else:
            elements.append(table)
            at = end
    return elements


def _table_at(lines: Sequence[Line], at: int) -> tuple[Table | None, int]:
    header = list(lines[at].spans)
    start = at + 1
    if start < len(lines) and _second_header_line(lines[at], lines[start]):
        header = _merged(header, lines[start].spans)
        start += 1
    columns = [Column(span) for span in header]
    end = start
    # a wrapped line of words may look like a header, but it does not begin in the first column
    while end < len(lines) and not (is_header(lines[end]) and _overlap(lines[end].spans[0], header[0])):
        end += 1
    learn(columns, lines[start:end])
    rows, used = assemble(lines[start:end], columns, by_middle)
    wide = [row for row in rows if sum(cell is not None for cell in row) >= 2]
    if not wide or len(header) + len(wide) < 4 or not _has_figures(wide):
        return None, at
    return Table(tuple(column.header for column in columns), tuple(rows), tuple(lines[at : start + used])), start + used


def _has_figures(rows: Sequence[Sequence[Span | None]]) -> bool:
    """Some column has digits in most rows; and no column is empty throughout."""
    columns = [[cell.text if cell else "" for cell in column] for column in zip(*rows, strict=True)]
    with_digits = [sum(any(char.isdigit() for char in text) for text in column) for column in columns]
    return all(any(column) for column in columns) and 2 * max(with_digits) > len(rows)


def _second_header_line(first: Line, second: Line) -> bool:
    close = second.y0 - first.y1 < 0.6 * (first.y1 - first.y0)
    words = all(not any(char.isdigit() for char in span.text) and ":" not in span.text for span in second.spans)
    beneath = all(any(_overlap(span, over) for over in first.spans) for span in second.spans)
    return close and words and beneath and len(second.spans) < len(first.spans)


def _merged(header: list[Span], second: Sequence[Span]) -> list[Span]:
    merged = list(header)
    for span in second:
        number = next(n for n, over in enumerate(merged) if _overlap(span, over))
        merged[number] = cover((*merged[number].words, *span.words))
    return merged


def _overlap(one: Span, other: Span) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def learn(columns: Sequence[Column], body: Sequence[Line]) -> None:
    """Widen each column by the spans that overlap it alone, twice, so that right-aligned cells find their column."""
    for _ in range(2):
        extents = [(column.x0, column.x1) for column in columns]
        for line in body:
            for span in line.spans:
                hits = [n for n, (x0, x1) in enumerate(extents) if span.x0 < x1 and x0 < span.x1]
                if len(hits) == 1:
                    column = columns[hits[0]]
                    column.x0 = min(column.x0, span.x0)
                    column.x1 = max(column.x1, span.x1)


def by_middle(line: Line, columns: Sequence[Column]) -> Cells:
    """Each word to the column that its middle lies in or is nearest to."""
    cells: Cells = [[] for _ in columns]
    for span in line.spans:
        for word in span.words:
            middle = (word.x0 + word.x1) / 2
            best, distance = 0, float("inf")
            for number, column in enumerate(columns):
                away = max(column.x0 - middle, middle - column.x1, 0.0)
                if away < distance:
                    best, distance = number, away
            cells[best].append(word)
    return cells


def assemble(
    body: Sequence[Line], columns: Sequence[Column], assign: Assign
) -> tuple[list[tuple[Span | None, ...]], int]:
    """Rows of `body` under `columns`, and how many of its lines belong to the table."""
    rows: list[Cells] = []
    used = 0
    pitch = _pitch(body)
    before: Line | None = None
    for line in body:
        gap = line.centre - before.centre if before else 0.0
        cells = assign(line, columns)
        filled = sum(1 for words in cells if words)
        if before is not None and gap > END_GAP * pitch and not (filled >= 2 and cells[0]):
            break
        if len(line.spans) >= 2 and filled >= 2 and (cells[0] or 2 * filled > len(columns)):
            rows.append(cells)
        elif rows and gap < WRAP_GAP * (line.y1 - line.y0) and not cells[0]:
            for words, more in zip(rows[-1], cells, strict=True):
                words.extend(more)
        elif cells[0] or (used and not rows):
            break  # one line before the first row may belong to the heading
        before = line
        used += 1
    return [tuple(cover(words) if words else None for words in cells) for cells in rows], used


def _pitch(body: Sequence[Line]) -> float:
    """Upper quartile of the distances of neighbouring lines: the distance of rows, also when most lines are wrapped."""
    distances = sorted(after.centre - line.centre for line, after in pairwise(body))
    return distances[3 * len(distances) // 4] if distances else float("inf")
