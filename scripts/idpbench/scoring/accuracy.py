"""Did the right values come back? Scalars as printed, scalars as typed, and cells of recovered rows as typed."""

from __future__ import annotations

from typing import Any

from idpbench.scoring.match import rendered, typed
from idpbench.scoring.sections import ListField, Sections
from idpbench.scoring.truth import Cells, Truth

ABSENT = object()
LONGEST = 200  # characters of a value that are kept as evidence


def accuracy(sections: Sections, truth: Truth) -> dict[str, Any]:
    """All three accuracies, the misses among the scalars, and how many fields are right of how many declared.

    - `scalar_accuracy`, `typed_accuracy`: matches / declared fields; the first value seen counts, even if null.
    - `cell_accuracy`: matches / declared cells of recovered rows (an unrecovered row is recall's business); null where
      no row has typed truth or none was recovered. `cells_compared` is its denominator.
    - `correct_fields`: right scalars (typed where typed truth exists, else as printed) plus right cells, of
      `fields_total` declared ones, unrecovered rows included.
    """
    values = scalar_values(sections)
    misses: dict[str, Any] = {}
    right = 0
    for label, lowered, expected in truth.fields:
        got = values.get(lowered)
        if rendered(expected, got):
            right += 1
        else:
            misses[label] = {"expected": _short(expected), "got": _short(got)}
    declared = len(truth.fields)
    right_typed = None
    if truth.fields_typed:
        right_typed = 0
        for label, lowered, expected in truth.fields_typed:
            got = values.get(lowered)
            if typed(expected, got):
                right_typed += 1
            else:
                misses.setdefault(label, {"expected": _short(expected), "got": _short(got)})
    right_cells, compared = _cells(sections, truth)
    typed_fields = len(truth.fields_typed) if truth.fields_typed else None
    return {
        "scalar_accuracy": round(right / declared, 4) if declared else None,
        "typed_accuracy": None if right_typed is None or not typed_fields else round(right_typed / typed_fields, 4),
        "typed_fields": typed_fields,
        "cell_accuracy": round(right_cells / compared, 4) if compared else None,
        "cells_compared": compared or None,
        "correct_fields": (right if right_typed is None else right_typed) + right_cells,
        "fields_total": (typed_fields or declared) + truth.declared_cells,
        "scalars": misses or None,
    }


def scalar_values(sections: Sections) -> dict[str, Any]:
    """Lowered field name -> the first value seen over sections and records in order; a null seen first stays."""
    values: dict[str, Any] = {}
    for section in sections.items:
        for record in section.records:
            for name, value in record.values.items():
                values.setdefault(name.lower(), value)
    return values


def judge(rows: ListField, index: int, cells: Cells) -> list[tuple[str, bool]]:
    """For each declared cell of a row: the row's own spelling of its name, and whether its value is right.

    Judged once: cell accuracy and calibration ask for the same rows.
    """
    verdicts = rows.judged.get(index)
    if verdicts is None:
        row = rows.rows[index]
        verdicts = []
        for name, lowered, expected in cells:
            value = row.get(name, ABSENT)
            if value is ABSENT:
                name, value = next((item for item in row.items() if item[0].lower() == lowered), (name, None))
            verdicts.append((name, typed(expected, value)))
        rows.judged[index] = verdicts
    return verdicts


def _cells(sections: Sections, truth: Truth) -> tuple[int, int]:
    """Matching and compared cells; of several rows with one tag the first counts."""
    if not truth.cells:
        return 0, 0
    seen: set[str] = set()
    right = compared = 0
    for _, rows in sections.lists(truth.list_key):
        for index, tag in enumerate(rows.tags):
            if tag is None or tag in seen or (cells := truth.cells.get(tag)) is None:
                continue
            seen.add(tag)
            compared += len(cells)
            for _, good in judge(rows, index, cells):
                right += good
    return right, compared


def _short(value: Any) -> Any:
    """A value as evidence: whole if small, else the beginning of its text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
