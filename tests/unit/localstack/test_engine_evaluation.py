"""evaluation/results.json against a labelled baseline."""

from __future__ import annotations

import copy
from typing import Any

from enginehelp import document, profile, settings

from idpbench.localstack.engine import Job, process
from idpbench.matrix.configs import resolve_configuration


def evaluated(name: str, change: Any = None, cell: str = "core-tt-simple-sep") -> dict[str, Any]:
    """The evaluation of a document against its own result, after `change` was made to the baseline."""
    config = resolve_configuration(settings(), cell, settings().documents[name].doc_class, {})
    job = Job(document(name).pdf, f"{name}.pdf", config, profile("0.6.8"))
    baseline = copy.deepcopy(process(job).sections)
    if change:
        change(baseline)
    outcome = process(Job(job.pdf, job.file_name, config, job.profile, "", baseline))
    assert outcome.evaluation is not None
    return outcome.evaluation


def test_without_a_baseline_there_is_no_evaluation() -> None:
    config = resolve_configuration(settings(), "core-tt-simple-sep", "bank_statement", {})
    assert process(Job(document("tiny_form").pdf, "tiny_form.pdf", config, profile("0.6.8"))).evaluation is None


def test_a_result_equals_itself() -> None:
    result = evaluated("kv_form")
    assert result["overall_metrics"]["weighted_overall_score"] == 1.0
    attributes = result["section_results"][0]["attributes"]
    assert len(attributes) == 25
    assert all(one["matched"] for one in attributes)
    assert all(0 < one["confidence"] <= 1 for one in attributes)


def test_a_wrong_value_costs_its_share() -> None:
    def spoil(baseline: list[dict[str, Any]]) -> None:
        baseline[0]["inference_result"]["Daily Rate"] = 1.0
        baseline[0]["inference_result"]["City"] = "Elsewhere"

    result = evaluated("kv_form", spoil)
    wrong = {one["name"] for one in result["section_results"][0]["attributes"] if not one["matched"]}
    assert wrong == {"Daily Rate", "City"}
    assert abs(result["overall_metrics"]["weighted_overall_score"] - 23 / 25) < 1e-9


def test_numbers_and_dates_are_compared_as_such() -> None:
    def spell(baseline: list[dict[str, Any]]) -> None:
        record = baseline[0]["inference_result"]
        record["Daily Rate"] = f"${record['Daily Rate']:.2f}"
        record["Order Date"] = f"{record['Order Date'][8:]} March 2024"

    result = evaluated("kv_form", spell)
    assert result["overall_metrics"]["accuracy"] == 1.0


def test_a_list_is_scored_by_its_rows() -> None:
    def drop(baseline: list[dict[str, Any]]) -> None:
        baseline[0]["inference_result"]["Transactions"].append({"Date": "2024-01-01", "Description": "x", "Amount": 1})

    attributes = evaluated("tiny_form", drop)["section_results"][0]["attributes"]
    (rows,) = [one for one in attributes if one["name"] == "Transactions"]
    assert abs(rows["score"] - 5 / 6) < 1e-3


def test_sections_and_page_classes_are_compared_with_the_labels() -> None:
    def relabel(baseline: list[dict[str, Any]]) -> None:
        baseline[1]["document_class"]["type"] = "Letter"

    right = evaluated("twodocs_2x20")["doc_split_metrics"]
    assert right["page_level_accuracy"] == right["split_accuracy_with_order"] == 1.0
    wrong = evaluated("twodocs_2x20", relabel)["doc_split_metrics"]
    assert wrong["page_level_accuracy"] == 0.5
    assert wrong["split_accuracy_without_order"] == 0.5
    assert [detail["correct"] for detail in wrong["page_details"]] == [True, False]
    assert wrong["page_details"][0]["predicted_confidence"] == 1.0


def test_an_over_split_document_is_seen() -> None:
    def join(baseline: list[dict[str, Any]]) -> None:
        baseline[0]["split_document"]["page_indices"] = [0, 1, 2]
        del baseline[1:]

    metrics = evaluated("small_narrow", join, "split-llm-legacyprompt")["doc_split_metrics"]
    assert metrics["page_level_accuracy"] == 1.0
    assert metrics["split_accuracy_without_order"] == 0.0
    assert (metrics["total_splits"], metrics["predicted_sections"]) == (1, 3)


def test_the_evaluation_names_its_evaluator() -> None:
    assert evaluated("tiny_form")["evaluator"]["name"] == "idpbench local evaluator"


def test_a_labelled_document_that_was_not_found_counts_as_missing() -> None:
    def add(baseline: list[dict[str, Any]]) -> None:
        second = copy.deepcopy(baseline[0])
        second["split_document"]["page_indices"] = [7]
        baseline.append(second)

    result = evaluated("kv_form", add)
    assert [one["section_id"] for one in result["section_results"]] == ["1", "missing 2"]
    assert result["overall_metrics"]["weighted_overall_score"] == 0.5
