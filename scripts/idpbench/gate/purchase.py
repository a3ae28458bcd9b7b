"""What a settling buys: whole cells, those that keep the release from passing first, as far as the budget goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.stack.settling import Price

SCHEMA = "idpbench/purchase/1"
LEVELS = ("rows", "cells", "grid")


@dataclass(frozen=True)
class Offer:
    """Repeats a side, by document, that a cell's undecided tests need; `urgent`: one of them asks for a second look."""

    cell: str
    repeats: Mapping[str, int]
    because: tuple[str, ...]
    urgent: bool


def offers(plan: Mapping[str, Any], comparison: Mapping[str, Any]) -> list[Offer]:
    """What settle.json asks for, cell by cell; documents by their id."""
    asking = {
        found["key"].split("|")[0]
        for level in LEVELS
        for found in comparison[level]["inconclusive"]
        if found.get("confirm")
    }
    wanted: dict[str, list[Mapping[str, Any]]] = {}
    for entry in plan["documents"]:
        wanted.setdefault(entry["cell"], []).append(entry)
    return [
        Offer(
            cell,
            {str(entry["document"]).removesuffix(".pdf"): int(entry["repeats"]) for entry in entries},
            tuple(sorted({test for entry in entries for test in entry["because"]})),
            cell in asking,
        )
        for cell, entries in sorted(wanted.items())
    ]


def choose(
    offered: Iterable[Offer], prices: Mapping[str, Price], budget: float | None
) -> tuple[list[Offer], list[tuple[Offer, str]]]:
    """(bought, left open and why). Urgent cells first, then the cheaper; one that is too dear is passed over.

    The budget is held against expected costs, like that of every command.
    """
    bought: list[Offer] = []
    left: list[tuple[Offer, str]] = []
    spent = 0.0
    for offer in sorted(offered, key=lambda one: (not one.urgent, prices[one.cell].usd or 0.0, one.cell)):
        usd = prices[offer.cell].usd
        if usd is None and budget is not None:
            left.append((offer, "no projected cost, so that no budget can be kept"))
        elif budget is not None and spent + (usd or 0.0) > budget * (1 - 1e-9):  # sums differ in the last digit
            left.append((offer, f"${usd:.2f} more would exceed the budget of ${budget:.2f}"))
        else:
            bought.append(offer)
            spent += usd or 0.0
    return bought, left


def settled_repeats(bought: Iterable[Offer]) -> dict[tuple[str, str], int]:
    """(cell, document) -> repeats a side, as config/settled has them."""
    return {(offer.cell, document): count for offer in bought for document, count in offer.repeats.items()}


def record(
    plan: Mapping[str, Any],
    bought: Sequence[Offer],
    left: Sequence[tuple[Offer, str]],
    prices: Mapping[str, Price],
    budget: float | None,
) -> dict[str, Any]:
    """What was bought at which price, and what stays open and why: kept beside the comparison."""
    still_open = [{"test": test, "why": why} for offer, why in left for test in offer.because]
    return {
        "schema": SCHEMA,
        "budget_usd": budget,
        "bought": [
            {
                "cell": offer.cell,
                "documents": dict(sorted(offer.repeats.items())),
                "because": list(offer.because),
                "runs": prices[offer.cell].runs,
                "usd": cost.to_json() if (cost := prices[offer.cell].cost) else None,
            }
            for offer in bought
        ],
        "open": [*still_open, *plan["open"]],
    }


def text(content: Mapping[str, Any]) -> str:
    """The purchase in lines for a terminal."""
    lines = []
    for entry in content["bought"]:
        wanted = ", ".join(f"{name} to {count} repeats a side" for name, count in entry["documents"].items())
        lines.append(f"  {entry['cell']}: {wanted}; {entry['runs']} runs, {_range([entry])}")
    runs = sum(entry["runs"] for entry in content["bought"])
    head = f"Bought to settle: {runs} runs, {_range(content['bought'])}" if lines else "Nothing was bought to settle."
    budget = content["budget_usd"]
    if lines:
        head += f", of a budget of {_usd(budget)}." if budget is not None else "; no budget was given."
    still_open = [f"  {entry['test']}: {entry['why']}" for entry in content["open"]]
    return "\n".join([head, *lines, *(["Stays open:", *still_open] if still_open else [])]) + "\n"


def _range(bought: Sequence[Mapping[str, Any]]) -> str:
    """What entries are projected to cost together."""
    ranges = [entry["usd"] for entry in bought]
    if None in ranges:
        return "price unknown"
    low, expected, high = (sum(one[which] for one in ranges) for which in ("low", "expected", "high"))
    return f"{_usd(expected)} expected ({_usd(low)} to {_usd(high)})"


def _usd(value: float) -> str:
    return f"${value:.2f}"
