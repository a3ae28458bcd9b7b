"""What must hold whatever the runs are."""

import copy
import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison

LEVELS = ("rows", "cells", "grid")
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
VALUE = st.sampled_from([0.1, 0.5, 0.9, 0.97, 0.98, 1.0])
COST = st.sampled_from([0.05, 0.06, 0.1, 0.3, None])


@st.composite
def side(draw, keys, repeats):
    rows = []
    for cell, doc in keys:
        for repeat in range(draw(repeats)):
            success = draw(st.integers(0, 9)) > 0
            row = {"cell": cell, "doc": doc, "repeat": repeat, "success": success}
            if success:
                row |= {"completeness_recall": draw(VALUE), "scalar_accuracy": draw(VALUE), "cost": draw(COST)}
            rows.append(row)
    return rows


REPEATS = st.integers(1, 4)


@st.composite
def grids(draw, repeats=REPEATS):
    keys = [(cell, doc) for cell in draw(st.sampled_from(["a", "ab"])) for doc in draw(st.sampled_from(["x", "xy"]))]
    return draw(side(keys, repeats)), draw(side(keys, repeats))


def compare(new, base, rules="both", **options):
    return make_comparison({"rows": new}, {"rows": base}, None, Options(rules, **options))


def findings(comparison, word):
    return {(level, f["key"], f["metric"]) for level in LEVELS for f in comparison[level][word]}


@QUICK
@given(grids(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_the_numbers_of_repeats_change_nothing(pair, shuffler):
    new, base = copy.deepcopy(pair)
    before = compare(new, base)
    for rows in (new, base):
        shuffler.shuffle(rows)
        for row in rows:
            row["repeat"] = shuffler.randrange(100)
    assert compare(new, base) == before


@QUICK
@given(grids())
def test_swapping_the_sides_swaps_regressions_and_improvements(pair):
    new, base = pair
    forth, back = compare(new, base), compare(base, new)
    for word, mirrored in (("regressions", "improvements"), ("inconclusive", "inconclusive")):
        assert findings(forth, word) == findings(back, mirrored)
    for one, other in zip(forth["tests"], back["tests"], strict=True):
        assert (one["p_harm"], one["p_benefit"]) == (other["p_benefit"], other["p_harm"])
        assert (one["q_harm"], one["q_benefit"]) == (other["q_benefit"], other["q_harm"])
        assert one["effect"] == -other["effect"]


@QUICK
@given(grids(repeats=st.integers(1, 3)))
def test_doubling_every_run_never_loses_a_finding(pair):
    new, base = pair
    once = compare(new, base, "paired")
    twice = compare(new + new, base + base, "paired")
    assert findings(once, "regressions") <= findings(twice, "regressions")
    assert findings(once, "improvements") <= findings(twice, "improvements")


@QUICK
@given(grids(repeats=st.just(1)))
def test_a_row_at_one_repeat_is_never_a_finding(pair):
    assert compare(*pair, "paired")["rows"]["regressions"] == []


@QUICK
@given(st.lists(st.sampled_from([0.1, 1.0]), min_size=6, max_size=6))
def test_a_cell_that_flips_is_never_a_finding_at_one_repeat(values):
    rows = [
        {"cell": "a", "doc": doc, "repeat": 0, "success": True, "completeness_recall": value}
        for doc, value in zip("xyzxyz", values, strict=True)
    ]
    comparison = compare(rows[:3], rows[3:], "paired")
    assert not findings(comparison, "regressions") and not findings(comparison, "improvements")


@QUICK
@given(st.lists(st.floats(0.01, 5.0), min_size=4, max_size=8), st.integers(0, 99))
def test_a_uniform_rise_of_cost_over_unlike_documents_is_found(costs, seed):
    noise = random.Random(seed)

    def runs(factor):
        return [
            {
                "cell": "a",
                "doc": str(i),
                "repeat": r,
                "success": True,
                "cost": cost * factor * noise.uniform(0.99, 1.01),
            }
            for i, cost in enumerate(costs)
            for r in range(3)
        ]

    comparison = compare(runs(1.17), runs(1.0), "paired")
    assert ("cells", "a", "cost") in findings(comparison, "regressions")
    assert ("grid", "*", "bill") in findings(comparison, "regressions")


@QUICK
@given(grids(), st.integers(1, 3))
def test_a_document_added_elsewhere_changes_no_p(pair, repeats):
    new, base = pair
    still = [
        {"cell": "z", "doc": "z", "repeat": r, "success": True, "completeness_recall": 1.0} for r in range(repeats)
    ]
    before = {(t["level"], t["key"], t["metric"]): t for t in compare(new, base, "paired")["tests"]}
    after = compare(new + still, base + still, "paired")["tests"]
    for test in after:
        old = before.get((test["level"], test["key"], test["metric"]))
        if old and test["level"] != "grid":
            assert (test["p_harm"], test["p_benefit"]) == (old["p_harm"], old["p_benefit"])


@QUICK
@given(grids())
def test_the_verdict_follows_from_its_parts(pair):
    comparison = compare(*pair)
    regressions = findings(comparison, "regressions")
    assert (comparison["verdict"] == "regression") == bool(regressions)
    if comparison["verdict"] == "inconclusive":
        assert any(test["confirm"] for test in comparison["tests"])
    assert comparison["exit_code"] == {"pass": 0, "regression": 1, "inconclusive": 4}.get(comparison["verdict"], 3)


@QUICK
@given(grids())
def test_every_word_follows_from_the_numbers_beside_it(pair):
    """Beyond the threshold or not; decided by p and q or not; equal only where the interval says so."""
    for test in compare(*pair, "paired")["tests"]:
        word, harm, threshold = test["verdict"], test["harm"], test["threshold"]
        if not test["judged"]:
            assert word == "shown"
            continue
        beyond = abs(harm) >= threshold - 1e-9
        side = "harm" if harm > 0 else "benefit"
        p, q, level = test[f"p_{side}"], test[f"q_{side}"], test["level_q"] + 1e-9
        decided = q is not None and q <= level and p <= level
        if word in ("regression", "improvement"):
            assert beyond and decided and (word == "regression") == (harm > 0)
        elif word == "inconclusive":
            assert beyond and (not decided or "the typical run moved, the bill did not" in test["notes"])
        else:
            assert not beyond
            inside = test["half"] is not None and abs(test["effect"]) + test["half"] <= threshold + 1e-9
            exact = test["half"] is None and any(note.startswith("exact over") for note in test["notes"])
            assert (word == "equal") == (inside or exact)
            # a blind test cannot look like a clean bill
            assert test["half"] is None or test["detectable"] >= threshold


@QUICK
@given(grids(), st.sampled_from(["completeness_recall", "scalar_accuracy", "cost"]))
def test_a_failed_run_is_in_no_mean_of_quality_or_cost(pair, metric):
    """Whatever a failed run claims to have measured, the verdict stays."""
    new, base = pair
    claimed = [row if row["success"] else row | {metric: 0.123} for row in new]
    assert compare(claimed, base) == compare(new, base)


@QUICK
@given(grids())
def test_strict_only_turns_a_pass_into_a_second_look(pair):
    plain, strict = compare(*pair), compare(*pair, strict=True)
    if strict["verdict"] != plain["verdict"]:
        assert (plain["verdict"], strict["verdict"]) == ("pass", "inconclusive")
        assert any(test["verdict"] == "inconclusive" and test["harm"] > 0 for test in strict["tests"])
    assert strict["tests"] == plain["tests"]
