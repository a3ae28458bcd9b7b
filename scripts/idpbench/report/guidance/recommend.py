"""Recommendations: a situation, the configuration that the numbers choose for it, the evidence; or why there is none.

Each rule looks at published numbers only. A rule whose evidence is absent, or older than the page's release, gives no
configuration: the line is withdrawn, with the reason, and comes back by itself once the suite has run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from statistics import fmean

from idpbench.files.tables import money
from idpbench.report import spelling
from idpbench.report.contrast import YES, arm, contrast, judge
from idpbench.report.guidance import grid, hazards, scaling, variance
from idpbench.report.shelf import Evidence, Shelved, evidence_of, pick
from idpbench.report.strata import is_number

BOUNDARY = "boundary"
LEAST_REPEATS = 3
LEAST_WRONG = 10  # wrong values that must have been seen before a confidence can be said to tell them apart


@dataclass(frozen=True)
class Recommendation:
    """One line. `configuration` is None where it is withdrawn, and `why` is then the reason; else it is the number."""

    situation: str
    configuration: str | None
    why: str
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Desk:
    """What the rules look at: all published sides and the release that the page is about."""

    sides: Sequence[Shelved]
    release: str

    def current(self, *suites: str) -> tuple[Shelved | None, str]:
        """The side of these suites on the page's release, or the reason why there is none."""
        found = pick(self.sides, suites, self.release)
        if found is not None and not found.side.partial:
            return found, ""
        if found is not None:
            return None, f"suite {found.suite} is PARTIAL on {self.release}"
        older = pick(self.sides, suites)
        named = spelling.listed(suites) if len(suites) < 3 else f"{suites[0]} (or a smaller grid)"
        if older is None:
            return None, f"suite {named} has not been run"
        return None, f"the newest evidence is of {older.version}, older than {self.release}"


def recommendations(desk: Desk) -> list[Recommendation]:
    """Every rule's line, in the order in which a user meets the questions."""
    return [line for rule in RULES for line in rule(desk)]


def _cheapest(desk: Desk) -> list[Recommendation]:
    item, why = desk.current(*grid.SUITES)
    situation = f"{_size(item)}, cost decides"
    if item is None:
        return [Recommendation(situation, None, why)]
    lines = grid.good_enough(grid.cell_lines(item))
    if not lines:
        return [Recommendation(situation, None, "no cell has a known cost and no failed run")]
    first = lines[0]
    alike = [line.cell for line in lines[1:] if not _dearer(item, first.cell, item, line.cell)]
    reason = (
        f"{spelling.value('cost', first.cost)} a document at {spelling.share(first.correct)} correct; the cheapest of "
        f"{spelling.counted(len(lines), 'cell')} within {grid.NEAR} of the best, {len(alike)} of them not told apart "
        "by cost"
    )
    return [Recommendation(situation, f"`{first.cell}`", reason, evidence_of(item))]


def _best(desk: Desk) -> list[Recommendation]:
    item, why = desk.current(*grid.SUITES)
    situation = f"{_size(item)}, correctness decides"
    if item is None:
        return [Recommendation(situation, None, why)]
    known = [line for line in grid.frontier(grid.cell_lines(item)) if not line.failed]
    if not known:
        return [Recommendation(situation, None, "no cell has a known cost and no failed run")]
    last = known[-1]
    reason = (
        f"{spelling.share(last.correct)} correct at {spelling.value('cost', last.cost)} a document; "
        "no cell has more, and none with as much is cheaper"
    )
    return [Recommendation(situation, f"`{last.cell}`", reason, evidence_of(item))]


def _size(item: Shelved | None) -> str:
    """The documents that a grid speaks of."""
    found = [int(row["rows_truth"]) for row in item.rows if is_number(row.get("rows_truth"))] if item else []
    return f"A document of up to {max(found):,} rows" if any(found) else "A document"


