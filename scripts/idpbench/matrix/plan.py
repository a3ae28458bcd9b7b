"""The plan of a suite: every run, everything that is left out and why, and what the numbers will mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.files.errors import bad_input, nearest
from idpbench.matrix.configs import check_paths, resolve_axes
from idpbench.matrix.feasibility import caveats, expected_failure, unlaunchable
from idpbench.matrix.overrides import checked, slug
from idpbench.settings.check import cells_of, documents_of
from idpbench.settings.grid import Control
from idpbench.settings.model import Document, Settings, Suite

MAIN_CLASS = "bank_statement"
NO_PATHS: Mapping[str, Collection[str]] = {}


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One launch: a cell on a document (or a whole labelled set of `n_docs` documents), its repeat counted from 0."""

    cell: str
    document: str
    doc_class: str
    repeat: int
    resolved: Mapping[str, str]  # axis -> value, shared by the runs of a cell
    reference: bool
    n_docs: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A cell on a document that is not launched: how many launches that would have been, and the reason."""

    cell: str
    document: str
    launches: int
    reason: str


@dataclass(frozen=True)
class Plan:
    """A suite's runs in the order cell, document, repeat. Sizes are counted from them, never stated."""

    suite: str
    overrides: dict[str, str]
    runs: tuple[PlannedRun, ...]
    skipped: tuple[Skipped, ...]
    cells: dict[str, dict[str, str]]  # cell -> resolved axes, of every cell of the suite
    main_class: str
    other_class: dict[str, str]  # document -> class, where it is not the suite's main class; it runs under that class
    docs_unlaunchable: dict[str, str]  # document or labelled set -> why no cell can have it
    aliases: dict[str, str]  # cell -> the earlier cell that it resolves like
    expected_fail: dict[tuple[str, str], str]  # (cell, document) -> reason
    unsupported: dict[str, str]  # cell -> which side cannot measure it
    omitted_paths: tuple[str, ...]  # left out of every configuration of both sides
    pinned: dict[str, tuple[str, ...]]  # overridden axis -> cells that keep their own value
    caveats: dict[str, tuple[str, ...]]  # cell -> what a reader of its results has to know
    capped: str | None = None  # what this command measures less of than the suite asks, and why
    controls: tuple[Control, ...] = ()  # documents on which the dearer of two cells must lose

    @property
    def slug(self) -> str:
        """Name of the overrides in paths; empty without any."""
        return slug(self.overrides)

    @property
    def launches_total(self) -> int:
        """Launches: a labelled set is one."""
        return len(self.runs)

    @property
    def runs_total(self) -> int:
        """Documents processed: a labelled set counts with each of its documents."""
        return sum(run.n_docs for run in self.runs)

    def notes(self) -> dict[str, Any]:
        """What the plan says beside its runs: kept in plan.json and on the page."""
        return {
            "suite": self.suite,
            "class": self.main_class,
            "overrides": dict(self.overrides),
            "slug": self.slug,
            "runs_total": self.runs_total,
            "launches_total": self.launches_total,
            "skipped": [
                {"cell": s.cell, "document": s.document, "launches": s.launches, "reason": s.reason}
                for s in self.skipped
            ],
            "docs_unlaunchable": [
                {"document": name, "reason": reason} for name, reason in self.docs_unlaunchable.items()
            ],
            "other_class": [{"document": name, "class": value} for name, value in self.other_class.items()],
            "aliases": dict(self.aliases),
            "expected_fail": [
                {"cell": cell, "document": document, "reason": reason}
                for (cell, document), reason in self.expected_fail.items()
            ],
            "unsupported": [{"cell": cell, "reason": reason} for cell, reason in self.unsupported.items()],
            "omitted_paths": list(self.omitted_paths),
            "pinned": {axis: list(cells) for axis, cells in self.pinned.items()},
            "caveats": {cell: list(texts) for cell, texts in self.caveats.items()},
            "capped": self.capped,
            "controls": [
                {"document": one.document, "cheaper": one.cheaper, "dearer": one.dearer} for one in self.controls
            ],
            "cells": {cell: dict(values) for cell, values in self.cells.items()},
        }

    def to_json(self) -> dict[str, Any]:
        """The plan as `idpbench plan --json` prints it."""
        launchable = [
            {
                "cell": run.cell,
                "document": run.document,
                "class": run.doc_class,
                "repeat": run.repeat,
                "reference": run.reference,
                "n_docs": run.n_docs,
            }
            for run in self.runs
        ]
        return {"schema": "idpbench/suite-plan/1", "launchable": launchable, **self.notes()}


