"""A workbook as the benchmark sees it: sheets of non-blank cells, merged ranges, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Sheet:
    """One worksheet. Rows and columns count from 1.

    `cells` holds the non-blank cells only, in row-major order; of a merged range only the top-left cell can be there.
    `merges` are (first row, first column, last row, last column), sorted. `last_row` and `last_column` are those of
    the last non-blank cells, 0 for an empty sheet. `index` is the sheet's place among the worksheets, from 0.
    """

    title: str
    index: int
    cells: Mapping[Address, Cell]
    merges: tuple[Merge, ...]
    last_row: int
    last_column: int


@dataclass(frozen=True)
class Workbook:
    """The worksheets of a workbook in their order."""

    sheets: tuple[Sheet, ...]
