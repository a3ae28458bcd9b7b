"""Which configuration's confidence can be acted on? Rows of one or more summaries, pooled by axis values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.files.tables import MISSING, number, terminal
from idpbench.scoring.calibration import pooled

AXES = ("assessment", "confidence_model")
REASONS = ("not_success", "no_truth", "unreadable", "no_confidence", "no_joinable_cell", "not_recorded")
Row = Mapping[str, Any]


def calibration_study(rows: Iterable[Row], axes: Sequence[str] = AXES) -> list[dict[str, Any]]:
    """One arm for each combination of values of `axes`: `{arm, runs, documents, excluded, calibration}`.

    `runs` and `documents` are those that were pooled; every other row is in `excluded`, under the first reason of
    `REASONS` that holds. A row that never stored its curve (a summary of before there were curves) is `not_recorded`,
    which is not the same as a row that measured and had nothing to observe.
    """
    arms: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        resolved = row.get("resolved") or {}
        arms.setdefault(tuple(str(resolved.get(axis, "unset")) for axis in axes), []).append(row)
    return [_arm(dict(zip(axes, values, strict=True)), members) for values, members in sorted(arms.items())]


def study_table(study: Iterable[Mapping[str, Any]]) -> str:
    """The study as a table for a terminal; an arm without observations keeps its line."""
    headers = ["arm", "runs", "docs", "obs", "errors", "ECE", "ECE mean conf", "AUROC", "unbinned", "Brier", "bins"]
    lines = []
    for arm in study:
        found = arm["calibration"] or {}
        count = found.get("observations", 0)
        lines.append(
            [
                ", ".join(f"{axis}={value}" for axis, value in arm["arm"].items()),
                arm["runs"],
                arm["documents"],
                count,
                count - found["correct"] if found else 0,
                *(number(found.get(name), 4) for name in ("ece", "ece_mean_conf", "auroc", "auroc_unbinned", "brier")),
                found.get("bin_coverage") or 0,
                _verdict(found),
            ]
        )
    return terminal([*headers, "verdict"], lines)


def excluded(row: Row) -> str | None:
    """Why a row cannot be pooled, None where it can."""
    if not row.get("success"):
        return "not_success"
    if row.get("scored_by", "truth") != "truth":
        return "no_truth"
    if row.get("sections_unreadable") or row.get("calibration_unread"):
        return "unreadable"
    if row.get("calibration_curve"):
        return None
    if "calibration_curve" not in row:
        return "not_recorded"
    return "no_joinable_cell" if row.get("n_conf_leaves") else "no_confidence"


def _arm(values: dict[str, str], rows: Sequence[Row]) -> dict[str, Any]:
    reasons = dict.fromkeys(REASONS, 0)
    taken = []
    for row in rows:
        reason = excluded(row)
        if reason is None:
            taken.append(row)
        else:
            reasons[reason] += 1
    return {
        "arm": values,
        "runs": len(taken),
        "documents": len({row.get("doc") for row in taken}),
        "excluded": {reason: count for reason, count in reasons.items() if count},
        "calibration": pooled(row["calibration_curve"] for row in taken),
    }


def _verdict(found: Mapping[str, Any]) -> str:
    """The flags that speak against an arm, else how far its estimate is measured."""
    flags = [name for name in ("degenerate", "overconfident", "undiscriminating") if found.get(name)]
    return ", ".join(flags) or str(found.get("estimate_confidence", MISSING))
