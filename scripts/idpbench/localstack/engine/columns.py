"""Which column of a table holds which property of a list's items: by header, else by what stands in the column."""

from __future__ import annotations

from collections.abc import Sequence

from idpbench.localstack.engine.labels import normal, score
from idpbench.localstack.engine.pages import Line, Span
from idpbench.localstack.engine.schema import ListProperty, Property
from idpbench.localstack.engine.tables import is_header
from idpbench.localstack.engine.values import looks_like

HEADER_MATCH = 72.0  # headers are short, and OCR misreads them too


def by_header(header: Sequence[Span], wanted: ListProperty) -> dict[int, tuple[Property, float]] | None:
    """Property and clarity (0..1) by column number; None unless two columns (or the only one) are recognised."""
    names = [normal(span.text) for span in header]
    pairs = sorted(
        (
            (score(name, item), -number, -place)
            for number, name in enumerate(names)
            for place, item in enumerate(wanted.items)
        ),
        reverse=True,
    )
    found: dict[int, tuple[Property, float]] = {}
    used: set[int] = set()
    for match, negative, place in pairs:
        if match < HEADER_MATCH:
            break
        number = -negative
        if number not in found and -place not in used:
            found[number] = (wanted.items[-place], match / 100)
            used.add(-place)
    if len(found) < min(2, len(wanted.items)):
        return None
    left = [n for n in range(len(names)) if n not in found and names[n]]
    rest = [item for place, item in enumerate(wanted.items) if place not in used]
    for number in left:  # one name within the other: `Withdrawals Deposits` is no column of its own name
        for item in rest:
            if any(word in names[number].split() for word in normal(item.name).split() if len(word) > 3):
                found[number] = (item, 0.8)
                rest.remove(item)
                break
    return found


def with_figures(
    rows: Sequence[Sequence[Span | None]], found: dict[int, tuple[Property, float]], wanted: ListProperty
) -> dict[int, tuple[Property, float]]:
    """A column of figures whose heading says nothing known is taken for the list's first number that is still open."""
    used = {item.name for item, _ in found.values()}
    rest = [item for item in wanted.items if item.name not in used and item.kind == "number"]
    width = len(rows[0]) if rows else 0
    more = dict(found)
    for number in range(width):
        texts = [cell.text for row in rows if (cell := row[number]) is not None]
        if rest and number not in found and 2 * len(texts) > len(rows) and _share(texts, "number") >= 0.9:
            more[number] = (rest.pop(0), 0.75)
    return more


def is_item(row: Sequence[Span | None], found: dict[int, tuple[Property, float]]) -> bool:
    """False for a line that only looks like a row: of its columns with a type, none holds such a value."""
    typed = [(row[n], item.kind) for n, (item, _) in found.items() if item.kind != "string" and n < len(row)]
    return not typed or any(cell is not None and looks_like(cell.text, kind) for cell, kind in typed)


def header_in_line(line: Line, wanted: ListProperty) -> dict[int, tuple[Property, float]] | None:
    """As `by_header`, for a line that may be a header: most of its spans must name a property."""
    if not is_header(line):
        return None
    found = by_header(line.spans, wanted)
    return found if found and 2 * len(found) >= len(line.spans) else None


def by_content(rows: Sequence[Sequence[Span | None]], wanted: ListProperty) -> dict[int, tuple[Property, float]] | None:
    """For rows without a header: columns are dealt to properties of their kind, in schema order; None if none fits."""
    if not rows:
        return None
    width = max(len(row) for row in rows)
    found: dict[int, tuple[Property, float]] = {}
    rest = list(wanted.items)
    for number in range(width):
        cells = [row[number] for row in rows if number < len(row) and row[number] is not None]
        texts = [cell.text for cell in cells if cell is not None]
        if len(texts) * 2 < len(rows):
            continue
        for item in _kinds_first(rest, texts):
            found[number] = (item, 0.85)
            rest.remove(item)
            break
    kinds = {item.kind for item, _ in found.values()}
    return found if len(found) >= min(2, len(wanted.items)) and len(kinds) > 1 else None


def _kinds_first(rest: Sequence[Property], texts: Sequence[str]) -> list[Property]:
    """Properties whose kind nearly all texts have: dates and numbers before plain text, which takes anything."""
    typed = [item for item in rest if item.kind != "string" and _share(texts, item.kind) >= 0.8]
    if typed:
        return typed
    letters = sum(1 for text in texts if any(char.isalpha() for char in text))
    if 2 * letters <= len(texts):
        return []
    wordy = [item for item in rest if item.kind == "string" and "enum" not in item.schema]
    long = [item for item in wordy if "desc" in normal(item.name) or "detail" in normal(item.name)]
    return long or wordy


def _share(texts: Sequence[str], kind: str) -> float:
    return sum(looks_like(text, kind) for text in texts) / len(texts)
