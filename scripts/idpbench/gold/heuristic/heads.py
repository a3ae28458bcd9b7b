"""What names the figures of a sheet: rows of heads above, columns of labels, titles between the blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from idpbench.gold.heuristic.layout import MOST_TEXT, Block, by_row, is_data_row, is_figure, is_year
from idpbench.gold.workbook import Address, Cell, Sheet

MOST_HEADS = 6  # rows of heads looked at above a block


@dataclass
class Found:
    """A header that the sheet suggests: where its cells stand and how they reach the figures."""

    kind: str  # title | label | head | trailing
    direction: str
    anchors: list[Address] = field(default_factory=list)
    fill: str | None = None
    nearest: bool = False  # only the nearest band counts, since blocks have heads of their own

    def texts(self, sheet: Sheet) -> list[str]:
        return [sheet.cells[anchor].text for anchor in self.anchors]


def head_rows(sheet: Sheet, block: Block) -> list[int]:
    """Rows of heads of a block, from top to bottom: those above it with text or years over its figures."""
    rows = by_row(sheet)
    found: list[int] = []
    for row in range(block.top - 1, max(0, block.top - 2 - MOST_HEADS), -1):
        cells = rows.get(row, {})
        over = {column: cell for column, cell in cells.items() if block.left <= column <= block.right}
        if is_data_row(cells):
            break
        if not over:
            if found or block.top - row > 3:
                break
            continue
        if all(_is_head(cell) for cell in over.values()):
            found.append(row)
        elif found:
            break
    return sorted(found)


def _is_head(cell: Cell) -> bool:
    return (cell.kind in ("text", "date") and len(cell.text) <= 2 * MOST_TEXT) or is_year(cell)


def group_alike(sheet: Sheet, blocks: Sequence[Block]) -> list[list[Block]]:
    """Blocks that one table can hold: with the same first label column and figures in overlapping columns."""
    groups: list[list[Block]] = []
    for block in blocks:
        for group in groups:
            if group[0].labels[:1] == block.labels[:1] and set(group[0].columns) & set(block.columns):
                group.append(block)
                break
        else:
            groups.append([block])
    return groups


def find_headers(sheet: Sheet, group: Sequence[Block]) -> list[Found]:
    """Headers of a group of blocks, the outer before the inner: titles, labels, then heads from top to bottom."""
    heads = [head_rows(sheet, block) for block in group]
    shared: list[int] = []
    for index, rows in enumerate(heads):
        shared = rows or shared  # a block without heads of its own stands under those of the last that had some
        heads[index] = shared
    found = [*_titles(sheet, group, heads), *_labels(sheet, group), *_head_levels(sheet, group, heads)]
    found += [
        Found("trailing", "right", _filled(sheet, group, column))
        for column in sorted({column for block in group for column in block.trailing})
    ]
    return [header for header in found if header.anchors]


def _filled(sheet: Sheet, group: Sequence[Block], column: int) -> list[Address]:
    return [(r, column) for block in group for r in range(block.top, block.bottom + 1) if (r, column) in sheet.cells]


def _labels(sheet: Sheet, group: Sequence[Block]) -> list[Found]:
    labels = []
    for column in sorted({column for block in group for column in block.labels}):
        anchors = _filled(sheet, group, column)
        gaps = len(anchors) < sum(block.bottom - block.top + 1 for block in group)
        labels.append(Found("label", "left-nearest" if gaps else "left", anchors))
    return labels


def _titles(sheet: Sheet, group: Sequence[Block], heads: Sequence[Sequence[int]]) -> list[Found]:
    """Titles in the label column, one level of them or two: rows with text in that column and nowhere else."""
    rows = by_row(sheet)
    column = group[0].labels[0] if group[0].labels else group[0].left
    first = min((min(rows_) for rows_ in heads if rows_), default=group[0].top)
    levels: dict[int, list[Address]] = {}
    previous = first
    for block, own in zip(group, heads, strict=True):
        start = min((row for row in own if previous <= row < block.top), default=block.top)
        begin = start - 1 if len(group) > 1 and start > previous and start in own else previous
        between = [r for r in range(max(1, begin), block.top) if set(rows.get(r, {})) == {column}]
        if block is group[0] and not own:
            between = []
        for level, row in enumerate(reversed(between[-2:])):
            if not is_figure(sheet.cells[row, column]):
                levels.setdefault(level, []).append((row, column))
        previous = block.bottom + 1
    outer_first = sorted(levels, reverse=True)
    return [Found("title", "left-nearest", levels[level]) for level in outer_first]


def _head_levels(sheet: Sheet, group: Sequence[Block], heads: Sequence[Sequence[int]]) -> list[Found]:
    deepest = max((len(rows) for rows in heads), default=0)
    levels: list[Found] = []
    for depth in range(deepest, 0, -1):
        anchors: list[Address] = []
        rows = sorted({own[-depth] for own in heads if len(own) >= depth})
        for row in rows:
            columns = {
                column for block, own in zip(group, heads, strict=True) if row in own for column in block.columns
            }
            anchors += [(row, c) for c in range(min(columns), max(columns) + 1) if (row, c) in sheet.cells]
        levels.append(_head(sheet, anchors, rows, [c for block in group for c in block.columns]))
    return levels


def _head(sheet: Sheet, anchors: list[Address], rows: Sequence[int], columns: Sequence[int]) -> Found:
    by_band = {row: [sheet.cells[a].text for a in anchors if a[0] == row] for row in rows}
    differ = len({tuple(texts) for texts in by_band.values()}) > 1
    merged = any(top in rows and right > left for top, left, _bottom, right in sheet.merges if (top, left) in anchors)
    if merged:
        return Found("head", "above", anchors, fill="merge", nearest=differ)
    gaps = any((row, column) not in sheet.cells for row in rows for column in set(columns))
    if gaps and len(anchors) * 2 <= len(rows) * len(set(columns)) and len(anchors) > 1:
        return Found("head", "above-nearest", anchors, nearest=differ)
    return Found("head", "above", anchors, nearest=differ)
