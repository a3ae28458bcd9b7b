"""Coverage and comparability come before any number."""

import json
from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.gate.options import Options, gate_settings
from idpbench.gate.verdict import make_comparison

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "gate.json").read_text())
CLASSIC = Options(rules="classic")


def grid(cells="a", docs="xy", repeats=3, **values):
    values = {"completeness_recall": 1.0, "cost": 0.1, **values}
    return [
        {"cell": cell, "doc": doc, "repeat": repeat, "success": True, "status": "COMPLETED", **values}
        for cell in cells
        for doc in docs
        for repeat in range(repeats)
    ]


def compare(new, base, options=CLASSIC, settings=None, meta=(None, None)):
    sides = [{"rows": rows, "meta": one or {}} for rows, one in zip((new, base), meta, strict=True)]
    return make_comparison(*sides, settings, options)


def waiver(**fields):
    shipped = {
        "classic": {"quality": 0.02, "separation": 0.03, "cost": 0.15},
        "paired": {
            "row": {
                "quality": 0.02,
                "separation": 0.03,
                "cost": 1.15,
                "level": 0.02,
                "few_repeats": 4,
                "level_few": 0.05,
            },
            "cell": {"quality": 0.02, "separation": 0.03, "cost": 1.15, "level": 0.02},
            "grid": {"quality": 0.01, "separation": 0.03, "cost": 1.05, "level": 0.01},
        },
    }
    return shipped | {"waivers": [{"reason": "known", "until": "2027-01-31"} | fields]}


def test_a_missing_key_makes_the_verdict_incomplete_and_is_named():
    comparison = compare(grid(docs="x"), grid())
    assert (comparison["verdict"], comparison["exit_code"]) == ("incomplete", 3)
    assert comparison["coverage"]["missing"] == ["a|y"]


@pytest.mark.parametrize(
    ("fields", "date", "verdict"),
    [
        ({"key": "a|y"}, "2027-01-31", "pass"),
        ({"key": "*|y"}, "2026-12-01", "pass"),
        ({"key": "a"}, "2026-12-01", "pass"),
        ({"key": "a|y"}, "2027-02-01", "incomplete"),
        ({"key": "b|y"}, "2026-12-01", "incomplete"),
        ({"key": "a|y"}, None, "incomplete"),
    ],
)
def test_a_waiver_holds_by_name_until_the_last_launch_passes_its_date(fields, date, verdict):
    meta = ({"launched_last": date} if date else None, None)
    assert compare(grid(docs="x"), grid(), settings=waiver(**fields), meta=meta)["verdict"] == verdict


def test_a_waiver_of_a_metric_does_not_waive_the_key():
    settings = waiver(key="a|y", metric="completeness_recall")
    meta = ({"launched_last": "2026-12-01"}, None)
    assert compare(grid(docs="x"), grid(), settings=settings, meta=meta)["verdict"] == "incomplete"
    vanished = grid(docs="x") + grid(docs="y", completeness_recall=None)
    assert compare(vanished, grid(), settings=settings, meta=meta)["verdict"] == "pass"


def test_a_wrong_key_in_the_settings_is_refused_by_name():
    with pytest.raises(Refusal, match=r"waivers.*expires.*until|expires"):
        gate_settings(waiver(key="a", expires="2027-01-31"))


def test_a_metric_measured_on_one_side_only_is_listed():
    comparison = compare(grid(typed_accuracy=1.0), grid(cell_accuracy=1.0))
    assert {v["metric"] for v in comparison["coverage"]["vanished"]} == {"cell_accuracy"}
    assert {v["metric"] for v in comparison["coverage"]["metrics_new_only"]} == {"typed_accuracy"}
    assert {v["metric"] for v in comparison["not_compared"]} == {"cell_accuracy", "typed_accuracy"}
    assert comparison["verdict"] == "incomplete"


@pytest.mark.parametrize("status", ["TIMED_OUT", "NOT_LAUNCHED", "RUNNING", "?"])
def test_a_run_that_never_finished_is_no_failure_but_a_gap(status):
    new = grid()
    new[0] |= {"status": status, "success": False}
    comparison = compare(new, grid())
    assert comparison["verdict"] == "incomplete"
    assert comparison["rows"]["regressions"] == []
    assert comparison["coverage"]["unfinished"][0]["states"] == [status]


