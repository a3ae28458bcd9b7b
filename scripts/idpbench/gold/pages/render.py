"""Templates of this room, and the spelling of what stands in their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.files.tables import MISSING, money, number
from idpbench.gold.board import Averages, cost_per_solved
from idpbench.gold.result.schema import Result
from idpbench.report.templating import fill_from

TEMPLATES = Path(__file__).parent / "templates"


def fill(template: str, **context: Any) -> str:
    """`templates/<template>.md.j2` with its names filled in; an undefined name is an error."""
    return fill_from(TEMPLATES, template, context)


def spent(result: Result) -> str:
    """What a run cost; `at least` where not every call reported its cost."""
    amount = money(result.totals.cost.total, 4)
    return amount if result.totals.cost.complete else f"at least {amount}"


def per_solved(result: Result) -> str:
    """Cost per passed member."""
    found = cost_per_solved(result)
    return MISSING if found is None else money(found, 6)


def rates(averages: Averages | None) -> list[str]:
    """Composite and five metrics, three places each."""
    if averages is None:
        return [MISSING] * 6
    return [number(averages.composite), *(number(value) for value in averages.metrics.values())]
