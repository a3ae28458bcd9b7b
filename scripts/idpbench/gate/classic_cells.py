"""Pass 1, cell level: means over a cell's documents against their spread, over the documents that both sides have.

The spread of cost is that over unlike documents, as published; pass 2 is the one that sees a uniform shift.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from math import fsum
from typing import Any

from idpbench.gate.classic import NOT_GOOD_NEWS
from idpbench.gate.findings import EPSILON, Findings, finding, mean, spread
from idpbench.gate.grid import QUALITY, SEPARATIONS, Grid, number
from idpbench.gate.options import GateSettings
from idpbench.gate.pairing import Pair

SHORT = {"scalar_accuracy": "acc", "completeness_recall": "recall", "weighted_accuracy": "wacc"}
ORDER = (*SHORT, *(metric for metric in QUALITY if metric not in SHORT and metric not in SEPARATIONS))
NOISE = "[within noise — inconclusive, add repeats]"
WITHIN = "[within run-to-run spread — inconclusive, add repeats]"
# A baseline without spread is taken to vary by this share of its mean.
ASSUMED_CV = 0.08
CALIBRATION_RUNS, AUROC_RUNS = 30, 100
# Pooled calibrations over sample sizes less alike than this are not held against each other.
LIKE_SAMPLES = 0.8


def judge_cells(
    pairs: Iterable[Pair], new: Grid, base: Grid, settings: GateSettings, skip: Mapping[str, str]
) -> Findings:
    """Findings at cell level; metrics in `skip` are left out."""
    found = Findings()
    cells: dict[str, list[Pair]] = {}
    for pair in pairs:
        cells.setdefault(pair.cell, []).append(pair)
    for cell, members in sorted(cells.items()):
        fell = [_quality(cell, metric, members, settings, found) for metric in ORDER if metric not in skip]
        if "cost" not in skip:
            _cost(cell, members, settings, found, fell=any(fell))
        _new_failures(cell, members, found)
        if "scalar_accuracy" not in skip:
            _calibration(cell, members, new, base, found)
    return found


def _cost(cell: str, pairs: list[Pair], settings: GateSettings, found: Findings, *, fell: bool) -> None:
    both = [p for p in pairs if p.base.values("cost") and p.new.values("cost")]
    if not both:
        return
    old = [v for p in both for v in p.base.values("cost")]
    now = [v for p in both for v in p.new.values("cost")]
    m_old, m_now = mean(old), mean(now)
    s_old, s_now = _sd(old), _sd(now)
    width = math.hypot(s_now or ASSUMED_CV * m_old, s_old or ASSUMED_CV * m_old)
    change = (m_now - m_old) / m_old
    if abs(change) < settings.classic_cost - EPSILON:
        return
    text = f"cost {change:+.0%} ({_short(m_old)}±{s_old:.3f} n{len(old)} -> {_short(m_now)}±{s_now:.3f} n{len(now)})"
    notes: dict[str, Any] = {}
    if abs(m_now - m_old) <= width + EPSILON:
        text, place = f"{text}  {NOISE}", found.inconclusive
    else:
        place = found.regressions if change > 0 else found.improvements
    if change < 0 and fell:
        text, notes = f"{text}  {NOT_GOOD_NEWS}", {"notes": [NOT_GOOD_NEWS.strip("[]")]}
    numbers = {"base": m_old, "new": m_now, "delta": change, "spread": width / m_old}
    place.append(finding(cell, "cost", **numbers, n_base=len(old), n_new=len(now), text=text, **notes))


def _quality(cell: str, metric: str, pairs: list[Pair], settings: GateSettings, found: Findings) -> bool:
    """Judge one metric; True if it fell by the threshold or more, decided or not."""
    sides = [(p.base.values(metric), p.new.values(metric)) for p in pairs]
    sides = [(old, now) for old, now in sides if old and now]
    if not sides:
        return False
    old, now = [v for b, _ in sides for v in b], [v for _, n in sides for v in n]
    delta = mean(now) - mean(old)
    if abs(delta) < settings.classic_quality - EPSILON:
        return False
    # Paired by document means: repeats have no identity across sides.
    deltas = [mean(n) - mean(b) for b, n in sides]
    # One document has no spread of deltas: its run-to-run range stands in, or the cell convicts what its row cannot.
    own = _sd(deltas) if len(deltas) > 1 else max(spread(old), spread(now))
    width = max(own, settings.classic_quality)
    text = (
        f"{SHORT.get(metric, metric)} {delta:+.3f} ({mean(old):.3f}->{mean(now):.3f}); "
        f"paired per-doc deltas n={len(deltas)} spread±{width:.3f}"
    )
    if abs(delta) <= width + EPSILON:
        text, place = f"{text}  {WITHIN}", found.inconclusive
    else:
        place = found.regressions if delta < 0 else found.improvements
    numbers = {"base": mean(old), "new": mean(now), "delta": delta, "spread": width}
    place.append(finding(cell, metric, **numbers, n_base=len(old), n_new=len(now), text=text))
    return delta < 0


def _short(value: float) -> str:
    """Three decimals of a mean that is published with five, as the original prints it."""
    return f"{round(value, 5):.3f}"


def _sd(values: list[float]) -> float:
    """Sample standard deviation; 0 below two values."""
    if len(values) < 2:
        return 0.0
    centre = mean(values)
    return math.sqrt(fsum((value - centre) ** 2 for value in values) / (len(values) - 1))


def _new_failures(cell: str, pairs: list[Pair], found: Findings) -> None:
    n_base, n_new = sum(len(p.base.ended) for p in pairs), sum(len(p.new.ended) for p in pairs)
    b, c = sum(p.base.failures for p in pairs), sum(p.new.failures for p in pairs)
    if b or not c or not n_base:
        return
    rate = c / n_new
    text = f"NEW FAILURES {c}/{n_new}"
    found.regressions.append(
        finding(cell, "failures", base=0.0, new=rate, delta=rate, spread=None, n_base=n_base, n_new=n_new, text=text)
    )


def _calibration(cell: str, pairs: list[Pair], new: Grid, base: Grid, found: Findings) -> None:
    """Pooled calibration, from the sides' own cell statistics, where both cover the same documents."""
    covered = {pair.doc for pair in pairs}
    for side in (new, base):
        if {unit.doc for unit in side.units if unit.cell == cell} != covered:
            return
    stats = [(side.cell_stats.get(cell) or {}).get("calibration") for side in (base, new)]
    old, now = stats
    if not isinstance(old, Mapping) or not isinstance(now, Mapping):
        return
    n_old, n_now = int(number(old.get("observations")) or 0), int(number(now.get("observations")) or 0)
    unlike = min(n_old, n_now) < LIKE_SAMPLES * max(n_old, n_now)
    for name, least, step, crossing, worse_sign in (
        ("ece_mean_conf", CALIBRATION_RUNS, 0.01, ("ece", 0.15), 1),
        ("auroc_unbinned", AUROC_RUNS, 0.05, ("auroc", 0.55), -1),
    ):
        if min(n_old, n_now) < least:
            continue
        for field, limit, by_step in ((name, step, True), (*crossing, False)):
            a, b = number(old.get(field)), number(now.get(field))
            if a is None or b is None:
                continue
            moved = abs(b - a) >= limit - EPSILON if by_step else (a <= limit) != (b <= limit)
            if not moved:
                continue
            what = f"{field} {b - a:+.4f}" if by_step else f"{field} crosses {limit}"
            text = f"{what} ({a:.4f} n{n_old} -> {b:.4f} n{n_now})"
            place = found.regressions if (b - a) * worse_sign > 0 else found.improvements
            if unlike:
                text, place = f"{text}  [over unlike numbers of values — inconclusive]", found.inconclusive
            numbers = {"base": a, "new": b, "delta": b - a, "spread": None}
            place.append(finding(cell, field, **numbers, n_base=n_old, n_new=n_now, text=text))