def test_a_document_never_launched_pairs_although_the_original_leaves_its_suffix_off():
    base = grid(docs=["x.pdf", "y.pdf"])
    never = {"cell": "a", "doc": "y", "repeat": 0, "success": False, "status": "NOT_LAUNCHED"}
    coverage = compare([*grid(docs=["x.pdf"]), never], base)["coverage"]
    assert coverage["missing"] == [] and coverage["unfinished"][0]["key"] == "a|y.pdf"


def test_an_added_key_is_listed_and_asks_for_a_second_look_where_it_fails():
    assert compare(grid("ab"), grid("a"))["verdict"] == "pass"
    comparison = compare(grid("a") + grid("b", success=False, status="FAILED"), grid("a"))
    assert (comparison["verdict"], comparison["exit_code"]) == ("inconclusive", 4)


def test_a_renamed_cell_is_recognized_by_its_axes():
    axes = {"ocr": "textract"}
    renamed = compare(grid("ac", resolved=axes), grid("ab", resolved=axes))["coverage"]["renamed"]
    assert {"base": "b|x", "new": "c|x", "same": "configuration"} in renamed


def test_document_bytes_that_differ_never_pair_even_when_exploring():
    new, base = grid(document_digest="1"), grid(document_digest="2")
    assert compare(new, base)["verdict"] == "incomparable"
    explored = compare(new, base, Options(rules="classic", exploratory=True))
    assert explored["exploratory"] and {item["key"] for item in explored["not_compared"]} == {"a|x", "a|y"}


def test_a_truth_of_another_size_is_another_document():
    assert compare(grid(rows_truth=100), grid(rows_truth=99))["verdict"] == "incomparable"


@pytest.mark.parametrize(
    ("field", "metrics"), [("pricing_sha256", {"cost"}), ("scorer_sha256", {"completeness_recall"})]
)
def test_other_prices_or_scorer_take_their_metrics_out_and_leave_the_rest_judged(field, metrics):
    new = grid(completeness_recall=0.5, cost=0.2)
    comparison = compare(new, grid(), meta=({field: "1"}, {field: "2"}))
    untouched = {item["metric"] for item in comparison["not_compared"]}
    judged = {f["metric"] for f in comparison["rows"]["regressions"]}
    assert metrics <= untouched and not judged & untouched and judged
    assert comparison["verdict"] == "regression"
    assert compare(grid(), grid(), meta=({field: "1"}, {field: "2"}))["verdict"] == "incomplete"
    assert compare(grid(), grid(), Options("classic", exploratory=True), meta=({field: "1"}, {}))["verdict"] == "pass"


def test_arms_pair_two_cells_that_differ_in_one_axis():
    new = grid("a", resolved={"ocr": "x", "mode": "simple"}, completeness_recall=0.5)
    base = grid("b", resolved={"ocr": "y", "mode": "simple"})
    comparison = compare(new, base, Options("classic", arms=("a", "b")))
    assert [f["key"] for f in comparison["rows"]["regressions"]] == ["a=b|x", "a=b|y"]
    second = grid("b", resolved={"ocr": "y", "mode": "advanced"})
    assert compare(new, second, Options("classic", arms=("a", "b")))["verdict"] == "incomparable"


def test_arms_may_be_the_override_slugs_of_one_suite():
    new, base = grid(resolved={"ocr": "x"}), grid(resolved={"ocr": "y"})
    meta = ({"slug": "ocr-x"}, {"slug": "ocr-y"})
    assert compare(new, base, meta=meta)["verdict"] == "incomparable"
    assert compare(new, base, Options("classic", arms=("ocr-x", "ocr-y")), meta=meta)["verdict"] == "pass"


def test_an_arm_that_is_neither_is_refused_with_the_nearest():
    with pytest.raises(Refusal, match="core-tl"):
        compare(grid(["core-tl"]), grid(["core-tl"]), Options("classic", arms=("core-t", "core-tl")))


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ([], "found list"),
        ({}, "rows"),
        ({"rows": {}}, "rows"),
        ({"schema": "idpbench/comparison/1", "rows": []}, "schema"),
        ({"rows": [3]}, r"rows\[0\]"),
        ({"rows": [{"cell": "a"}]}, r"rows\[0\]\.doc"),
    ],
)
def test_what_is_no_summary_is_refused_by_file_and_key(content, key):
    with pytest.raises(Refusal, match=f"old.json.*{key}") as caught:
        make_comparison({"rows": grid()}, content, None, CLASSIC, names=("new.json", "old.json"))
    assert caught.value.exit_code == 2
