"""What a member is before it is frozen, and short words for the parts of its reference recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.gold.members.book import Leaf

Json = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of the asked table: its output name, whether a header or the value fills it, and what it means."""

    name: str
    role: str  # header | value
    about: str


@dataclass(frozen=True)
class Staged:
    """A workbook that stays outside the repository: its file name, its pinned bytes and its terms."""

    file: str
    sha256: str
    size: int
    licence: str
    attribution: str
    note: str


@dataclass(frozen=True)
class Member:
    """A member as its author wrote it. `workbook` makes the sheets, or says which staged file holds them."""

    member_id: str
    title: str
    difficulty: str
    features: tuple[str, ...]
    sheet: str | None  # None where finding the sheet is part of the task
    instruction: str
    columns: tuple[Column, ...]
    recipe: Json
    workbook: Callable[[], Sequence[Leaf]] | Staged
    publisher: str = "synthetic"
    source_kind: str = "conformance"
    published_in_bank: bool = False
    allowed_states: tuple[str, ...] = ()  # states other than resolved that the reference may hold, on purpose


def headers_of(**about: str) -> tuple[Column, ...]:
    """Columns filled by headers, name -> meaning."""
    return tuple(Column(name, "header", text) for name, text in about.items())


def value_of(about: str, name: str = "value") -> tuple[Column, ...]:
    """The one value column."""
    return (Column(name, "value", about),)


def select(*include: str, exclude: Sequence[str] = (), where: Mapping[str, Any] | None = None) -> Json:
    """A selection of cells."""
    parts: Json = {"include": list(include)}
    if exclude:
        parts["exclude"] = list(exclude)
    if where:
        parts["where"] = dict(where)
    return parts


def header(name: str, direction: str, *include: str, **more: Any) -> Json:
    """A header from cells; `exclude` and `where` belong to its selection, all else to the header itself."""
    chosen = select(*include, exclude=more.pop("exclude", ()), where=more.pop("where", None))
    return {"name": name, "direction": direction, "select": chosen, **more}


def constant(name: str, value: str | float | bool) -> Json:
    """A header that is one value for all rows."""
    return {"name": name, "constant": value}


def from_cell(name: str, address: str) -> Json:
    """A header that is one cell for all rows."""
    return {"name": name, "cell": address}


def table(name: str, sheet: str, values: Json, *headers: Json, value: str = "value", keep_blank: bool = False) -> Json:
    """A table of a recipe."""
    body: Json = {"name": value, "select": values}
    if keep_blank:
        body["keep_blank"] = True
    return {"name": name, "sheet": sheet, "values": body, "headers": list(headers)}


def recipe(*tables: Json) -> Json:
    """A whole recipe."""
    return {"version": "gold-recipe/1", "tables": list(tables)}


def steady(seed: int, row: int, column: int, low: int, high: int) -> int:
    """A number between `low` and `high` that depends on nothing but its place: a sheet is the same each time."""
    mixed = (seed * 73_856_093 + row * 19_349_663 + column * 83_492_791) & 0xFFFF_FFFF
    for shift in (16, 13, 16):
        mixed = ((mixed ^ (mixed >> shift)) * 0x45D9F3B) & 0xFFFF_FFFF
    return low + mixed % (high - low + 1)
