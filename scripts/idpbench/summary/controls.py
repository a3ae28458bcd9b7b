"""Does a suite measure what it is for? On its control documents the dearer cell must lose in cost per correct field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.summary.stats import cost_per_correct_field


def judge_controls(
    rows: Sequence[Mapping[str, Any]], controls: Iterable[Mapping[str, Any]] | None
) -> list[dict[str, Any]] | None:
    """Each control of the plan with the two values, whether it holds (null: not measured) and a sentence.

    None where the plan names no controls: unknown is not "none".
    """
    if controls is None:
        return None
    return [_judged(rows, str(one["document"]), str(one["cheaper"]), str(one["dearer"])) for one in controls]


def _judged(rows: Sequence[Mapping[str, Any]], document: str, cheaper: str, dearer: str) -> dict[str, Any]:
    values = {cell: _value(rows, cell, document) for cell in (cheaper, dearer)}
    low, high = values[cheaper], values[dearer]
    holds = None if low is None or high is None else high > low
    return {
        "document": document,
        "cheaper": cheaper,
        "dearer": dearer,
        "cost_per_correct_field": values,
        "holds": holds,
        "text": _text(document, cheaper, dearer, values, holds),
    }


def _value(rows: Sequence[Mapping[str, Any]], cell: str, document: str) -> float | None:
    own = [row for row in rows if row.get("cell") == cell and str(row.get("doc")).removesuffix(".pdf") == document]
    value: float | None = cost_per_correct_field(own)["value"]
    return value


def _text(document: str, cheaper: str, dearer: str, values: Mapping[str, float | None], holds: bool | None) -> str:
    if holds is None:
        missing = " and ".join(cell for cell, value in values.items() if value is None)
        return f"control {document}: not measured, {missing} has no cost per correct field"
    figures = f"{dearer} {values[dearer]:.6f} against {cheaper} {values[cheaper]:.6f} per correct field"
    if holds:
        return f"control {document} holds: the dearer cell loses ({figures})"
    return f"THE SUITE IS BROKEN: on its control {document} the dearer cell does not lose ({figures})"
