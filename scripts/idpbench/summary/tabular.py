"""The two CSV files: columns from the one schema of rows, and the short table of cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from idpbench.scoring.columns import CSV_COLUMNS, ROW_KEYS

CELL_COLUMNS = (
    "cell",
    "n_success",
    "n_fail",
    "cost_mean",
    "cost_stdev",
    "cost_cv",
    "cost_min",
    "cost_max",
    "recall_mean",
    "acc_mean",
    "wall_mean",
)


def rows_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """summary.csv: one line a row, nothing for null. A key that `scoring.columns` does not list is a ValueError."""
    lines = []
    for row in rows:
        if unknown := sorted(row.keys() - ROW_KEYS):
            raise ValueError(f"no column for {', '.join(unknown)}: add it to scoring.columns")
        lines.append([row.get(column) for column in CSV_COLUMNS])
    return _text(CSV_COLUMNS, lines)


def cells_csv(cells: Mapping[str, Mapping[str, Any]]) -> str:
    """cell_stats.csv, by cell: counts, the spread of cost, and the three means that are looked at first."""
    lines = []
    for cell, stats in sorted(cells.items()):
        cost = stats["cost"]
        spread = [cost[name] for name in ("mean", "stdev", "cv", "min", "max")]
        means = [stats[metric]["mean"] for metric in ("completeness_recall", "scalar_accuracy", "wall_s")]
        lines.append([cell, stats["n_success"], stats["n_fail"], *spread, *means])
    return _text(CELL_COLUMNS, lines)


def _text(header: Iterable[str], lines: Iterable[Iterable[Any]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(list(header))
    writer.writerows(lines)
    return stream.getvalue()
