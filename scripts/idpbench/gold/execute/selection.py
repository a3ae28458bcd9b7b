"""Which cells of a sheet a recipe selects."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from idpbench.gold.execute.areas import clipped, difference
from idpbench.gold.issues import unusable
from idpbench.gold.recipe.address import read_area
from idpbench.gold.recipe.schema import Select, Where, compiled
from idpbench.gold.workbook import Address, Sheet, Workbook

MOST_CELLS = 200_000
MOST_WORK = 1_000_000_000
"""Instructions of compiled patterns times bytes that they are matched on. RE2 is linear in both, at about 9 ns each at
worst (measured on `(a|b)*a(a|b){100}$`), and far below where its automaton stays small."""


class Selector:
    """Selects cells for one recipe and counts them, and the work of its patterns, against what one recipe may take."""

    def __init__(self) -> None:
        self.room = MOST_CELLS
        self.work = MOST_WORK

    def cells(self, sheet: Sheet, select: Select, path: str) -> list[Address]:
        """The selected cells in row-major order, blank ones included, before `where`.

        Unusable with code TOO_MANY_CELLS where all selections of the recipe so far exceed 200,000 cells.
        """
        include = clipped(map(read_area, select.include), sheet.last_row, sheet.last_column)
        exclude = clipped(map(read_area, select.exclude), sheet.last_row, sheet.last_column)
        areas = []
        for area in difference(include, exclude):
            self.room -= (area.bottom - area.top + 1) * (area.right - area.left + 1)
            if self.room < 0:
                raise unusable("TOO_MANY_CELLS", path, f"the recipe selects more than {MOST_CELLS} cells")
            areas.append(area)
        return sorted(
            (row, column)
            for area in areas
            for row in range(area.top, area.bottom + 1)
            for column in range(area.left, area.right + 1)
        )

    def filtered(self, sheet: Sheet, cells: Iterable[Address], where: Where | None, path: str) -> list[Address]:
        """The cells that pass a filter; a blank cell has kind `blank` and text "". Each text is matched once.

        Unusable with code TOO_LARGE where patterns and texts of the recipe so far are too much work.
        """
        if where is None:
            return list(cells)
        tests = [
            (compiled(pattern), wanted)
            for pattern, wanted in ((where.matches, True), (where.not_matches, False))
            if pattern is not None
        ]
        size = sum(pattern.programsize for pattern, _ in tests)
        verdicts: dict[str, bool] = {}

        def fits(text: str) -> bool:
            if text not in verdicts:
                self.work -= size * (len(text.encode("utf-8")) + 1)
                if self.work < 0:
                    raise unusable("TOO_LARGE", f"{path}.where", "the patterns are too large for so much text")
                verdicts[text] = all((pattern.search(text) is not None) is wanted for pattern, wanted in tests)
            return verdicts[text]

        kept = []
        for address in cells:
            cell = sheet.cells.get(address)
            kind, text = ("blank", "") if cell is None else (cell.kind, cell.text)
            if (where.types is None or kind in where.types) and (not tests or fits(text)):
                kept.append(address)
        return kept


def find_sheet(workbook: Workbook, name: str, path: str) -> Sheet:
    """The sheet of that title, else the only one equal but for form, case and white space.

    Unusable with code SHEET_NOT_FOUND or SHEET_AMBIGUOUS.
    """
    for sheet in workbook.sheets:
        if sheet.title == name:
            return sheet
    alike = [sheet for sheet in workbook.sheets if _folded(sheet.title) == _folded(name)]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise unusable("SHEET_AMBIGUOUS", path, f"{len(alike)} sheets are titled like {name[:60]!r}")
    titles = ", ".join(repr(sheet.title) for sheet in workbook.sheets)
    raise unusable("SHEET_NOT_FOUND", path, f"no sheet is titled {name[:60]!r}; there are {titles}")


def _folded(title: str) -> str:
    return "".join(unicodedata.normalize("NFC", title).casefold().split())
