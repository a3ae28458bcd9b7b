"""Which confidences exist, which rows have one, and what the section says of the features under test."""

from __future__ import annotations

from typing import Any

import pytest
from scoring_runs import CARD, assessed, document_of, leaf, list_rows, record_of, section, truth_of

from idpbench.scoring import score_record


def the_row(value: dict[str, Any] | list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    values = value if isinstance(value, list) else [value]
    [row] = score_record(record_of(document_of(*values), **changes), truth_of(list_rows(4)), CARD)
    return row


def test_the_distribution_counts_every_leaf_wherever_it_stands() -> None:
    info = [{"A": leaf(0.5), "Group": {"B": leaf(1), "C": leaf(None)}, "Transactions": [{"Amount": leaf(0.9)}]}]
    row = the_row(section(list_rows(1), explainability_info=info))
    assert (row["n_conf_leaves"], row["mean_confidence"], row["pct_conf_below_0.9"]) == (3, 0.8, 33.3)


@pytest.mark.parametrize("value", [True, "0.9", None, float("nan"), float("inf")])
def test_only_finite_numbers_are_confidences(value: Any) -> None:
    row = the_row(section(list_rows(1), explainability_info=[{"A": {"confidence": value}}]))
    assert (row["n_conf_leaves"], row["mean_confidence"], row["pct_conf_below_0.9"]) == (0, None, None)


def test_what_a_geometry_holds_is_no_confidence() -> None:
    inner = {"confidence": 0.5, "geometry": [{"confidence": 0.1}], "confidence_threshold": {"confidence": 0.2}}
    row = the_row(section(list_rows(1), explainability_info=[{"A": inner}]))
    assert (row["n_conf_leaves"], row["mean_confidence"]) == (1, 0.5)


def coverage(row: dict[str, Any]) -> tuple[Any, ...]:
    names = ("conf_rows_expected", "conf_rows_scored", "conf_rows_unscored", "conf_coverage", "conf_unscored_by_field")
    return tuple(row[name] for name in names)


def test_a_row_is_covered_only_if_every_leaf_has_a_number() -> None:
    rows = list_rows(4)
    scores: list[Any] = assessed(rows)
    scores[1]["Amount"] = leaf(None)
    scores[2] = {}
    row = the_row(section(rows, scores))
    assert coverage(row) == (4, 2, 2, 0.5, {"Transactions": 2})


def test_rows_beyond_the_assessment_are_uncovered() -> None:
    assert coverage(the_row(section(list_rows(4), assessed(list_rows(3))))) == (4, 3, 1, 0.75, {"Transactions": 1})


def test_coverage_without_any_list_is_undefined() -> None:
    assert coverage(the_row(section(None, assessed([])))) == (0, 0, 0, None, None)


def test_missing_assessment_is_zero_coverage_where_it_is_on() -> None:
    assert coverage(the_row(section(list_rows(4)))) == (4, 0, 4, 0.0, {"Transactions": 4})


def test_missing_assessment_is_not_applicable_where_it_is_off() -> None:
    row = the_row(section(list_rows(4)), resolved={"assessment": "off"})
    assert coverage(row) == (None,) * 5
    assert (row["n_conf_leaves"], row["calibration_observations"]) == (0, 0)


def test_an_assessment_that_came_although_it_is_off_is_measured() -> None:
    row = the_row(section(list_rows(4), assessed(list_rows(4))), resolved={"assessment": "off"})
    assert row["conf_coverage"] == 1.0


def test_a_list_of_one_row_joins_its_assessment() -> None:
    row = the_row(section(list_rows(1), assessed(list_rows(1))))
    assert (row["calibration_observations"], row["conf_coverage"]) == (3, 1.0)


def test_rows_and_assessments_that_cannot_be_joined_cost_the_calibration_alone() -> None:
    row = the_row(section(list_rows(4), assessed(list_rows(3))))
    assert row["calibration_unread"] == "Transactions: 3 assessed rows beside 4 extracted ones"
    assert row["calibration_observations"] is None and row["calibration_curve"] is None
    assert (row["cell_accuracy"], row["completeness_recall"], row["status"]) == (1.0, 1.0, "COMPLETED")


def test_nothing_to_observe_is_a_count_of_zero_and_nulls() -> None:
    row = the_row(section(list_rows(4)))
    assert row["calibration_observations"] == 0
    names = [name for name in row if name.startswith("calibration_") and name != "calibration_observations"]
    assert len(names) > 8 and all(row[name] is None for name in names)


def test_each_tag_is_observed_once_and_the_first_assessed_section_wins() -> None:
    rows = list_rows(4)
    values = [section(rows), section(rows, assessed(rows, 0.75)), section(rows, assessed(rows, 0.25))]
    row = the_row(values)
    assert row["calibration_curve"]["valueTally"] == {"0.75": [12, 12]}


def test_audit_counts_what_engaged_and_nulls_what_no_section_states() -> None:
    blocks = [
        {"forced_tool": {"requested": True, "honored": True}, "coercion": {"coercion_count": 3, "refusal_count": 1}},
        {"forced_tool": {"requested": True, "honored": False}, "validation": {"valid": False, "error_count": 2}},
        {"forced_tool": {"requested": True, "skipped": "model rejects it"}, "validation": {"valid": True}},
        {"forced_tool": {"requested": False}, "parsing_succeeded": False},
    ]
    row = the_row([section(None, metadata=block) for block in blocks])
    assert (row["forced_tool_attempted"], row["forced_tool_honored"], row["forced_tool_honored_rate"]) == (2, 1, 0.5)
    assert row["forced_tool_skips"] == {"model rejects it": 1}
    assert (row["validation_sections"], row["validation_valid_rate"], row["validation_errors"]) == (2, 0.5, 2)
    assert (row["coercions"], row["coercion_refusals"], row["sections_unparsed"]) == (3, 1, 1)
    silent = the_row(section(None, metadata={}))
    names = ("forced_tool_attempted", "forced_tool_honored_rate", "validation_sections", "coercions")
    assert [silent[name] for name in names] == [None] * 4


def test_seconds_by_phase_are_added_where_sections_state_them() -> None:
    values = [section(None, metadata={"extraction_time_seconds": 1.25}), section(None, metadata={"x": 1})]
    assert the_row([*values, values[0]])["seconds_by_phase"] == {"Extraction": 2.5}
