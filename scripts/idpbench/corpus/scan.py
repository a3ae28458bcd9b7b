"""Scan-like pages: images of one bit a pixel, turned a little and specked, with no text layer.

Everything is integer arithmetic on Pillow's FreeType rasteriser (fonts from reportlab, both pinned exactly), and the
fax encoding (CCITT group 4) involves no zlib: the same bytes on every machine.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from idpbench.corpus.page import HEIGHT, TITLE, WIDTH, Sheet

DPI = 300
# Adobe's neutral sans, shaped like Helvetica. Of five faces tried at 1 % of specks it lost the fewest tags and amounts
# (Bitstream Vera: half the tags of some pages, S read as $; the serif: a fifth of the amounts).
FACE, BOLD_FACE = "_a______.pfb", "_ab_____.pfb"
SPECKS = 1 / 15  # specks a pixel for each unit of noise: 1 % of the pixels at 0.15
SLOPE = 0.08  # rotation, as a slope, for each unit of noise: 0.7 degrees at 0.15
_FOLDER = Path(reportlab.__file__).parent / "fonts"
_Bits = NDArray[np.uint8]


class ScanMetrics:
    """Widths of the font of the scanned pages."""

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Advance width in points."""
        return sum(_glyph(char, size, bold).advance for char in text) * 72 / DPI


def write_scan(sheets: Sequence[Sheet], noise: float) -> bytes:
    """The PDF whose pages are images of the sheets at the given noise (0..0.3)."""
    images = [_bitmap(degrade(raster(sheet), noise, page)) for page, sheet in enumerate(sheets)]
    stream = io.BytesIO()
    long_ago = time.gmtime(946684800)  # 2000-01-01, as in the other documents
    images[0].save(
        stream,
        "PDF",
        resolution=DPI,
        save_all=True,
        append_images=images[1:],
        title=TITLE,
        author="idpbench",
        creationDate=long_ago,
        modDate=long_ago,
    )
    return stream.getvalue()


def raster(sheet: Sheet) -> _Bits:
    """The sheet in black (0) and white (255) at 300 dpi; glyphs stand on whole pixels."""
    scale = DPI / 72
    page = np.full((round(HEIGHT * scale), round(WIDTH * scale)), 255, dtype=np.uint8)
    for text in sheet.texts:
        glyphs = [_glyph(char, text.size, text.bold) for char in text.text]
        share = {"left": 0.0, "middle": 0.5, "right": 1.0}[text.align]
        pen = text.x * scale - share * sum(glyph.advance for glyph in glyphs)
        baseline = round(text.y * scale)
        for glyph in glyphs:
            height, width = glyph.ink.shape
            left, top = round(pen) + glyph.left, baseline + glyph.top
            page[top : top + height, left : left + width][glyph.ink] = 0
            pen += glyph.advance
    for rule in sheet.rules:
        top = round(rule.y * scale)
        page[top : top + max(1, round(rule.width * scale)), round(rule.x0 * scale) : round(rule.x1 * scale)] = 0
    return page


def degrade(page: _Bits, noise: float, number: int) -> _Bits:
    """The page turned (odd and even pages in opposite directions, by different amounts) and specked."""
    turn = noise * SLOPE * (1 - 0.2 * (number % 4)) * (-1 if number % 2 else 1)
    return _speck(_shear(_shear(page, turn).T, -turn).T.copy(), noise * SPECKS, number)


def _shear(page: _Bits, slope: float) -> _Bits:
    """Columns shifted down by slope times their distance from the middle, in whole pixels."""
    height, width = page.shape
    # thousandths, so that no rounding of a product of floats decides a pixel
    steps = (np.arange(width) - width // 2) * round(slope * 100_000) // 100_000
    result = np.full_like(page, 255)
    borders = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), width]
    for start, end in pairwise(borders):
        by = int(steps[start])
        source = page[max(0, -by) : height - max(0, by), start:end]
        result[max(0, by) : height + min(0, by), start:end] = source
    return result


def _speck(page: _Bits, share: float, number: int) -> _Bits:
    """Half of the specks black, half white; their places come from a counter, mixed (splitmix64)."""
    count = round(page.size * share)
    state = (np.arange(count, dtype=np.uint64) + np.uint64(number) * np.uint64(page.size)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    state ^= state >> np.uint64(30)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    flat = page.reshape(-1)
    places = (state >> np.uint64(1)) % np.uint64(page.size)
    black = (state & np.uint64(1)).astype(bool)
    flat[places[black]] = 0
    flat[places[~black]] = 255
    return page


def _bitmap(page: _Bits) -> Image.Image:
    """The page as an image of one bit a pixel, which Pillow embeds fax-encoded."""
    height, width = page.shape
    return Image.frombytes("1", (width, height), np.packbits(page == 255, axis=1).tobytes())


@dataclass(frozen=True, slots=True)
class _Glyph:
    """Ink, the place of its top left corner relative to the pen on the baseline, and the advance, in pixels."""

    ink: NDArray[np.bool_]
    left: int
    top: int
    advance: float


@lru_cache(maxsize=2048)
def _glyph(char: str, size: float, bold: bool) -> _Glyph:
    font = _font(size, bold)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(char, anchor="ls"))
    image = Image.new("L", (max(1, right - left), max(1, bottom - top)), 255)
    ImageDraw.Draw(image).text((-left, -top), char, fill=0, font=font, anchor="ls")
    return _Glyph(np.asarray(image) < 128, left, top, float(font.getlength(char)))


@lru_cache(maxsize=16)
def _font(size: float, bold: bool) -> ImageFont.FreeTypeFont:
    face = str(_FOLDER / (BOLD_FACE if bold else FACE))
    return ImageFont.truetype(face, size * DPI / 72, layout_engine=ImageFont.Layout.BASIC)
