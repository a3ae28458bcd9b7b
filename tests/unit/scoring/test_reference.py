"""Labelled sets: the stack's own evaluation, one row a document, and the pages of many pooled."""

from __future__ import annotations

from typing import Any

import pytest
from scoring_runs import CARD, METERING, MODEL, attribute, document_of, evaluation_of, record_of, section

from idpbench.scoring import score_record
from idpbench.scoring.classification import pool_classification, score_classification

ATTRIBUTES = [attribute("a", True, 0.9), attribute("b", True, 0.7), attribute("c", False, 0.5), attribute("d", False)]


def labelled(*documents: dict[str, Any], expected: int, **changes: Any) -> dict[str, Any]:
    return record_of(*documents, document="realkie", reference=True, n_docs=expected, **changes)


def one(name: str, **changes: Any) -> dict[str, Any]:
    evaluation = changes.pop("evaluation", evaluation_of(ATTRIBUTES))
    return document_of(section(None), name=name, sub_document=name, evaluation=evaluation, **changes)


def test_each_document_of_a_set_has_a_row_under_the_set_s_name() -> None:
    rows = score_record(labelled(one("x.pdf"), one("y.pdf"), expected=2), None, CARD)
    assert [(row["doc"], row["sub_doc"]) for row in rows] == [("realkie", "x.pdf"), ("realkie", "y.pdf")]
    assert all(row["scored_by"] == "evaluation" and row["coverage_note"] is None for row in rows)
    assert "completeness_recall" not in rows[0]


def test_documents_that_produced_nothing_are_counted_on_every_row() -> None:
    rows = score_record(labelled(one("x.pdf"), expected=20), None, CARD)
    assert [row["coverage_note"] for row in rows] == ["1 of 20 documents found"]


def test_a_set_without_any_document_is_one_row_that_says_so() -> None:
    [row] = score_record(labelled(expected=20), None, CARD)
    assert (row["doc"], row["status"], row["success"], row["cost"]) == ("realkie", "NO_DOCS", False, None)


def test_the_evaluation_gives_accuracy_separation_and_correct_fields() -> None:
    [row] = score_record(labelled(one("x.pdf"), expected=1), None, CARD)
    assert (row["weighted_accuracy"], row["calibration_separation"]) == (0.875, 0.3)
    assert (row["correct_fields"], row["fields_total"], row["eval_unread"]) == (2, 4, None)
    assert row["parse_failures"] is None  # the report has no such field: nothing is known of parsing
    assert (row["class_accuracy"], row["class_mean_confidence"]) == (0.6667, 0.7667)
    assert (row["n_class_scored_pages"], row["class_calibration_separation"]) == (3, 0.25)


def test_separation_needs_both_right_and_wrong() -> None:
    [row] = score_record(
        labelled(one("x.pdf", evaluation=evaluation_of([attribute("a", True, 0.9)])), expected=1), None, CARD
    )
    assert row["calibration_separation"] is None


def test_parse_failures_are_counted_where_the_report_names_them() -> None:
    attributes = [attribute("a", True) | {"failure_type": "PARSE_FAILURE"}, attribute("b", True) | {"failure_type": ""}]
    [row] = score_record(labelled(one("x.pdf", evaluation=evaluation_of(attributes)), expected=1), None, CARD)
    assert row["parse_failures"] == 1


@pytest.mark.parametrize(
    ("evaluation", "unread"),
    [
        ({"state": "absent", "reason": "no such object", "value": None}, None),
        ({"state": "failed", "reason": "AccessDenied", "value": None}, "failed: AccessDenied"),
        ({"state": "present", "reason": None, "value": [1]}, "failed: list instead of a report"),
    ],
)
def test_an_evaluation_that_is_not_there_differs_from_one_that_cannot_be_read(
    evaluation: dict[str, Any], unread: str | None
) -> None:
    [row] = score_record(labelled(one("x.pdf", evaluation=evaluation), expected=1), None, CARD)
    names = ("weighted_accuracy", "parse_failures", "calibration_separation", "correct_fields", "class_accuracy")
    assert [row[name] for name in names] == [None] * 5
    assert row["eval_unread"] == unread


def test_a_document_of_a_failed_run_keeps_its_own_state() -> None:
    missing = one("z.pdf")
    missing["tracking"] = {"state": "absent", "reason": "no tracking row", "row": None}
    rows = score_record(labelled(one("x.pdf"), missing, expected=2, status="FAILED"), None, CARD)
    assert [row["status"] for row in rows] == ["COMPLETED", "?"]


def test_a_missing_report_classifies_nothing() -> None:
    assert score_classification(None) == {
        "class_accuracy": None,
        "class_mean_confidence": None,
        "n_class_scored_pages": 0,
        "class_calibration_separation": None,
    }


def test_classification_is_pooled_over_pages_and_priced_by_its_own_phase() -> None:
    metering = {**METERING, f"Classification/bedrock/{MODEL}": {"inputTokens": 1000, "outputTokens": 100}}
    failed = {"state": "failed", "reason": "throttled", "value": None}
    documents = [
        one("x.pdf", metering=metering),
        one("y.pdf", metering=metering),
        one("z.pdf", metering=metering, evaluation=failed),
    ]
    found = pool_classification(documents, CARD)
    assert (found["documents"], found["documents_unread"]) == (3, 1)
    assert (found["pages_evaluated"], found["pages_scored"], found["class_accuracy"]) == (6, 6, 0.6667)
    assert (found["n_right"], found["n_wrong"], found["class_calibration_separation"]) == (4, 2, 0.25)
    assert (found["median_confidence_right"], found["pct_conf_below_0.9"]) == (0.85, 66.7)
    assert found["cost"] == pytest.approx(3 * 0.0045) and found["output_tokens"] == 300
    assert found["per_doc"]["x.pdf"] == {"pages_evaluated": 3, "class_accuracy": 0.6667, "cost": 0.0045}


def test_one_unknown_cost_makes_the_cost_of_all_unknown() -> None:
    other = one("y.pdf")
    other["metering"] = {"state": "failed", "reason": "no", "value": None}
    found = pool_classification([one("x.pdf"), other], CARD)
    assert found["cost"] is None and found["cost_reason"] == "y.pdf: metering failed"
