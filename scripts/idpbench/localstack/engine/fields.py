"""Scalars: labels found on the page, and the value that stands beside or beneath each.

A value is taken from, in this order: the rest of the label's own span after its colon, the next span on the line, the
span beneath. What looks like another label is no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from idpbench.localstack.engine.boxes import box_lines
from idpbench.localstack.engine.labels import box_of, box_of_label, names_of, normal, score, unnumbered
from idpbench.localstack.engine.pages import Line, PageRead, Span, cover
from idpbench.localstack.engine.schema import Property
from idpbench.localstack.engine.tables import is_header
from idpbench.localstack.engine.values import looks_like

BOLD = "**"
# names of values that are written with digits
_NUMBERED = re.compile(r"\b(number|no|ssn|ein|phone|zip|postal code|period|date|year|amount|balance)\b")
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

    `least`: lowest label score that counts as a match. `careless(span text)`: whether the closing mark of that bold
    label is taken for a part of its value.
    """
    return _Search(tuple(scalars), least, careless).run([(page, list(page.all_lines())) for page in pages])


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
        used: set[tuple[int, float]] = set()
        for rank, order, item, value in found:
            known = taken.get(item.path)
            # one label serves one property, unless two lines of its box are two properties (name and address)
            place = (order, value.span.y0 if box_of(item.description) else 0.0)
            if known is not None:
                if value.text != known.text and rank > self._least:
                    taken[item.path] = replace(known, alternatives=known.alternatives + 1)
            elif place not in used:
                used.add(place)
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
                elif box_of_label(name) and box_of(item.description):
                    value = self._in_box(page, lines, number, position, item, match)
                else:
                    value = self._beside(page, lines, number, position, span, item, match)
            elif not rest and name[0] == names_of(item)[0][0]:
                match, text = _prefix(span.text, item, self._least)
                value = _inline(page, span, text, match) if text else None
            else:
                continue
            if value is not None:
                yield match - unlikely(value.text, item), item, value

    def _in_box(
        self, page: PageRead, lines: list[Line], number: int, position: int, item: Property, match: float
    ) -> Reading | None:
        found = box_lines(lines, number, position, page.width)
        if item.kind != "string":
            spans = [word for span in found for word in span.words]
            fitting = [cover([word]) for word in spans if looks_like(word.text, item.kind)]
            return Reading(fitting[0].text, page.index, fitting[0], match / 100, len(fitting) - 1) if fitting else None
        box = box_of(item.description)
        shared = sum(box_of(other.description) == box for other in self._scalars) > 1
        if "address" in normal(item.name):
            found = found[1:] if shared else found
            words = [word for span in found for word in span.words]
            span = cover(words) if words else None
        else:
            span = found[0] if found else None
        return Reading(span.text, page.index, span, match / 100) if span is not None else None

    def _beside(
        self, page: PageRead, lines: list[Line], number: int, position: int, label: Span, item: Property, match: float
    ) -> Reading | None:
        line = lines[number]
        right = line.spans[position + 1] if position + 1 < len(line.spans) else None
        below = _below(lines, number, label)
        choices = []
        if right is not None and right.x0 - label.x1 < 0.35 * page.width:
            # in a row of headings the next span is the next heading
            choices.append((right, 5.0 if len(line.spans) > 2 and is_header(line) else 0.0))
        if below is not None:
            # after a colon the value is expected on the line, beneath a column's heading it is expected below
            choices.append((below, 4.0 if label.text.rstrip().endswith(":") else 1.0))
        best: tuple[float, str, Span] | None = None
        for span, malus in choices:
            text = span.text.strip().lstrip(":").strip()
            if not text or self._is_label(text):
                continue
            cost = malus + unlikely(text, item)
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


def unlikely(text: str, item: Property) -> float:
    """How far a text is from a value of this property, as a deduction from the label's score."""
    if not looks_like(text, item.kind):
        return 8.0
    if item.kind == "string" and _NUMBERED.search(names_of(item)[0]) and not any(char.isdigit() for char in text):
        return 8.0
    return 0.0


def _prefix(text: str, item: Property, least: float) -> tuple[float, str]:
    """`Invoice No 4471`: a label and its value in one span without a colon. The value must have a digit."""
    words = text.split()
    size = len(item.name.replace("_", " ").split())
    for count in (size, size + 1):
        rest = words[count:]
        if rest and any(char.isdigit() for char in rest[0]) and not words[count - 1].endswith(","):
            match = score(normal(" ".join(words[:count])), item)
            if match >= max(least, 92.0):
                return match - 4.0, " ".join(rest)
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
