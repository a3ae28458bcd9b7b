"""The configuration matrix: what each cell did on each document of one published grid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from idpbench.report.inputs import document_of
from idpbench.report.shelf import NEVER_RAN, Shelved, by_run
from idpbench.report.strata import is_number, run_to_run_cv, values

SUITES = ("core", "coresynth", "corefast", "simplegrid")
NEAR = 0.02  # the gate's threshold: closer than this two qualities are not told apart


@dataclass(frozen=True)
class CellLine:
    """One cell over the documents of a grid. Means are over documents of each document's mean over completed runs.

    `correct` is the share of fields and list cells that came back right, over all runs: a failed run has none right.
    `alerts` is the percentage of confidences below 0.9. None where nothing was measured.
    """

    cell: str
    resolved: Mapping[str, str]
    documents: int
    runs: int
    failed: int
    correct: float | None
    recall: float | None
    scalar: float | None
    cells: float | None
    cost: float | None
    cv: float | None
    confidence: float | None
    alerts: float | None
    wall: float | None


def cell_lines(item: Shelved, cells: Sequence[str] | None = None) -> list[CellLine]:
    """A line for each cell of a side, in the order of its rows."""
    names = list(dict.fromkeys(str(row["cell"]) for row in item.rows))
    return [_line(item, cell) for cell in names if cells is None or cell in cells]


def by_document(item: Shelved, metric: str) -> dict[tuple[str, str], tuple[float, int]]:
    """(cell, document) -> (mean, runs that measured it), over completed runs."""
    return {key: (fmean(found), len(found)) for key, found in values(item.side, metric).items()}


def documents(item: Shelved) -> list[str]:
    """Documents of a side by size: rows of their truth, then name."""
    sizes: dict[str, float] = {}
    for row in item.rows:
        name = str(row["doc"]).removesuffix(".pdf")
        rows = row.get("rows_truth")
        sizes[name] = max(sizes.get(name, 0.0), float(rows or 0) if is_number(rows) else 0.0)
    return sorted(sizes, key=lambda name: (sizes[name], name))


def correct_share(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """Mean over documents of the share of fields and list cells that are right, failed runs included."""
    shares: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        right, total = row.get("correct_fields"), row.get("fields_total")
        if row.get("status") not in NEVER_RAN and is_number(right) and is_number(total) and total:
            shares[document_of(row)].append(float(right or 0) / float(total))
    return fmean(fmean(found) for found in shares.values()) if shares else None


def frontier(lines: Sequence[CellLine]) -> list[CellLine]:
    """The cells that no other beats in both cost and share correct, cheapest first; equals keep the first."""
    known = [line for line in lines if line.cost is not None and line.correct is not None]
    best: list[CellLine] = []
    for line in sorted(known, key=lambda one: (one.cost or 0, -(one.correct or 0))):
        if not best or (line.correct or 0) > (best[-1].correct or 0) + 1e-9:
            best.append(line)
    return best


def good_enough(lines: Sequence[CellLine]) -> list[CellLine]:
    """Cells without a failed run whose share correct is not told apart from the best, cheapest first."""
    known = [line for line in lines if line.correct is not None and line.cost is not None and not line.failed]
    if not known:
        return []
    best = max(line.correct or 0 for line in known)
    return sorted(
        (line for line in known if (line.correct or 0) > best - NEAR), key=lambda line: (line.cost or 0, line.cell)
    )


def _line(item: Shelved, cell: str) -> CellLine:
    rows = [row for row in item.rows if row["cell"] == cell]
    every = by_run(rows)

    def mean(metric: str) -> float | None:
        found = values(item.side, metric, cell)
        return fmean(fmean(one) for one in found.values()) if found else None

    return CellLine(
        cell=cell,
        resolved=dict(rows[0].get("resolved") or {}),
        documents=len({str(row["doc"]) for row in rows}),
        runs=len(every),
        failed=sum(not all(row.get("success") for row in run) for run in every),
        correct=correct_share(rows),
        recall=mean("completeness_recall"),
        scalar=mean("scalar_accuracy"),
        cells=mean("cell_accuracy"),
        cost=mean("cost"),
        cv=run_to_run_cv(values(item.side, "cost", cell).values()),
        confidence=mean("mean_confidence"),
        alerts=mean("pct_conf_below_0.9"),
        wall=mean("wall_s"),
    )
