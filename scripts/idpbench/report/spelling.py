"""How a page spells numbers: one format per metric, old -> new, intervals, counts with their nouns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from idpbench.files.tables import MISSING, change, count, money, number
from idpbench.report.verdict import LOGARITHMIC

ARROW = "→"


def value(metric: str, amount: float | None) -> str:
    """A metric's value: money for cost, seconds for wall time, percent for failure rates, else three places."""
    if amount is None:
        return MISSING
    if metric in LOGARITHMIC:
        return money(amount)
    if metric == "tokens":
        return f"{amount:,.1f}"
    if metric == "wall_s":
        return f"{amount:.1f} s"
    if metric == "failures":
        return f"{100 * amount:.0f} %"
    return number(amount)


def arrow(old: str, new: str) -> str:
    """`old → new`, or the one text where both print alike."""
    return old if old == new else f"{old} {ARROW} {new}"


def fine(amount: float | None) -> str:
    """Money per field: six places."""
    return MISSING if amount is None else f"${amount:.6f}"


def pair(metric: str, base: float | None, new: float | None) -> str:
    """A metric on both sides."""
    return arrow(value(metric, base), value(metric, new))


def delta(metric: str, amount: float | None) -> str:
    """An effect as the gate states it: a difference; of cost and bill it is relative to the baseline."""
    return _in_unit_of_effect(metric, amount, "+")


def interval(metric: str, low: float | None, high: float | None) -> str:
    """A 95 % interval of an effect, or `no interval`."""
    if low is None or high is None:
        return "no interval"
    return f"{delta(metric, low)} to {delta(metric, high)}"


def probability(amount: float | None) -> str:
    """A p or q: four places, `< 0.0001` below, `n/a` where undefined."""
    if amount is None:
        return MISSING
    return "< 0.0001" if 0 <= amount < 0.00005 else f"{amount:.4f}"


def counted(amount: int, noun: str, plural: str | None = None) -> str:
    """`1 regression`, `3 regressions`."""
    return f"{count(amount)} {noun if amount == 1 else plural or noun + 's'}"


def listed(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def share(amount: float | None) -> str:
    """A share in percent with one place."""
    return MISSING if amount is None else f"{100 * amount:.1f} %"


def difference(base: float | None, new: float | None) -> str:
    """Relative change of two sums."""
    return change(base, new)


def code(words: str) -> str:
    """Words of a document as a code span, so that nothing in them is markup."""
    return f"`{' '.join(words.split()).replace('`', chr(39))}`" if words.strip() else "(empty)"


def text(item: Any) -> str:
    """A value out of JSON on one line: lists joined, mappings as `key value`."""
    if item is None:
        return MISSING
    if isinstance(item, dict):
        return ", ".join(f"{key} {text(item[key])}" for key in sorted(item))
    if isinstance(item, list | tuple):
        return ", ".join(text(part) for part in item)
    return str(item)


def spread(metric: str, amount: float | None) -> str:
    """A spread in the unit of its effect, which has no sign."""
    return _in_unit_of_effect(metric, amount, "")


def whole(amount: int | None) -> str:
    """A count with thousands separators, or `n/a`."""
    return MISSING if amount is None else count(amount)


def _in_unit_of_effect(metric: str, amount: float | None, sign: str) -> str:
    """Percent of cost and bill, points of failures, else the number; `sign` is `+` or nothing."""
    if amount is None:
        return MISSING
    if metric in LOGARITHMIC:
        return f"{100 * amount:{sign}.1f} %"
    if metric == "failures":
        return f"{100 * amount:{sign}.0f} points"
    return f"{amount:{sign}.3f}"
