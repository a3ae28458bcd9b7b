"""The A/A certificate and what settling would take."""

import random

import numpy as np
import pytest

from idpbench.files.canonical import write_json
from idpbench.gate import kept
from idpbench.gate.certificate import _shuffled as shuffled
from idpbench.gate.certificate import certify, judged_values, wilson
from idpbench.gate.grid import read_grid
from idpbench.gate.options import GateSettings, Options
from idpbench.gate.paired.chances import Memory
from idpbench.gate.paired.judge import judge, judge_relabelled
from idpbench.gate.paired.pool import build_pool
from idpbench.gate.pairing import pair_units
from idpbench.gate.settle import plan_settle
from idpbench.gate.verdict import make_comparison


def grid(seed, repeats=3, cells=3, docs=3, noise=0.05, fails=0.0):
    chance = random.Random(seed)
    rows = []
    for cell in range(cells):
        for doc in range(docs):
            for repeat in range(repeats):
                row = {"cell": f"c{cell}", "doc": f"d{doc}", "repeat": repeat, "success": chance.random() >= fails}
                if row["success"]:
                    row |= {"cost": (doc + 1) * chance.lognormvariate(0, noise), "completeness_recall": 1.0}
                rows.append(row)
    return {"rows": rows}


def test_relabelling_an_unchanged_release_seldom_gives_a_regression():
    found = certify(grid(1), grid(2), relabellings=60)
    assert found["relabellings"] == 60
    assert found["regressions"] <= 6 and found["loose"] is None
    assert found["low"] <= found["regression_share"] <= found["high"]


def test_a_grid_that_convicts_by_chance_is_called_loose_and_by_what():
    """A document that lies apart on the two sides, in quality and in cost: one relabelling in ten parts them again."""

    def rows(value, cost):
        row = {"cell": "a", "success": True}
        return {
            "rows": [row | {"doc": "x", "repeat": r, "completeness_recall": value} for r in range(3)]
            + [row | {"doc": "y", "repeat": r, "cost": cost * (1 + r / 1000)} for r in range(3)]
        }

    found = certify(rows(0.5, 2.0), rows(1.0, 1.0), relabellings=200)
    assert found["regression_share"] > 0.05
    assert found["loose"].keys() == {"row quality", "row cost"}
    assert found["regressions"] <= sum(found["loose"].values()) <= 2 * found["regressions"]


def test_the_files_of_a_run_of_a_labelled_set_are_relabelled_together():
    """Two files that rise and fall together, run by run: whatever the labels, no side has one without the other."""
    values = {"new": (0.1, 0.2, 0.3), "base": (0.7, 0.8, 0.9)}
    sides = [
        {
            "rows": [
                {"cell": "a", "doc": "set", "sub_doc": sub, "repeat": r, "success": True, "weighted_accuracy": value}
                for r, value in enumerate(values[side])
                for sub in ("s0", "s1")
            ]
        }
        for side in ("new", "base")
    ]
    pool = build_pool(pair_units(*(read_grid(side, "side") for side in sides)).pairs)
    generator = np.random.Generator(np.random.PCG64(1))
    for _ in range(20):
        layout = judge_relabelled(pool, GateSettings(), frozenset(), shuffled(pool, generator), Memory())
        effects = {t.sub: t.effect for t in layout.rows if t.metric == "weighted_accuracy"}
        assert effects["s0"] == effects["s1"]


def test_the_certificate_is_the_same_every_time_and_whatever_the_order():
    new, base = grid(1, fails=0.2), grid(2, fails=0.2)
    first = certify(new, base, relabellings=20)
    assert certify({"rows": new["rows"][::-1]}, {"rows": base["rows"][::-1]}, relabellings=20) == first


