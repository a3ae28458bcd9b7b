"""A small sample of the rows that differ: it explains a score and is never what a score is taken from."""

from __future__ import annotations

from typing import Any

from idpbench.gold.metrics import Scored

MOST_ROWS = 20
TEXT_SHOWN = 120


def no_mismatches() -> dict[str, Any]:
    """The sample of a result without rows to show: one that passed, failed or was skipped."""
    return {"mismatch_total": 0, "columns_missing": [], "columns_extra": [], "rows": []}


def mismatches(reference: Scored, produced: Scored) -> dict[str, Any]:
    """The first 20 differing rows by position, and how many there are.

    Returns `mismatch_total`, `columns_missing` and `columns_extra` (names that only one side has, sorted) and `rows`:
    `{"row": from 1, "kind": "different"|"missing"|"extra", "columns": differing names, sorted, "reference", "produced":
    the row by column or None, "source_reference", "source_produced"}`. A column that one side lacks differs in every
    row; for missing and extra rows `columns` is empty. Texts are cut at 120 characters.
    """
    ours, theirs = reference.table, produced.table
    missing, extra = set(ours.columns) - set(theirs.columns), set(theirs.columns) - set(ours.columns)
    rows: list[dict[str, Any]] = []
    total = 0
    for index in range(max(len(ours.rows), len(theirs.rows))):
        left, right = _row(reference, index), _row(produced, index)
        columns: list[str] = []
        kind = "missing" if right is None else "extra"
        if left is not None and right is not None:
            kind = "different"
            shared = {name for name in left if name in right and left[name] != right[name]}
            columns = sorted(shared | missing | extra)
            if not columns:
                continue
        total += 1
        if len(rows) < MOST_ROWS:
            rows.append(
                {
                    "row": index + 1,
                    "kind": kind,
                    "columns": columns,
                    "reference": _cut(left),
                    "produced": _cut(right),
                    "source_reference": _source(reference, index),
                    "source_produced": _source(produced, index),
                }
            )
    return {
        "mismatch_total": total,
        "columns_missing": sorted(missing),
        "columns_extra": sorted(extra),
        "rows": rows,
    }


def _row(side: Scored, index: int) -> dict[str, str] | None:
    if index >= len(side.table.rows):
        return None
    return dict(zip(side.table.columns, side.table.rows[index], strict=True))


def _source(side: Scored, index: int) -> str | None:
    return side.trace[index].source if index < len(side.trace) else None


def _cut(row: dict[str, str] | None) -> dict[str, str] | None:
    if row is None:
        return None
    return {name: text if len(text) <= TEXT_SHOWN else f"{text[:TEXT_SHOWN]}..." for name, text in row.items()}