def build_plan(
    settings: Settings,
    suite: str,
    overrides: Mapping[str, str] | None = None,
    repeats: int | None = None,
    *,
    backend: str = "local",
    unknown_paths: Mapping[str, Collection[str]] = NO_PATHS,
    sets_present: Collection[str] | None = None,
    no_reference: bool = False,
    settled: Mapping[tuple[str, str], int] | None = None,
) -> Plan:
    """Expand a suite.

    `repeats` replaces the suite's own; `settled` raises it for single (cell, document) pairs that a settling bought.
    `unknown_paths`: side (`VERSION`, `PREV`) -> configuration paths that its schema does not know.
    `sets_present`: labelled sets that were found (None: not looked for, so present); `no_reference` leaves them out.
    An unknown suite, axis or value, a path no schema knows, and an override that moves no cell are Refusals.
    """
    if suite not in settings.suites:
        raise bad_input(
            "suite", suite, "no such suite", "a suite of config/suites.yaml", nearest(suite, settings.suites)
        )
    spec = settings.suites[suite]
    moved = checked(settings, overrides or {})
    names = documents_of(settings, spec)
    for doc_class in sorted({settings.item(name).doc_class for name in names}):
        check_paths(settings, doc_class)
    cells = {cell: resolve_axes(settings, cell, moved) for cell in cells_of(settings, spec)}
    pinned = _pinned(settings, spec, cells, moved)
    unsupported = _unsupported(settings, cells, unknown_paths)

    runs: list[PlannedRun] = []
    skipped: list[Skipped] = []
    expected: dict[tuple[str, str], str] = {}
    absent = {name: why for name in names if (why := _absent(settings, name, sets_present, no_reference))}
    for cell, resolved in cells.items():
        barrier = unsupported.get(cell) or unlaunchable(settings, resolved, backend)
        for name in names:
            item = settings.item(name)
            count = max(repeats or spec.repeats, (settled or {}).get((cell, name), 0))
            reason = barrier or absent.get(name)
            if reason:
                skipped.append(Skipped(cell, name, count, reason))
                continue
            is_set = not isinstance(item, Document)
            n_docs = 1 if isinstance(item, Document) else item.count
            runs += [PlannedRun(cell, name, item.doc_class, n, resolved, is_set, n_docs) for n in range(count)]
            failure = expected_failure(settings, resolved, item)
            if failure:
                expected[cell, name] = failure
    main = _main_class(settings, names)
    classes = {name: settings.item(name).doc_class for name in names}
    return Plan(
        suite=suite,
        overrides=moved,
        runs=tuple(runs),
        skipped=tuple(skipped),
        cells=cells,
        main_class=main,
        docs_unlaunchable=absent,
        other_class={name: value for name, value in classes.items() if value != main},
        aliases=_aliases(cells),
        expected_fail=expected,
        unsupported=unsupported,
        omitted_paths=tuple(sorted({path for paths in unknown_paths.values() for path in paths})),
        pinned=pinned,
        caveats={cell: found for cell, resolved in cells.items() if (found := tuple(caveats(settings, resolved)))},
        capped=_capped(spec, repeats),
        controls=tuple(spec.controls),
    )


def _capped(spec: Suite, repeats: int | None) -> str | None:
    if repeats is None or repeats >= spec.repeats:
        return None
    return f"{repeats} of the suite's {spec.repeats} repeats, as the command asked (repeats={repeats})"


def _main_class(settings: Settings, names: Collection[str]) -> str:
    """The class that most suites are about; that of the first document where a suite has none of it."""
    classes = [settings.item(name).doc_class for name in names]
    return MAIN_CLASS if MAIN_CLASS in classes else classes[0]


def _aliases(cells: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    first: dict[tuple[tuple[str, str], ...], str] = {}
    aliases = {}
    for cell, resolved in cells.items():
        earlier = first.setdefault(tuple(resolved.items()), cell)
        if earlier != cell:
            aliases[cell] = earlier
    return aliases


def _pinned(
    settings: Settings, spec: Suite, cells: Collection[str], moved: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Cells that an override does not reach; one that reaches none would be a command that does not do what it says."""
    result = {}
    for axis, value in moved.items():
        keep = tuple(cell for cell in cells if settings.cells[cell].pins.get(axis, value) != value)
        if len(keep) == len(cells):
            raise bad_input(
                "set",
                f"{axis}={value}",
                f"a suite ({spec.id}) whose cells all pin {axis}",
                "an axis that some cell leaves at its default",
                "choose another suite, or drop the override",
            )
        if keep:
            result[axis] = keep
    return result


def _absent(settings: Settings, name: str, present: Collection[str] | None, no_reference: bool) -> str | None:
    if name in settings.documents:
        return None
    if no_reference:
        return "labelled sets are left out (no_reference=true)"
    if present is not None and name not in present:
        count = settings.references[name].count
        return (
            f"labelled set {name} was not found: put its {count} documents into FOLDER/{name}/input/ and their labels "
            f"into FOLDER/{name}/baseline/<file name>/sections/<n>/result.json, then give reference=FOLDER; "
            "or leave it out by no_reference=true"
        )
    return None


def _unsupported(
    settings: Settings, cells: Mapping[str, Mapping[str, str]], unknown_paths: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """Cells that set a path which one side's schema does not know to something else than its default."""
    result: dict[str, str] = {}
    for side, paths in unknown_paths.items():
        for cell, resolved in cells.items():
            for axis, value in resolved.items():
                writes = settings.axes[axis].values[value]
                at_default = settings.axes[axis].values[settings.axes[axis].default]
                odd = [p for p in writes if p in paths and writes[p] != at_default.get(p, writes[p])]
                if odd:
                    result.setdefault(cell, f"unsupported by {side}: its schema does not know {', '.join(sorted(odd))}")
    return result
