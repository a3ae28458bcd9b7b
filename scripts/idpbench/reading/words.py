"""What every reader of a page returns: words with boxes in points and a confidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Word:
    """One word; (x0, y0) is its top left corner, in points from the top left corner of the page.

    `confidence` lies in 0..1: what the OCR engine reported, and 1.0 where the text layer states the characters.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float = 1.0

    @property
    def middle(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2

    @property
    def centre(self) -> float:
        """Vertical centre."""
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(frozen=True, slots=True)
class Page:
    """The words of one page as found; `lines.page_lines` orders them. Sizes in points, `index` from 0."""

    index: int
    width: float
    height: float
    words: tuple[Word, ...]
    source: str  # "text" (text layer) or "ocr"

    @property
    def mean_confidence(self) -> float | None:
        """Mean word confidence, None on a page without words."""
        return sum(word.confidence for word in self.words) / len(self.words) if self.words else None


def joined(words: Iterable[Word]) -> str:
    """The words' texts with single spaces."""
    return " ".join(word.text for word in words)


def bounds(words: Iterable[Word]) -> Box:
    """The box around all words (at least one)."""
    boxes = [(word.x0, word.y0, word.x1, word.y1) for word in words]
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
