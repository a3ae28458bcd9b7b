"""Scan-like pages: images of one bit a pixel, turned a little and specked, with no text layer.

Everything is integer arithmetic on Pillow's own FreeType rasteriser (fonts from reportlab, both pinned exactly), and the
fax encoding (CCITT group 4) involves no zlib: the same bytes on every machine.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import reportlab
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from idpbench.corpus.page import HEIGHT, WIDTH, Sheet

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
        return float(_font(size, bold).getlength(text)) * 72 / DPI


def write_scan(sheets: Sequence[Sheet], noise: float) -> bytes:
    """The PDF whose pages are images of the sheets at the given noise (0..0.3)."""
    images = [Image.fromarray(degrade(raster(sheet), noise, page)).convert("1") for page, sheet in enumerate(sheets)]
    stream = io.BytesIO()
    long_ago = time.gmtime(946684800)  # 2000-01-01, as in the other documents
    images[0].save(
        stream,
        "PDF",
        resolution=DPI,
        save_all=True,
        append_images=images[1:],
        title="Account statement",
        author="idpbench",
        creationDate=long_ago,
        modDate=long_ago,
    )
    return stream.getvalue()


def raster(sheet: Sheet) -> _Bits:
    """The sheet in black (0) and white (255) at 300 dpi."""
    scale = DPI / 72
    image = Image.new("L", (round(WIDTH * scale), round(HEIGHT * scale)), 255)
    draw = ImageDraw.Draw(image)
    anchors = {"left": "ls", "right": "rs", "middle": "ms"}
    for text in sheet.texts:
        at = (round(text.x * scale), round(text.y * scale))
        draw.text(at, text.text, fill=0, font=_font(text.size, text.bold), anchor=anchors[text.align])
    for rule in sheet.rules:
        width = max(1, round(rule.width * scale))
        y = round(rule.y * scale)
        draw.rectangle((round(rule.x0 * scale), y, round(rule.x1 * scale), y + width - 1), fill=0)
    return np.where(np.asarray(image) < 128, 0, 255).astype(np.uint8)


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
    for start, end in zip(borders[:-1], borders[1:], strict=True):
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


@lru_cache(maxsize=16)
def _font(size: float, bold: bool) -> Any:
    face = str(_FOLDER / (BOLD_FACE if bold else FACE))
    return ImageFont.truetype(face, size * DPI / 72, layout_engine=ImageFont.Layout.BASIC)
