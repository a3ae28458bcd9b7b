"""From a pool and its labels to the tests at the three levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from idpbench.gate.findings import EPSILON
from idpbench.gate.options import GateSettings
from idpbench.gate.paired.pool import Document, planned_repeats
from idpbench.gate.paired.strata import Stratum
from idpbench.gate.paired.trial import QUALITY_AND_FAILURES, Trial

Labels = Mapping[str, Sequence[bool]]
# Settled tests are a second look at the same question.
SECOND_LOOK = 0.5


@dataclass
class Unit:
    """Row tests of one document on the same runs. `columns` are the trials' values by run, `n_new` runs are new."""

    trials: list[Trial]
    columns: list[list[float]]
    n_new: int


@dataclass
class Layout:
    """All tests of a comparison. `bills` are the cells' bills, which qualify the cells' cost."""

    planned: float
    quality: list[Unit] = field(default_factory=list)
    cost: list[Unit] = field(default_factory=list)
    cells: list[Trial] = field(default_factory=list)
    grid: list[Trial] = field(default_factory=list)

    @property
    def rows(self) -> Iterator[Trial]:
        for unit in (*self.quality, *self.cost):
            yield from unit.trials


@dataclass
class _Builder:
    settings: GateSettings
    planned: float
    settled: frozenset[tuple[str, str]]
    labels: Labels
    still: bool
    layout: Layout
    thresholds: dict[tuple[str, str], float] = field(default_factory=dict)
    strata: dict[tuple[str, str], list[Stratum]] = field(default_factory=dict)
    sets: set[tuple[str, str]] = field(default_factory=set)  # document key, metric: measured by file only
    silent: set[tuple[str, str]] = field(default_factory=set)  # rows below the row's threshold

    def threshold(self, level: str, metric: str) -> float:
        name = (level, metric)
        if name not in self.thresholds:
            self.thresholds[name] = self.settings.threshold(level, metric)
        return self.thresholds[name]

    def rate(self, level: str, again: bool) -> float:
        return self.settings.level(level, self.planned) * (SECOND_LOOK if again else 1)

    def document(self, document: Document) -> None:
        labels = self.labels.get(document.key, document.labels)
        rate = self.rate("row", (document.cell, document.doc) in self.settled)
        units: dict[tuple[str, tuple[int, ...]], Unit] = {}
        cut: dict[int, Stratum | None] = {}
        for (sub, metric), column in document.rows.items():
            if not (column.live or self.still):
                continue
            cut[id(column)] = stratum = column.stratum(labels)
            if stratum is None:
                continue
            threshold = self.threshold("row", metric)
            trial = Trial("row", document.cell, document.doc, sub, metric, [stratum], threshold, rate)
            if abs(trial.effect) < threshold - EPSILON:
                self.silent.add((document.key, metric))
            if metric == "cost":
                self.layout.cost.append(Unit([trial], [column.values], stratum.n_new))
                continue
            unit = units.setdefault((sub, tuple(column.runs)), Unit([], [], stratum.n_new))
            unit.trials.append(trial)
            unit.columns.append(column.values)
        self.layout.quality += units.values()
        for metric, column in document.whole.items():
            stratum = cut[id(column)] if id(column) in cut else column.stratum(labels)
            if stratum is None:
                continue
            self.strata.setdefault((document.cell, metric), []).append(stratum)
            if document.is_set and metric not in ("failures", "cost", "bill"):
                self.sets.add((document.key, metric))

    def finish(self) -> Layout:
        settled_cells = {cell for cell, _ in self.settled}
        everything: dict[str, list[Stratum]] = {}
        for (cell, metric), strata in self.strata.items():
            everything.setdefault(metric, []).extend(strata)
            if not (self.still or any(stratum.live for stratum in strata)):
                continue
            trial = self._trial("cell", cell, metric, strata, cell in settled_cells)
            trial.judged = metric != "bill" and not self._told_by_row(trial)
            self.layout.cells.append(trial)
        for metric in (*QUALITY_AND_FAILURES, "cost", "bill"):
            if metric in everything:
                trial = self._trial("grid", "", metric, everything[metric], bool(self.settled))
                trial.judged = metric != "cost" and not self._told_by_row(trial)
                self.layout.grid.append(trial)
        return self.layout

    def _trial(self, level: str, cell: str, metric: str, strata: list[Stratum], again: bool) -> Trial:
        threshold = self.threshold(level, metric)
        return Trial(level, cell, "", "", metric, strata, threshold, self.rate(level, again))

    def _told_by_row(self, trial: Trial) -> bool:
        """With one live stratum its row says the same, unless it has none, or is silent where the grid is not."""
        live = [stratum for stratum in trial.strata if stratum.live]
        if len(live) != 1 or (live[0].key, trial.metric) in self.sets:
            return False
        row = (live[0].key, "cost" if trial.metric == "bill" else trial.metric)
        return not (trial.level == "grid" and row in self.silent)


def lay_out(
    pool: Sequence[Document],
    settings: GateSettings,
    settled: frozenset[tuple[str, str]] = frozenset(),
    labels: Labels | None = None,
) -> Layout:
    """All tests of a pool under its own labels. Under others (`labels` by document key) rows and cells of which no
    value differs are left out: whatever the labels, they are no finding and take no part in any family."""
    planned = planned_repeats(pool)
    builder = _Builder(settings, planned, settled, labels or {}, labels is None, Layout(planned))
    for document in pool:
        builder.document(document)
    return builder.finish()
