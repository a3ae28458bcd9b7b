"""The two per-cell tables: quality and cost of each cell on both sides, the grid last, findings in bold."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.files.tables import MISSING
from idpbench.report import spelling
from idpbench.report.census import failures_of_cell
from idpbench.report.inputs import Inputs, Side, document_of
from idpbench.report.strata import Pairing, is_number, paired, run_to_run_cv, values
from idpbench.report.verdict import findings, test_of

QUALITY = ("completeness_recall", "scalar_accuracy", "typed_accuracy", "cell_accuracy", "weighted_accuracy")
QUALITY_HEADERS = ("recall", "scalar accuracy", "typed accuracy", "cell accuracy", "weighted accuracy")
COST_HEADERS = ("cost per run", "change", "95 % interval", "run-to-run CV", "cost per correct field", "wall time")


@dataclass(frozen=True)
class PerCorrect:
    """Cost per correctly extracted field or cell on both sides, over `keys` of `all_keys` (cell, document) keys."""

    base: float | None
    new: float | None
    keys: int
    all_keys: int


def cell_order(inputs: Inputs) -> list[str]:
    """Cells in the order of VERSION's rows, then those that only PREV has."""
    seen: dict[str, None] = {}
    for side in (inputs.new, inputs.base):
        seen.update(dict.fromkeys(row["cell"] for row in side.rows))
    return list(seen)


def measured_quality(inputs: Inputs) -> list[tuple[str, str]]:
    """(metric, header) of the quality metrics that either side measured anywhere."""
    return [
        (metric, header)
        for metric, header in zip(QUALITY, QUALITY_HEADERS, strict=True)
        if any(is_number(row.get(metric)) for side in inputs.sides for row in side.rows)
    ]


def quality_table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """Headers and lines: cell, failed of runs, quality means; the grid last."""
    bold = _bold(inputs.comparison)
    metrics = measured_quality(inputs)
    lines = []
    for cell in cell_order(inputs):
        line = [f"`{cell}`", _mark(_failed(inputs, cell), (cell, "failures") in bold)]
        for metric, _ in metrics:
            shown = _pair(metric, paired(inputs.base, inputs.new, metric, cell))
            line.append(_mark(shown, (cell, metric) in bold))
        lines.append(line)
    last = ["grid", _mark(_grid_failed(inputs), ("", "failures") in bold)]
    last += [_mark(_pair(m, paired(inputs.base, inputs.new, m)), ("", m) in bold) for m, _ in metrics]
    return ["cell", "failed / runs", *(header for _, header in metrics)], [*lines, last]


def cost_table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """Headers and lines: cell, cost per run with change and interval, CV, cost per correct field, wall time."""
    bold = _bold(inputs.comparison)
    lines = [_cost_line(inputs, cell, bold) for cell in cell_order(inputs)]
    return ["cell", *COST_HEADERS], [*lines, _cost_line(inputs, None, bold)]


def per_correct(inputs: Inputs, cell: str | None = None) -> PerCorrect:
    """Cost of all runs, failed ones too, over their correct fields; keys whose costs are known on both sides only."""
    sums = [_by_key(side, cell) for side in inputs.sides]
    shared = sorted(set(sums[0]) & set(sums[1]))
    known = [key for key in shared if all(side[key] is not None for side in sums)]
    ratios: list[float | None] = []
    for side in sums:
        entries = [entry for key in known if (entry := side[key]) is not None]
        correct = math.fsum(fields for _, fields in entries)
        ratios.append(math.fsum(cost for cost, _ in entries) / correct if correct else None)
    return PerCorrect(ratios[0], ratios[1], len(known), len(shared))


def cost_pairing(inputs: Inputs, cell: str | None = None) -> Pairing:
    """Cost per run on both sides: mean over the documents measured on both."""
    return paired(inputs.base, inputs.new, "cost", cell)


def cost_interval(comparison: Mapping[str, Any], cell: str | None) -> tuple[float | None, float | None]:
    """The gate's 95 % interval of the bill's logarithm, for a cell or for the grid."""
    test = test_of(comparison, "cell", "bill", cell) if cell else test_of(comparison, "grid", "bill")
    return (test.get("low"), test.get("high")) if test else (None, None)


def _cost_line(inputs: Inputs, cell: str | None, bold: set[tuple[str, str]]) -> list[str]:
    cost = cost_pairing(inputs, cell)
    low, high = cost_interval(inputs.comparison, cell)
    spreads = [run_to_run_cv(values(side, "cost", cell).values()) for side in inputs.sides]
    correct = per_correct(inputs, cell)
    wall = paired(inputs.base, inputs.new, "wall_s", cell)
    flagged = bool({(cell or "", "cost"), (cell or "", "bill")} & bold)
    return [
        f"`{cell}`" if cell else "grid",
        _mark(spelling.pair("cost", cost.base, cost.new), flagged),
        _mark(spelling.difference(cost.base, cost.new), flagged),
        spelling.interval("bill", low, high),
        spelling.arrow(*(_cv(spread) for spread in spreads)),
        spelling.arrow(spelling.fine(correct.base), spelling.fine(correct.new)),
        spelling.pair("wall_s", wall.base, wall.new),
    ]


def _bold(comparison: Mapping[str, Any]) -> set[tuple[str, str]]:
    """(cell, metric) of every regression or improvement; the grid's cell is the empty text."""
    return {
        ("" if finding.level == "grid" else finding.cell, finding.metric)
        for finding in findings(comparison)
        if finding.kind != "inconclusive"
    }


def _by_key(side: Side, cell: str | None) -> dict[tuple[str, str], tuple[float, float] | None]:
    """(cell, document) -> (cost, correct fields) over all its runs; None where one of them is not known."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in side.rows:
        if cell is None or row["cell"] == cell:
            groups[row["cell"], document_of(row)].append(row)
    sums: dict[tuple[str, str], tuple[float, float] | None] = {}
    for key, rows in groups.items():
        known = all(is_number(row.get("cost")) and is_number(row.get("correct_fields")) for row in rows)
        sums[key] = (sum(row["cost"] for row in rows), sum(row["correct_fields"] for row in rows)) if known else None
    return sums


def _pair(metric: str, means: Pairing) -> str:
    return spelling.pair(metric, means.base, means.new)


def _failed(inputs: Inputs, cell: str) -> str:
    sides = [failures_of_cell(side, cell) for side in inputs.sides]
    return spelling.arrow(*(f"{failed} / {runs}" for failed, runs in sides))


def _grid_failed(inputs: Inputs) -> str:
    sides = [(sum(1 for row in side.rows if not row.get("success")), len(side.rows)) for side in inputs.sides]
    return spelling.arrow(*(f"{failed} / {runs}" for failed, runs in sides))


def _cv(spread: float | None) -> str:
    return MISSING if spread is None else f"{spread:.3f}"


def _mark(shown: str, flagged: bool) -> str:
    return f"**{shown}**" if flagged and shown != MISSING else shown
