"""Words to lines, and lines to chunks: the first half of the page's layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from idpbench.reading.words import Page, Word, joined

LINE_TOLERANCE = 0.6  # share of the median word height by which centres of one line may differ
CHUNK_GAP = 0.8  # share of the median word height that separates two cells of a line
_STEEPEST = 0.04  # steepest slope looked for (2.3 degrees)


@dataclass(frozen=True, slots=True)
class Line:
    """Words of one line, left to right, their boxes straightened.

    `centre` is the mean height of their centres in points from the top; `size` the page's median word height.
    """

    page: int
    words: tuple[Word, ...]
    size: float
    centre: float

    @property
    def top(self) -> float:
        return min(word.y0 for word in self.words)

    @property
    def bottom(self) -> float:
        return max(word.y1 for word in self.words)

    @property
    def text(self) -> str:
        return joined(self.words)

    def chunks(self, gap: float | None = None) -> list[tuple[Word, ...]]:
        """The line cut at gaps wider than `gap` points (default: CHUNK_GAP of the page's word height)."""
        limit = CHUNK_GAP * self.size if gap is None else gap
        parts: list[list[Word]] = []
        end = -limit - 1.0
        for word in self.words:
            if word.x0 - end > limit or not parts:
                parts.append([])
                end = word.x1
            parts[-1].append(word)
            end = max(end, word.x1)
        return [tuple(part) for part in parts]


def page_lines(page: Page) -> list[Line]:
    """The page's lines from top to bottom. Boxes of OCR words are straightened first; of text words they are exact."""
    words = list(page.words) if page.source == "text" else straighten(without_doubles(page.words))
    if not words:
        return []
    size = median(word.height for word in words)
    words = [word for word in words if not _is_speck(word, size)]
    tolerance = LINE_TOLERANCE * size
    lines: list[Line] = []
    group: list[Word] = []
    centre = 0.0
    for word in sorted(words, key=lambda w: (w.y0 + w.y1, w.x0)):
        here = word.centre
        if group and here - centre > tolerance:
            lines.append(Line(page.index, tuple(sorted(group, key=lambda w: w.x0)), size, centre))
            group = []
        group.append(word)
        centre = here if len(group) == 1 else centre + (here - centre) / len(group)
    if group:
        lines.append(Line(page.index, tuple(sorted(group, key=lambda w: w.x0)), size, centre))
    return lines


def _is_speck(word: Word, size: float) -> bool:
    """Dirt or a ruled line that OCR took for text: small or uncertain punctuation, few letters over a long stretch."""
    if word.confidence == 1.0:
        return False
    if not any(char.isalnum() for char in word.text):
        return word.height < 0.5 * size or word.confidence < 0.6
    return word.x1 - word.x0 > 3 * size * len(word.text)


def without_doubles(words: Sequence[Word]) -> list[Word]:
    """The words without those that lie under a more certain one: near a ruled line OCR may read a line twice."""
    kept: list[Word] = []
    for word in sorted(words, key=lambda w: -w.confidence):
        if not any(_covered(word, other) for other in kept):
            kept.append(word)
    order = {id(word): at for at, word in enumerate(words)}
    return sorted(kept, key=lambda w: order[id(w)])


def _covered(word: Word, other: Word) -> bool:
    """More than half of the smaller of the two boxes lies within the other."""
    across = min(word.x1, other.x1) - max(word.x0, other.x0)
    if across <= 0:
        return False
    down = min(word.y1, other.y1) - max(word.y0, other.y0)
    areas = [(w.x1 - w.x0) * (w.y1 - w.y0) for w in (word, other)]
    return down > 0 and across * down > 0.5 * min(areas)


def straighten(words: Sequence[Word]) -> list[Word]:
    """The words with their boxes turned level; a page that is level already comes back unchanged.

    For the small angles of a scan a rotation is two shears: lines rise by slope * x, columns lean by slope * y.
    """
    slope = estimate_slope(words)
    return list(words) if slope == 0.0 else [_turned(word, slope) for word in words]


def _turned(word: Word, slope: float) -> Word:
    right, down = slope * word.centre, -slope * word.middle
    return replace(word, x0=word.x0 + right, x1=word.x1 + right, y0=word.y0 + down, y1=word.y1 + down)


def estimate_slope(words: Sequence[Word]) -> float:
    """Slope dy/dx of the lines, by the shear under which words gather on the fewest levels; 0.0 when unclear.

    Words' centres are binned to levels of a quarter of the word height; the sum of squares is largest when whole
    lines share a bin. The search is coarse (0.002) and then fine (0.0002).
    """
    if len(words) < 12:
        return 0.0
    import numpy as np

    x = np.array([word.middle for word in words])
    y = np.array([word.centre for word in words])
    unit = max(median(word.height for word in words) / 4, 0.5)

    def sharpness(slope: float) -> float:
        level = (y - slope * x) / unit
        level -= level.min() - 1
        low = np.floor(level).astype(int)
        part = level - low
        size = int(low.max()) + 2
        # linear binning, so that a line on the border of two bins is not counted as two lines
        filled = np.bincount(low, 1 - part, size) + np.bincount(low + 1, part, size)
        return float((filled**2).sum())

    coarse = [step * 0.002 for step in range(-round(_STEEPEST / 0.002), round(_STEEPEST / 0.002) + 1)]
    best = max(coarse, key=lambda slope: (sharpness(slope), -abs(slope)))
    fine = [best + step * 0.0002 for step in range(-12, 13)]
    best = max(fine, key=lambda slope: (sharpness(slope), -abs(slope)))
    return best if sharpness(best) > 1.02 * sharpness(0.0) else 0.0


def lines_text(lines: Iterable[Line]) -> str:
    """One line of text per line of the page."""
    return "\n".join(line.text for line in lines)