def _long_lists(desk: Desk) -> list[Recommendation]:
    situation = "A long list"
    item, why = desk.current(*scaling.SUITES)
    if item is None:
        return [Recommendation(situation, None, why)]
    found = scaling.sizes(item)
    edges = [scaling.cliff(found, mode) for mode in scaling.modes(found)]
    whole = [edge for edge in edges if edge.last_whole is not None]
    behind = evidence_of(item)
    if not whole:
        return [Recommendation(situation, None, "no mode returned the smallest list whole")]
    lines = []
    start = 0
    for edge in sorted(whole, key=lambda one: one.last_whole or 0):
        # Below a mode's end every mode that reaches as far is a candidate; beyond it only those that reach farther.
        reach = edge.last_whole or 0
        if reach == start:
            continue
        able = [one.mode for one in whole if (one.last_whole or 0) >= reach]
        chosen, reason = _cheaper(item, found, able, start, reach)
        where = (
            f"A list of up to {reach:,} rows"
            if not start
            else f"A list of more than {start:,} and up to {reach:,} rows"
        )
        lines.append(Recommendation(where, f"extraction_mode = {chosen}", reason, behind))
        start = reach
    largest = max(size.rows for size in found)
    if start < largest:
        lines.append(
            Recommendation(
                f"A list of more than {start:,} rows", None, f"no mode returned one whole, up to {largest:,} rows"
            )
        )
    return lines


def _cheaper(
    item: Shelved, found: Sequence[scaling.Size], able: Sequence[str], start: int, reach: int
) -> tuple[str, str]:
    """The mode to take for sizes that all of `able` returned whole, and the reason."""
    if len(able) == 1:
        return able[0], "the only mode that returned every row"
    own = [size for size in found if size.mode in able and start < size.rows <= reach]
    costs = {mode: [size.cost for size in own if size.mode == mode] for mode in able}
    if any(cost is None for each in costs.values() for cost in each):
        return " or ".join(able), "every row returned; not every cost is known"
    totals = {mode: sum(cost or 0 for cost in each) for mode, each in costs.items()}
    order = sorted(totals, key=lambda mode: (totals[mode], mode))
    prices = ", ".join(f"{mode} {money(totals[mode])}" for mode in order)
    cells = {scaling.mode_of(row): str(row["cell"]) for row in item.rows}
    documents = {size.document for size in own}
    if not _dearer(item, cells[order[0]], item, cells[order[1]], documents):
        return " or ".join(able), f"every row returned; cost of these sizes together not told apart: {prices}"
    return order[0], f"every row returned; cost of these sizes together: {prices}"


def _dearer(left: Shelved, cheap: str, right: Shelved, dear: str, documents: Collection[str] | None = None) -> bool:
    """Does the gate's interval say that the second cell costs more than the first?"""
    found = contrast(arm(left, cheap, documents), arm(right, dear, documents), "bill", free=True)
    return found.interval is not None and found.interval[0] > 0


def _confidence(desk: Desk) -> list[Recommendation]:
    situation = "Confidence is needed"
    item, why = desk.current(hazards.INTEGRATED)
    if item is None:
        return [Recommendation(situation, None, why)]
    inside = hazards.integrated_cells(item)
    found = hazards.losses(item)
    own = [loss for loss in found if loss.cell in inside]
    apart = [loss for loss in found if loss.cell not in inside]
    if not own or not apart or min(loss.completed for loss in (*own, *apart)) < LEAST_REPEATS:
        return [Recommendation(situation, None, f"fewer than {LEAST_REPEATS} completed runs on an arm of {item.suite}")]
    lost = sum(loss.silent for loss in own)
    behind = evidence_of(item)
    total = sum(loss.completed for loss in own)
    if lost:
        reason = f"integrated lost rows in {lost} of {total} COMPLETED runs, down to a recall of {_least(own)}"
        return [Recommendation(situation, "assessment = separate", reason, behind)]
    if any(loss.silent for loss in apart):
        return [Recommendation(situation, "assessment = integrated", "separate lost rows, integrated did not", behind)]
    arms = {"integrated": own[0].cell, "separate": apart[0].cell}
    costs = {"integrated": fmean(loss.cost or 0 for loss in own), "separate": fmean(loss.cost or 0 for loss in apart)}
    cheap, dear = sorted(costs, key=lambda name: (costs[name], name))
    prices = f"{cheap} {money(costs[cheap])}, {dear} {money(costs[dear])} a document"
    if not _dearer(item, arms[cheap], item, arms[dear]):
        reason = f"no row lost in {total} integrated runs; cost not told apart: {prices}"
        return [Recommendation(situation, f"assessment = {cheap} or {dear}", reason, behind)]
    return [
        Recommendation(situation, f"assessment = {cheap}", f"no row lost in {total} integrated runs; {prices}", behind)
    ]


