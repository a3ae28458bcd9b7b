"""The classification benchmark's summary and page, from run records."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from scoring_runs import CARD, METERING, MODEL, attribute, document_of, evaluation_of, record_of, section

from idpbench.files.schema import check
from idpbench.report.classification import render
from idpbench.scoring.cell import Truths, score_cell
from idpbench.scoring.classification import pool_classification
from idpbench.summary.classification import summarize_classification
from idpbench.summary.summarize import summarize_side

LABELS = {"haiku45": ("claude-4-5", "Haiku 4.5"), "haiku55": ("claude-5-5", "Haiku 5.5")}
CELLS = {"cls-haiku45-topk": "haiku45", "cls-haiku55-topk": "haiku55"}
ABOUT = {"testset": "packets", "asked": "docsplit", "kind": "generated", "note": "one stands for the other"}
USED = {**METERING, f"Classification/bedrock/{MODEL}": {"inputTokens": 1000, "outputTokens": 100}}


def packet(name: str, **changes: Any) -> dict[str, Any]:
    """A document with three classified pages, the last of them wrongly."""
    evaluation = evaluation_of([attribute("a", True, 0.9)])
    pages = evaluation["value"]["doc_split_metrics"]["page_details"]
    for page, (labelled, predicted) in zip(pages, [("A", "A"), ("B", "B"), ("A", "B")], strict=True):
        page |= {"ground_truth_class": labelled, "predicted_class": predicted}
    made = document_of(section(None), name=name, sub_document=name, evaluation=evaluation, metering=USED)
    return made | changes


def without_confidence(document: dict[str, Any]) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    for page in changed["evaluation"]["value"]["doc_split_metrics"]["page_details"]:
        del page["predicted_confidence"]
    return changed


def summary_of(*documents: dict[str, Any], mode: str = "topk", backend: str = "local") -> dict[str, Any]:
    """Both models on the same documents."""
    runs = {
        cell: [record_of(*documents, cell=cell, document="packets", reference=True, n_docs=len(documents))]
        for cell in CELLS
    }
    scores = [score_cell(cell, records, Truths(None), CARD) for cell, records in runs.items()]
    plan = {"suite": "classification", "backend": backend, "version": "0.6.9", "series": "a", "slug": "packets"}
    side = summarize_side(scores, plan, CARD)
    return summarize_classification(side, {**ABOUT, "sample": 20, "mode": mode, "models": CELLS}, runs, CARD, LABELS)


def test_pages_are_pooled_by_model_and_the_summary_stays_a_side_s() -> None:
    summary = summary_of(packet("x.pdf"), packet("y.pdf"))
    check(summary, "summary", "summary")
    one, other = summary["classification"]["models"]
    assert (one["model"], one["label"], other["model_id"]) == ("haiku45", "Haiku 4.5", "claude-5-5")
    assert (one["pages_evaluated"], one["pages_scored"], one["class_accuracy"]) == (6, 6, 0.6667)
    assert (one["class_calibration_separation"], one["separation_reason"]) == (0.25, None)
    assert one["confusions"] == [{"labelled": "A", "predicted": "B", "pages": 2}]
    assert one["cost"] == pytest.approx(0.009) and one["cost_per_page"] == pytest.approx(0.0015)
    assert one["output_tokens_per_page"] == pytest.approx(33.3)
    assert set(one["per_doc"]) == {"x.pdf", "y.pdf"}
    assert {row["class_accuracy"] for row in summary["rows"]} == {0.6667} and len(summary["rows"]) == 4
    assert "cell_stats" in summary and summary["meta"]["suite"] == "classification"


def test_without_confidences_there_is_no_separation_and_a_reason() -> None:
    summary = summary_of(without_confidence(packet("x.pdf")), mode="off")
    check(summary, "summary", "summary")
    (one, _) = summary["classification"]["models"]
    assert (one["pages_evaluated"], one["pages_scored"], one["class_calibration_separation"]) == (3, 0, None)
    assert "mode=off" in one["separation_reason"]
    assert "no separation, since the classifier was not asked" in render(summary)


@pytest.mark.parametrize(
    ("keep", "reason"),
    [
        ([0, 1], "no page with a confidence is wrong"),
        ([2], "no page with a confidence is right"),
        ([], "no page was evaluated"),
    ],
)
def test_a_missing_separation_says_why(keep: list[int], reason: str) -> None:
    document = packet("x.pdf")
    metrics = document["evaluation"]["value"]["doc_split_metrics"]
    metrics["page_details"] = [metrics["page_details"][number] for number in keep]
    assert pool_classification([document], CARD)["separation_reason"] == reason
    assert pool_classification([without_confidence(packet("x.pdf"))], CARD)["separation_reason"] == (
        "no page has a confidence"
    )


def test_the_page_leads_with_the_separation_and_marks_the_self_test() -> None:
    page = render(summary_of(packet("x.pdf")))
    assert "+0.250" in page and "0.667" in page
    assert "Self-test: local stack, projected cost, nothing was billed" in page
    assert "alike for all models by construction" in page
    assert "Note: one stands for the other." in page
    assert "Self-test" not in render(summary_of(packet("x.pdf"), backend="aws"))


def test_a_vendor_s_model_is_named_only_where_it_was_called() -> None:
    page = render(summary_of(packet("x.pdf")))
    assert "| `haiku45` |" in page and "accuracy, `haiku45`" in page and "Haiku 4.5" not in page
    assert "| Haiku 4.5 |" in render(summary_of(packet("x.pdf"), backend="aws"))


def test_what_was_not_read_stands_on_the_page() -> None:
    unread = packet("y.pdf", evaluation={"state": "failed", "reason": "throttled", "value": None})
    unmetered = packet("z.pdf", metering={"state": "failed", "reason": "no", "value": None})
    page = render(summary_of(packet("x.pdf"), unread, unmetered))
    assert "1 documents have no readable evaluation" in page
    assert "no cost (z.pdf: metering failed)" in page
