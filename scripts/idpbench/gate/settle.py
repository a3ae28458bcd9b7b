"""What it would take to settle an inconclusive comparison: which documents, how many repeats, and what stays open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.gate.inputs import read_inputs
from idpbench.gate.options import GateSettings, Options
from idpbench.gate.paired.judge import judge
from idpbench.gate.paired.layout import SECOND_LOOK, Layout
from idpbench.gate.paired.pool import Document, build_pool
from idpbench.gate.paired.power import MOST_REPEATS, UNKNOWN, least_repeats, repeats_needed
from idpbench.gate.paired.trial import Trial
from idpbench.gate.paired.units import HARM

SCHEMA = "idpbench/settle/1"


def plan_settle(
    new: Any,
    base: Any,
    settings: GateSettings | Mapping[str, Any] | None = None,
    options: Options | None = None,
    *,
    cap: int = MOST_REPEATS,
    names: tuple[str, str] = ("new", "base"),
) -> dict[str, Any]:
    """Repeats a side that the harmful inconclusive rows and cells need, judged at half their level.

    `documents`: {cell, document, repeats, base, new (runs there are), because: [tests]}, repeats at most `cap`;
    `open`: tests that no number of repeats up to the cap settles, and why; `capped`: documents that got less.
    """
    inputs = read_inputs(new, base, settings, options, names)
    pool = build_pool(inputs.judged, inputs.skip)
    layout = judge(pool, inputs.settings, inputs.options.settled)
    wanted: dict[tuple[str, str], tuple[int, list[str]]] = {}
    still_open = []
    for trial in _open_tests(layout):
        name = f"{trial.level} {trial.key} {trial.metric}"
        needed, why = _needed(trial)
        if needed is None or needed > cap:
            still_open.append({"test": name, "why": why or f"needs {needed} repeats, more than the cap of {cap}"})
            continue
        for key in _documents(trial):
            before, because = wanted.get(key, (0, []))
            wanted[key] = max(before, needed), [*because, name]
    have = {(document.cell, document.doc): document for document in pool}
    documents = [
        {"cell": cell, "document": doc, "repeats": repeats, **_runs(have[cell, doc]), "because": because}
        for (cell, doc), (repeats, because) in sorted(wanted.items())
    ]
    return {"schema": SCHEMA, "cap": cap, "documents": documents, "open": still_open}


def _open_tests(layout: Layout) -> list[Trial]:
    """Harmful and undecided, at row and cell level; the grid's are settled by their cells."""
    trials = [*layout.rows, *layout.cells]
    return [trial for trial in trials if trial.judged and trial.word == "inconclusive" and trial.harm > 0]


def _needed(trial: Trial) -> tuple[int | None, str | None]:
    """Repeats at half the level; without any repeats yet, as many as a constant difference of that size would need."""
    rate, m = trial.rate * SECOND_LOOK, trial.m[HARM]
    needed, why = repeats_needed(trial.strata, trial.effect, trial.threshold, rate, m)
    if why == UNKNOWN:
        return least_repeats(trial.strata, rate, m), None
    return needed, why


def _documents(trial: Trial) -> list[tuple[str, str]]:
    if trial.level == "row":
        return [(trial.cell, trial.doc)]
    return [(trial.cell, stratum.key[len(trial.cell) + 1 :]) for stratum in trial.strata]


def _runs(document: Document) -> dict[str, int]:
    new = sum(document.labels)
    return {"base": len(document.labels) - new, "new": new}
