"""Addresses `R1C1` and ranges `R1C1:R2C2`, counted from 1, within the limits of an xlsx sheet."""

from __future__ import annotations

import re
from typing import NamedTuple

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384

_CELL = r"R([1-9][0-9]{0,6})C([1-9][0-9]{0,4})"
_RANGE = re.compile(f"{_CELL}(?::{_CELL})?", re.ASCII)


class Area(NamedTuple):
    """A rectangle of cells, all four limits inclusive."""

    top: int
    left: int
    bottom: int
    right: int


def read_area(text: str) -> Area:
    """The area of an address or a range. ValueError where it is neither, or leaves the sheet, or runs backwards."""
    found = _RANGE.fullmatch(text)
    if found is None:
        raise ValueError("expected R<row>C<column> or R<row>C<column>:R<row>C<column>")
    top, left, bottom, right = (int(part) if part else 0 for part in found.groups())
    area = Area(top, left, bottom or top, right or left)
    if area.bottom > LAST_ROW or area.right > LAST_COLUMN or area.top > LAST_ROW or area.left > LAST_COLUMN:
        raise ValueError(f"expected rows up to {LAST_ROW} and columns up to {LAST_COLUMN}")
    if area.top > area.bottom or area.left > area.right:
        raise ValueError("expected a range that starts above and left of its end")
    return area


def read_cell(text: str) -> tuple[int, int]:
    """Row and column of an address. ValueError where it is none."""
    area = read_area(text)
    if ":" in text:
        raise ValueError("expected one cell, R<row>C<column>")
    return area.top, area.left


def spell(row: int, column: int) -> str:
    """`R2C3`."""
    return f"R{row}C{column}"
