"""From the text of a recipe to the recipe, or to all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from idpbench.gold.issues import MESSAGE_LENGTH, Issue, Unusable
from idpbench.gold.recipe.schema import Recipe
from idpbench.gold.recipe.strict_json import parse_json

_KEY_SHOWN = 80


def parse_recipe(data: bytes | str) -> Recipe:
    """The recipe of a JSON text. Unusable with codes JSON, TOO_LARGE, SCHEMA or NAME_ROLE_CONFLICT."""
    return read_recipe(parse_json(data))


def read_recipe(value: Any) -> Recipe:
    """The recipe of a parsed JSON value. Unusable with codes SCHEMA or NAME_ROLE_CONFLICT."""
    try:
        recipe = Recipe.model_validate(value)
    except ValidationError as error:
        issues = {issue.path: issue for issue in _nulls(value, ())}
        for detail in error.errors(include_url=False, include_input=False):
            issue = _issue(detail)
            issues.setdefault(issue.path, issue)
        raise Unusable(issues.values()) from None
    issues_of_names = [*_nulls(value, ()), *_repeated_names(recipe), *_role_conflicts(recipe)]
    if issues_of_names:
        raise Unusable(issues_of_names)
    return recipe


def _issue(detail: ErrorDetails) -> Issue:
    place = list(detail["loc"])
    if detail["type"] != "extra_forbidden" and place and place[-1] == "[key]":
        place.pop()  # a key that is no address: its own path names it
    if len(place) > 4 and place[2] == "headers":
        del place[4]  # the discriminator's tag
    message = detail["msg"].removeprefix("Value error, ")
    place += detail.get("ctx", {}).get("below", ())
    if detail["type"] == "extra_forbidden":
        message = "an unknown key"
    return Issue("SCHEMA", _path(place), message[:MESSAGE_LENGTH])


def _path(place: list[int | str] | tuple[int | str, ...]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{_shown(part)}" for part in place)


def _shown(key: str) -> str:
    return key if len(key) <= _KEY_SHOWN else f"{key[:_KEY_SHOWN]}..."


def _nulls(value: Any, place: tuple[int | str, ...]) -> Iterator[Issue]:
    """No key of a recipe takes null: an optional key is left out."""
    if value is None:
        yield Issue("SCHEMA", _path(place), "null; leave an optional key out")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _nulls(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _nulls(item, (*place, index))


def _repeated_names(recipe: Recipe) -> Iterator[Issue]:
    tables: set[str] = set()
    for index, table in enumerate(recipe.tables):
        if table.name in tables:
            yield Issue("SCHEMA", _path(("tables", index, "name")), f"a second table {table.name}")
        tables.add(table.name)
        headers: set[str] = set()
        for place, header in enumerate(table.headers):
            if header.name in headers:
                path = _path(("tables", index, "headers", place, "name"))
                yield Issue("SCHEMA", path, f"a second header {header.name}")
            headers.add(header.name)


def _role_conflicts(recipe: Recipe) -> Iterator[Issue]:
    values = {table.values.name for table in recipe.tables}
    for index, table in enumerate(recipe.tables):
        for place, header in enumerate(table.headers):
            if header.name in values:
                path = _path(("tables", index, "headers", place, "name"))
                yield Issue("NAME_ROLE_CONFLICT", path, f"{header.name} is also the name of a value column")
