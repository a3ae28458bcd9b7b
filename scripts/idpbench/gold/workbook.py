"""A workbook as the benchmark sees it: sheets of non-blank cells, merged ranges, and which cells are formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from idpbench.gold.scalars import Kind, Value

Address = tuple[int, int]
Merge = tuple[int, int, int, int]


class Cell(NamedTuple):
    """A non-blank cell: its value, kind and canonical text, and the two formats that often carry a hierarchy."""

    value: Value
    kind: Kind
    text: str
    indent: int = 0
    bold: bool = False


class Formula(NamedTuple):
    """A formula: its text without `=`, whether the workbook holds its result, and the cells that it fills."""

    text: str
    cached: bool
    area: Merge


@dataclass(frozen=True)
class Sheet:
    """One worksheet. Rows and columns count from 1.

    `cells` holds the non-blank cells only, in row-major order; of a merged range only the top-left cell can be there.
    `merges` are (first row, first column, last row, last column), sorted. `last_row` and `last_column` are those of
    the last non-blank cells, 0 for an empty sheet. `index` is the sheet's place among the worksheets, from 0.
    `formulas` are by the cell that holds them; a formula without a stored result is a blank cell.
    """

    title: str
    index: int
    cells: Mapping[Address, Cell]
    merges: tuple[Merge, ...]
    last_row: int
    last_column: int
    formulas: Mapping[Address, Formula] = field(default_factory=dict)


@dataclass(frozen=True)
class Workbook:
    """The worksheets of a workbook in their order."""

    sheets: tuple[Sheet, ...]


def read_workbook(data: bytes | Path) -> Workbook:
    """Read an xlsx workbook, within bounds of time and memory whatever the bytes are.

    Unusable with the one code WORKBOOK_UNREADABLE (path: the file's name, or `workbook` for bytes) where it is no
    workbook, holds XML entities, or is larger than any sheet that the benchmark could hold (see `xlsx.limits`).
    """
    from idpbench.gold.xlsx.read import read  # openpyxl is a slow import, which scoring alone does not need

    return read(data)


def make_sheet(
    title: str,
    index: int,
    cells: Mapping[Address, Cell],
    merges: tuple[Merge, ...] = (),
    formulas: Mapping[Address, Formula] | None = None,
) -> Sheet:
    """A sheet of these non-blank cells: sorted, and its last row and column found."""
    ordered = dict(sorted(cells.items()))
    last_row = max((row for row, _ in ordered), default=0)
    last_column = max((column for _, column in ordered), default=0)
    return Sheet(title, index, ordered, tuple(sorted(merges)), last_row, last_column, dict(formulas or {}))
