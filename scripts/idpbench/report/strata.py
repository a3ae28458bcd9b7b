"""Means of a metric the way the gate takes them: per document first, over the documents that both sides measured."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from idpbench.report.inputs import Side

Stratum = tuple[str, str]
SUMMED = ("cost", "tokens")


@dataclass(frozen=True)
class Pairing:
    """A metric on both sides: means over shared strata, None where there are none; `runs` have a value."""

    base: float | None
    new: float | None
    strata: int
    runs_base: int
    runs_new: int


def values(side: Side, metric: str, cell: str | None = None) -> dict[Stratum, list[float]]:
    """Values of a metric by (cell, document), one a run, over the runs that succeeded and measured it.

    A run of a labelled set has the mean over its parts; its cost and its tokens are their sum, known only where every
    part has them. `cost_by_phase/OCR` and `tokens/inputTokens` reach into a row.
    """
    found: dict[Stratum, list[float]] = defaultdict(list)
    for (name, document, _), rows in _runs(side, cell).items():
        measured = [value for row in rows if row.get("success") and (value := amount(row, metric)) is not None]
        if not metric.startswith(SUMMED) and measured:
            found[name, document].append(fmean(measured))
        elif measured and len(measured) == len(rows):
            found[name, document].append(math.fsum(measured))
    return dict(found)


def amount(row: Mapping[str, Any], metric: str) -> float | None:
    """A number of a row, None where it is not known; a phase that a priced run did not meter cost it nothing."""
    outer, _, inner = metric.partition("/")
    value = row.get(outer)
    if inner:
        value = value.get(inner, 0.0) if isinstance(value, Mapping) else None
        if outer == "cost_by_phase" and not is_number(row.get("cost")):
            value = None
    return float(value) if is_number(value) and value is not None else None


def _runs(side: Side, cell: str | None) -> dict[tuple[str, str, int], list[dict[str, Any]]]:
    runs: dict[tuple[str, str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in side.rows:
        if cell is None or row["cell"] == cell:
            runs[row["cell"], str(row["doc"]).removesuffix(".pdf"), int(row["repeat"])].append(row)
    return runs


def paired(base: Side, new: Side, metric: str, cell: str | None = None) -> Pairing:
    """Mean over the strata measured on both sides of each stratum's mean."""
    left, right = values(base, metric, cell), values(new, metric, cell)
    shared = sorted(set(left) & set(right))
    if not shared:
        return Pairing(None, None, 0, 0, 0)
    return Pairing(
        base=fmean(fmean(left[key]) for key in shared),
        new=fmean(fmean(right[key]) for key in shared),
        strata=len(shared),
        runs_base=sum(len(left[key]) for key in shared),
        runs_new=sum(len(right[key]) for key in shared),
    )


def run_to_run_cv(groups: Iterable[list[float]]) -> float | None:
    """Coefficient of variation between repeats of one document, pooled over documents.

    sqrt of the mean of (stdev / mean)^2, weighted by each document's degrees of freedom; unlike documents add nothing
    to it. None where no document has two runs.
    """
    total, freedom = 0.0, 0
    for group in groups:
        if len(group) > 1 and fmean(group) > 0:
            total += (len(group) - 1) * (stdev(group) / fmean(group)) ** 2
            freedom += len(group) - 1
    return math.sqrt(total / freedom) if freedom else None


def total(rows: Iterable[Mapping[str, Any]], key: str) -> float | None:
    """Sum of a number over the rows that have it; None where none has."""
    found = [float(row[key]) for row in rows if is_number(row.get(key))]
    return math.fsum(found) if found else None


def is_number(value: Any) -> bool:
    """True for a finite number that is no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
