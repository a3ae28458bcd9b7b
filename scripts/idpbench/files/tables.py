"""The one table formatter and the one spelling of numbers, for pages and terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabulate import tabulate

MISSING = "n/a"


def number(value: float | None, places: int = 3) -> str:
    """`0.950`, or `n/a` for a number that was not measured."""
    return MISSING if value is None else f"{value:.{places}f}"


def money(value: float | None, places: int = 4) -> str:
    """`$0.1502`, or `n/a`; a negative amount keeps its sign before the currency."""
    if value is None:
        return MISSING
    return f"-${-value:.{places}f}" if value < 0 else f"${value:.{places}f}"


def change(base: float | None, new: float | None) -> str:
    """Relative change as `+12.3 %`; `n/a` when either side is unmeasured or the base is zero."""
    if base is None or new is None or base == 0:
        return MISSING
    return f"{100 * (new - base) / base:+.1f} %"


def count(value: int) -> str:
    """An integer with thousands separators."""
    return f"{value:,}"


def markdown(headers: Sequence[str], rows: Sequence[Sequence[Any]], align: Sequence[str] | None = None) -> str:
    """A Markdown table; cells are printed as given (no number is reformatted). `align`: left, right, center."""
    cells = [[_cell(value) for value in row] for row in rows]
    return tabulate(
        cells,
        headers=list(headers),
        tablefmt="pipe",
        disable_numparse=True,
        colalign=list(align) if align and cells else None,
    )


def terminal(headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A plain table for a terminal."""
    return tabulate(
        [[str(v) for v in row] for row in rows], headers=list(headers), tablefmt="simple", disable_numparse=True
    )


def _cell(value: Any) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
