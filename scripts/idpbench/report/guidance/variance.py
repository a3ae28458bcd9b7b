"""How much one configuration's cost differs between runs of one document."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from idpbench.report.shelf import Shelved
from idpbench.report.strata import run_to_run_cv, values

SUITES = ("cost",)
LEAST_RUNS = 5


@dataclass(frozen=True)
class Spread:
    """Cost of one cell on one document over its completed runs; `worst` is the dearest run over the mean."""

    cell: str
    document: str
    runs: int
    mean: float
    least: float
    most: float
    cv: float | None

    @property
    def worst(self) -> float:
        """The dearest run as a multiple of the mean."""
        return self.most / self.mean if self.mean else 1.0

    @property
    def enough(self) -> bool:
        """True where there are runs enough to speak of a spread."""
        return self.runs >= LEAST_RUNS


def spreads(item: Shelved) -> list[Spread]:
    """Every (cell, document) of a side whose cost is known, dearest worst case first."""
    found = [
        Spread(cell, document, len(costs), fmean(costs), min(costs), max(costs), run_to_run_cv([costs]))
        for (cell, document), costs in values(item.side, "cost").items()
    ]
    return sorted(found, key=lambda one: (-one.most, one.cell, one.document))
