"""The headline: cost per correctly extracted field or cell, failed runs included, old against new."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from operator import attrgetter
from typing import Any

from idpbench.gate.findings import EPSILON
from idpbench.gate.grid import number
from idpbench.gate.pairing import Pair

Run = tuple[float, float]  # cost, correct fields


SIDES = (attrgetter("base"), attrgetter("new"))


@dataclass(frozen=True)
class Key:
    """A document of a cell whose runs' costs and correct fields are all known on both sides."""

    base: list[Run]
    new: list[Run]


def cost_per_correct(pairs: Iterable[Pair], skip: Iterable[str] = ()) -> dict[str, Any]:
    """`change` = new / base - 1 of (cost of all runs) / (correct fields of all runs), with a 95 % interval.

    Over the keys whose costs and correct fields are known for every ended run of both sides (`keys` of `keys_of`).
    All numbers are null, with a `reason`, where there is no such key or nothing was correct.
    """
    grouped: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        grouped.setdefault((pair.cell, pair.doc), []).append(pair)
    keys = [key for members in grouped.values() if (key := _key(members)) is not None]
    empty: dict[str, Any] = dict.fromkeys(("base", "new", "change", "low", "high", "df"))
    result = {**empty, "keys": len(keys), "keys_of": len(grouped), "reason": None}
    touched = sorted({"cost", "scalar_accuracy"} & set(skip))
    if touched:
        return {**result, "reason": f"not comparable: {', '.join(touched)}"}
    if not keys:
        return {**result, "reason": "no key has known costs and correct fields on both sides"}
    sums = [(fsum(c for k in keys for c, _ in side(k)), fsum(f for k in keys for _, f in side(k))) for side in SIDES]
    if any(cost <= 0 or fields <= 0 for cost, fields in sums):
        return {**result, "reason": "a side has no cost, or not one correct field"}
    base, new = (cost / fields for cost, fields in sums)
    effect = math.log(new / base)
    low, high, df = _interval(keys, sums, effect)
    return {**result, "base": base, "new": new, "change": math.expm1(effect), "low": low, "high": high, "df": df}


def _key(pairs: Sequence[Pair]) -> Key | None:
    base, new = _runs(pairs, new=False), _runs(pairs, new=True)
    return Key(base, new) if base and new else None


def _runs(pairs: Sequence[Pair], *, new: bool) -> list[Run] | None:
    """Cost and correct fields by run (of a labelled set, summed over its files); None where one is not known."""
    found: dict[tuple[Any, ...], list[Run]] = {}
    for pair in pairs:
        seen: dict[tuple[Any, ...], int] = {}
        for row in (pair.new if new else pair.base).ended:
            cost, fields = number(row.get("cost")), number(row.get("correct_fields"))
            if cost is None or fields is None:
                return None
            name = (str(row.get("repeat")), str(row.get("run_id") or row.get("key") or ""))
            seen[name] = seen.get(name, 0) + 1
            found.setdefault((*name, seen[name]), []).append((cost, fields))
    return [(fsum(c for c, _ in rows), fsum(f for _, f in rows)) for _, rows in sorted(found.items())]


def _interval(
    keys: Sequence[Key], sums: Sequence[tuple[float, float]], effect: float
) -> tuple[float | None, float | None, float | None]:
    """Delta method: a run moves log(cost / fields) of its side by c/C - f/F; t with Satterthwaite's df."""
    if any(len(side(key)) < 2 for key in keys for side in SIDES):
        return None, None, None
    terms: list[tuple[float, int]] = []
    for key in keys:
        term, df = 0.0, 0
        for side, (cost, fields) in zip(SIDES, sums, strict=True):
            runs = side(key)
            moves = [c / cost - f / fields for c, f in runs]
            centre = fsum(moves) / len(moves)
            term += len(runs) * fsum((move - centre) ** 2 for move in moves) / (len(moves) - 1)
            df += len(runs) - 1
        terms.append((term, df))
    total, weight = fsum(t for t, _ in terms), fsum(t**2 / df for t, df in terms)
    if math.sqrt(total) <= EPSILON:
        return None, None, None
    from idpbench.gate.paired.student import quantile

    freedom = total**2 / weight
    half = quantile(0.975, freedom) * math.sqrt(total)
    return math.expm1(effect - half), math.expm1(effect + half), freedom
