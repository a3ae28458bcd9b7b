"""Three states of every read: what is not known becomes null with a reason, never a zero and never an absence."""

from __future__ import annotations

from typing import Any

import pytest
from scoring_runs import CARD, METERING, document_of, entry, list_rows, perfect, record_of, section, truth_of

from idpbench.scoring import score_record
from idpbench.scoring.columns import MEASURES

COSTS = ("cost", "cost_by_phase", "cost_by_key")
TOKENS = ("tokens", "tokens_by_phase", "tokens_by_model", "requests")


def the_row(record: dict[str, Any], truth: dict[str, Any] | None = None) -> dict[str, Any]:
    [row] = score_record(record, truth, CARD)
    return row


def without_metering(status: str, state: str = "absent", **changes: Any) -> dict[str, Any]:
    reading = {"state": state, "reason": "because", "value": None}
    document = document_of(section(list_rows(1)), status=status, **{"metering": None, **changes})
    document["metering"] = reading
    return record_of(document, status=status)


def test_a_completed_document_that_metered_nothing_cost_nothing() -> None:
    row = the_row(without_metering("COMPLETED"))
    assert (row["cost"], row["cost_unread"], row["cost_unpriced"]) == (0.0, None, None)
    assert row["cost_by_phase"] == row["cost_by_key"] == row["tokens_by_phase"] == {}


@pytest.mark.parametrize("status", ["FAILED", "ABORTED"])
def test_a_failed_document_that_metered_nothing_has_a_cost_that_nobody_recorded(status: str) -> None:
    row = the_row(without_metering(status))
    assert [row[name] for name in (*COSTS, *TOKENS)] == [None] * 7
    assert row["cost_unread"].startswith("not recorded") and status in row["cost_unread"]
    assert row["success"] is False


def test_a_failed_document_that_metered_something_is_priced() -> None:
    row = the_row(record_of(document_of(status="FAILED"), status="FAILED"))
    assert row["cost"] == 0.225 and row["cost_unread"] is None


def test_metering_that_could_not_be_read_is_no_free_run() -> None:
    row = the_row(without_metering("COMPLETED", state="failed"))
    assert [row[name] for name in (*COSTS, *TOKENS)] == [None] * 7
    assert row["cost_unread"] == "failed: because"


@pytest.mark.parametrize("state", ["absent", "failed"])
def test_without_a_tracking_row_nothing_is_known_of_status_or_cost(state: str) -> None:
    document = document_of(section(list_rows(1)))
    document["tracking"] = {"state": state, "reason": "gone", "row": None}
    row = the_row(record_of(document))
    assert (row["status"], row["success"], row["wall_s"], row["page_count"]) == ("?", False, None, None)
    assert row["cost"] is None and row["cost_unread"] == f"{state}: gone"


def test_what_cannot_be_priced_keeps_its_tokens() -> None:
    metering = {**METERING, "Assessment/bedrock/unheard-of": {"inputTokens": 5}}
    row = the_row(record_of(document_of(section(list_rows(1)), metering=metering)))
    assert [row[name] for name in COSTS] == [None] * 3 and row["cost_unread"] is None
    assert row["cost_unpriced"] == "1 unpriceable metering entry: Assessment/bedrock/unheard-of: no rate"
    assert row["tokens"]["inputTokens"] == 35005


@pytest.mark.parametrize(
    "bad",
    [
        entry(2, None, "failed", "KMS.KMSInvalidStateException"),
        entry(2, None, "absent", "the tracking row names it"),
        entry(2, ["a list"]),
    ],
)
def test_one_unreadable_section_leaves_no_metric_at_all(bad: dict[str, Any]) -> None:
    record, truth = perfect()
    record["documents"][0]["sections"].append(bad)
    row = the_row(record, truth)
    assert row["sections_unreadable"] == 1 and "sections/2/result.json" in row["sections_unread"]
    assert not MEASURES & row.keys()
    assert row["cost"] == 0.225 and row["success"] is True