def _least(own: Sequence[hazards.Loss]) -> str:
    return spelling.value("completeness_recall", min(loss.least for loss in own if loss.least is not None))


def _review(desk: Desk) -> list[Recommendation]:
    situation = "Confidence decides what a person looks at"
    item, why = desk.current(*grid.SUITES)
    if item is None:
        return [Recommendation(situation, None, why)]
    stats = {cell: one.get("calibration") or {} for cell, one in item.side.cell_stats.items()}
    seen = {
        cell: one
        for cell, one in stats.items()
        if one.get("auroc_unbinned") is not None
        and one.get("reliable")
        and int(one["observations"]) - int(one["correct"]) >= LEAST_WRONG
    }
    if not seen:
        return [
            Recommendation(
                situation,
                None,
                f"no cell of {item.suite} had {LEAST_WRONG} wrong values, so that nothing can be told apart",
            )
        ]
    best = max(sorted(seen), key=lambda cell: float(seen[cell]["auroc_unbinned"]))
    wrong = int(seen[best]["observations"]) - int(seen[best]["correct"])
    reason = (
        f"a wrong value has the lower confidence with chance {seen[best]['auroc_unbinned']:.3f} "
        f"({wrong} wrong of {int(seen[best]['observations']):,} values)"
    )
    return [Recommendation(situation, f"`{best}`", reason, evidence_of(item))]


def _several(desk: Desk) -> list[Recommendation]:
    situation = "A file may hold several documents"
    item, why = desk.current(BOUNDARY)
    if item is None:
        return [Recommendation(situation, None, why)]
    rates: dict[str, list[float]] = {}
    for (cell, _), (mean, _) in grid.by_document(item, "sections_correct").items():
        rates.setdefault(cell, []).append(mean)
    split = {line.cell: line.resolved.get("section_splitting", line.cell) for line in grid.cell_lines(item)}
    if not rates:
        return [Recommendation(situation, None, "no completed run counted its sections")]
    means = {cell: fmean(each) for cell, each in rates.items()}
    order = sorted(means, key=lambda cell: (-means[cell], cell))
    shown = ", ".join(f"{split[cell]} {spelling.share(means[cell])}" for cell in order)
    for other in order[1:]:
        found = contrast(arm(item, other), arm(item, order[0]), "sections_correct", free=True)
        if judge(found, "higher", grid.NEAR) != YES:
            return [Recommendation(situation, None, f"the arms are not told apart (files cut rightly: {shown})")]
    chosen = f"section_splitting = {split[order[0]]}"
    return [Recommendation(situation, chosen, f"files cut rightly: {shown}", evidence_of(item))]


def _budget(desk: Desk) -> list[Recommendation]:
    situation = "A budget is set"
    item, why = desk.current(*variance.SUITES)
    if item is None:
        return [Recommendation(situation, None, why)]
    found = [spread for spread in variance.spreads(item) if spread.enough]
    if not found:
        return [Recommendation(situation, None, f"no cell has {variance.LEAST_RUNS} runs with a known cost")]
    worst = max(found, key=lambda spread: (spread.worst, spread.cell))
    reason = (
        f"the dearest of {worst.runs} runs of `{worst.cell}` cost {money(worst.most)}, the mean {money(worst.mean)}"
    )
    return [Recommendation(situation, f"plan with {worst.worst:.2f} times the mean", reason, evidence_of(item))]


RULES: tuple[Callable[[Desk], list[Recommendation]], ...] = (
    _cheapest, _best, _long_lists, _confidence, _review, _several, _budget,
)  # fmt: skip
