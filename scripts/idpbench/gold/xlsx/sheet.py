"""One worksheet part becomes a Sheet. openpyxl decides what a cell holds; nothing grows with the size of a range."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import IO, Any

from openpyxl.utils import range_boundaries
from openpyxl.worksheet._reader import CELL_TAG, FORMULA_TAG, ROW_TAG, VALUE_TAG, WorkSheetParser
from openpyxl.xml.constants import SHEET_MAIN_NS

from idpbench.gold.recipe.address import LAST_COLUMN, LAST_ROW
from idpbench.gold.scalars import ErrorCode, Value, kind_of, text_of
from idpbench.gold.workbook import Address, Cell, Formula, Merge, Sheet, make_sheet
from idpbench.gold.xlsx.limits import Budget
from idpbench.gold.xlsx.package import Element, walk
from idpbench.gold.xlsx.strings import decoded

_MERGE = f"{{{SHEET_MAIN_NS}}}mergeCell"
_LINK = f"{{{SHEET_MAIN_NS}}}hyperlink"
_LINK_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_WHOLE = frozenset([CELL_TAG, _MERGE, _LINK])
_OPENED = frozenset([ROW_TAG])
_SHARED = "s"


class Styles:
    """What a cell's style says of it, worked out once per style."""

    def __init__(self, book: Any) -> None:
        self.book = book
        self._known: dict[int, tuple[int, bool]] = {}

    def of(self, style: int) -> tuple[int, bool]:
        """Indent (levels) and whether the font is bold."""
        if style not in self._known:
            form = self.book._cell_styles[style]
            indent = self.book._alignments[form.alignmentId].indent
            self._known[style] = int(indent or 0), bool(self.book._fonts[form.fontId].b)
        return self._known[style]


class SheetReader:
    """Collects the cells, formulas, merged ranges and links of one worksheet part."""

    def __init__(self, strings: Sequence[str], styles: Styles, targets: Mapping[str, str], budget: Budget) -> None:
        book = styles.book
        self.parser = WorkSheetParser(
            None,
            strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        self.styles = styles
        self.targets = targets
        self.budget = budget
        self.cells: dict[Address, Cell] = {}
        self.formulas: dict[Address, Formula] = {}
        self.merges: list[Merge] = []
        self.links: list[tuple[Merge, str]] = []
        self.shared: dict[str | None, str] = {}
        self.texts: dict[str, tuple[Any, str]] = {}

    def read(self, source: IO[bytes], title: str, index: int) -> Sheet:
        """The sheet. Raises the errors of the parsers, ValueError and TooMuch."""
        for element in walk(source, self.budget, _WHOLE, _OPENED):
            tag = element.tag
            if tag == CELL_TAG:
                self._cell(element)
            elif tag == ROW_TAG:
                self._row(element.get("r"))
            elif tag == _MERGE:
                self.budget.spend("ranges")
                self.merges.append(_area(element.get("ref")))
            else:
                self.budget.spend("ranges")
                self._link(element)
        self._blank_under_merges()
        self._blank_link_targets()
        return make_sheet(title, index, self.cells, tuple(self.merges), self.formulas)

    def _row(self, number: str | None) -> None:
        place = self.parser.row_counter + 1 if number is None else float(number)
        if not 1 <= place <= LAST_ROW or place != int(place):
            raise ValueError(f"row {number}")
        self.parser.row_counter = int(place)
        self.parser.col_counter = 0

    def _cell(self, element: Element) -> None:
        found = self.parser.parse_cell(element)
        row, column = address = found["row"], found["column"]
        if not (1 <= row <= LAST_ROW and 1 <= column <= LAST_COLUMN):
            raise ValueError(f"a cell in row {row}, column {column}")
        formula = element.find(FORMULA_TAG)
        if formula is not None:
            self._formula(address, formula, element)
        value: Value = found["value"]
        if value is None:
            self.cells.pop(address, None)  # a cell given twice is what is said last
            return
        if found["data_type"] == "e":
            value = ErrorCode(str(value))
        elif isinstance(value, str) and element.get("t") != _SHARED:
            value = decoded(value)
        elif isinstance(value, (int, float)) and not math.isfinite(value):  # OverflowError for a huge integer
            raise ValueError(f"the number {value}")
        kind, text = self._scalar(value)
        if kind == "blank":
            self.cells.pop(address, None)
            return
        self.budget.cells -= 1
        if self.budget.cells < 0:
            raise self.budget.exceeded("cells")
        indent, bold = self.styles.of(found["style_id"])
        self.cells[address] = Cell(value, kind, text, indent, bold)

    def _scalar(self, value: Value) -> tuple[Any, str]:
        if not isinstance(value, str):
            return kind_of(value), text_of(value)
        if value not in self.texts:
            self.texts[value] = kind_of(value), text_of(value)
        return self.texts[value]

    def _formula(self, address: Address, formula: Element, cell: Element) -> None:
        text = formula.text or ""
        kind = formula.get("t")
        if kind == "shared":  # only the first of a group spells it out
            group = formula.get("si")
            text = text or self.shared.get(group, "")
            self.shared.setdefault(group, text)
        result = cell.find(VALUE_TAG)
        cached = result is not None and bool(result.text or cell.get("t") == "str")
        spread = formula.get("ref") if kind in ("array", "dataTable") else None
        area = _area(spread) if spread else (*address, *address)
        self.formulas[address] = Formula(text, cached, area)

    def _link(self, element: Element) -> None:
        key = element.get(_LINK_ID)
        target = (self.targets[key] if key else None) or element.get("location")
        if target:
            self.links.append((_area(element.get("ref")), target))

    def _blank_under_merges(self) -> None:
        """Of a merged range only the top-left cell has a value."""
        for top, left, bottom, right in self.merges:
            size = (bottom - top + 1) * (right - left + 1)
            self.budget.spend("visits", min(size, len(self.cells)))
            if size <= len(self.cells):
                under = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
            else:
                under = [at for at in self.cells if top <= at[0] <= bottom and left <= at[1] <= right]
            for address in under:
                if address != (top, left):
                    self.cells.pop(address, None)

    def _blank_link_targets(self) -> None:
        """A linked cell that only repeats its link's target is blank: some programs fill blank linked cells so."""
        areas: dict[str, list[Merge]] = {}
        for area, target in self.links:
            areas.setdefault(target, []).append(area)
        for address, cell in list(self.cells.items()):
            if isinstance(cell.value, str) and cell.value in areas:
                candidates = areas[cell.value]
                self.budget.spend("visits", len(candidates))
                if any(
                    top <= address[0] <= bottom and left <= address[1] <= right
                    for top, left, bottom, right in candidates
                ):
                    del self.cells[address]


def _area(reference: str | None) -> Merge:
    """The area of `A1` or `A1:B2`. ValueError for whole rows or columns, and beyond the sheet."""
    left, top, right, bottom = range_boundaries(reference)
    limits = (top, left, bottom, right)
    if None in limits or not (1 <= top <= bottom <= LAST_ROW and 1 <= left <= right <= LAST_COLUMN):
        raise ValueError(f"the range {reference!r}")
    return top, left, bottom, right
