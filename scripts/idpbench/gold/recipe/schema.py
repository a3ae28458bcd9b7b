"""The shape of a recipe. A model that exists is valid in itself; what depends on a workbook is found on execution."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import re2
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    model_validator,
)
from pydantic_core import PydanticCustomError

from idpbench.gold.recipe.address import LAST_ROW, read_area, read_cell
from idpbench.gold.scalars import Kind, kind_of

VERSION = "gold-recipe/1"
MOST_TABLES = 20
MOST_HEADERS = 40
MOST_INCLUDED = 500
LONGEST_PATTERN = 1000
PATTERN_MEMORY = 1 << 20
"""Bytes that a compiled pattern may take: bounds the time of matching, which grows with the pattern's size."""

Direction = Literal[
    "above", "left", "below", "right", "above-nearest", "left-nearest", "below-nearest", "right-nearest"
]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
Fill = Literal["none", "merge", "forward", "backward", "closest"]
DIRECT_FILLS = ("none", "merge")
NEAREST_FILLS = ("forward", "backward", "closest")


def default_fill(direction: Direction) -> Fill:
    """The fill of a direction where none is given."""
    return "forward" if direction.endswith("-nearest") else "none"


def compiled(pattern: str) -> Any:
    """An RE2 pattern; `.search(text)` is linear in the text. re2.error where it is no pattern or too large."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = PATTERN_MEMORY
    return re2.compile(pattern, options=options)


def _pattern(text: str) -> str:
    try:
        compiled(text)
    except re2.error as error:
        reason = error.args[0] if error.args else "unknown"
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise ValueError(f"expected an RE2 pattern: {reason}") from None
    return text


def _area(text: str) -> str:
    read_area(text)
    return text


def _cell(text: str) -> str:
    read_cell(text)
    return text


def _scalar(value: Any) -> str | int | float | bool:
    if not isinstance(value, (str, int, float, bool)):
        raise ValueError("expected a text, a number or a boolean")
    return value


def _filled(value: Any) -> str | int | float | bool:
    if kind_of(_scalar(value)) == "blank":
        raise ValueError("expected a text that is not blank")
    return value  # type: ignore[no-any-return]


def _span(value: Any) -> tuple[int, int]:
    whole = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(limit) is int for limit in value)
    if not whole or not 1 <= value[0] <= value[1] <= LAST_ROW:
        raise ValueError(f"expected [first, last], integers from 1 to {LAST_ROW}, first not after last")
    return value[0], value[1]


def _sized(least: int, most: int) -> BeforeValidator:
    """Bounds of a list, checked on the list as given: pydantic's own count the items that are valid."""

    def check(value: Any) -> Any:
        if isinstance(value, list) and not least <= len(value) <= most:
            raise ValueError(f"{len(value)} items, expected {least} to {most}")
        return value

    return BeforeValidator(check)


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}\z")]
AreaText = Annotated[str, AfterValidator(_area)]
CellText = Annotated[str, AfterValidator(_cell)]
Pattern = Annotated[str, Field(max_length=LONGEST_PATTERN), AfterValidator(_pattern)]
Scalar = Annotated[str | int | float | bool, PlainValidator(_scalar)]
FilledScalar = Annotated[str | int | float | bool, PlainValidator(_filled)]
Span = Annotated[tuple[int, int], PlainValidator(_span)]


class Strict(BaseModel):
    """No unknown keys, no conversion of types, nothing changed later."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Where(Strict):
    """Filters on the cells of a selection: their kind, and patterns on their canonical text."""

    types: Annotated[tuple[Kind, ...], Field(strict=False)] | None = None
    matches: Pattern | None = None
    not_matches: Pattern | None = None


class Select(Strict):
    """Cells as a set: the union of `include` less the union of `exclude`, then `where`."""

    include: Annotated[tuple[AreaText, ...], Field(strict=False), _sized(1, MOST_INCLUDED)]
    exclude: Annotated[tuple[AreaText, ...], Field(strict=False)] = ()
    where: Where | None = None


class Values(Strict):
    """The value cells of a table and the name of their column."""

    name: Name
    select: Select
    keep_blank: bool = False


class SelectHeader(Strict):
    """A header whose text is looked up from anchor cells on one side of the value cell."""

    name: Name
    direction: Direction
    select: Select
    fill: Fill | None = None
    overrides: dict[CellText, Direction] = {}
    spans: dict[CellText, Span] = {}
    bands: Literal["all", "nearest"] = "all"
    default: Scalar | None = None

    @model_validator(mode="after")
    def _fill_fits(self) -> SelectHeader:
        allowed = NEAREST_FILLS if self.direction.endswith("-nearest") else DIRECT_FILLS
        if self.fill is not None and self.fill not in allowed:
            words = f"expected {' or '.join(allowed)} with direction {self.direction}"
            raise PydanticCustomError("fill", "{words}", {"words": words, "below": ("fill",)})
        return self


class ConstantHeader(Strict):
    """A header with one text for all rows."""

    name: Name
    constant: FilledScalar


class CellHeader(Strict):
    """A header whose text is that of one fixed cell."""

    name: Name
    cell: CellText


def _form(value: Any) -> str | None:
    """Which of the three forms a header has; None where it has none or several."""
    if isinstance(value, BaseModel):
        forms = [form for form in ("select", "constant", "cell") if hasattr(value, form)]
    else:
        forms = [form for form in ("select", "constant", "cell") if isinstance(value, dict) and form in value]
    return forms[0] if len(forms) == 1 else None


Header = Annotated[
    Annotated[SelectHeader, Tag("select")]
    | Annotated[ConstantHeader, Tag("constant")]
    | Annotated[CellHeader, Tag("cell")],
    Discriminator(
        _form,
        custom_error_type="form",
        custom_error_message="expected an object with exactly one of select, constant and cell",
    ),
]


class RecipeTable(Strict):
    """One block of the output: where its values stand and what describes them."""

    name: Name
    sheet: str
    values: Values
    headers: Annotated[tuple[Header, ...], Field(strict=False), _sized(0, MOST_HEADERS)]


class Recipe(Strict):
    """A whole recipe, `gold-recipe/1`."""

    version: Literal["gold-recipe/1"]
    tables: Annotated[tuple[RecipeTable, ...], Field(strict=False), _sized(1, MOST_TABLES)]
