"""What a perfect extraction scores, and what each defect changes, and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_runs import CARD, assessed, document_of, list_rows, perfect, record_of, section, truth_of

from idpbench.scoring import score_record

ACCURACIES = ("completeness_recall", "scalar_accuracy", "typed_accuracy", "cell_accuracy", "sections_correct")


def the_row(record: dict[str, Any], truth: dict[str, Any] | None) -> dict[str, Any]:
    [row] = score_record(record, truth, CARD)
    return row


def changed(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    return {key for key in before | after if before.get(key) != after.get(key)}


@pytest.mark.parametrize("count", [1, 2, 5, 120])
def test_the_truth_itself_scores_one_in_every_accuracy(count: int) -> None:
    row = the_row(*perfect(count))
    assert [row[name] for name in ACCURACIES] == [1.0] * 5
    assert row["conf_coverage"] == 1.0
    assert (row["rows_extracted"], row["truncation_prefix"], row["dups"], row["n_gaps"]) == (count, count, 0, 0)
    assert row["cells_compared"] == 3 * count == row["calibration_observations"]
    assert row["correct_fields"] == row["fields_total"] == 2 + 3 * count
    assert row["scalars"] is None


def test_a_row_says_who_was_run_and_what_it_used() -> None:
    row = the_row(*perfect())
    assert (row["cell"], row["doc"], row["sub_doc"], row["repeat"]) == (
        "core-tt-simple-sep",
        "small_narrow.pdf",
        None,
        0,
    )
    assert (row["status"], row["success"], row["page_count"]) == ("COMPLETED", True, 3.0)
    assert (row["wall_s"], row["queue_s"]) == (60.0, 2.5)
    assert row["cost"] == 0.225 and row["cost_by_phase"] == {"OCR": 0.045, "Extraction": 0.18}
    assert row["tokens"]["inputTokens"] == 35000 and row["requests"] == 1
    assert row["tokens_by_phase"]["OCR"]["inputTokens"] == 0
    assert list(row["tokens_by_model"]) == ["us.anthropic.claude-sonnet-4-6"]
    assert (row["key"], row["document_digest"], row["config_digest"]) == ("0" * 40, "d" * 64, "c" * 64)


@given(st.permutations(range(6)), st.permutations(range(6)))
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_changes_nothing(extracted: list[int], declared: list[int]) -> None:
    rows = list_rows(6)
    rows[2]["Amount"] = 1.0  # one wrong cell, so that there is something to change
    scores = [{key: {"confidence": 0.5 + n / 20} for key in row} for n, row in enumerate(rows)]
    truth = truth_of(list_rows(6))
    plain = the_row(record_of(document_of(section(rows, scores))), truth)
    shuffled_truth = truth | {"rows_typed": {f"SEQ{n:05d}": truth["rows_typed"][f"SEQ{n:05d}"] for n in declared}}
    shuffled = document_of(section([rows[n] for n in extracted], [scores[n] for n in extracted]))
    assert the_row(record_of(shuffled), shuffled_truth) == plain


def test_a_lost_row_is_missed_in_completeness_and_in_no_accuracy() -> None:
    rows = list_rows(5)
    del rows[3]
    before = the_row(*perfect(5))
    after = the_row(record_of(document_of(section(rows, assessed(rows)))), truth_of(list_rows(5)))
    assert changed(before, after) == {
        *("rows_extracted", "completeness_recall", "truncation_prefix", "n_gaps"),
        *("cells_compared", "correct_fields", "n_conf_leaves", "conf_rows_expected", "conf_rows_scored"),
        *("calibration_observations", "calibration_curve"),
        "mean_confidence",  # the mean over 13 leaves instead of 16, of which one is 0.9
    }
    assert (after["completeness_recall"], after["truncation_prefix"], after["n_gaps"]) == (0.8, 3, 1)
    assert after["cell_accuracy"] == 1.0


def test_a_wrong_cell_is_missed_in_the_cells_and_nowhere_else() -> None:
    before = the_row(*perfect(5))
    rows = list_rows(5)
    rows[1]["Amount"] = "-44.25"  # the right figure as text
    after = the_row(record_of(document_of(section(rows, assessed(rows)))), truth_of(list_rows(5)))
    touched = changed(before, after)
    assert {key for key in touched if not key.startswith("calibration_")} == {"cell_accuracy", "correct_fields"}
    assert after["cell_accuracy"] == round(14 / 15, 4)


def test_a_row_that_came_twice_is_a_duplicate_and_counts_once() -> None:
    rows = [*list_rows(5), *list_rows(1)]
    rows[5]["Amount"] = 0
    row = the_row(record_of(document_of(section(rows, assessed(rows)))), truth_of(list_rows(5)))
    assert (row["dups"], row["rows_extracted"], row["completeness_recall"]) == (1, 5, 1.0)
    assert row["cell_accuracy"] == 1.0 and row["cells_compared"] == 15


def test_a_tag_the_truth_does_not_know_is_extracted_and_not_recovered() -> None:
    rows = list_rows(6)
    row = the_row(record_of(document_of(section(rows))), truth_of(list_rows(5)))
    assert (row["rows_extracted"], row["completeness_recall"], row["n_gaps"], row["truncation_prefix"]) == (
        6,
        1.0,
        0,
        6,
    )


def test_tags_count_wherever_they_stand() -> None:
    value = section(None, fields={"Notes": {"deep": ["see SEQ00001 and SEQ00002", "SEQ1234"]}})
    row = the_row(record_of(document_of(value)), truth_of(list_rows(3)))
    assert (row["rows_extracted"], row["completeness_recall"]) == (2, 0.6667)
    assert row["cell_accuracy"] is None and row["cells_compared"] is None


def test_an_over_split_document_keeps_its_recall_and_loses_its_section_count() -> None:
    rows = list_rows(6)
    parts = [section(rows[:3], assessed(rows[:3])), section(rows[3:], assessed(rows[3:]))]
    row = the_row(record_of(document_of(*parts)), truth_of(list_rows(6)))
    assert (row["completeness_recall"], row["sections"], row["sections_correct"]) == (1.0, 2, 0.0)


def test_a_scalar_miss_is_kept_as_evidence() -> None:
    value = section(list_rows(1), fields={"account number": " 4471-2093 ", "Statement Period": "**2024"})
    row = the_row(record_of(document_of(value)), truth_of(list_rows(1)))
    assert row["scalar_accuracy"] == 0.5
    assert row["scalars"] == {"Statement Period": {"expected": "2024-01-01 to 2024-03-31", "got": "**2024"}}


def test_a_correctly_typed_number_misses_as_text_and_matches_as_number() -> None:
    truth = truth_of([], fields={"Daily Rate": "$685.50"}, fields_typed={"Daily Rate": 685.5}, list_key=None)
    row = the_row(record_of(document_of(section(None, fields={"Daily Rate": 685.5}))), truth)
    assert (row["scalar_accuracy"], row["typed_accuracy"], row["correct_fields"]) == (0.0, 1.0, 1)


def test_the_first_value_seen_counts_even_if_it_is_null_and_sections_come_as_s3_lists_them() -> None:
    values: list[Any] = [section(None, fields={"Other": n}) for n in range(1, 11)]
    values[1] = section(None, fields={"Account Number": "from section 2"})
    values[9] = section(None, fields={"Account Number": None})
    row = the_row(record_of(document_of(*values)), truth_of([], fields={"Account Number": "from section 2"}))
    assert row["scalar_accuracy"] == 0.0  # section 10 is listed before section 2


def test_a_document_without_rows_has_no_recall() -> None:
    truth = truth_of([], list_key=None, rows_typed=None, expected_sections=None)
    row = the_row(record_of(document_of(section(None))), truth)
    nulls = ("completeness_recall", "truncation_prefix", "cell_accuracy", "cells_compared", "sections_correct")
    assert [row[name] for name in nulls] == [None] * 5
    assert row["rows_truth"] == row["n_gaps"] == 0


def test_records_of_a_multi_instance_section_are_unwrapped() -> None:
    rows = list_rows(4)
    first, second = ({**section(part)["inference_result"]} for part in (rows[:2], rows[2:]))
    value = {
        "inference_result": {"instances": [first, "noise", second]},
        "explainability_info": [
            {
                "instances": [
                    {"Transactions": assessed(rows[:2])},
                    None,
                    {"Transactions": assessed(rows[2:], None)},
                ]
            }
        ],
    }
    row = the_row(record_of(document_of(value)), truth_of(list_rows(4)))
    assert [row[name] for name in ACCURACIES] == [1.0] * 5
    assert (row["conf_rows_expected"], row["conf_rows_scored"], row["conf_coverage"]) == (4, 2, 0.5)
    assert row["calibration_observations"] == 6


def test_scoring_neither_changes_its_input_nor_depends_on_a_clock() -> None:
    record, truth = perfect()
    before = json.dumps([record, truth])
    assert the_row(record, truth) == the_row(copy.deepcopy(record), truth)
    assert json.dumps([record, truth]) == before


def test_content_that_no_metric_foresaw_spoils_one_document_and_says_so() -> None:
    record, truth = perfect()
    record["documents"][0]["tracking"]["row"] = {"ObjectStatus": "COMPLETED"}
    record["documents"][0]["sections"] = "what is this"
    row = the_row(record, truth)
    assert (row["status"], row["success"], row["cost"]) == ("SCORE_ERROR", False, None)
    assert row["error"].startswith("AttributeError")
