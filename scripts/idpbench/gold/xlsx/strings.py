"""The texts of a workbook: the table of shared strings, and the escapes that all texts may hold."""

from __future__ import annotations

import re
from typing import IO

from openpyxl.cell.text import Text
from openpyxl.xml.constants import SHEET_MAIN_NS

from idpbench.gold.xlsx import limits
from idpbench.gold.xlsx.limits import Budget, TooMuch
from idpbench.gold.xlsx.package import walk

_STRING = f"{{{SHEET_MAIN_NS}}}si"
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def read_strings(source: IO[bytes], budget: Budget) -> list[str]:
    """The shared strings in their order, escapes decoded."""
    strings: list[str] = []
    for element in walk(source, budget, frozenset([_STRING])):
        strings.append(decoded(Text.from_tree(element).content))
    return strings


def decoded(text: str) -> str:
    """A text with `_xHHHH_` replaced by its character; halves of surrogate pairs stay as they are written.

    TooMuch for a text that no cell can hold.
    """
    if "_x" in text:
        text = _ESCAPE.sub(_character, text)
    if len(text) > limits.TEXT_LENGTH:
        raise TooMuch(f"a text of {len(text)} characters, expected at most {limits.TEXT_LENGTH}")
    return text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return found[0] if 0xD800 <= code <= 0xDFFF else chr(code)
