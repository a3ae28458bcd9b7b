"""Workbooks and recipes of the gold benchmark in a few words, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from idpbench.gold.recipe.address import read_area, read_cell
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.recipe.schema import Recipe
from idpbench.gold.scalars import ErrorCode, kind_of, text_of
from idpbench.gold.workbook import Cell, Sheet, Workbook, make_sheet


def sheet(cells: dict[str, Any], merges: Iterable[str] = (), title: str = "S", index: int = 0) -> Sheet:
    """A sheet from values by address; `{"error": "#N/A"}` is an error cell. Blank values leave no cell."""
    found = {}
    for address, value in cells.items():
        value = ErrorCode(value["error"]) if isinstance(value, dict) else value
        if kind_of(value) != "blank":
            found[read_cell(address)] = Cell(value, kind_of(value), text_of(value))
    return make_sheet(title, index, found, tuple(tuple(read_area(merge)) for merge in merges))


def book(sheets: dict[str, dict[str, Any]]) -> Workbook:
    """A workbook from `{title: {"cells": ..., "merges": ...}}`."""
    return Workbook(
        tuple(
            sheet(content["cells"], content.get("merges", []), title, index)
            for index, (title, content) in enumerate(sheets.items())
        )
    )


def one_table(
    headers: list[dict[str, Any]], values: dict[str, Any] | list[str], *, keep_blank: bool = False, **more: Any
) -> dict[str, Any]:
    """A table of a recipe on sheet S; `values` is a selection, or what it includes; `more` replaces other keys."""
    select = values if isinstance(values, dict) else {"include": values}
    cells = {"name": "value", "select": select, "keep_blank": keep_blank}
    return {"name": "t", "sheet": "S", "values": cells, "headers": headers, **more}


def recipe(*tables: dict[str, Any]) -> Recipe:
    """A recipe of these tables."""
    return parse_recipe(json.dumps({"version": "gold-recipe/1", "tables": list(tables)}))
