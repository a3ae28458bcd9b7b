"""Run records and truths for the tests of scoring and summary, small and complete."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from idpbench.pricing.card import Rate, RateCard

ROOT = Path(__file__).resolve().parents[3]
MODEL = "us.anthropic.claude-sonnet-4-6"
CARD = RateCard(
    {
        "textract/tables": (Rate("textract/tables", "", {"pages": 0.015}),),
        f"bedrock/{MODEL}": (
            Rate(f"bedrock/{MODEL}", "", {"inputTokens": 3e-6, "outputTokens": 15e-6, "cacheReadInputTokens": 3e-7}),
        ),
    }
)
METERING = {
    "OCR/textract/tables": {"pages": 3},
    f"Extraction/bedrock/{MODEL}": {"inputTokens": 35000, "outputTokens": 5000, "totalTokens": 40000, "requests": 1},
}
FIELDS = {"Account Number": "4471-2093", "Statement Period": "2024-01-01 to 2024-03-31"}


def list_rows(count: int, first: int = 0) -> list[dict[str, Any]]:
    """Rows as a perfect extraction returns them."""
    return [
        {"Date": f"2024-01-{n % 28 + 1:02d}", "Description": f"SEQ{n:05d} Card payment", "Amount": -45.25 + n}
        for n in range(first, first + count)
    ]


def truth_of(rows: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A truth file's content for those rows."""
    tags = [row["Description"][:8] for row in rows]
    return {
        "schema": "idpbench/truth/1",
        "id": "small_narrow",
        "class": "bank_statement",
        "fields": dict(FIELDS),
        "fields_typed": dict(FIELDS),
        "seq_ids": tags,
        "rows_typed": {tag: dict(row) for tag, row in zip(tags, rows, strict=True)},
        "list_key": "Transactions",
        "expected_sections": 1,
        "per_list": None,
        "rows": len(rows),
        "cols": 3,
        "lists": 1,
        "documents": 1,
        "exempt": [],
    } | changes


def leaf(confidence: float | None) -> dict[str, Any]:
    """One assessed value."""
    return {"confidence": confidence, "confidence_threshold": 0.8, "geometry": [{"page": 1}]}


def assessed(rows: list[dict[str, Any]], confidence: float | None = 0.95) -> list[dict[str, Any]]:
    """The assessment of list rows, every cell alike."""
    return [{name: leaf(confidence) for name in row} for row in rows]


def section(
    rows: list[dict[str, Any]] | None,
    scores: list[Any] | None = None,
    fields: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A section's result.json; without `scores` nothing was assessed."""
    inference: dict[str, Any] = dict(FIELDS if fields is None else fields)
    if rows is not None:
        inference["Transactions"] = rows
    value: dict[str, Any] = {"inference_result": inference, "metadata": {"parsing_succeeded": True}}
    if scores is not None:
        value["explainability_info"] = [{"Account Number": leaf(0.9), "Transactions": scores}]
    return value | more


def entry(number: int, value: Any, state: str = "present", reason: str | None = None) -> dict[str, Any]:
    """A section as a record's document holds it."""
    key = f"run-1/small_narrow.pdf/sections/{number}/result.json"
    return {"id": str(number), "key": key, "state": state, "reason": reason, "value": value}


def document_of(*values: Any, status: str = "COMPLETED", metering: Any = METERING, **changes: Any) -> dict[str, Any]:
    """One document of a record, with those section results."""
    row = {
        "ObjectStatus": status,
        "QueuedTime": "2026-11-01T10:00:00+00:00",
        "WorkflowStartTime": "2026-11-01T10:00:02.500000+00:00",
        "CompletionTime": "2026-11-01T10:01:02.500000+00:00",
        "PageCount": 3.0,
    }
    return {
        "name": "small_narrow.pdf",
        "sub_document": None,
        "tracking": {"state": "present", "reason": None, "row": row},
        "metering": {"state": "present", "reason": None, "value": copy.deepcopy(metering)},
        "sections_listing": {"state": "present", "reason": None},
        "sections": [entry(index, value) for index, value in enumerate(values, start=1)],
        "pages": [],
        "evaluation": {"state": "absent", "reason": "no such object", "value": None},
    } | changes


def record_of(*documents: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A run record of those documents."""
    return {
        "schema": "idpbench/record/1",
        "key": "0" * 40,
        "identity": {"document_digest": "d" * 64},
        "backend": "local",
        "cell": "core-tt-simple-sep",
        "document": "small_narrow",
        "class": "bank_statement",
        "repeat": 0,
        "reference": False,
        "n_docs": None,
        "config_name": "bench-core-tt-simple-sep__bank_statement__01234567",
        "config_digest": "c" * 64,
        "resolved": {"ocr": "textract_tables", "assessment": "separate", "extraction_model": "sonnet46"},
        "status": "COMPLETED",
        "status_reason": None,
        "stack": {"name": "idpbench", "region": "us-west-2", "account": "000000000000", "template_digest": "e" * 64},
        "launch": {"at": "2026-11-01T10:00:00Z", "run_id": "run-1", "fingerprint": {"version": "0.6.9"}},
        "completion": {"at": "2026-11-01T10:01:03Z", "fingerprint": {"version": "0.6.9"}},
        "documents": list(documents),
    } | changes


def perfect(count: int = 5) -> tuple[dict[str, Any], dict[str, Any]]:
    """A record whose extraction is the truth, and that truth."""
    rows = list_rows(count)
    return record_of(document_of(section(list_rows(count), assessed(rows)))), truth_of(rows)


def attribute(name: str, matched: bool, confidence: float | None = None) -> dict[str, Any]:
    """An attribute of the stack's own evaluation."""
    return {"name": name, "expected": "a", "actual": "b", "matched": matched, "confidence": confidence}


def evaluation_of(attributes: list[dict[str, Any]], weighted: float | None = 0.875) -> dict[str, Any]:
    """An evaluation report as the stack writes it, with three classified pages."""
    pages = [
        {"page_index": 0, "correct": True, "predicted_confidence": 0.9},
        {"page_index": 1, "correct": True, "predicted_confidence": 0.8},
        {"page_index": 2, "correct": False, "predicted_confidence": 0.6},
    ]
    value = {
        "overall_metrics": {"weighted_overall_score": weighted},
        "section_results": [{"section_id": "1", "attributes": attributes}],
        "doc_split_metrics": {"page_level_accuracy": 2 / 3, "page_details": pages},
    }
    return {"state": "present", "reason": None, "value": value}
