"""A labelled document without exact truth: what the stack's own evaluation says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.scoring.classification import separation
from idpbench.scoring.numbers import is_number


def reference(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    """Weighted accuracy, separation of the confidences, and matched attributes; `evaluation` is {state, reason, value}.

    `parse_failures` counts attributes whose `failure_type` speaks of a failure, and is null where the report has no
    such field (it then says nothing about parsing). An unreadable report leaves everything null and `eval_unread`.
    """
    report, unread = read_evaluation(evaluation)
    attributes = _attributes(report)
    right = [float(a["confidence"]) for a in attributes if a.get("matched") and is_number(a.get("confidence"))]
    wrong = [float(a["confidence"]) for a in attributes if not a.get("matched") and is_number(a.get("confidence"))]
    failures = [str(a["failure_type"]) for a in attributes if "failure_type" in a]
    metrics = report.get("overall_metrics")
    weighted = metrics.get("weighted_overall_score") if isinstance(metrics, dict) else None
    return {
        "weighted_accuracy": weighted if is_number(weighted) else None,
        "parse_failures": sum("fail" in text.lower() for text in failures) if failures else None,
        "calibration_separation": separation(right, wrong),
        "correct_fields": sum(bool(a.get("matched")) for a in attributes) if report else None,
        "fields_total": len(attributes) if report else None,
        "eval_unread": unread,
    }


def read_evaluation(evaluation: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The report, empty where there is none, and the reason where there is one that cannot be read."""
    state = evaluation.get("state")
    value = evaluation.get("value")
    if state == "failed":
        return {}, f"failed: {evaluation.get('reason') or 'no reason given'}"
    if state == "present" and not isinstance(value, dict):
        return {}, f"failed: {type(value).__name__} instead of a report"
    return (value, None) if state == "present" and isinstance(value, dict) else ({}, None)


def _attributes(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    sections = report.get("section_results")
    return [
        attribute
        for section in (sections if isinstance(sections, list) else [])
        if isinstance(section, dict)
        for attribute in section.get("attributes") or []
        if isinstance(attribute, dict)
    ]
