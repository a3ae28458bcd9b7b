"""One list of columns: no row key outside it, the published CSV columns at its head, the JSON Schema beside it."""

from __future__ import annotations

from scoring_runs import (
    CARD,
    assessed,
    attribute,
    document_of,
    entry,
    evaluation_of,
    list_rows,
    perfect,
    record_of,
    section,
    truth_of,
)

from idpbench.files.canonical import read_json
from idpbench.files.schema import FOLDER, check, validator
from idpbench.scoring import score_record
from idpbench.scoring.columns import COLUMNS, CSV_COLUMNS, ROW_KEYS

PUBLISHED = [
    "cell",
    "doc",
    "sub_doc",
    "repeat",
    "status",
    "success",
    "page_count",
    "completeness_recall",
    "truncation_prefix",
    "scalar_accuracy",
    "typed_accuracy",
    "cell_accuracy",
    "sections_correct",
    "weighted_accuracy",
    "parse_failures",
    "forced_tool_attempted",
    "forced_tool_honored",
    "forced_tool_honored_rate",
    "validation_valid_rate",
    "validation_errors",
    "coercions",
    "coercion_refusals",
    "mean_confidence",
    "pct_conf_below_0.9",
    "conf_rows_expected",
    "conf_rows_scored",
    "conf_rows_unscored",
    "conf_coverage",
    "calibration_observations",
    "calibration_ece",
    "calibration_ece_mean_conf",
    "calibration_auroc",
    "calibration_auroc_unbinned",
    "calibration_brier",
    "calibration_bin_coverage",
    "calibration_separation",
    "class_accuracy",
    "class_mean_confidence",
    "class_calibration_separation",
    "wall_s",
    "cost",
    "cost_unread",
    "cost_unpriced",
    "sections_unreadable",
    "sections_unread",
    "eval_unread",
]


def every_kind_of_row() -> list[dict[str, object]]:
    record, truth = perfect()
    unread = document_of(section(None))
    unread["sections"].append(entry(2, None, "failed", "throttled"))
    wrong = list_rows(3)
    wrong[0]["Amount"] = None
    broken = document_of(section(None), sections=3)
    labelled = document_of(sub_document="x.pdf", evaluation=evaluation_of([attribute("a", True, 0.9)]))
    runs = [
        (record, truth),
        (record_of(document_of(section(wrong, assessed(wrong, 0.4)))), truth_of(list_rows(3))),
        (record_of(unread), truth),
        (record_of(broken), truth),
        (record_of(document_of(status="FAILED"), status="FAILED", status_reason="SomeError"), truth),
        (record_of(labelled, reference=True, n_docs=2), None),
        (record_of(status="NOT_LAUNCHED"), truth),
        (record_of(reference=True), None),
    ]
    return [row for one, its_truth in runs for row in score_record(one, its_truth, CARD)]


def test_no_row_holds_a_key_that_the_list_of_columns_does_not_have() -> None:
    rows = every_kind_of_row()
    assert set().union(*rows) == ROW_KEYS  # and no column is there that no row ever fills


def test_columns_are_named_once() -> None:
    names = [column.name for column in COLUMNS]
    assert len(names) == len(set(names))


def test_the_csv_begins_with_the_published_columns_in_their_order() -> None:
    assert list(CSV_COLUMNS[: len(PUBLISHED)]) == PUBLISHED


def test_the_schema_of_a_row_knows_exactly_the_columns() -> None:
    schema = read_json(FOLDER / "row.schema.json")
    assert set(schema["properties"]) == ROW_KEYS and schema["additionalProperties"] is False


def test_every_kind_of_row_is_valid() -> None:
    for row in every_kind_of_row():
        assert not list(validator("row").iter_errors(row)), row["status"]


def test_the_records_and_truths_of_these_tests_are_valid_too() -> None:
    record, truth = perfect()
    check(record, "record", "record")
    check(truth, "truth", "truth")
    check(record_of(status="NOT_LAUNCHED"), "record", "record")
