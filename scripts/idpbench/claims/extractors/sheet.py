"""Tables as sheets (CSV or Markdown): one claim per cell that holds a value, said with its row, column and unit.

What a reader of the sheet would use is used: lines above the header say what is counted, in what unit and when; lines
below explain marks; a row of totals is checked against the rows above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.grid import Grid, read_grid
from idpbench.claims.extractors.wording import date_text, distinct, sentence

EMPTY = frozenset({"", "-", "–", "—", "n/a", "na", "n.a.", "..", "...", ":", "nil", "x"})
TOTALS = re.compile(r"^(?:grand |sub-?)?(?:total|sum|all|overall)\b", re.IGNORECASE)
YEAR = re.compile(r"\b(?:1[89]|20)\d{2}\b")
UNIT = re.compile(r"^(?P<name>.*?)\s*[(\[](?P<unit>[^()\[\]]{1,24})[)\]]\s*$")
MARK = re.compile(r"^(?P<value>.*?\S)\s*(?P<mark>\*+|†|‡|\(?[eprf]\)|\[[a-z0-9]\]|\^[a-z0-9])$")
_GROUPED, _PLAIN_NUMBER = r"\d{1,3}(?:[ ,\u00a0\u202f]\d{3})+(?:\.\d+)?", r"\d+(?:\.\d+)?"
NUMBER = re.compile(rf"^[(+\-−]?\s*(?:[$€£]\s*)?(?:{_GROUPED}|{_PLAIN_NUMBER})\)?\s*%?$")
BARE_MARK = re.compile(r"^(?P<value>.*\d)\s+(?P<mark>[a-z])$")
MEANS = re.compile(r"^(?:mean|average|median)\b", re.IGNORECASE)
MARKED_UNSURE = frozenset({"e", "p", "r", "f"})  # estimated, provisional, revised, forecast, as statistical offices do


@dataclass(frozen=True)
class Column:
    """A column: its words, unit (or empty), year (or empty), and the share of its cells that are numbers."""

    name: str
    unit: str
    year: str
    numeric: float


class SheetExtractor:
    """Claims of one table."""

    extractor_id = "table-sheet"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """TABLE_SHEET: CSV or Markdown."""
        return source_type == "TABLE_SHEET"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims row by row; ValueError where no header with rows below it is found."""
        grid = read_grid(data.decode("utf-8-sig"))
        columns = [_column(grid, index) for index in range(len(grid.header))]
        return [claim for number in range(len(grid.rows)) for claim in _row(grid, columns, number)]


def _row(grid: Grid, columns: Sequence[Column], number: int) -> Iterator[Claim]:
    row = grid.rows[number]
    key, doubts = _unmarked(row[0], grid.notes)
    if key.lower() in EMPTY:
        return
    is_total, is_mean = bool(TOTALS.match(key)), bool(MEANS.match(key))
    for index in range(1, len(row)):
        value, unsure = _unmarked(row[index], grid.notes)
        if value.lower() in EMPTY:
            continue
        column = columns[index]
        level = evidence.TABLE if column.numeric in (0.0, 1.0) else evidence.DERIVED
        found = [*doubts, *unsure]
        if column.numeric >= 0.5 and _number(value) is None:
            found.append(evidence.UNREADABLE)
        if is_total:
            found.extend(_total_doubts(grid, index, number, value))
        whole = "total" if is_total else key.lower() if is_mean else ""
        yield Claim(
            _content(grid, column, key, value, whole),
            evidence.confidence(level, *found),
            () if whole else distinct([key]),
        )


def _content(grid: Grid, column: Column, key: str, value: str, whole: str) -> str:
    """`The cargo of Rotterdam in 2024 was 412.3 kt.`, as far as column and caption say so; `whole`: total, mean."""
    years = sorted(set(YEAR.findall(grid.title)))
    year = column.year or (years[0] if len(years) == 1 else "")
    unit, measure = column.unit, column.name
    if column.year:  # years as columns: what is counted stands in the caption
        measure, unit = _measure(grid.title), column.unit or _caption_unit(grid.caption)
    if column.numeric < 0.5:
        return sentence(f"The {measure} of {key} is {date_text(value)}")
    when = f" in {year}" if year else ""
    many = measure.split(" ")[-1].endswith("s") and not measure.endswith("ss")
    if many and not unit and not whole:
        return sentence(f"{key} had {value} {measure}{when}")
    what = f"The {whole} {measure}" if whole else f"The {measure} of {key}"
    return sentence(f"{what}{when} {'were' if many else 'was'} {_with_unit(value, unit)}")


