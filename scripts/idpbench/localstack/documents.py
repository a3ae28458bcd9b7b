"""The tracking rows and the output objects of a document, as pure functions of what the engine found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeGuard

from idpbench.files.canonical import canonical

RETENTION = timedelta(days=365)
TERMINAL = frozenset(("COMPLETED", "FAILED", "ABORTED"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document's results go."""

    bucket: str
    object_key: str
    execution: str

    def uri(self, name: str) -> str:
        """s3 address of an output object, by its name under the document."""
        return f"s3://{self.bucket}/{self.object_key}/{name}"


def document_key(object_key: str) -> tuple[str, str]:
    """The key of a document's row."""
    return f"doc#{object_key}", "none"


def test_run_key(run_id: str) -> tuple[str, str]:
    """The key of a test run's row."""
    return f"testrun#{run_id}", "metadata"


def queued_row(object_key: str, metadata: Mapping[str, str], moment: datetime) -> dict[str, Any]:
    """The row that the queue sender creates, from the object's user metadata."""
    partition, sort = document_key(object_key)
    tested = metadata.get("submission-source") == "test-studio"
    return {
        "PK": partition,
        "SK": sort,
        "ObjectKey": object_key,
        "ObjectStatus": "QUEUED",
        "WorkflowStatus": "RUNNING",
        "InitialEventTime": moment.isoformat(),
        "QueuedTime": moment.isoformat(),
        "ItemType": "test-document" if tested else "document",
        "SubmissionSource": metadata.get("submission-source"),
        "TestSetId": metadata.get("test-set-id"),
        "ConfigVersion": metadata.get("config-version"),
        "ExpiresAfter": int((moment + RETENTION).timestamp()),
        "ConfidenceAlertCount": 0,
        "ProcessingIssueCount": 0,
    }


def started_changes(place: Place, version: str, moment: datetime) -> dict[str, Any]:
    """What the start of the workflow adds."""
    return {
        "ObjectStatus": "OCR",
        "WorkflowStatus": "RUNNING",
        "WorkflowStartTime": moment.isoformat(),
        "WorkflowExecutionArn": place.execution,
        "TraceId": f"1-{int(moment.timestamp()):08x}-{place.execution.replace('-', '')[-24:]}",
        "ConfigVersion": version,
    }


def finished_changes(
    place: Place, outcome: Any, *, baseline: bool, warning: str | None, moment: datetime
) -> dict[str, Any]:
    """The last write of an `Outcome`: all of it for COMPLETED; for FAILED only what earlier steps had written.

    A failed execution's last write adds no sections and no page count; the metering of the phases that ran stays.
    """
    if outcome.status != "COMPLETED":
        return {**failed_changes(outcome.error, moment), "Metering": _metering(outcome)}
    issues = [*outcome.issues, *([_warning(warning)] if warning else [])]
    sections = list(_sections(place, outcome.sections, issues))
    changes = {
        "ObjectStatus": "COMPLETED",
        "WorkflowStatus": "SUCCEEDED",
        "CompletionTime": moment.isoformat(),
        "EvaluationStatus": _evaluation_status(outcome, baseline),
        "ConfidenceAlertCount": sum(len(one["ConfidenceThresholdAlerts"]) for one in sections),
        "ProcessingIssueCount": len(issues),
        "PageCount": len(outcome.pages) or None,
        "NumPages": len(outcome.pages) or None,
        "Metering": _metering(outcome),
        "Sections": sections or None,
        "Pages": list(_pages(place, outcome)) or None,
    }
    if outcome.evaluation is not None:
        changes["EvaluationReportUri"] = place.uri("evaluation/results.json")
    return changes


def failed_changes(reason: str | None, moment: datetime) -> dict[str, Any]:
    """The last write of an execution that failed."""
    return {
        "ObjectStatus": "FAILED",
        "WorkflowStatus": "FAILED",
        "CompletionTime": moment.isoformat(),
        "Error": reason or "the execution failed",
    }


def aborted_changes(moment: datetime) -> dict[str, Any]:
    """The last write of an execution that somebody stopped."""
    return {"ObjectStatus": "ABORTED", "WorkflowStatus": "ABORTED", "CompletionTime": moment.isoformat()}


def version_row(object_key: str, row: Mapping[str, Any], moment: datetime) -> dict[str, Any]:
    """The immutable record of one processing, beside the document's row; readers of documents must not count it."""
    return {
        "PK": document_key(object_key)[0],
        "SK": f"run#{moment.isoformat()}",
        "RecordType": "run",
        "ObjectStatus": row["ObjectStatus"],
        "ConfigVersion": row.get("ConfigVersion"),
        "CompletionTime": moment.isoformat(),
    }


