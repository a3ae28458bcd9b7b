"""Why a run failed, and what it reported on the way: from the stack's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ERROR_CLASS = re.compile(r"\b([A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)*(?:Exception|Error|Timeout|TimedOut))\b")
PHASES = (
    ("OCR", ("ocr", "textract")),
    ("Classification", ("classif",)),
    ("Extraction", ("extract",)),
    ("Assessment", ("assess",)),
    ("Summarization", ("summar",)),
    ("Evaluation", ("evaluat",)),
)
STATES = {  # a document that stopped in a state was in that phase
    "OCR": "OCR",
    "CLASSIFYING": "Classification",
    "EXTRACTING": "Extraction",
    "ASSESSING": "Assessment",
    "SUMMARIZING": "Summarization",
    "EVALUATING": "Evaluation",
}


def failure(status: str, reason: str | None, row: Mapping[str, Any]) -> dict[str, Any]:
    """`status_reason`, `error_class`, `failure_phase` of a document that did not complete; all null of one that did.

    The class is the first word of the reason that names an error, else the status itself. The phase is null where
    neither a processing issue, nor the state the document stopped in, nor the reason names one.
    """
    if status == "COMPLETED":
        return {"status_reason": None, "error_class": None, "failure_phase": None}
    text = reason or _text(row.get("Error"))
    named = ERROR_CLASS.search(text or "")
    return {
        "status_reason": text,
        "error_class": named[1] if named else status,
        "failure_phase": _issue_phase(row) or STATES.get(str(row.get("ObjectStatus"))) or _named_phase(text),
    }


def issues(row: Mapping[str, Any]) -> dict[str, int] | None:
    """Processing issues of a document's sections, counted by code; null where the row lists no sections."""
    sections = row.get("Sections")
    if not isinstance(sections, list):
        return None
    codes = [
        str(issue.get("code") or "UNKNOWN")
        for section in sections
        if isinstance(section, dict)
        for issue in section.get("ProcessingIssues") or []
        if isinstance(issue, dict)
    ]
    return {code: codes.count(code) for code in sorted(set(codes))}


def _issue_phase(row: Mapping[str, Any]) -> str | None:
    sections = row.get("Sections")
    for section in sections if isinstance(sections, list) else []:
        for issue in (section.get("ProcessingIssues") or []) if isinstance(section, dict) else []:
            if isinstance(issue, dict) and str(issue.get("severity", "")).lower() in {"error", "critical"}:
                return _named_phase(_text(issue.get("stage")))
    return None


def _named_phase(text: str | None) -> str | None:
    lowered = (text or "").lower()
    return next((phase for phase, words in PHASES if any(word in lowered for word in words)), None)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
