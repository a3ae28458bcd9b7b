"""Pass 1: the published findings on the published grids, and the rules one by one."""

import json

import pytest
from shared_data import SHARED, shared

from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison

RESULTS = SHARED / "data" / "idp" / "results"
FINDINGS = RESULTS / "expected_compare.json"
EXPECTED = json.loads(FINDINGS.read_text())["pairs"] if FINDINGS.exists() else []
CLASSIC = Options(rules="classic", exploratory=True)


def summary(name):
    return json.loads(shared(f"data/idp/results/{name}/summary.json").read_text())


def rows(*values, metric="completeness_recall", cell="a", doc="d.pdf", status="COMPLETED"):
    made = []
    for repeat, value in enumerate(values):
        row = {"cell": cell, "doc": doc, "repeat": repeat, "success": value is not None}
        row |= {"status": status} if value is not None else {"status": "FAILED"}
        made.append(row | {metric: value})
    return made


def classic(new, base, **options):
    return make_comparison({"rows": new}, {"rows": base}, None, Options(rules="classic", **options))


def told(findings):
    return sorted((f["key"], f["text"], f["base"], f["new"]) for f in findings)


@pytest.mark.parametrize("pair", EXPECTED, ids=lambda pair: f"{pair['current']}-{pair['baseline']}")
@pytest.mark.parametrize("word", ["regressions", "improvements", "inconclusive"])
def test_row_findings_are_those_published_for_the_original_grids(pair, word):
    comparison = make_comparison(summary(pair["current"]), summary(pair["baseline"]), None, CLASSIC)
    expected = pair["reconstructed_0.6.10_semantics"]["row_level"][word]
    assert told(comparison["rows"][word]) == sorted(map(tuple, expected))


def test_cell_findings_are_those_published_where_both_sides_cover_the_same_documents():
    pair = json.loads(shared("data/idp/results/expected_compare.json").read_text())["pairs"][0]
    comparison = make_comparison(summary(pair["current"]), summary(pair["baseline"]), None, CLASSIC)
    for word, expected in pair["reconstructed_0.6.10_semantics"]["cell_level"].items():
        if word != "not_compared":
            assert sorted([f["key"], f["text"]] for f in comparison["cells"][word]) == sorted(expected)


def test_means_over_different_documents_are_no_improvement():
    comparison = make_comparison(
        summary("v0.6.0-config-cost"), summary("v0.6.0-config-core"), None, Options(rules="classic")
    )
    assert not [f for f in comparison["cells"]["improvements"] if f["metric"] != "cost"]
    assert comparison["verdict"] == "incomplete"


def test_other_configurations_are_incomparable_and_named():
    comparison = make_comparison(summary("v0.6.0-config-core"), summary("v0.6.0"), None, Options(rules="classic"))
    assert (comparison["verdict"], comparison["exit_code"]) == ("incomparable", 3)
    difference = comparison["differences"][0]
    assert (difference["field"], difference["base"], difference["new"]) == ("extraction_model", "sonnet46", "sonnet5")
    assert comparison["rows"]["regressions"] == []


def test_a_loss_within_the_run_to_run_range_is_in_neither_list():
    comparison = classic(rows(0.4, 1.0, 1.0), rows(1.0, 1.0, 1.0))
    assert comparison["rows"]["regressions"] == []
    assert comparison["rows"]["inconclusive"][0]["text"] == (
        "completeness_recall -0.200 (n=3->3)  [within run-to-run spread 0.600 — INCONCLUSIVE, add repeats]"
    )


def test_a_failure_is_counted_once():
    found = classic(rows(None, None, None), rows(1.0, 1.0, 1.0))["rows"]["regressions"]
    assert [f["text"] for f in found] == ["FAILURE RATE 0/3 -> 3/3 (FAILED x3)"]


def test_a_rate_that_rises_where_both_sides_fail_says_so():
    (found,) = classic(rows(None, None, 1.0), rows(None, 1.0, 1.0))["rows"]["regressions"]
    assert found["text"].endswith("[both sides fail sometimes — confirm before believing]")


def test_a_partial_decrease_of_failures_is_nothing_and_none_left_is_an_improvement():
    assert not classic(rows(None, 1.0, 1.0), rows(None, None, 1.0))["rows"]["improvements"]
    assert classic(rows(1.0, 1.0, 1.0), rows(None, None, 1.0))["rows"]["improvements"][0]["metric"] == "failures"


@pytest.mark.parametrize("metric", ["typed_accuracy", "cell_accuracy", "sections_correct", "conf_coverage"])
def test_metrics_that_the_original_did_not_gate_are_gated(metric):
    (found,) = classic(rows(0.9, metric=metric), rows(1.0, metric=metric))["rows"]["regressions"]
    assert found["metric"] == metric


def test_a_separation_is_only_ever_a_regression_and_from_three_hundredths():
    metric = "calibration_separation"
    assert classic(rows(0.27, metric=metric), rows(0.3, metric=metric))["rows"]["regressions"]
    assert not classic(rows(0.271, metric=metric), rows(0.3, metric=metric))["rows"]["regressions"]
    assert not classic(rows(0.4, metric=metric), rows(0.3, metric=metric))["rows"]["improvements"]


def test_a_cheaper_document_of_a_cell_that_fell_is_not_good_news():
    new = rows(0.5, metric="scalar_accuracy", doc="x.pdf") + rows(0.5, metric="cost", doc="y.pdf")
    base = rows(1.0, metric="scalar_accuracy", doc="x.pdf") + rows(1.0, metric="cost", doc="y.pdf")
    comparison = classic(new, base)
    assert comparison["rows"]["improvements"] == []
    assert "not good news" in comparison["rows"]["cheaper"][0]["text"]


def test_repeats_are_pooled_whatever_their_index():
    base = rows(1.0, 1.0, 1.0)
    new = [row | {"repeat": 7 - row["repeat"]} for row in rows(0.5, 0.5, 0.5)]
    assert classic(new, base)["rows"]["regressions"][0]["n_new"] == 3


def test_undecided_harm_passes_unless_strict():
    new, base = rows(0.4, 1.0, 1.0), rows(1.0, 1.0, 1.0)
    assert classic(new, base)["verdict"] == "pass"
    assert classic(new, base, strict=True)["verdict"] == "inconclusive"
