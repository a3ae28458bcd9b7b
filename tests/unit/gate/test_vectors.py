"""Pass 2 against the design's worked grids: every number of every listed test, every count, every verdict."""

import json
import math
from pathlib import Path

import pytest

from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "gate.json").read_text())
CASES = {case["id"]: case for case in VECTORS["cases"]}
COVERAGE = {case["id"]: case for case in VECTORS["coverage_cases"]}
RENAMED = {"unit": "key"}
RELATIVE = ("half", "df", "detectable")
DRAWN = ("p_harm", "p_benefit", "q_harm", "q_benefit")


def compare(case, **options):
    return make_comparison({"rows": case["new"]}, {"rows": case["base"]}, None, Options("paired", **options))


def agrees(name, expected, found, exact):
    if not isinstance(expected, float) or found is None:
        return expected == found
    tolerance = 1e-9
    if name in RELATIVE:
        tolerance = 1e-6 * abs(expected)
    elif name in DRAWN and not exact:
        tolerance = 4 * math.sqrt(expected * (1 - expected) / 99_999) + 2e-5
    return abs(expected - found) <= tolerance


@pytest.mark.parametrize("name", CASES)
def test_every_number_of_the_worked_grids(name):
    case = CASES[name]
    comparison = compare(case)
    tests = {(test["level"], test["key"], test["metric"]): test for test in comparison["tests"]}
    wrong = []
    for expected in case["expect"]["tests"]:
        place = (expected["level"], expected["unit"], expected["metric"])
        if expected.get("absent"):
            assert place not in tests
            continue
        found = tests[place]
        for key, value in expected.items():
            if not agrees(key, value, found[RENAMED.get(key, key)], expected["exact"]):
                wrong.append((place, key, value, found[RENAMED.get(key, key)]))
    assert wrong == []


@pytest.mark.parametrize("name", CASES)
def test_every_word_and_verdict_of_the_worked_grids(name):
    case = CASES[name]
    expect = case["expect"]
    comparison = compare(case)
    words = [test["verdict"] for test in comparison["tests"] if test["judged"]]
    assert {word: words.count(word) for word in expect["count"]} == expect["count"]
    assert comparison["planned_repeats"] == expect["repeats"]
    assert comparison["verdict"] == expect["verdict"]
    assert compare(case, strict=True)["verdict"] == expect["verdict_strict"]


@pytest.mark.parametrize("name", COVERAGE)
def test_the_verdict_of_every_coverage_case(name):
    assert compare(COVERAGE[name])["verdict"] == COVERAGE[name]["verdict"]
