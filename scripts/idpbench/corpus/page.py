"""A page as a list of drawing operations, apart from what draws them (a PDF canvas, a rasteriser)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

WIDTH, HEIGHT = 612.0, 792.0  # US Letter in points
TITLE = "idpbench document"  # the same for all: documents of one content are the same bytes under any name


@dataclass(frozen=True, slots=True)
class Text:
    """Text with its baseline at y points from the top; x is its left end, right end or middle by `align`."""

    x: float
    y: float
    text: str
    size: float = 9.0
    bold: bool = False
    align: str = "left"


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line at y points from the top."""

    x0: float
    x1: float
    y: float
    width: float = 0.6


@dataclass(slots=True)
class Sheet:
    """One page's operations, in drawing order."""

    texts: list[Text] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


class Metrics(Protocol):
    """Text widths of the font that a back end draws with."""

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Advance width in points."""


def wrap(text: str, room: float, size: float, metrics: Metrics) -> list[str]:
    """The text in lines not wider than `room` points, broken at spaces; a longer word stands alone."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and metrics.width(longer, size) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]