def _with_unit(value: str, unit: str) -> str:
    if not unit or unit in value:
        return value
    return f"{value}{unit}" if unit == "%" else f"{unit}{value}" if unit in "$€£" else f"{value} {unit}"


def _column(grid: Grid, index: int) -> Column:
    """What the header and the cells below say of a column."""
    cells = [_unmarked(row[index], grid.notes)[0] for row in grid.rows]
    filled = [cell for cell in cells if cell.lower() not in EMPTY]
    numeric = sum(_number(cell) is not None for cell in filled) / len(filled) if filled else 0.0
    header = " ".join(grid.header[index].split())
    match = UNIT.match(header)
    name, unit = (match["name"], match["unit"]) if match else (header, grid.units[index] if grid.units else "")
    year = name if re.fullmatch(r"(?:1[89]|20)\d{2}", name) else ""
    return Column(_lowered(name), unit.strip("()[] "), year, numeric)


def _lowered(name: str) -> str:
    """The header as it reads within a sentence: `Berth length` small, `CO2 per call` as it is."""
    first = name.split(" ", 1)[0]
    return name[:1].lower() + name[1:] if first[1:].islower() or len(first) == 1 else name


def _measure(caption: str) -> str:
    """What the caption says is counted: its words before a bracket, a comma, `by` or a year."""
    plain = re.sub(r"^(?:table|sheet)\s+[\w.]+\s*[:.]?\s*", "", caption.strip(), flags=re.IGNORECASE)
    return _lowered(re.split(r"\s*[(\[,:;]|\s+by\s|\s+in\s|\s*(?:1[89]|20)\d{2}", plain)[0].strip()) or "value"


def _caption_unit(caption: str) -> str:
    match = re.search(r"\(([^()]{1,30})\)|,\s*in\s+([a-zA-Z ]{2,30}?)(?:[,.;]|$)", caption)
    return (match[1] or match[2]).removeprefix("in ") if match else ""


def _unmarked(cell: str, notes: str) -> tuple[str, list[float]]:
    """A cell without its mark, and the doubt that the mark stands for, by its letter or by the note on it."""
    plain = cell.strip()
    match = MARK.match(plain) or BARE_MARK.match(plain)
    mark = match["mark"].strip("()[]^") if match else ""
    explained = re.search(rf"(?:^|\n)\W*{re.escape(mark)}[\W\s]+([^\n]+)", notes) if mark else None
    if match is None or (BARE_MARK.match(plain) and explained is None):  # a bare letter may be a unit
        return plain, [evidence.HEDGE] if evidence.hedged(plain) else []
    unsure = mark in MARKED_UNSURE or bool(explained and evidence.hedged(explained[1]))
    return match["value"].strip(), [evidence.HEDGE] if unsure else []


def _total_doubts(grid: Grid, index: int, number: int, value: str) -> list[float]:
    """No doubt where the rows above add up to the total, one where they do not; averages and shares are not checked."""
    stated = _number(value)
    parts = [_number(_unmarked(row[index], grid.notes)[0]) for row in grid.rows[:number]]
    known = [part for part in parts if part is not None]
    if stated is None or len(known) != len(parts):
        return [evidence.INFERRED]
    return [] if abs(sum(known) - stated) <= 0.51 * 10 ** -_places(value) * max(1, len(known)) else [evidence.HEDGE]


def _number(text: str) -> float | None:
    """A printed number; in brackets it is negative. None where the text is none."""
    if not NUMBER.match(text.strip()):
        return None
    digits = re.sub(r"[^\d.]", "", text)
    return -float(digits) if text.strip()[0] in "(-−" else float(digits)


def _places(text: str) -> int:
    match = re.search(r"\.(\d+)", text)
    return len(match[1]) if match else 0
