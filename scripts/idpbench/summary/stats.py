"""The one description of a list of numbers, and the statistics of a cell made of it."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.scoring.calibration import pooled
from idpbench.scoring.cell import row_order
from idpbench.scoring.numbers import is_number

METRICS = (  # of the published files
    "cost",
    "completeness_recall",
    "scalar_accuracy",
    "typed_accuracy",
    "cell_accuracy",
    "sections_correct",
    "weighted_accuracy",
    "forced_tool_honored_rate",
    "coercions",
    "validation_valid_rate",
    "wall_s",
    "conf_coverage",
)
OURS = (
    "mean_confidence",
    "pct_conf_below_0.9",
    "calibration_separation",
    "class_accuracy",
    "class_calibration_separation",
    "queue_s",
)
Row = Mapping[str, Any]


def describe(values: Iterable[Any]) -> dict[str, Any]:
    """n, mean, sample standard deviation (0.0 of one), cv = stdev / mean (null at mean 0), min, max of the numbers.

    What is not a number is left out and shows as a smaller n; booleans are not numbers. Five places, cv four, and cv
    from the unrounded two.
    """
    numbers = [float(value) for value in values if is_number(value)]
    if not numbers:
        return {"n": 0, "mean": None, "stdev": None, "cv": None, "min": None, "max": None}
    mean = statistics.fmean(numbers)
    stdev = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    return {
        "n": len(numbers),
        "mean": round(mean, 5),
        "stdev": round(stdev, 5),
        "cv": round(stdev / mean, 4) if mean else None,
        "min": round(min(numbers), 5),
        "max": round(max(numbers), 5),
    }


def cell_stats(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Statistics by cell, over all its documents and repeats; the order of `rows` does not matter."""
    cells: dict[str, list[Row]] = {}
    for row in sorted(rows, key=row_order):
        cells.setdefault(str(row["cell"]), []).append(row)
    return {cell: _cell(members) for cell, members in sorted(cells.items())}


def _cell(rows: Sequence[Row]) -> dict[str, Any]:
    """One cell: what happened to its runs over all of them, how good they were over the successes alone."""
    good = [row for row in rows if row.get("success")]
    curves = [row["calibration_curve"] for row in good if row.get("calibration_curve")]
    return {
        "resolved": dict(rows[0].get("resolved") or {}),
        "n_runs": len(rows),
        "n_success": len(good),
        "n_fail": len(rows) - len(good),
        "n_cost_unread": _given(good, "cost_unread"),
        "n_cost_unpriced": _given(good, "cost_unpriced"),
        "n_sections_unread": _given(good, "sections_unread"),
        "max_repeat": max(int(row.get("repeat") or 0) for row in rows) + 1,
        **{metric: describe(row.get(metric) for row in good) for metric in (*METRICS, *OURS)},
        "calibration": pooled(curves),
        "cost_per_correct_field": cost_per_correct_field(rows),
    }


def cost_per_correct_field(rows: Iterable[Row]) -> dict[str, Any]:
    """Cost of all runs over correct fields of all runs, failed ones too, where both are known: `n` of `of` rows."""
    every = list(rows)
    known = [row for row in every if is_number(row.get("cost")) and is_number(row.get("correct_fields"))]
    cost = sum(row["cost"] for row in known)
    correct = sum(row["correct_fields"] for row in known)
    return {
        "value": round(cost / correct, 8) if correct else None,
        "cost": round(cost, 4) if known else None,
        "correct_fields": correct if known else None,
        "n": len(known),
        "of": len(every),
    }


def _given(rows: Iterable[Row], key: str) -> int:
    return sum(row.get(key) is not None for row in rows)
