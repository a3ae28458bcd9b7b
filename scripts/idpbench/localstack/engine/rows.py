"""Lists: table rows turned into items, from cells where the backend reports them, else from lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idpbench.localstack.engine.columns import by_content, by_header, header_in_line, is_item, with_figures
from idpbench.localstack.engine.fields import Reading
from idpbench.localstack.engine.pages import Line, PageRead, Span, Table
from idpbench.localstack.engine.schema import ListProperty, Property
from idpbench.localstack.engine.tables import Cells, Column, assemble
from idpbench.reading.words import Word

_Mapping = dict[int, tuple[Property, float]]


@dataclass(frozen=True, slots=True)
class Row:
    """One item of a list: its values by property name, the page it starts on and its position there."""

    page: int
    top: float
    values: dict[str, Reading]


def read_rows(pages: Sequence[PageRead], wanted: ListProperty) -> list[Row]:
    """The items of a list, in reading order over the pages."""
    if wanted.scalar is not None or not wanted.items:
        return []
    rows: list[Row] = []
    for page in pages:
        tables = list(page.tables())
        for table in tables:
            mapping = by_header(table.header, wanted)
            if mapping is not None:
                mapping = with_figures(table.rows, mapping, wanted)
                rows.extend(_items(page, table.rows, mapping, _ambiguous(table)))
        if not tables:
            rows.extend(_from_lines(page, wanted))
    return rows


def page_columns(page: PageRead, wanted: ListProperty) -> list[str]:
    """The properties that the page's first table of this list has as columns, in printed order; none without one."""
    for element in page.elements:
        mapping = by_header(element.header, wanted) if isinstance(element, Table) else header_in_line(element, wanted)
        if mapping is not None:
            return [item.name for _, (item, _) in sorted(mapping.items())]
    return []


def _items(
    page: PageRead, cells: Sequence[Sequence[Span | None]], mapping: _Mapping, unclear: Sequence[float]
) -> list[Row]:
    items = []
    for row in cells:
        if not is_item(row, mapping):
            continue
        values = {}
        for number, (item, clarity) in mapping.items():
            cell = row[number] if number < len(row) else None
            if cell is not None:
                values[item.name] = Reading(cell.text, page.index, cell, clarity * unclear[number])
        if values:
            top = min(cell.y0 for cell in row if cell is not None)
            items.append(Row(page.index, top, values))
    return items


def _ambiguous(table: Table) -> list[float]:
    """Clarity of each column in 0..1: less where its cells reach into those of the next column."""
    extents = []
    for number, header in enumerate(table.header):
        cells = [row[number] for row in table.rows]
        filled = [cell for cell in cells if cell is not None]
        extents.append((min([header.x0, *(c.x0 for c in filled)]), max([header.x1, *(c.x1 for c in filled)])))
    return clarities(extents)


def clarities(extents: Sequence[tuple[float, float]]) -> list[float]:
    """1 for a column apart from its neighbours, down to 0.6 where it lies half inside one of them."""
    result = []
    for number, (x0, x1) in enumerate(extents):
        worst = 0.0
        for other in (number - 1, number + 1):
            if 0 <= other < len(extents):
                shared = min(x1, extents[other][1]) - max(x0, extents[other][0])
                worst = max(worst, shared / max(x1 - x0, 1.0))
        result.append(1.0 - 0.8 * min(max(worst, 0.0), 0.5))
    return result


def _from_lines(page: PageRead, wanted: ListProperty) -> list[Row]:
    """Rows of a page whose backend reports lines only: columns are inferred from where the header's words stand."""
    lines = list(page.lines())
    heads = [(at, found) for at, line in enumerate(lines) if (found := header_in_line(line, wanted))]
    if not heads:
        return _headless(page, lines, wanted)
    rows: list[Row] = []
    for place, (at, mapping) in enumerate(heads):
        end = heads[place + 1][0] if place + 1 < len(heads) else len(lines)
        columns = [Column(span) for span in lines[at].spans]
        cells, _ = assemble(lines[at + 1 : end], columns, by_edges)
        mapping = with_figures(cells, mapping, wanted)
        extents = _extents(columns, cells)
        rows.extend(_items(page, cells, mapping, clarities(extents)))
    return rows


def _extents(columns: Sequence[Column], rows: Sequence[Sequence[Span | None]]) -> list[tuple[float, float]]:
    extents = []
    for number, column in enumerate(columns):
        filled = [cell for row in rows if (cell := row[number]) is not None]
        extents.append((min([column.x0, *(c.x0 for c in filled)]), max([column.x1, *(c.x1 for c in filled)])))
    return extents


def by_edges(line: Line, columns: Sequence[Column]) -> Cells:
    """Each span whole to the column whose left edge, right edge or middle it stands nearest to.

    Without cells a reader knows where headers stand, not how far columns reach.
    """
    cells: list[list[Word]] = [[] for _ in columns]
    for span in line.spans:
        distances = [
            min(
                abs(span.x0 - column.header.x0),
                abs(span.x1 - column.header.x1),
                abs(span.middle - column.header.middle),
            )
            for column in columns
        ]
        cells[distances.index(min(distances))].extend(span.words)
    return cells


def _headless(page: PageRead, lines: Sequence[Line], wanted: ListProperty) -> list[Row]:
    """Rows of a page without any header: runs of lines with equally many spans, columns told by their content."""
    counts: dict[int, int] = {}
    for line in lines:
        counts[len(line.spans)] = counts.get(len(line.spans), 0) + 1
    usual = max((n for n in counts if n >= 2), key=lambda n: (counts[n], n), default=0)
    if counts.get(usual, 0) < 3:
        return []
    model = next(line for line in lines if len(line.spans) == usual)
    columns = [Column(span) for span in model.spans]
    first = lines.index(model)
    cells, _ = assemble(lines[first:], columns, by_edges)
    mapping = by_content(cells, wanted)
    return _items(page, cells, mapping, [0.9] * usual) if mapping else []
