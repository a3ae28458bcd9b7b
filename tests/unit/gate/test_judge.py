"""Single rules of pass 2 that the worked grids do not single out."""

import pytest

from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison


def runs(*values, metric="completeness_recall", cell="a", doc="x", sub=None, **more):
    made = []
    for repeat, value in enumerate(values):
        row = {"cell": cell, "doc": doc, "repeat": repeat, "success": value is not None, **more}
        made.append(row | ({"sub_doc": sub} if sub else {}) | ({} if value is None else {metric: value}))
    return made


def compare(new, base, settings=None, **options):
    return make_comparison({"rows": new}, {"rows": base}, settings, Options(options.pop("rules", "paired"), **options))


def entry(comparison, level, key, metric):
    (found,) = [t for t in comparison["tests"] if (t["level"], t["key"], t["metric"]) == (level, key, metric)]
    return found


def test_eleven_repeats_a_side_are_drawn_and_still_convict():
    comparison = compare(runs(*[0.5] * 11), runs(*[1.0] * 11))
    row = entry(comparison, "row", "a|x", "completeness_recall")
    assert not row["exact"] and row["p_harm"] == pytest.approx(1e-5, rel=1e-6)
    assert row["verdict"] == "regression"


def test_ten_repeats_of_one_document_are_exact():
    row = entry(compare(runs(*[0.5] * 10), runs(*[1.0] * 10)), "row", "a|x", "completeness_recall")
    assert row["exact"] and row["p_harm"] == pytest.approx(1 / 184_756)


def test_a_settled_document_is_judged_at_half_its_level():
    new, base = runs(0.5, 0.5, 0.5), runs(1.0, 1.0, 1.0)
    assert compare(new, base)["verdict"] == "regression"
    again = compare(new, base, settled=frozenset({("a", "x")}))
    row = entry(again, "row", "a|x", "completeness_recall")
    assert (row["level_q"], row["verdict"], row["repeats_needed"]) == (0.025, "inconclusive", 4)
    assert again["verdict"] == "inconclusive" and again["settled"] == [["a", "x"]]
    four = compare(runs(*[0.5] * 4), runs(*[1.0] * 4), settled=frozenset({("a", "x")}))
    assert four["verdict"] == "regression"


def test_a_run_of_a_set_that_produced_no_document_failed_for_all_its_files():
    base = [row for sub in ("s0", "s1") for row in runs(0.9, 0.9, 0.9, metric="weighted_accuracy", sub=sub)]
    new = [row for sub in ("s0", "s1") for row in runs(0.9, 0.9, metric="weighted_accuracy", sub=sub)]
    new.append({"cell": "a", "doc": "x", "repeat": 2, "success": False, "status": "NO_DOCS"})
    failures = entry(compare(new, base), "row", "a|x", "failures")
    assert (failures["n_new"], failures["effect"]) == (3, pytest.approx(1 / 3))


def test_the_typical_run_moved_and_the_bill_did_not():
    def rows(small):
        cheap = [row for doc in "pqr" for row in runs(*[small * c for c in (1, 1.01, 0.99)], metric="cost", doc=doc)]
        return cheap + runs(100.0, 100.1, 99.9, metric="cost", doc="big")

    cell = entry(compare(rows(0.013), rows(0.01)), "cell", "a", "cost")
    assert cell["verdict"] == "inconclusive" and "the bill did not" in cell["notes"][0]


def test_a_waiver_takes_the_second_look_away_and_says_so():
    new = [row | {"launched_at": "2026-11-01T00:00:00Z"} for row in runs(None)] + runs(1.0, doc="y")
    base = runs(1.0) + runs(1.0, doc="y")
    assert compare(new, base)["verdict"] == "inconclusive"
    levels = {"quality": 0.02, "separation": 0.03, "cost": 1.15, "level": 0.02}
    settings = {
        "classic": {"quality": 0.02, "separation": 0.03, "cost": 0.15},
        "paired": {"row": levels | {"few_repeats": 4, "level_few": 0.05}, "cell": levels, "grid": levels},
        "waivers": [{"key": "*", "metric": "failures", "reason": "known", "until": "2026-12-31"}],
    }
    settings["waivers"] += [{"key": "a|x", "metric": "failures", "reason": "known", "until": "2026-12-31"}]
    waived = compare(new, base, settings)
    assert waived["verdict"] == "pass"
    assert {item["key"] for item in waived["coverage"]["waived"]} >= {"a|x"}


def test_the_classic_findings_stand_beside_and_do_not_decide():
    comparison = compare(runs(0.9), runs(1.0), rules="both")
    assert comparison["classic"]["rows"]["regressions"] and comparison["rows"]["regressions"] == []
    assert comparison["verdict"] == "inconclusive"
    assert compare(runs(0.9), runs(1.0), rules="classic")["verdict"] == "regression"


def test_one_family_of_many_cells_draws_again_only_where_the_verdict_hangs_on_it():
    def rows(factor):
        noise = [1.0, 1.02, 0.98, 1.01]
        made = []
        for cell in range(30):
            for doc in range(5):
                scale = factor if cell == 0 else 1.0
                costs = [0.1 * (doc + 1) * scale * n for n in noise]
                made += runs(*costs, metric="cost", cell=f"c{cell:02d}", doc=f"d{doc}")
        return made

    cell = entry(compare(rows(1.3), rows(1.0)), "cell", "c00", "cost")
    assert cell["verdict"] == "regression" and not cell["exact"]


def test_what_cannot_be_a_finding_may_stay_undrawn_in_a_large_grid_and_changes_no_word(monkeypatch):
    def rows(factor):
        made = []
        for cell in "ab":
            for doc in range(6):
                scale = (factor if cell == "a" else 1.0) * (doc + 1)
                costs = [scale * n for n in (1.0, 1.02, 0.98)]
                made += runs(*costs, metric="cost", cell=cell, doc=f"d{doc}")
        return made

    whole = compare(rows(1.4), rows(1.0))
    monkeypatch.setattr("idpbench.gate.paired.chances.LARGE", 0)
    large = compare(rows(1.4), rows(1.0))
    for one, other in zip(whole["tests"], large["tests"], strict=True):
        assert (one["verdict"], one["q_harm"], one["m_harm"]) == (other["verdict"], other["q_harm"], other["m_harm"])
        assert other["p_harm"] in (one["p_harm"], None)
    assert entry(large, "cell", "b", "cost")["p_harm"] is None
    assert entry(large, "cell", "a", "cost")["verdict"] == "regression"
