"""Every vector of the benchmark's specification: execution, metrics, suites, numbers, dates, CSV."""

import datetime as dt
import json
from pathlib import Path

import pytest
from gold_sheets import book

from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.metrics import (
    METRICS,
    WEIGHTS_PERCENT,
    Scored,
    absent,
    as_number,
    composite,
    macro,
    millionths,
    score,
)
from idpbench.gold.mismatches import mismatches
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.scalars import text_of
from idpbench.gold.tidy import Table, csv_bytes, read_csv, table_digest
from idpbench.gold.trace import as_json, from_json

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "gold.json").read_text(encoding="utf-8"))
MEMBERS = {vector["id"]: vector for vector in VECTORS["metric_vectors"]}


def by_id(name):
    return pytest.mark.parametrize("vector", VECTORS[name], ids=lambda vector: vector["id"])


def table_of(content):
    return Table(tuple(content["columns"]), tuple(map(tuple, content["rows"])))


def side(content):
    return content and Scored(table_of(content), tuple(map(from_json, content["trace"])))


def scored(vector):
    absence = vector["expected"]["status"] if vector["produced"] is None else "failed"
    return score(side(vector["reference"]), side(vector["produced"]), absence)


def member(name):
    return absent("skipped") if name == "skipped" else scored(MEMBERS[name])


def moment(cell):
    (kind, value), *_ = cell.items()
    if kind == "elapsed_microseconds":
        return dt.timedelta(microseconds=value)
    return {"datetime": dt.datetime, "date": dt.date, "time": dt.time}[kind].fromisoformat(value)


@by_id("execution_vectors")
def test_recipes_give_the_table_trace_and_warnings_or_the_issue(vector):
    expected = vector["expected"]
    text = json.dumps(vector["recipe"])
    if "error" in expected:
        with pytest.raises(Unusable) as caught:
            execute(parse_recipe(text), book(vector["sheets"]))
        issues = [{"code": issue.code, "path": issue.path} for issue in caught.value.issues]
        assert issues == [expected["error"]]
        return
    made = execute(parse_recipe(text), book(vector["sheets"]))
    assert list(made.table.columns) == expected["columns"]
    assert [list(row) for row in made.table.rows] == expected["rows"]
    assert [as_json(row) for row in made.trace] == expected["trace"]
    assert list(made.warnings) == expected["warnings"]
    assert table_digest(made.table) == expected["csv_sha256"]


@by_id("metric_vectors")
def test_status_counts_metrics_and_composite_of_a_member(vector):
    expected, found = vector["expected"], scored(vector)
    assert found.status == expected["status"]
    assert (found.counts and vars(found.counts)) == expected["counts"]
    assert {name: as_number(value) for name, value in found.published.items()} == expected["metrics"]
    assert as_number(found.composite) == expected["composite"]
    assert table_digest(side(vector["reference"]).table) == expected["reference_sha256"]


@pytest.mark.parametrize("vector", [v for v in MEMBERS.values() if v["produced"]], ids=lambda vector: vector["id"])
def test_sampled_rows_of_a_member(vector):
    expected = vector["expected"]
    sample = mismatches(side(vector["reference"]), side(vector["produced"]))
    assert sample["mismatch_total"] == expected["mismatch_total"]
    assert [row["row"] for row in sample["rows"]] == expected["mismatch_rows"]
    assert table_digest(side(vector["produced"]).table) == expected["produced_sha256"]


@by_id("suite_vectors")
def test_macro_averages_are_exact_means_rounded_once(vector):
    exact = macro(member(name) for name in vector["members"])
    published = {name: millionths(exact[name]) for name in METRICS}
    found = {name: as_number(value) for name, value in published.items()}
    assert found | {"composite": as_number(composite(published))} == vector["expected"]


def test_the_weights_are_those_of_the_vectors():
    assert VECTORS["weights_percent"] == dict(WEIGHTS_PERCENT)


@pytest.mark.parametrize("vector", VECTORS["number_vectors"], ids=lambda vector: vector["double"])
def test_numbers(vector):
    assert text_of(float(vector["double"])) == vector["text"]


@pytest.mark.parametrize("vector", VECTORS["date_vectors"], ids=lambda vector: vector["text"])
def test_moments(vector):
    assert text_of(moment(vector["cell"])) == vector["text"]


@by_id("csv_vectors")
def test_csv_bytes_and_digest(vector):
    table = table_of(vector)
    data = csv_bytes(table)
    assert data.decode("utf-8") == vector["csv"]
    assert len(data) == vector["bytes"]
    assert table_digest(table) == vector["sha256"]
    assert read_csv(data) == table
