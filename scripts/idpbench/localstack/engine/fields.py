"""Scalars: labels found on the page, and the value that stands beside or beneath each.

A value is taken from, in this order: the rest of the label's own span after its colon, the next span on the line, the
span beneath. What looks like another label is no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from idpbench.localstack.engine.labels import normal, score, unnumbered
from idpbench.localstack.engine.pages import Line, PageRead, Span, cover
from idpbench.localstack.engine.schema import Property
from idpbench.localstack.engine.values import looks_like

BOLD = "**"
_COLON = re.compile(r"\s*[:：]\s*")


@dataclass(frozen=True, slots=True)
class Reading:
    """One value as printed, with what it rests on. `clarity` in 0..1: how sure the label or the column is."""

    text: str
    page: int
    span: Span
    clarity: float
    alternatives: int = 0


def read_fields(
    pages: Sequence[PageRead],
    scalars: Sequence[Property],
    least: float,
    careless: Callable[[str], bool] = lambda text: False,
) -> dict[tuple[str, ...], Reading]:
    """The scalars that were found, by property path.

    `least`: lowest label score that counts as a match. `careless(span text)`: whether the closing mark of that bold label
    is taken for a part of its value. Lines of tables are only searched for what stands nowhere else.
    """
    search = _Search(tuple(scalars), least, careless)
    taken = search.run([(page, list(page.lines())) for page in pages])
    missing = tuple(item for item in scalars if item.path not in taken)
    if missing and any(True for page in pages for _ in page.tables()):
        rest = _Search(missing, least, careless).run([(page, list(page.all_lines())) for page in pages])
        taken.update(rest)
    return taken


class _Search:
    """All candidates for the wanted scalars, dealt out best first; a label serves one property only."""

    def __init__(self, scalars: tuple[Property, ...], least: float, careless: Callable[[str], bool]) -> None:
        self._scalars = scalars
        self._least = least
        self._careless = careless

    def run(self, pages: Sequence[tuple[PageRead, list[Line]]]) -> dict[tuple[str, ...], Reading]:
        found: list[tuple[float, int, Property, Reading]] = []
        order = 0
        for page, lines in pages:
            for number, line in enumerate(lines):
                for position, span in enumerate(line.spans):
                    order += 1
                    for rank, item, value in self._candidates(page, lines, number, position, span):
                        found.append((rank, order, item, value))
        found.sort(key=lambda entry: (-round(entry[0], 3), entry[1]))
        taken: dict[tuple[str, ...], Reading] = {}
        used: set[int] = set()
        for rank, order, item, value in found:
            known = taken.get(item.path)
            if known is not None:
                if value.text != known.text and rank > self._least:
                    taken[item.path] = replace(known, alternatives=known.alternatives + 1)
            elif order not in used:
                used.add(order)
                taken[item.path] = value
        return taken

    def _candidates(
        self, page: PageRead, lines: list[Line], number: int, position: int, span: Span
    ) -> Iterator[tuple[float, Property, Reading]]:
        label, rest = split_label(span.text, self._careless)
        name = normal(label)
        if not name or len(name) > 80:
            return
        for item in self._scalars:
            match = score(name, item)
            value: Reading | None
            if match >= self._least:
                if rest:
                    value = _inline(page, span, rest, match)
                else:
                    value = self._beside(page, lines, number, position, span, item, match)
            elif not rest:
                match, text = _prefix(span.text, item, self._least)
                value = _inline(page, span, text, match) if text else None
            else:
                continue
            if value is not None:
                yield match - (0.0 if looks_like(value.text, item.kind) else 8.0), item, value

    def _beside(
        self, page: PageRead, lines: list[Line], number: int, position: int, label: Span, item: Property, match: float
    ) -> Reading | None:
        line = lines[number]
        right = line.spans[position + 1] if position + 1 < len(line.spans) else None
        below = _below(lines, number, label)
        choices = []
        if right is not None and right.x0 - label.x1 < 0.35 * page.width:
            choices.append((right, 0.0))
        if below is not None:
            # after a colon the value is expected on the line; a form's box has it beneath
            choices.append((below, 4.0 if label.text.rstrip().endswith(":") else 1.0))
        best: tuple[float, str, Span] | None = None
        for span, malus in choices:
            text = span.text.strip().lstrip(":").strip()
            if not text or self._is_label(text):
                continue
            cost = malus + (0.0 if looks_like(text, item.kind) else 6.0)
            if best is None or cost < best[0]:
                best = (cost, text, span)
        if best is None:
            return None
        return Reading(best[1], page.index, best[2], (match - best[0]) / 100, len(choices) - 1)

    def _is_label(self, text: str) -> bool:
        label, rest = split_label(text)
        name = normal(label)
        if any(score(name, item) >= self._least for item in self._scalars):
            return True
        return not rest and unnumbered(name) != name and len(name) > 12


def split_label(text: str, careless: Callable[[str], bool] = lambda text: False) -> tuple[str, str]:
    """Label and rest of a span that holds a colon; the closing mark of a bold label is no part of the value."""
    parts = _COLON.split(text, maxsplit=1)
    if len(parts) == 1:
        return text, ""
    label, rest = parts
    if label.startswith(BOLD) and rest.startswith(BOLD) and not careless(text):
        rest = rest[len(BOLD) :].lstrip()
    return label, rest


def _prefix(text: str, item: Property, least: float) -> tuple[float, str]:
    """`Invoice No 4471`: a label and its value in one span without a colon."""
    words = text.split()
    size = len(item.name.replace("_", " ").split())
    for count in (size, size + 1):
        if 0 < count < len(words):
            match = score(normal(" ".join(words[:count])), item)
            if match >= max(least, 92.0):
                return match - 4.0, " ".join(words[count:])
    return 0.0, ""


def _inline(page: PageRead, span: Span, rest: str, match: float) -> Reading:
    count = len(rest.split())
    words = span.words[-count:] if span.words and count <= len(span.words) else span.words
    place = cover(words, rest) if words else Span(rest, span.x0, span.y0, span.x1, span.y1, span.confidence)
    return Reading(rest, page.index, place, match / 100)


def _below(lines: list[Line], number: int, label: Span) -> Span | None:
    """The nearest span beneath a label that starts under it, at most three label heights down."""
    for line in lines[number + 1 : number + 5]:
        if line.y0 - label.y1 > 3 * max(label.height, 6.0):
            return None
        for span in line.spans:
            if span.y0 >= label.y1 - 0.3 * label.height and span.x0 < label.x1 and span.x1 > label.x0 - 2:
                return span
    return None
