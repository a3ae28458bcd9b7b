"""Real workbooks read by the benchmark, by openpyxl itself, and by a reader that shares no code with it."""

import math

import openpyxl
from python_calamine import CalamineWorkbook
from shared_data import shared

from idpbench.gold.scalars import ErrorCode, kind_of, text_of
from idpbench.gold.workbook import read_workbook


def real_files():
    return sorted(shared("data/gold/workbooks").glob("*.xlsx"))


def test_real_workbooks_read_as_openpyxl_reads_them():
    """Against openpyxl's own loading, but for linked blanks and escapes, which it reads otherwise."""
    for path in [path for path in real_files() if path.stat().st_size < 50_000]:
        ours = read_workbook(path)
        theirs = openpyxl.load_workbook(path, data_only=True, keep_links=False)
        assert [sheet.title for sheet in ours.sheets] == [sheet.title for sheet in theirs.worksheets]
        for sheet, other in zip(ours.sheets, theirs.worksheets, strict=True):
            found = {}
            for (row, column), cell in other._cells.items():
                value = ErrorCode(cell.value) if cell.data_type == "e" else cell.value
                link = getattr(cell, "hyperlink", None)
                if kind_of(value) == "blank" or (link is not None and value == (link.target or link.location)):
                    continue
                if not (isinstance(value, str) and "_x" in value):
                    found[row, column] = (
                        kind_of(value),
                        text_of(value),
                        int(cell.alignment.indent or 0),
                        bool(cell.font.b),
                    )
            mine = {
                at: (c.kind, c.text, c.indent, c.bold)
                for at, c in sheet.cells.items()
                if at in found or c.kind != "text"
            }
            assert mine == found, (path.name, sheet.title)
            merges = sorted((m.min_row, m.min_col, m.max_row, m.max_col) for m in other.merged_cells.ranges)
            assert list(sheet.merges) == merges


def test_real_workbooks_agree_with_a_second_reader():
    """calamine shares no code with openpyxl; it gives "" for errors and does not decode formats alike."""
    compared = 0
    for path in [path for path in real_files() if path.stat().st_size > 150_000]:
        second = CalamineWorkbook.from_path(str(path))
        for sheet in read_workbook(path).sheets:
            other = second.get_sheet_by_name(sheet.title)
            rows = other.to_python(skip_empty_area=False)
            for (row, column), cell in sheet.cells.items():
                if cell.kind not in ("number", "text"):
                    continue
                value = rows[row - 1][column - 1]
                compared += 1
                if cell.kind == "number":
                    assert math.isclose(float(value), float(cell.text), rel_tol=1e-14), (
                        path.name,
                        sheet.title,
                        row,
                        column,
                    )
                else:
                    assert text_of(str(value)) == cell.text or "_x" in str(value), (path.name, sheet.title, row, column)
    assert compared > 40_000
