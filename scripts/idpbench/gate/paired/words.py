"""The word of every test, its interval, what it could not see, and whether it asks for a second look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.chances import beyond
from idpbench.gate.paired.interval import bill_interval, mean_interval
from idpbench.gate.paired.layout import Layout
from idpbench.gate.paired.power import detectable, repeats_needed
from idpbench.gate.paired.trial import QUALITY_AND_FAILURES, Trial
from idpbench.gate.paired.units import BENEFIT, HARM

FINDINGS = {HARM: "regression", BENEFIT: "improvement"}
ONE_LIVE = "one live document: see its row"
BORROWED = "spread borrowed from the documents with repeats"
TYPICAL_RUN = "the typical run moved, the bill did not"
NOT_GOOD_NEWS = "not good news: the cell may have got worse"
# Apart: the gap between the sides is this many times either side's own range.
APART_RANGES = 4
# Undecided rises that ask for a second look: of a row's cost (and where a side has one run), a cell's, the bill.
ROW_COST, ROW_COST_ONCE, CELL_COST, BILL = math.log(4), math.log(10), math.log(3), math.log(1.5)
ROW_FAILURES, CELL_FAILURES, GRID_FAILURES_P = 0.5, 0.25, 0.05


@dataclass(frozen=True)
class Runs:
    """How many runs of a document ended on each side."""

    base: int
    new: int


def speak(layout: Layout, runs: dict[str, Runs], *, detail: bool = True) -> None:
    """Give every test its word and its notes, in place. `runs` by document key (`cell|document`).

    Without `detail` intervals, repeats and smallest effects are left out: the words `regression` and `improvement`
    and the second looks do not depend on them.
    """
    bills = {trial.cell: trial for trial in layout.cells if trial.metric == "bill"}
    for trial in (*layout.rows, *layout.cells, *layout.grid):
        _word(trial, bills.get(trial.cell) if trial.level == "cell" else None)
        if trial.level == "row":
            trial.apart = _apart(trial, runs[f"{trial.cell}|{trial.doc}"], layout.planned)
        trial.confirm = trial.judged and trial.word == "inconclusive" and trial.harm > 0 and _second_look(trial)
        if detail:
            _detail(trial)
    _not_good_news(layout)


def _word(trial: Trial, bill: Trial | None) -> None:
    if not trial.judged:
        trial.word = "shown"
        return
    for side in (HARM, BENEFIT):
        if beyond(trial, side):
            q, limit = trial.q[side], trial.rate + EPSILON
            found = q is not None and q <= limit and trial.p[side] <= limit
            if found and trial.metric == "cost" and bill and side * bill.harm < trial.threshold / 2 - EPSILON:
                found = False
                trial.notes.append(TYPICAL_RUN)
            trial.word = FINDINGS[side] if found else "inconclusive"
            return
    trial.word = "equal" if trial.steady else "not seen"


def _detail(trial: Trial) -> None:
    strata, grid = trial.strata, trial.level == "grid"
    if not trial.steady:
        trial.interval = bill_interval(strata, grid) if trial.metric == "bill" else mean_interval(strata, grid)
    if not trial.judged:
        if trial.metric not in ("bill", "cost") or not (trial.metric == "bill" or grid):
            trial.notes.append(ONE_LIVE)
        return
    side = HARM if trial.harm > 0 else BENEFIT
    inside = trial.interval and abs(trial.effect) + trial.interval.half <= trial.threshold + EPSILON
    if trial.word == "not seen" and inside:
        trial.word = "equal"
    if trial.steady:
        trial.notes.append(_exact(trial.n_base, trial.n_new))
    elif trial.interval is not None:
        if trial.interval.borrowed:
            trial.notes.append(BORROWED)
        if trial.word in ("equal", "not seen"):
            trial.detectable = detectable(trial.interval, trial.threshold, trial.rate, trial.m[HARM])
    if trial.word == "inconclusive" and trial.metric != "bill":
        needed, why = repeats_needed(strata, trial.effect, trial.threshold, trial.rate, trial.m[side])
        trial.repeats_needed = needed
        if why is not None:
            trial.notes.append(why)


@lru_cache(maxsize=1024)
def _exact(n_base: int, n_new: int) -> str:
    share = 1 - 0.05 ** (1 / n_new)
    return f"exact over {n_base}+{n_new} runs; a state in fewer than {100 * share:.0f} % of new runs can be missed"


def _apart(trial: Trial, runs: Runs, planned: float) -> bool:
    """Is the gap between the sides' nearest values at least the threshold, and four times either side's range?"""
    stratum = trial.strata[0]
    if not stratum.live:
        return False
    for measured, ended in ((stratum.n_base, runs.base), (stratum.n_new, runs.new)):
        if measured == 1 and max(ended, planned) > 1:
            return False  # what is left of several runs
    gap = max(stratum.new[0] - stratum.base[-1], stratum.base[0] - stratum.new[-1])
    own = max(stratum.new[-1] - stratum.new[0], stratum.base[-1] - stratum.base[0])
    return gap >= max(trial.threshold, APART_RANGES * own) - EPSILON


def _second_look(trial: Trial) -> bool:
    """Does this undecided harm alone keep a release from passing?"""
    harm, stratum = trial.harm, trial.strata[0]
    once = trial.level == "row" and min(stratum.n_base, stratum.n_new) == 1
    if trial.metric == "failures":
        if trial.level == "grid":
            return trial.p[HARM] <= GRID_FAILURES_P + EPSILON
        if trial.level == "cell":
            return harm >= CELL_FAILURES - EPSILON
        failed = sum(stratum.new)
        every = failed >= stratum.n_new - EPSILON
        return every or (harm >= ROW_FAILURES - EPSILON and failed >= (1 if once else 2) - EPSILON)
    if trial.metric in ("cost", "bill"):
        if trial.level == "row":
            return bool(trial.apart) and harm >= (ROW_COST_ONCE if once else ROW_COST) - EPSILON
        return harm >= (BILL if trial.level == "grid" else CELL_COST) - EPSILON
    return trial.level == "row" and bool(trial.apart)


def _not_good_news(layout: Layout) -> None:
    """A cheaper cell whose quality got worse, or may have, keeps its word and carries a note."""
    worse = {
        trial.cell
        for trial in _of_cells(layout)
        if trial.metric in QUALITY_AND_FAILURES and trial.harm > 0 and trial.word in ("regression", "inconclusive")
    }
    for trial in _of_cells(layout):
        if trial.metric == "cost" and trial.word == "improvement" and trial.cell in worse:
            trial.notes.append(NOT_GOOD_NEWS)


def _of_cells(layout: Layout) -> Iterable[Trial]:
    return (*layout.rows, *layout.cells)
