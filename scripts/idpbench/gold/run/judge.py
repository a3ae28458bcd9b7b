"""From a reply to a production, or to what is wrong with it: strict parse, schema, execution. No reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from idpbench.gold.execute import Production, execute
from idpbench.gold.issues import Issue, Unusable
from idpbench.gold.jcs import jcs
from idpbench.gold.recipe.parse import read_recipe
from idpbench.gold.recipe.strict_json import parse_json
from idpbench.gold.result.schema import MOST_RECIPE, Ending
from idpbench.gold.workbook import Workbook


@dataclass(frozen=True)
class Judged:
    """How a reply ended. `document` is the recipe as JSON; it and `production` are there once it has executed."""

    ending: Ending
    issues: tuple[Issue, ...] = ()
    document: dict[str, Any] | None = None
    production: Production | None = None


def judge(text: str, finish_reason: str | None, workbook: Workbook) -> Judged:
    """Execute the recipe that is the whole of `text`; white space around it is all that may be beside it."""
    try:
        document = parse_json(text)
    except Unusable as error:
        return Judged("invalid_json", (*_length(finish_reason), *error.issues))
    try:
        recipe = read_recipe(document)
        _small_enough(document)
    except Unusable as error:
        return Judged("invalid_recipe", error.issues)
    try:
        production = execute(recipe, workbook)
    except Unusable as error:
        return Judged("execution_error", error.issues)
    if production.table.rows:
        return Judged("executed", (), document, production)
    told = "the recipe runs, but selects no value cell that is not blank: the table has no rows"
    return Judged("empty_output", (Issue("EMPTY_OUTPUT", "$", told),), document, production)


def _length(finish_reason: str | None) -> tuple[Issue, ...]:
    """A reply that was cut off is told so, beside what its remains lack."""
    if finish_reason != "length":
        return ()
    return (Issue("LENGTH", "$", "the reply reached the limit of tokens and was cut off; write a shorter recipe"),)


def _small_enough(document: Any) -> None:
    """Results hold the recipe itself, so that it can be scored again: one that is too long for that is refused."""
    try:
        size = len(jcs(document))
    except ValueError as error:
        raise Unusable([Issue("SCHEMA", "$", str(error)[:200])]) from None
    if size > MOST_RECIPE:
        raise Unusable([Issue("TOO_LARGE", "$", f"{size} bytes, expected at most {MOST_RECIPE}")])