@pytest.mark.parametrize("repeats", [3, 5])
def test_a_relabelling_is_judged_as_a_comparison_of_those_sides_would_be(repeats):
    sides = (read_grid(grid(seed, repeats, noise=0.5, fails=0.1), str(seed)) for seed in (3, 4))
    pool = build_pool(pair_units(*sides).pairs)
    plain = {name(trial): trial for trial in trials(judge(pool, GateSettings()))}
    labels = {document.key: document.labels for document in pool}
    again = trials(judge_relabelled(pool, GateSettings(), frozenset(), labels, Memory()))
    assert any(not trial.exact for trial in again) or repeats == 3
    for trial in again:
        other = plain[name(trial)]
        assert (trial.p, trial.q, trial.m) == (other.p, other.q, other.m)
        assert trial.confirm == other.confirm
        assert (trial.word in FOUND) == (other.word in FOUND)
    assert {name(trial) for trial in plain.values() if trial.word in FOUND} <= {name(trial) for trial in again}


FOUND = ("regression", "improvement", "inconclusive")


def trials(layout):
    return [*layout.rows, *layout.cells, *layout.grid]


def name(trial):
    return trial.level, trial.key, trial.metric


def test_a_change_of_meta_keeps_the_key_and_a_change_of_a_value_does_not():
    new, base = grid(1), grid(2)
    key = judged_values(new, base)
    assert judged_values(new | {"meta": {"note": "x"}}, base) == key
    new["rows"][0]["completeness_recall"] = 0.9
    assert judged_values(new, base) != key


def test_wilson_is_the_published_interval():
    assert wilson(1230, 1230)[0] == pytest.approx(0.9968865863655079, abs=1e-12)
    assert wilson(0, 0) == (None, None)


def lost(repeats, value=0.5, doc="x"):
    row = {"cell": "a", "doc": doc, "success": True, "completeness_recall": value}
    return {"rows": [row | {"repeat": repeat} for repeat in range(repeats)]}


@pytest.mark.parametrize("today", [1, 2])
def test_settling_buys_what_half_the_level_needs_and_that_then_decides(today):
    plan = plan_settle(lost(today), lost(today, 1.0))
    (bought,) = [d for d in plan["documents"] if d["document"] == "x"]
    assert (bought["repeats"], bought["base"], bought["new"]) == (4, today, today)
    options = Options("paired", settled=frozenset({("a", "x")}))
    after = make_comparison(lost(bought["repeats"]), lost(bought["repeats"], 1.0), None, options)
    assert after["verdict"] == "regression"


def test_what_no_repeats_up_to_the_cap_settle_stays_open_and_is_named():
    plan = plan_settle(lost(2), lost(2, 1.0), cap=3)
    assert plan["documents"] == []
    assert plan["open"][0]["test"] == "row a|x completeness_recall" and "cap of 3" in plan["open"][0]["why"]


def test_nothing_is_bought_for_good_news():
    assert plan_settle(lost(2, 1.0), lost(2, 0.5))["documents"] == []


def test_the_same_runs_are_not_asked_twice(tmp_path):
    first = certify(grid(1), grid(2), relabellings=5)
    kept.keep(first, tmp_path)
    again = certify(
        grid(1), grid(2), relabellings=3, kept=lambda values, judge: kept.find(values, judge, 3, cache=tmp_path)
    )
    assert again == first


def test_too_few_relabellings_other_values_and_another_judge_are_no_answer(tmp_path):
    known = certify(grid(1), grid(2), relabellings=5)
    kept.keep(known, tmp_path)
    values, judge = known["values"], known["judge"]
    assert kept.find(values, judge, 5, cache=tmp_path) == known
    assert kept.find(values, judge, 6, cache=tmp_path) is None
    assert kept.find(values, "another", 5, cache=tmp_path) is None
    assert kept.find("another", judge, 5, cache=tmp_path) is None


def test_a_published_certificate_with_more_relabellings_is_taken_over(tmp_path):
    few, many = (certify(grid(1), grid(2), relabellings=count) for count in (2, 4))
    kept.keep(few, tmp_path / "cache")
    write_json(tmp_path / "releases" / "v1" / "certificate.json", many)
    (tmp_path / "releases" / "v2").mkdir()
    (tmp_path / "releases" / "v2" / "certificate.json").write_text("half a fi")
    places = {"cache": tmp_path / "cache", "published": tmp_path / "releases"}
    assert kept.find(many["values"], many["judge"], 2, **places) == many


def test_a_grid_that_was_left_without_is_not_remembered(tmp_path):
    kept.keep(certify(grid(1), grid(2), relabellings=0), tmp_path)
    assert list(tmp_path.iterdir()) == []
