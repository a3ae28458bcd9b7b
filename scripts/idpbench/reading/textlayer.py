"""Words from a PDF's own text: character boxes of pdfium, joined where they touch."""

from __future__ import annotations

import ctypes
from typing import Any

from idpbench.reading.document import PDFIUM_LOCK, PdfDocument
from idpbench.reading.words import Page, Word

WORD_GAP = 3.0  # points between two characters of one line that end a word even without a space
_SPACES = frozenset(" \t\r\n\x00\x0b\x0c\u00a0\u2028\u2029\u3000\ufffe\uffff")

_Char = tuple[str, float, float, float, float]


def text_page(document: PdfDocument, index: int) -> Page:
    """The words of a page's text layer, in the order of the content; no words when it has none (a scan)."""
    import pypdfium2.raw as raw

    with PDFIUM_LOCK:
        page = document.handle[index]
        try:
            width, height = page.get_size()
            text = page.get_textpage()
            try:
                chars = _characters(text.raw, raw)
            finally:
                text.close()
            place = _placement(page)
        finally:
            page.close()
    return Page(index, float(width), float(height), tuple(_words(chars, place)), "text")


def _characters(text: Any, raw: Any) -> list[_Char | None]:
    """Characters with left, right, bottom, top in PDF units; None for white space."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    references = [ctypes.byref(value) for value in (left, right, bottom, top)]
    result: list[_Char | None] = []
    for position in range(raw.FPDFText_CountChars(text)):
        code = raw.FPDFText_GetUnicode(text, position)
        char = chr(code) if code < 0x110000 else "\ufffe"
        if char in _SPACES or not raw.FPDFText_GetCharBox(text, position, *references):
            result.append(None)
        else:
            result.append((char, left.value, right.value, bottom.value, top.value))
    return result


def _placement(page: Any) -> tuple[int, float, float, float, float]:
    """Rotation in degrees and the visible box of the page in PDF units."""
    left, bottom, right, top = page.get_cropbox()
    return int(page.get_rotation()), float(left), float(bottom), float(right), float(top)


def _words(chars: list[_Char | None], place: tuple[int, float, float, float, float]) -> list[Word]:
    words: list[Word] = []
    run: list[_Char] = []
    for char in chars:
        if char is None:
            _finish(run, words, place)
            run = []
            continue
        if run and _breaks(run[-1], char):
            _finish(run, words, place)
            run = []
        run.append(char)
    _finish(run, words, place)
    return words


def _breaks(before: _Char, after: _Char) -> bool:
    """A gap, a step back, or another line: the two characters do not belong to one word."""
    gap = after[1] - before[2]
    height = max(before[4] - before[3], after[4] - after[3])
    apart = after[3] > before[4] + 0.5 * height or after[4] < before[3] - 0.5 * height
    return gap > WORD_GAP or gap < -2 * WORD_GAP or apart


def _finish(run: list[_Char], words: list[Word], place: tuple[int, float, float, float, float]) -> None:
    if not run:
        return
    x0, x1 = min(char[1] for char in run), max(char[2] for char in run)
    y0, y1 = min(char[3] for char in run), max(char[4] for char in run)
    rotation, left, bottom, right, top = place
    if rotation == 90:
        box = (y0 - bottom, x0 - left, y1 - bottom, x1 - left)
    elif rotation == 180:
        box = (right - x1, y0 - bottom, right - x0, y1 - bottom)
    elif rotation == 270:
        box = (top - y1, right - x1, top - y0, right - x0)
    else:
        box = (x0 - left, top - y1, x1 - left, top - y0)
    words.append(Word("".join(char[0] for char in run), *box))
