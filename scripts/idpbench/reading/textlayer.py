"""Words from a PDF's own text: runs of characters with the boxes that pdfium computes for them."""

from __future__ import annotations

import ctypes
import re
from typing import Any

from idpbench.reading.document import PDFIUM_LOCK, PdfDocument
from idpbench.reading.words import Page, Word

WORD_GAP = 3.0  # points between two characters of one run that end a word even without a space
_SPACES = " \t\r\n\x00\x0b\x0c\u00a0\u2028\u2029\u3000\ufffe\uffff"
_RUN = re.compile(f"[^{_SPACES}]+")

_Char = tuple[str, float, float, float, float]  # text, left, right, bottom, top in PDF units
_Place = tuple[int, float, float, float, float]  # rotation in degrees; left, bottom, right, top of the visible box


def text_page(document: PdfDocument, index: int) -> Page:
    """The words of a page's text layer, in the order of the content; no words when it has none (a scan)."""
    import pypdfium2.raw as raw

    with PDFIUM_LOCK:
        page = document.handle[index]
        try:
            width, height = page.get_size()
            text = page.get_textpage()
            try:
                runs = _runs(text.raw, raw)
            finally:
                text.close()
            place = _placement(page)
        finally:
            page.close()
    return Page(index, float(width), float(height), tuple(_word(run, place) for run in runs), "text")


def _runs(text: Any, raw: Any) -> list[_Char]:
    """Runs of characters without white space, each with its box.

    pdfium gives the box of a whole run in one call when the run stands on one line without gaps; that is six times
    faster than asking for every character, which is done only for the other runs.
    """
    count = raw.FPDFText_CountChars(text)
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(text, 0, count, buffer)
    content = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
    if len(content) != count:  # characters outside the basic plane shift the positions
        content = "".join(_char(raw.FPDFText_GetUnicode(text, at)) for at in range(count))
    numbers = [ctypes.c_double() for _ in range(4)]
    references = [ctypes.byref(number) for number in numbers]
    left, top, right, bottom = numbers
    runs: list[_Char] = []
    for match in _RUN.finditer(content):
        if raw.FPDFText_CountRects(text, match.start(), len(match.group())) == 1:
            raw.FPDFText_GetRect(text, 0, *references)
            runs.append((match.group(), left.value, right.value, bottom.value, top.value))
        else:
            runs += _split(_characters(text, raw, match.group(), match.start()))
    return runs


def _char(code: int) -> str:
    return chr(code) if code < 0x110000 else "\ufffe"


def _characters(text: Any, raw: Any, content: str, start: int) -> list[_Char]:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    references = [ctypes.byref(number) for number in (left, right, bottom, top)]
    return [
        (char, left.value, right.value, bottom.value, top.value)
        for at, char in enumerate(content, start=start)
        if raw.FPDFText_GetCharBox(text, at, *references)
    ]


def _split(chars: list[_Char]) -> list[_Char]:
    """The characters joined to runs, cut at a gap, a step back, or a step to another line."""
    parts: list[list[_Char]] = []
    for char in chars:
        if not parts or _breaks(parts[-1][-1], char):
            parts.append([])
        parts[-1].append(char)
    return [
        (
            "".join(char[0] for char in part),
            min(char[1] for char in part),
            max(char[2] for char in part),
            min(char[3] for char in part),
            max(char[4] for char in part),
        )
        for part in parts
    ]


def _breaks(before: _Char, after: _Char) -> bool:
    gap = after[1] - before[2]
    height = max(before[4] - before[3], after[4] - after[3])
    apart = after[3] > before[4] + 0.5 * height or after[4] < before[3] - 0.5 * height
    return gap > WORD_GAP or gap < -2 * WORD_GAP or apart


def _placement(page: Any) -> _Place:
    left, bottom, right, top = page.get_cropbox()
    return int(page.get_rotation()), float(left), float(bottom), float(right), float(top)


def _word(run: _Char, place: _Place) -> Word:
    """The run as a word: from PDF units (y upwards, unrotated) to points from the top left of the page as displayed."""
    content, x0, x1, y0, y1 = run
    rotation, left, bottom, right, top = place
    if rotation == 90:
        box = (y0 - bottom, x0 - left, y1 - bottom, x1 - left)
    elif rotation == 180:
        box = (right - x1, y0 - bottom, right - x0, y1 - bottom)
    elif rotation == 270:
        box = (top - y1, right - x1, top - y0, right - x0)
    else:
        box = (x0 - left, top - y1, x1 - left, top - y0)
    return Word(content, *box)
