"""Scalar fields: the value printed beside a label."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.fuzz import ratio

from idpbench.reading.layout import Cell
from idpbench.reading.lines import Line
from idpbench.reading.words import Word

LABEL_LIKENESS = 85.0  # of 100: one or two misread letters in a label of two words


def label_values(lines: Sequence[Line], labels: Sequence[str]) -> dict[str, list[tuple[int, Cell]]]:
    """Every printed `Label: value` of the given labels, as (position in `lines`, value), in reading order.

    A label is matched fuzzily on consecutive words that end in a colon; its value is what follows on the line up to
    the next label or a gap of three word heights. A label without a value on its line is left out.
    """
    found: dict[str, list[tuple[int, Cell]]] = {}
    for position, line in enumerate(lines):
        for label, value in _pairs(line, labels):
            found.setdefault(label, []).append((position, Cell(value)))
    return found


def _pairs(line: Line, labels: Sequence[str]) -> list[tuple[str, tuple[Word, ...]]]:
    words = line.words
    ends = [at for at, word in enumerate(words) if word.text.endswith((":", ";")) and len(word.text) > 1]
    hits: list[tuple[int, int, str]] = []  # first word of the label, first word of its value, label
    for end in ends:
        best: tuple[float, int, str] | None = None
        for label in labels:
            for count in range(1, len(label.split()) + 1):
                start = end - count + 1
                if start < 0:
                    break
                printed = "".join(word.text for word in words[start : end + 1]).rstrip(":;").lower()
                likeness = ratio(printed, label.replace(" ", "").lower())
                if likeness >= LABEL_LIKENESS and (best is None or likeness > best[0]):
                    best = (likeness, start, label)
        if best is not None:
            hits.append((best[1], end + 1, best[2]))
    pairs = []
    for number, (_, start, label) in enumerate(hits):
        stop = hits[number + 1][0] if number + 1 < len(hits) else len(words)
        value: list[Word] = []
        for word in words[start:stop]:
            if value and word.x0 - value[-1].x1 > 3 * line.size:
                break
            value.append(word)
        if value:
            pairs.append((label, tuple(value)))
    return pairs
