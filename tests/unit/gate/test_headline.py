"""Cost per correctly extracted field, failed runs included."""

import math

import pytest

from idpbench.gate.options import Options
from idpbench.gate.verdict import make_comparison


def rows(*runs, doc="x", cell="a"):
    return [
        {"cell": cell, "doc": doc, "repeat": i, "success": fields > 0, "cost": cost, "correct_fields": fields}
        for i, (cost, fields) in enumerate(runs)
    ]


def headline(new, base):
    return make_comparison({"rows": new}, {"rows": base}, None, Options("paired"))["headline"]


def test_failed_runs_pay_and_extract_nothing():
    found = headline(rows((1.0, 10), (1.0, 10), (1.0, 0)), rows((1.0, 10), (1.0, 10), (1.0, 10)))
    assert found["base"] == pytest.approx(0.1) and found["new"] == pytest.approx(0.15)
    assert found["change"] == pytest.approx(0.5)


def test_a_key_whose_cost_is_unknown_on_one_side_is_left_out_and_counted():
    base = rows((1.0, 10), (1.0, 10)) + rows((5.0, 10), (5.0, 10), doc="y")
    new = rows((1.1, 10), (1.1, 10)) + rows((None, 10), (9.0, 10), doc="y")
    found = headline(new, base)
    assert (found["keys"], found["keys_of"]) == (1, 2)
    assert found["change"] == pytest.approx(0.1)


def test_the_interval_is_that_of_the_delta_method_by_hand():
    found = headline(rows((1.0, 10), (1.2, 10)), rows((1.0, 10), (1.0, 10)))
    # New: c/C - f/F = -1/22 and +1/22, variance 2/22^2; the sum of two runs has twice that; the base does not vary.
    se = math.sqrt(2 * 2 / 22**2)
    half = 4.302652729911275 * se  # t(0.975, 2)
    assert found["df"] == pytest.approx(2)
    assert found["low"] == pytest.approx(math.expm1(math.log(1.1) - half))
    assert found["high"] == pytest.approx(math.expm1(math.log(1.1) + half))


def test_without_repeats_there_is_no_interval_and_without_fields_no_headline():
    assert headline(rows((1.0, 10)), rows((1.0, 10)))["low"] is None
    found = headline([r | {"correct_fields": None} for r in rows((1.0, 10))], rows((1.0, 10)))
    assert found["base"] is None and "known costs" in found["reason"]
