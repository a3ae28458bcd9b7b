"""Where the money went: cost by phase, token classes, and what the cache served, repeat by repeat."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from idpbench.report.inputs import Inputs, Side
from idpbench.report.strata import Pairing, is_number, paired

TOKENS = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")


@dataclass(frozen=True)
class Phase:
    """One phase's cost: sums of both sides, None where no run of a side metered it, and the means per run."""

    name: str
    base: float | None
    new: float | None
    per_run: Pairing


def phases(inputs: Inputs) -> list[Phase]:
    """Cost by phase over the rows whose cost is known, dearest of VERSION first."""
    sums = [_phase_sums(side) for side in inputs.sides]
    names = {name for side in sums for name in side}
    base, new = inputs.sides
    found = [
        Phase(name, sums[0].get(name), sums[1].get(name), paired(base, new, f"cost_by_phase/{name}")) for name in names
    ]
    return sorted(found, key=lambda phase: (-(phase.new or 0.0), -(phase.base or 0.0), phase.name))


def priced(side: Side) -> tuple[int, int]:
    """(rows whose cost is known, all rows) of a side."""
    return sum(1 for row in side.rows if is_number(row.get("cost"))), len(side.rows)


def tokens(inputs: Inputs) -> list[tuple[str, int | None, int | None, Pairing]]:
    """Token class, PREV's sum, VERSION's sum (None where no run of a side recorded it), and the means per run."""
    base, new = inputs.sides
    return [
        (name, _token_sum(base.rows, name), _token_sum(new.rows, name), paired(base, new, f"tokens/{name}"))
        for name in TOKENS
    ]


def cache_share(inputs: Inputs) -> list[tuple[int, float | None, float | None]]:
    """Repeat index, share of input-side tokens read from the cache on PREV, and on VERSION.

    Share = cache read / (input + cache read + cache write), over the sums of all rows of that repeat.
    """
    repeats = sorted({int(row["repeat"]) for side in inputs.sides for row in side.rows})
    base, new = inputs.sides
    return [(repeat, _share(base, repeat), _share(new, repeat)) for repeat in repeats]


def price_notes(inputs: Inputs) -> list[str]:
    """What pricing says of its own figures (assumed rates, bands), with how many rows of each side it touches."""
    counts = [Counter(str(note) for row in side.rows for note in row.get("cost_notes") or []) for side in inputs.sides]
    return [
        f"{note} ({counts[0][note]} rows of {inputs.base.version}, {counts[1][note]} of {inputs.new.version})"
        for note in sorted({*counts[0], *counts[1]})
    ]


def _phase_sums(side: Side) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for row in side.rows:
        if is_number(row.get("cost")):
            for phase, cost in (row.get("cost_by_phase") or {}).items():
                found.setdefault(phase, []).append(float(cost))
    return {phase: math.fsum(costs) for phase, costs in found.items()}


def _token_sum(rows: Iterable[dict[str, object]], name: str) -> int | None:
    found = []
    for row in rows:
        counts = row.get("tokens")
        if isinstance(counts, dict) and is_number(counts.get(name)):
            found.append(int(counts[name]))
    return sum(found) if found else None


def _share(side: Side, repeat: int) -> float | None:
    rows = [row for row in side.rows if row["repeat"] == repeat]
    plain, _, read, write = (_token_sum(rows, name) or 0 for name in TOKENS)
    seen = plain + read + write
    return read / seen if seen else None
