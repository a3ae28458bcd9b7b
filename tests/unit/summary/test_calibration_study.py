"""The calibration study: arms by axis values, every row either pooled or excluded with its reason."""

from __future__ import annotations

from typing import Any

from scoring_runs import CARD, assessed, document_of, entry, list_rows, perfect, record_of, section, truth_of

from idpbench.scoring import score_record
from idpbench.summary.calibration_study import REASONS, calibration_study, study_table


def row_of(record: dict[str, Any], truth: dict[str, Any] | None, **resolved: str) -> dict[str, Any]:
    record["resolved"] = {**record["resolved"], **resolved}
    [row] = score_record(record, truth, CARD)
    return row


def all_kinds() -> list[dict[str, Any]]:
    """Two rows to pool, and one for each reason not to."""
    record, truth = perfect(5)
    rows = list_rows(5)
    rows[0]["Amount"] = 0
    unread = document_of(section(list_rows(5)))
    unread["sections"].append(entry(2, None, "failed", "throttled"))
    scalars_only = section(list_rows(5), explainability_info=[{"Account Number": {"confidence": 0.9}}])
    old = row_of(*perfect(5))
    del old["calibration_curve"]
    return [
        row_of(record, truth),
        row_of(record_of(document_of(section(rows, assessed(rows, 0.5))), document="tiny"), truth),
        row_of(record_of(document_of(status="FAILED"), status="FAILED"), truth),
        row_of(record_of(document_of(section(None))), None),
        row_of(record_of(document_of(section(list_rows(5), assessed(list_rows(4))))), truth),
        row_of(record_of(unread), truth),
        row_of(record_of(document_of(section(list_rows(5)))), truth),
        row_of(record_of(document_of(scalars_only)), truth),
        old,
    ]


def test_every_row_is_pooled_or_excluded_under_one_reason() -> None:
    [arm] = calibration_study(all_kinds(), ("assessment",))
    assert arm["arm"] == {"assessment": "separate"}
    assert (arm["runs"], arm["documents"]) == (2, 1)
    assert arm["excluded"] == dict.fromkeys(REASONS, 1) | {"unreadable": 2}
    assert (arm["calibration"]["observations"], arm["calibration"]["correct"]) == (30, 29)


def test_arms_are_the_combinations_of_axis_values() -> None:
    record, truth = perfect(3)
    rows = [row_of(dict(record), truth, confidence_model=model) for model in ("nova_lite", "sonnet5", "nova_lite")]
    study = calibration_study(rows)
    assert [(arm["arm"]["confidence_model"], arm["runs"]) for arm in study] == [("nova_lite", 2), ("sonnet5", 1)]
    assert calibration_study(reversed(rows)) == study


def test_an_arm_without_observations_keeps_its_line() -> None:
    record = record_of(document_of(section(list_rows(3))))
    table = study_table(calibration_study([row_of(record, truth_of(list_rows(3)), assessment="off")]))
    assert "assessment=off" in table and "n/a" in table


def test_the_table_names_what_speaks_against_an_arm() -> None:
    rows = list_rows(40)
    record = record_of(document_of(section(rows, assessed(rows, 0.95))))
    wrong = truth_of([{**row, "Amount": "x", "Date": "y"} for row in rows])
    table = study_table(calibration_study([row_of(record, wrong)]))
    assert "degenerate, overconfident" in table and "120" in table and "80" in table
