"""A workbook from plain rows, as bytes that never change: no clock, no compression, parts in a fixed order."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest moment that a zip entry can name
FIXED_TIME = "2026-11-01T00:00:00Z"
DATE_FORMATS = {"date": "yyyy-mm-dd", "time": "hh:mm", "datetime": "yyyy-mm-dd hh:mm:ss", "timedelta": "[h]:mm"}


@dataclass(frozen=True)
class Leaf:
    """One sheet. `rows` start at row 1; None is no cell. Addresses in `merges` are (row, column, row, column)."""

    title: str
    rows: Sequence[Sequence[Any]]
    merges: Sequence[tuple[int, int, int, int]] = ()
    indents: Mapping[tuple[int, int], int] = field(default_factory=dict)
    bold: Sequence[tuple[int, int]] = ()


def workbook_bytes(leaves: Sequence[Leaf]) -> bytes:
    """The `.xlsx` file of some sheets. Two calls give the same bytes on any day, with one version of openpyxl."""
    book = Workbook()
    book.remove(book.active)
    for leaf in leaves:
        _fill(book.create_sheet(leaf.title), leaf)
    made = io.BytesIO()
    book.save(made)
    return _settled(made.getvalue())


def _fill(sheet: Any, leaf: Leaf) -> None:
    for row, values in enumerate(leaf.rows, start=1):
        for column, value in enumerate(values, start=1):
            if value is None:
                continue
            cell = sheet.cell(row, column, value)
            if (pattern := DATE_FORMATS.get(type(value).__name__)) is not None:
                cell.number_format = pattern
            if (row, column) in leaf.indents:
                cell.alignment = Alignment(indent=leaf.indents[row, column])
            if (row, column) in leaf.bold:
                cell.font = Font(bold=True)
    for top, left, bottom, right in leaf.merges:
        sheet.merge_cells(f"{get_column_letter(left)}{top}:{get_column_letter(right)}{bottom}")


def _settled(data: bytes) -> bytes:
    """The same parts, stored and not deflated (builds of zlib differ), with one date, sorted by name."""
    settled = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(settled, "w", zipfile.ZIP_STORED) as made:
        for name in sorted(given.namelist()):
            part = given.read(name)
            if name == "docProps/core.xml":
                part = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", FIXED_TIME.encode(), part)
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            made.writestr(entry, part)
    return settled.getvalue()
