"""What a settling buys within its budget, and what it says of the rest."""

from idpbench.gate.purchase import choose, offers, record, settled_repeats, text
from idpbench.matrix.estimate import Range
from idpbench.settings.settled import load_settled, settled_text
from idpbench.stack.settling import Price


def wanted(cell, document, repeats, because):
    return {"cell": cell, "document": document, "repeats": repeats, "base": 1, "new": 1, "because": because}


PLAN = {
    "documents": [
        wanted("dear", "form.pdf", 4, ["row dear|form.pdf cost"]),
        wanted("dear", "list.pdf", 6, ["row dear|list.pdf cost", "cell dear cost"]),
        wanted("cheap", "form.pdf", 4, ["row cheap|form.pdf cost"]),
        wanted("urgent", "form.pdf", 5, ["row urgent|form.pdf failures"]),
    ],
    "open": [{"test": "row wild|form.pdf cost", "why": "more than 40"}],
}
NOTHING = {"inconclusive": []}
COMPARISON = {
    "rows": {"inconclusive": [{"key": "urgent|form.pdf", "confirm": True}, {"key": "cheap|form.pdf"}]},
    "cells": NOTHING,
    "grid": NOTHING,
}


def price(usd, runs):
    return Price(Range(usd / 2, usd, usd * 2), runs)


PRICES = {"dear": price(8.0, 16), "cheap": price(1.0, 6), "urgent": price(2.0, 8)}


def bought_with(budget, prices=PRICES):
    chosen, left = choose(offers(PLAN, COMPARISON), prices, budget)
    return [offer.cell for offer in chosen], [offer.cell for offer, _ in left]


def test_without_a_budget_everything_is_bought_what_stops_the_release_first():
    assert bought_with(None) == (["urgent", "cheap", "dear"], [])


def test_a_cell_that_is_too_dear_is_passed_over_whole():
    assert bought_with(10.0) == (["urgent", "cheap"], ["dear"])
    assert bought_with(11.01) == (["urgent", "cheap", "dear"], [])
    assert bought_with(1.5) == (["cheap"], ["urgent", "dear"])


def test_runs_that_are_there_already_cost_no_budget():
    assert bought_with(0.0, {cell: price(0.0, 0) for cell in PRICES}) == (["urgent", "cheap", "dear"], [])


def test_no_budget_can_be_kept_with_an_unknown_price():
    prices = PRICES | {"urgent": Price(None, 8)}
    assert bought_with(100.0, prices) == (["cheap", "dear"], ["urgent"])
    assert "urgent" in bought_with(None, prices)[0]


def test_what_was_bought_can_be_read_back_by_the_plan(tmp_path):
    chosen, _ = choose(offers(PLAN, COMPARISON), PRICES, None)
    path = tmp_path / "corefast.yaml"
    path.write_text(settled_text(settled_repeats(chosen)))
    assert load_settled(path) == {
        ("dear", "form"): 4,
        ("dear", "list"): 6,
        ("cheap", "form"): 4,
        ("urgent", "form"): 5,
    }


def test_the_bill_says_what_was_bought_and_what_stays_open():
    chosen, left = choose(offers(PLAN, COMPARISON), PRICES, 10.0)
    said = text(record(PLAN, chosen, left, PRICES, 10.0))
    assert said.splitlines() == [
        "Bought to settle: 14 runs, $3.00 expected ($1.50 to $6.00), of a budget of $10.00.",
        "  urgent: form to 5 repeats a side; 8 runs, $2.00 expected ($1.00 to $4.00)",
        "  cheap: form to 4 repeats a side; 6 runs, $1.00 expected ($0.50 to $2.00)",
        "Stays open:",
        "  cell dear cost: $8.00 more would exceed the budget of $10.00",
        "  row dear|form.pdf cost: $8.00 more would exceed the budget of $10.00",
        "  row dear|list.pdf cost: $8.00 more would exceed the budget of $10.00",
        "  row wild|form.pdf cost: more than 40",
    ]


def test_nothing_undecided_is_nothing_bought():
    nothing = {"documents": [], "open": []}
    chosen, left = choose(offers(nothing, COMPARISON), {}, 5.0)
    assert text(record(nothing, chosen, left, {}, 5.0)) == "Nothing was bought to settle.\n"