def output_objects(outcome: Any) -> Iterator[tuple[str, bytes, str]]:
    """(name under the document, bytes, content type) of every object that an `Outcome` leaves, also a failed one."""
    for number, page in enumerate(outcome.pages, start=1):
        result: dict[str, Any] = {"text": page.text}
        for name in ("classification", "confidence"):
            if (value := getattr(page, name, None)) is not None:
                result[name] = value
        yield f"pages/{number}/result.json", canonical(result), "application/json"
        yield f"pages/{number}/rawText.json", canonical(raw_text(page.text)), "application/json"
        if page.text_confidence is not None:
            yield f"pages/{number}/textConfidence.json", canonical(page.text_confidence), "application/json"
        if page.image_jpeg is not None:
            yield f"pages/{number}/image.jpg", page.image_jpeg, "image/jpeg"
    for number, section in enumerate(outcome.sections, start=1):
        yield f"sections/{number}/result.json", canonical(section), "application/json"
    if outcome.evaluation is not None:
        yield "evaluation/results.json", canonical(outcome.evaluation), "application/json"


def raw_text(text: str) -> dict[str, Any]:
    """What was read of a page, line by line, in the shape in which Textract answers; of geometry there is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    blocks: list[dict[str, Any]] = [{"BlockType": "PAGE", "Page": 1}]
    return {"DocumentMetadata": {"Pages": 1}, "Blocks": blocks + [{"BlockType": "LINE", "Text": one} for one in lines]}


def manifest(object_key: str, row: Mapping[str, Any], objects: Sequence[str], moment: datetime) -> tuple[str, bytes]:
    """(name under the document, bytes) of the list of what one processing left; its version row has the same run id."""
    run_id = moment.isoformat()
    content = {
        "run_id": run_id,
        "object_key": object_key,
        "status": row["ObjectStatus"],
        "config_version": row.get("ConfigVersion"),
        "completed_at": row.get("CompletionTime"),
        "objects": sorted(objects),
    }
    return f"runs/{run_id}/manifest.json", canonical(content)


def alerts(explainability: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The leaves whose confidence lies below their threshold, as the section row lists them."""
    if isinstance(explainability, Mapping):
        confidence, threshold = explainability.get("confidence"), explainability.get("confidence_threshold")
        if "confidence" in explainability and not isinstance(confidence, Mapping | list):
            below = _is_number(confidence) and _is_number(threshold) and confidence < threshold
            if below:
                yield {"attributeName": path, "confidence": confidence, "confidenceThreshold": threshold}
            return
        for name, value in explainability.items():
            yield from alerts(value, f"{path}.{name}" if path else str(name))
    elif isinstance(explainability, list):
        for number, value in enumerate(explainability):
            yield from alerts(value, f"{path}[{number}]" if path else "")


def _sections(place: Place, sections: Sequence[Mapping[str, Any]], issues: Sequence[Mapping[str, Any]]) -> Any:
    for number, section in enumerate(sections, start=1):
        own = [one for one in issues if str(one.get("section_id", "1")) == str(number)]
        indices = section.get("split_document", {}).get("page_indices", [])
        yield {
            "Id": str(number),
            "PageIds": [index + 1 for index in indices],
            "Class": section.get("document_class", {}).get("type", section.get("classification", "")),
            "OutputJSONUri": place.uri(f"sections/{number}/result.json"),
            "ConfidenceThresholdAlerts": list(alerts(section.get("explainability_info"))),
            "ProcessingIssues": [_issue(one) for one in own],
        }


def _pages(place: Place, outcome: Any) -> Iterator[dict[str, Any]]:
    classes = list(outcome.page_classes)
    for number, page in enumerate(outcome.pages, start=1):
        row = {"Id": number, "Class": classes[number - 1] if number <= len(classes) else ""}
        if page.image_jpeg is not None:
            row["ImageUri"] = place.uri(f"pages/{number}/image.jpg")
        row["TextUri"] = place.uri(f"pages/{number}/result.json")
        yield row


def _issue(issue: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: issue.get(name, "") for name in ("stage", "severity", "code", "message", "rootCause")}
    details = issue.get("details")
    return row | {"details": details if isinstance(details, str) else json.dumps(details or {})}


def _warning(text: str) -> dict[str, Any]:
    return {"stage": "CONFIGURATION", "severity": "WARNING", "code": "CONFIG_VERSION_NOT_FOUND", "message": text}


def _metering(outcome: Any) -> str | None:
    return json.dumps(outcome.metering, default=str) if outcome.metering else None


def _evaluation_status(outcome: Any, baseline: bool) -> str:
    if not baseline:
        return "NO_BASELINE"
    return "FAILED" if outcome.evaluation is None else "COMPLETED"


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
