"""p and q of every test of a layout: rows by unit, cells and grid by their strata, families of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.drawing import Accumulator, DrawCache, add_all, draw_one, extremes
from idpbench.gate.paired.family import Entry, adjust
from idpbench.gate.paired.layout import Layout, Unit
from idpbench.gate.paired.nulls import Drawn, Null, Unknown, listed_null, statistic_of
from idpbench.gate.paired.relabel import DRAWS, MOST_ALONE, MOST_DRAWS, Floats
from idpbench.gate.paired.strata import Stratum
from idpbench.gate.paired.trial import Trial
from idpbench.gate.paired.units import BENEFIT, HARM, SIDES, SingleNull, UnitNull

# A drawn p of fewer hits is coarse: where its verdict hangs on it, it is drawn again, this often per test and level.
FEW_HITS = 10
DRAWS_PER_TEST = 20


# Strata of all tests to draw above which those that cannot matter are left out.
LARGE = 5_000
# About 0.8 MB each: what a certificate keeps of draws, and of the nulls made from them.
KEPT_DRAWS, KEPT_NULLS = 256, 256
# By id of a trial: its smallest possible p by side, and F.
Known = dict[int, tuple[dict[int, float], Callable[[int, Floats], Floats]]]


@dataclass
class Memory:
    """Nulls shared by many labellings of one pool, and the sums of strata that are the same in all of them."""

    units: dict[Any, UnitNull | SingleNull] = field(default_factory=dict)
    nulls: dict[Any, Null] = field(default_factory=dict)
    drawn: dict[Any, Drawn] = field(default_factory=dict)
    fixed: dict[Any, Accumulator] = field(default_factory=dict)
    draws: DrawCache = field(default_factory=lambda: DrawCache(DRAWS, KEPT_DRAWS))

    def find(self, name: Any) -> Null | None:
        return self.nulls.get(name) or self.drawn.get(name)

    def keep(self, name: Any, null: Null) -> None:
        """Keep a null; of drawn ones, which are large, the last few."""
        if not isinstance(null, Drawn):
            self.nulls[name] = null
            return
        self.drawn[name] = null
        if len(self.drawn) > KEPT_NULLS:
            del self.drawn[next(iter(self.drawn))]


def fill_in(layout: Layout, memory: Memory | None = None) -> None:
    """Compute p, q and m of every test, in place."""
    _units(layout.quality, memory)
    _units(layout.cost, memory)
    _strata(layout.cells, layout.grid, memory)


def beyond(trial: Trial, side: int) -> bool:
    """Is the effect at least the threshold on this side?"""
    return side * trial.harm >= trial.threshold - EPSILON


NEVER = dict.fromkeys(SIDES, math.inf)


def _units(units: Sequence[Unit], memory: Memory | None) -> None:
    """Rows: joint tests of the metrics of a document, one family over the units."""
    entries, nulls = [], []
    for unit in units:
        live = [trial for trial in unit.trials if trial.strata[0].live]
        null = _unit_null(unit, live, memory) if live else None
        smallest = dict.fromkeys(SIDES, 1.0)
        if null is not None:
            for index, trial in enumerate(live):
                trial.exact = null.exact
                for side in SIDES:
                    trial.p[side] = null.p(index, trial.effect, side)
                    if beyond(trial, side):
                        smallest[side] = min(smallest[side], trial.p[side])
        joint = {side: null.joint(smallest[side], side) if null else 1.0 for side in SIDES}
        rejectable = {side: smallest[side] < 1 for side in SIDES}
        least, reach = (null.joint_least, null.reach) if null else (NEVER, None)
        entries.append(Entry(unit.trials[0].rate, joint, rejectable, least, reach))
        nulls.append((unit, live, null))
    counted = adjust(entries)
    for entry, (unit, live, null) in zip(entries, nulls, strict=True):
        for trial in unit.trials:
            trial.m = dict(counted)
        if null is not None:
            for index, trial in enumerate(live):
                for side in SIDES:
                    trial.q[side] = _row_q(entry, trial, side, null.least[side][index])


def _row_q(entry: Entry, trial: Trial, side: int, least: float) -> float | None:
    """A row carries its document's q, 1 where it is not beyond its threshold or its own p is above the level.

    A cost is a unit of its own and keeps its q.
    """
    if not entry.possible(side) or least > trial.rate + EPSILON:
        return None
    if not beyond(trial, side) or (trial.metric != "cost" and trial.p[side] > trial.rate + EPSILON):
        return 1.0
    return entry.q[side]


def _unit_null(unit: Unit, live: list[Trial], memory: Memory | None) -> UnitNull | SingleNull:
    columns = [column for trial, column in zip(unit.trials, unit.columns, strict=True) if trial.strata[0].live]
    first = live[0]
    name = (first.key, tuple(trial.metric for trial in live), len(columns[0]), unit.n_new)
    # Which runs were measured is the document's and not the labels', so the name is complete.
    if memory is not None and name in memory.units:
        return memory.units[name]
    null: UnitNull | SingleNull
    if len(live) == 1 and comb(len(columns[0]), unit.n_new) <= MOST_ALONE:
        null = SingleNull(columns[0], unit.n_new, first.sign, first.threshold)
    else:
        signs, thresholds = [trial.sign for trial in live], [trial.threshold for trial in live]
        null = UnitNull(first.key, columns, unit.n_new, signs, thresholds)
    if memory is not None:
        memory.units[name] = null
    return null


def _strata(cells: Sequence[Trial], grid: Sequence[Trial], memory: Memory | None) -> None:
    """Cells and grid: each one family of all its judged tests, whatever their metric."""
    known: Known = {}

    def take(trial: Trial, null: Null) -> None:
        trial.exact = null.exact
        up, down = null.p(statistic_of(trial.strata))
        trial.p = {HARM: up, BENEFIT: down} if trial.sign > 0 else {HARM: down, BENEFIT: up}
        sign = trial.sign
        least = {side: null.least[side * sign] for side in SIDES}
        known[id(trial)] = least, lambda side, points: null.reach(side * sign, points)
        if memory is None and isinstance(null, Drawn):
            null.release()

    drawn = []
    for trial in (*cells, *grid):
        name = _name(trial)
        null = memory.find(name) if memory is not None else None
        if null is None:
            null = listed_null(trial.strata, trial.threshold, trial.metric == "bill")
        if null is None:
            drawn.append(trial)
            continue
        if memory is not None:
            memory.keep(name, null)
        take(trial, null)
    if memory is None:
        if sum(len(trial.strata) for trial in drawn) > LARGE:
            drawn = [trial for trial in drawn if _worth_drawing(trial, take)]
        _draw_once(drawn, cells, take)
    else:
        _draw_remembered(drawn, memory, take)
    for trials in (cells, grid):
        _close([trial for trial in trials if trial.judged], known, memory, take)


def _worth_drawing(trial: Trial, take: Callable[[Trial, Null], None]) -> bool:
    """False, with p unknown, for a test that is shown only or that no relabelling could make a finding."""
    low, high = extremes(trial.strata, trial.metric == "bill")
    if trial.judged and max(high, -low) >= trial.threshold - EPSILON:
        return True
    take(trial, Unknown())
    return False


def _close(judged: list[Trial], known: Known, memory: Memory | None, take: Callable[[Trial, Null], None]) -> None:
    """q and m of a family; what hangs on too few hits is drawn again first."""
    counted, entries = _family(judged, known)
    again = [trial for trial, entry in zip(judged, entries, strict=True) if _coarse(trial, entry, len(judged))]
    for trial in again:
        take(trial, _drawn_again(trial, _more(trial, len(judged)), memory))
    if again:
        counted, entries = _family(judged, known)
    for trial, entry in zip(judged, entries, strict=True):
        trial.q, trial.m = entry.q, dict(counted)


def _family(judged: list[Trial], known: Known) -> tuple[dict[int, int], list[Entry]]:
    entries = []
    for trial in judged:
        flags = {side: beyond(trial, side) for side in SIDES}
        p = {side: trial.p[side] if flags[side] else 1.0 for side in SIDES}
        entries.append(Entry(trial.rate, p, flags, *known[id(trial)]))
    return adjust(entries), entries


def _more(trial: Trial, tests: int) -> int:
    return min(MOST_DRAWS, round(DRAWS_PER_TEST * tests / trial.rate))


def _coarse(trial: Trial, entry: Entry, tests: int) -> bool:
    """Does an open verdict hang on a p of few hits in a family too large for the usual draws?"""
    if trial.exact or _more(trial, tests) <= DRAWS:
        return False
    few = FEW_HITS / (DRAWS + 1)
    for side in SIDES:
        q = entry.q[side]
        if entry.beyond[side] and trial.p[side] < few and q is not None and q > trial.rate + EPSILON:
            return True
    return False


def _name(trial: Trial) -> tuple[Any, ...]:
    return trial.level, trial.cell, trial.metric, tuple((s.key, s.n_base, s.n_new) for s in trial.strata)


def _drawn_again(trial: Trial, count: int, memory: Memory | None) -> Drawn:
    name = (*_name(trial), count)
    if memory is not None and name in memory.drawn:
        return memory.drawn[name]
    null = draw_one(trial.strata, trial.threshold, trial.metric == "bill", count)
    if memory is not None:
        memory.keep(name, null)
    return null


def _draw_once(drawn: Sequence[Trial], cells: Sequence[Trial], take: Callable[[Trial, Null], None]) -> None:
    """One pass over the strata, document by document: each is drawn once, for its cell's tests and through them for
    the grid's. A cell's draws are dropped with its last document."""
    of_grid = {trial.metric: trial for trial in drawn if trial.level == "grid"}
    totals = {metric: Accumulator(DRAWS, metric == "bill") for metric in of_grid}
    open_cells = {id(trial) for trial in drawn}
    by_cell: dict[str, list[Trial]] = {}
    for trial in cells:
        if id(trial) in open_cells or trial.metric in of_grid:
            by_cell.setdefault(trial.cell, []).append(trial)
    cache = DrawCache(DRAWS)
    for trials in by_cell.values():
        sums = [Accumulator(DRAWS, trial.metric == "bill") for trial in trials]
        by_document: dict[str, list[tuple[Accumulator, Stratum]]] = {}
        for trial, total in zip(trials, sums, strict=True):
            for stratum in _live(trial):
                by_document.setdefault(stratum.key, []).append((total, stratum))
        add_all((part for parts in by_document.values() for part in parts), cache)
        for trial, total in zip(trials, sums, strict=True):
            if trial.metric in of_grid:
                totals[trial.metric].merge(total)
            if id(trial) in open_cells:
                take(trial, total.null(trial.strata, trial.threshold))
    for metric, trial in of_grid.items():
        take(trial, totals[metric].null(trial.strata, trial.threshold))


def _draw_remembered(drawn: Sequence[Trial], memory: Memory, take: Callable[[Trial, Null], None]) -> None:
    """Test by test; strata of which every run was measured add the same whatever the labels, so their sum is kept."""
    for trial in drawn:
        live = _live(trial)
        full = [stratum for stratum in live if stratum.full]
        name = (trial.level, trial.cell, trial.metric, tuple(stratum.key for stratum in full))
        if name not in memory.fixed:
            memory.fixed[name] = Accumulator(DRAWS, trial.metric == "bill")
            for stratum in full:
                memory.fixed[name].add(stratum, memory.draws)
        total = memory.fixed[name].copy()
        for stratum in live:
            if not stratum.full:
                total.add(stratum, memory.draws)
        null = total.null(trial.strata, trial.threshold)
        memory.keep(_name(trial), null)
        take(trial, null)


def _live(trial: Trial) -> list[Stratum]:
    return [stratum for stratum in trial.strata if stratum.live]
