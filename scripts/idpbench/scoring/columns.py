"""The one list of what a row may hold. The order is that of summary.csv; a key outside it is a defect a test finds."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """`csv`: also a column of summary.csv (maps and lists stay in summary.json). `measure`: judges the extraction."""

    name: str
    csv: bool = True
    measure: bool = False


def _measures(*names: str, csv: bool = True) -> list[Column]:
    return [Column(name, csv, True) for name in names]


def _facts(*names: str, csv: bool = True) -> list[Column]:
    return [Column(name, csv) for name in names]


COLUMNS: tuple[Column, ...] = (
    *_facts("cell", "doc", "sub_doc", "repeat", "status", "success", "page_count"),
    *_measures("completeness_recall", "truncation_prefix", "scalar_accuracy", "typed_accuracy", "cell_accuracy"),
    *_measures("sections_correct", "weighted_accuracy", "parse_failures"),
    *_measures("forced_tool_attempted", "forced_tool_honored", "forced_tool_honored_rate"),
    *_measures("validation_valid_rate", "validation_errors", "coercions", "coercion_refusals"),
    *_measures("mean_confidence", "pct_conf_below_0.9"),
    *_measures("conf_rows_expected", "conf_rows_scored", "conf_rows_unscored", "conf_coverage"),
    *_measures("calibration_observations", "calibration_ece", "calibration_ece_mean_conf", "calibration_auroc"),
    *_measures("calibration_auroc_unbinned", "calibration_brier", "calibration_bin_coverage"),
    *_measures("calibration_separation", "class_accuracy", "class_mean_confidence", "class_calibration_separation"),
    *_facts("wall_s", "cost", "cost_unread", "cost_unpriced"),
    *_facts("sections_unreadable", "sections_unread", "eval_unread"),
    # Ours, after the columns of the published files.
    *_measures("rows_truth", "rows_extracted", "dups", "n_gaps", "typed_fields", "cells_compared", "sections"),
    *_measures("sections_unparsed", "n_conf_leaves", "n_class_scored_pages", "validation_sections"),
    *_measures("calibration_reliable", "calibration_unread", "correct_fields", "fields_total"),
    *_facts("requests", "queue_s", "failure_phase", "error_class", "status_reason", "coverage_note", "error"),
    *_facts("key", "run_id", "backend", "class", "reference", "scored_by"),
    *_facts("document_digest", "config_name", "config_digest", "launched_at", "completed_at"),
    # Maps and lists: in summary.json only.
    *_facts("resolved", "cost_by_phase", "cost_by_key", "cost_notes", csv=False),
    *_facts("tokens", "tokens_by_phase", "tokens_by_model", "seconds_by_phase", "processing_issues", csv=False),
    *_measures("conf_unscored_by_field", "forced_tool_skips", "calibration_curve", "scalars", csv=False),
)
ROW_KEYS = frozenset(column.name for column in COLUMNS)
CSV_COLUMNS = tuple(column.name for column in COLUMNS if column.csv)
MEASURES = frozenset(column.name for column in COLUMNS if column.measure)
