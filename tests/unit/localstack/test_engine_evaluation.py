"""evaluation/results.json against a labelled baseline."""

from __future__ import annotations

import copy
from typing import Any

from enginehelp import document, profile, settings
from hypothesis import given
from hypothesis import strategies as st

from idpbench.localstack.engine import Job, process
from idpbench.localstack.engine.evaluate import aligned
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


def test_a_surplus_row_costs_one_row_wherever_it_stands() -> None:
    def insert(baseline: list[dict[str, Any]]) -> None:
        baseline[0]["inference_result"]["Transactions"].insert(
            0, {"Date": "2024-01-01", "Description": "x", "Amount": 1}
        )

    (rows,) = [
        one
        for one in evaluated("tiny_form", insert)["section_results"][0]["attributes"]
        if one["name"] == "Transactions"
    ]
    assert abs(rows["score"] - 5 / 6) < 1e-3


def best_pairing(table: list[list[float]], row: int = 0, column: int = 0) -> float:
    """The same by trying everything."""
    if row == len(table) or column == len(table[0]):
        return 0.0
    return max(
        table[row][column] + best_pairing(table, row + 1, column + 1),
        best_pairing(table, row + 1, column),
        best_pairing(table, row, column + 1),
    )


@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=width, max_size=width), min_size=1, max_size=5
        )
    )
)
def test_rows_are_paired_as_well_as_their_order_allows(table: list[list[float]]) -> None:
    assert aligned(len(table), len(table[0]), lambda one, other: table[one][other]) == best_pairing(table)


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
