"""What one page looks like to the engine after OCR: elements in reading order, and the text that requests hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from idpbench.localstack.engine import tokens
from idpbench.reading.words import Word

_PAGE_NUMBER = re.compile(r"\bpage\s+(\d+)\s+of\s+(\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text with its box in points (origin top left), its words and the confidence of the weakest."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    words: tuple[Word, ...] = ()

    @property
    def height(self) -> float:
        """Height of the box."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2


def cover(words: Sequence[Word], text: str | None = None) -> Span:
    """The span of `words` (at least one), with their text unless another is given."""
    return Span(
        " ".join(word.text for word in words) if text is None else text,
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        min(word.confidence for word in words),
        tuple(words),
    )


@dataclass(frozen=True, slots=True)
class Line:
    """Spans that stand on one line, left to right; a span ends where the gap is wider than between words."""

    spans: tuple[Span, ...]
    y0: float
    y1: float

    @property
    def centre(self) -> float:
        """Vertical centre."""
        return (self.y0 + self.y1) / 2

    @property
    def text(self) -> str:
        """The line as text, spans apart by three spaces."""
        return "   ".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of a table: one header cell per column, and rows of as many cells, None where a cell is empty."""

    header: tuple[Span, ...]
    rows: tuple[tuple[Span | None, ...], ...]
    lines: tuple[Line, ...] = ()  # the lines it was read from, header first


Element = Line | Table


@dataclass(frozen=True)
class PageRead:
    """One page as an OCR backend returned it. `image_size`: pixels of the page image that requests hold."""

    index: int
    width: float
    height: float
    elements: tuple[Element, ...]
    text: str
    scanned: bool
    image_size: tuple[int, int]
    confidence: float = 1.0
    words: int = 0

    @cached_property
    def tokens(self) -> int:
        """Tokens of the page's text."""
        return tokens.count(self.text)

    @cached_property
    def page_number(self) -> tuple[int, int] | None:
        """(n, m) where the page says `Page n of m`; the last such text counts, footers standing below all else."""
        found = None
        for line in self.all_lines():
            if match := _PAGE_NUMBER.search(line.text):
                found = (int(match[1]), int(match[2]))
        return found

    def lines(self) -> Iterator[Line]:
        """The elements that are lines."""
        return (element for element in self.elements if isinstance(element, Line))

    def all_lines(self) -> Iterator[Line]:
        """Every line of the page in reading order, those of tables included."""
        for element in self.elements:
            if isinstance(element, Line):
                yield element
            else:
                yield from element.lines

    def tables(self) -> Iterator[Table]:
        """The elements that are tables."""
        return (element for element in self.elements if isinstance(element, Table))
