"""How large a workbook may be. Generous for published tables, small enough that no file takes minutes or gigabytes."""

from __future__ import annotations

from dataclasses import dataclass

FILE_BYTES = 32 << 20
UNPACKED_BYTES = 64 << 20  # of all parts together, as the archive declares them; no part yields more than declared
PARTS = 5_000
PLAIN_PART_BYTES = 8 << 20  # of a part that is parsed as a whole: styles, relations, the list of sheets
PLAIN_PART_MARKS = 200_000  # `<` in it, which bounds its elements
SHEETS = 500
PIECES = 10_000  # elements within one cell or shared string (runs of rich text)
TEXT_LENGTH = 32_767  # characters of a cell, the format's own limit
DEPTH = 64  # of nested XML elements


class TooMuch(Exception):
    """A workbook beyond a limit; the text names the limit."""


@dataclass
class Budget:
    """What is left of the limits that hold for the sheets and shared strings of a workbook together."""

    elements: int = 2_500_000  # of XML: a cell with a value is two
    cells: int = 1_000_000  # cells that are not blank
    ranges: int = 500_000  # merged ranges and links
    visits: int = 20_000_000  # cells looked at to blank what lies under merged ranges and links

    def spend(self, name: str, amount: int = 1) -> None:
        """Take from what is left. TooMuch where it does not suffice."""
        left = getattr(self, name) - amount
        if left < 0:
            raise self.exceeded(name)
        setattr(self, name, left)

    def exceeded(self, name: str) -> TooMuch:
        """The error of a limit that does not suffice."""
        return TooMuch(f"more than {getattr(Budget, name)} {name} in the workbook")
