"""Cell statistics: those of the published summaries, and what each row may and may not change in them."""

from __future__ import annotations

import csv
import io
import json
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_runs import CARD, assessed, document_of, list_rows, record_of, section, truth_of
from shared_data import shared

from idpbench.scoring import score_record
from idpbench.summary.stats import cell_stats, cost_per_correct_field, describe
from idpbench.summary.tabular import CELL_COLUMNS, cells_csv, rows_csv

PUBLISHED = ("v0.5.16", "v0.6.0", "v0.6.0-config-core", "v0.6.0-config-cost", "v0.6.0-config-scaling")


def published(name: str) -> dict[str, Any]:
    path = shared(f"data/idp/results/{name}/summary.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("name", PUBLISHED)
def test_recomputed_from_its_rows_a_published_summary_has_the_statistics_it_states(name: str) -> None:
    summary = published(name)
    found = cell_stats(summary["rows"])
    assert found.keys() == summary["cell_stats"].keys()
    for cell, stated in summary["cell_stats"].items():
        assert {key: found[cell][key] for key in stated} == stated


def test_the_short_table_of_cells_is_the_published_one() -> None:
    lines = cells_csv(cell_stats(published("v0.6.0")["rows"])).splitlines()
    assert len(lines) == 11
    assert lines[3] == "core-llm-simple-sep,3,0,0.08657,0.06195,0.7156,0.0176,0.1375,0.60667,1.0,45.66301"


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_description_is_that_of_the_numbers(values: list[float]) -> None:
    found = describe(values)
    assert found["n"] == len(values)
    assert found["mean"] == pytest.approx(statistics.fmean(values), abs=1e-5)
    assert found["min"] <= found["mean"] + 1e-5 and found["mean"] <= found["max"] + 1e-5
    assert found["stdev"] == (0.0 if len(values) == 1 else pytest.approx(statistics.stdev(values), abs=1e-5))


def test_what_is_no_number_is_left_out_and_shows_in_n() -> None:
    assert describe([1, None, True, "2", float("nan"), 3.0]) == {
        "n": 2,
        "mean": 2.0,
        "stdev": 1.41421,
        "cv": 0.7071,
        "min": 1.0,
        "max": 3.0,
    }
    assert describe([None])["mean"] is None
    assert describe([0.0, 0.0])["cv"] is None


def scored(count: int = 4, **changes: Any) -> dict[str, Any]:
    rows = list_rows(count)
    record = record_of(document_of(section(rows, assessed(rows, 0.75))), **changes)
    [row] = score_record(record, truth_of(list_rows(4)), CARD)
    return row


def failed(**changes: Any) -> dict[str, Any]:
    [row] = score_record(record_of(document_of(status="FAILED"), status="FAILED", **changes), truth_of([]), CARD)
    return row


@given(st.permutations([scored(4, repeat=0), scored(3, repeat=1), failed(repeat=2), scored(2, cell="other")]))
def test_the_order_of_rows_does_not_matter(rows: list[dict[str, Any]]) -> None:
    assert cell_stats(rows) == cell_stats(sorted(rows, key=lambda row: (row["cell"], row["repeat"])))


def test_dropping_a_row_touches_its_own_cell_alone() -> None:
    rows = [scored(4), scored(3, repeat=1), scored(2, cell="other")]
    before, after = cell_stats(rows), cell_stats(rows[:1] + rows[2:])
    assert before["other"] == after["other"]
    assert (after["core-tt-simple-sep"]["n_runs"], after["core-tt-simple-sep"]["max_repeat"]) == (1, 1)
    assert after["core-tt-simple-sep"]["completeness_recall"]["mean"] == 1.0


def test_a_failed_run_is_counted_and_stays_out_of_every_mean() -> None:
    with_failure, without = cell_stats([scored(), failed(repeat=1)]), cell_stats([scored()])
    [one], [other] = with_failure.values(), without.values()
    assert (one["n_runs"], one["n_success"], one["n_fail"]) == (2, 1, 1)
    different = {key for key in one if one[key] != other[key]}
    assert different == {"n_runs", "n_fail", "max_repeat", "cost_per_correct_field"}


def test_a_success_whose_cost_or_sections_are_unknown_is_counted_as_such() -> None:
    unread, unpriced, unreadable = scored(), scored(repeat=1), scored(repeat=2)
    unread |= {"cost": None, "cost_unread": "failed: throttled"}
    unpriced |= {"cost": None, "cost_unpriced": "1 unpriceable metering entry"}
    unreadable |= {"sections_unread": "listing failed"}
    [cell] = cell_stats([unread, unpriced, unreadable]).values()
    assert (cell["n_cost_unread"], cell["n_cost_unpriced"], cell["n_sections_unread"]) == (1, 1, 1)
    assert cell["cost"]["n"] == 1


def test_calibration_of_a_cell_is_that_of_all_its_observations() -> None:
    [cell] = cell_stats([scored(4), scored(3, repeat=1), failed(repeat=2)]).values()
    assert cell["calibration"]["observations"] == 21 and cell["calibration"]["correct"] == 21
    [none] = cell_stats([failed()]).values()
    assert none["calibration"] is None


def test_cost_per_correct_field_counts_failed_runs_and_says_over_how_many() -> None:
    lost = failed(repeat=1) | {"cost": None}
    found = cost_per_correct_field([scored(4), failed(repeat=2), lost])
    assert found == {"value": round(0.45 / 14, 8), "cost": 0.45, "correct_fields": 14, "n": 2, "of": 3}
    assert cost_per_correct_field([lost])["value"] is None


def test_a_row_key_without_a_column_is_an_error_and_not_dropped() -> None:
    with pytest.raises(ValueError, match="no column for novelty"):
        rows_csv([scored() | {"novelty": 1}])


def test_the_csv_writes_null_as_nothing_and_text_as_it_is() -> None:
    row = scored() | {"wall_s": None, "status_reason": 'said "no",\nthen died'}
    [line] = csv.DictReader(io.StringIO(rows_csv([row])))
    assert (line["wall_s"], line["success"], line["status_reason"]) == ("", "True", 'said "no",\nthen died')
    assert float(line["cost"]) == 0.225 and "resolved" not in line


def test_the_columns_of_the_cell_table_are_fixed() -> None:
    assert cells_csv({}) == ",".join(CELL_COLUMNS) + "\n"
