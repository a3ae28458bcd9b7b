"""Two arms held against each other by the gate's paired statistics; here its numbers get the words of a study.

No statistics of its own: effect, interval and relabelling p are those of room `gate`, for the two arms alone.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.gate.options import GateSettings, Options
from idpbench.gate.verdict import make_comparison
from idpbench.report import spelling
from idpbench.report.shelf import Row, Shelved, by_run

PER_CORRECT = "cost_per_correct_field"
RELATIVE = ("cost", "bill", PER_CORRECT)
YES, NO, UNDECIDED = "yes", "no", "not decided at this n"
CHANCE = 0.05  # of relabellings: more than this many that give as much, and nothing is said
CLOSE = 1e-9
EXACT = "exact over"


@dataclass(frozen=True)
class Arm:
    """One arm: a cell of a published side, on the documents that are compared."""

    item: Shelved
    cell: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Contrast:
    """What the second arm does against the first. `effect`, `low`, `high` are differences, of money relative changes.

    `exact`: no run of an arm differed from another on the same document, so that there is no interval. `p` is the share
    of relabellings with at least this effect in its direction, None where the gate has none (money per correct field).
    `reason` says why there is no effect at all, `notes` what an exact effect can have missed.
    """

    metric: str
    base: float | None
    new: float | None
    effect: float | None
    low: float | None
    high: float | None
    exact: bool
    p: float | None
    documents: int
    runs: tuple[int, int]
    failed: tuple[int, int]
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; the effect itself where repeats are exact, None where nothing says how runs vary."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        if self.exact and self.effect is not None:
            return self.effect, self.effect
        return None

    def spelled(self) -> str:
        """`+25.0 % (95 % interval +20.1 % to +30.2 %)`."""
        name = "cost" if self.metric in RELATIVE else self.metric
        if self.effect is None:
            return f"not known ({self.reason})"
        if self.low is not None:
            known = f"95 % interval {spelling.interval(name, self.low, self.high)}"
        else:
            known = "no run differed from its repeats" if self.exact else "no interval at this n"
        return f"{spelling.delta(name, self.effect)} ({known})"


def arm(item: Shelved, cell: str, documents: Collection[str] | None = None) -> Arm:
    """A cell of a side as an arm, on all its documents or on those named (without `.pdf`)."""
    rows = [row for row in item.rows if row["cell"] == cell]
    kept = [row for row in rows if documents is None or str(row["doc"]).removesuffix(".pdf") in documents]
    return Arm(item, cell, kept)


def contrast(base: Arm, new: Arm, metric: str, *, free: bool = False) -> Contrast:
    """`new` against `base` on `metric`, over the documents that both ran.

    A metric of the gate, `failures`, or cost per correct field. Configurations that differ in more than one axis
    (unless `free`), or documents that differ in their bytes, give no effect and the gate's reason.
    """
    if not base.rows or not new.rows:
        return _nothing(_common(metric, base, new), "an arm has no run")
    verdict = make_comparison(
        new.item.summary(new.rows),
        base.item.summary(base.rows),
        GateSettings(),
        Options(rules="paired", arms=(new.cell, base.cell), exploratory=free),
        names=(new.item.address, base.item.address),
    )
    common = _common(metric, base, new)
    if verdict["verdict"] == "incomparable":
        return _nothing(common, "; ".join(map(str, verdict["reasons"])))
    if metric == PER_CORRECT:
        return _per_correct(verdict["headline"], common)
    level, name = ("grid", "bill") if metric == "bill" else ("cell", metric)
    test = next((t for t in verdict["tests"] if t["level"] == level and t["metric"] == name), None)
    if test is None:
        return _nothing(common, f"no document has {spelling_of(metric)} on both arms")
    side = "p_harm" if test["harm"] > 0 else "p_benefit"
    return Contrast(
        **common,
        base=test["base"],
        new=test["new"],
        effect=test["delta"],
        low=test["low"],
        high=test["high"],
        exact=test["low"] is None and min(test["n_base"], test["n_new"]) > test["documents"],
        p=test[side],
        documents=test["documents"],
        notes=tuple(note for note in test["notes"] if note.startswith(EXACT)),
    )


def judge(found: Contrast, asked: str, least: float) -> str:
    """yes, no, `no effect above X`, or not decided; `asked` is the direction (higher, lower) in which yes lies.

    yes: an effect of at least `least` in the direction asked, the interval beyond zero and, where the gate has one, a
    relabelling p of at most 1 in 20. no effect above X: the whole interval within X of zero. no: an effect of X in the
    direction asked is outside the interval. Without repeats, or where no rule holds, it is not decided.
    """
    interval = found.interval
    if interval is None or found.effect is None:
        return UNDECIDED
    sign = 1 if asked == "higher" else -1
    bound = _on_scale(least, found.metric)
    effect, *ends = (sign * _on_scale(value, found.metric) for value in (found.effect, *interval))
    low, high = min(ends), max(ends)
    by_chance = found.p is not None and found.p > CHANCE + CLOSE
    if -bound + CLOSE < low and high < bound - CLOSE:
        return f"no effect above {above(least, found.metric)}"
    if effect >= bound - CLOSE and low > CLOSE and not by_chance:
        return YES
    if high < bound - CLOSE and not (by_chance and high == low):
        return NO
    return UNDECIDED


def above(least: float, metric: str) -> str:
    """A threshold as it is printed: percent of money, points of failures, else the number."""
    if metric in RELATIVE:
        return f"{100 * least:g} %"
    return f"{100 * least:g} points" if metric == "failures" else f"{least:g}"


def spelling_of(metric: str) -> str:
    """`cost_per_correct_field` -> `cost per correct field`."""
    return metric.replace("_", " ")


def _common(metric: str, base: Arm, new: Arm) -> dict[str, Any]:
    """Runs, and those that failed, of both arms."""
    tallies = [by_run(side.rows) for side in (base, new)]
    failed = [sum(not all(row.get("success") for row in run) for run in runs) for runs in tallies]
    return {"metric": metric, "runs": (len(tallies[0]), len(tallies[1])), "failed": (failed[0], failed[1])}


def _on_scale(value: float, metric: str) -> float:
    """Money as the logarithm of its ratio, so that twice as dear and half as dear are equally far."""
    return math.log1p(max(value, -1 + 1e-12)) if metric in RELATIVE else value


def _per_correct(headline: Mapping[str, Any], common: dict[str, Any]) -> Contrast:
    if headline.get("reason") or headline.get("change") is None:
        return _nothing(common, str(headline.get("reason") or "not stated"))
    repeated = min(common["runs"]) > int(headline["keys"])
    return Contrast(
        **common,
        base=headline["base"],
        new=headline["new"],
        effect=headline["change"],
        low=headline["low"],
        high=headline["high"],
        exact=headline["low"] is None and repeated,
        p=None,
        documents=int(headline["keys"]),
    )


def _nothing(common: dict[str, Any], reason: str) -> Contrast:
    return Contrast(
        **common, base=None, new=None, effect=None, low=None, high=None, exact=False, p=None, documents=0, reason=reason
    )