def test_a_listing_that_failed_is_no_empty_document() -> None:
    record, truth = perfect()
    record["documents"][0] |= {"sections": [], "sections_listing": {"state": "failed", "reason": "AccessDenied"}}
    row = the_row(record, truth)
    assert (row["sections_unreadable"], row["sections_unread"]) == (1, "listing failed: AccessDenied")
    assert not MEASURES & row.keys()


def test_a_failed_run_without_sections_is_scored_as_one_that_returned_nothing() -> None:
    record = record_of(document_of(status="FAILED"), status="FAILED", status_reason="ValidationException: too long")
    row = the_row(record, truth_of(list_rows(5)))
    assert (row["completeness_recall"], row["scalar_accuracy"], row["sections_correct"]) == (0.0, 0.0, 0.0)
    assert row["cell_accuracy"] is None and row["correct_fields"] == 0
    assert row["success"] is False


@pytest.mark.parametrize("status", ["COPY_FAILED", "NOT_LAUNCHED", "TIMED_OUT"])
def test_a_run_without_a_document_still_has_its_row_under_the_document_s_file_name(status: str) -> None:
    row = the_row(record_of(status=status, status_reason="Error: copying failed"), truth_of([]))
    assert (row["doc"], row["status"], row["success"], row["cost"]) == ("small_narrow.pdf", status, False, None)
    assert row["cost_unread"] == "absent: the run produced no document"
    assert not MEASURES & row.keys()


def test_a_document_that_never_finished_is_timed_out_whatever_it_was_doing() -> None:
    row = the_row(record_of(document_of(status="EXTRACTING"), status="TIMED_OUT", status_reason="not finished"))
    assert (row["status"], row["failure_phase"], row["error_class"]) == ("TIMED_OUT", "Extraction", "TIMED_OUT")


@pytest.mark.parametrize(
    ("reason", "error_class", "phase"),
    [
        ("ValidationException: input is too long for extraction", "ValidationException", "Extraction"),
        ("An error occurred (ThrottlingException) in OCR", "ThrottlingException", "OCR"),
        ("States.TaskFailed: KMS.KMSInvalidStateException", "KMS.KMSInvalidStateException", None),
        ("it broke", "FAILED", None),
        (None, "FAILED", None),
    ],
)
def test_a_failure_is_filed_under_its_error_class_and_phase(
    reason: str | None, error_class: str, phase: str | None
) -> None:
    row = the_row(record_of(document_of(status="FAILED"), status="FAILED", status_reason=reason))
    assert (row["error_class"], row["failure_phase"], row["status_reason"]) == (error_class, phase, reason)


def test_a_processing_issue_names_the_phase_better_than_the_message() -> None:
    document = document_of(status="FAILED")
    issue = {"stage": "assessment", "severity": "ERROR", "message": "no answer"}
    document["tracking"]["row"]["Sections"] = [{"Id": "1", "ProcessingIssues": [issue]}]
    row = the_row(record_of(document, status="FAILED", status_reason="extraction went well, then it broke"))
    assert row["failure_phase"] == "Assessment"


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("2026-11-01T10:00:00+00:00", "2026-11-01T10:00:01.500000Z", 1.5),
        ("2026-11-01T10:00:00", "2026-11-01T10:00:02", 2.0),
        ("2026-11-01T10:00:00", "2026-11-01T10:00:02+00:00", None),
        ("2026-11-01T10:00:02Z", "2026-11-01T10:00:00Z", None),
        ("yesterday", "2026-11-01T10:00:00Z", None),
        (None, "2026-11-01T10:00:00Z", None),
    ],
)
def test_wall_time_is_measured_or_null(start: str | None, end: str, seconds: float | None) -> None:
    document = document_of(section(list_rows(1)))
    document["tracking"]["row"] |= {"WorkflowStartTime": start, "CompletionTime": end}
    assert the_row(record_of(document))["wall_s"] == seconds
