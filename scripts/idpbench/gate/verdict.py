"""Two summaries -> the one verdict object from which exit code, text, JUnit, pages and site are rendered."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from idpbench.files.errors import INCOMPLETE, INCONCLUSIVE, OK, REGRESSION
from idpbench.gate.classic import judge_rows
from idpbench.gate.classic_cells import judge_cells
from idpbench.gate.comparability import Comparability
from idpbench.gate.coverage import Coverage, census, last_launch
from idpbench.gate.findings import Findings
from idpbench.gate.grid import Grid, ended, failed
from idpbench.gate.headline import cost_per_correct
from idpbench.gate.inputs import read_inputs
from idpbench.gate.options import GateSettings, Options
from idpbench.gate.pairing import Pair
from idpbench.gate.waived import Waived

SCHEMA = "idpbench/comparison/1"
EXIT_CODES = {
    "pass": OK,
    "regression": REGRESSION,
    "incomplete": INCOMPLETE,
    "incomparable": INCOMPLETE,
    "inconclusive": INCONCLUSIVE,
}
LEVELS = ("rows", "cells", "grid")


@dataclass
class Judged:
    """What the deciding pass says: findings by level, and which undecided tests ask for a second look."""

    levels: dict[str, dict[str, list[dict[str, Any]]]]
    second_look: list[str] = field(default_factory=list)
    harmful: list[str] = field(default_factory=list)
    tests: list[dict[str, Any]] = field(default_factory=list)
    planned: float | None = None

    @classmethod
    def empty(cls) -> Judged:
        return cls({level: Findings().as_dict() for level in LEVELS})


def make_comparison(
    new: Any,
    base: Any,
    settings: GateSettings | Mapping[str, Any] | None = None,
    options: Options | None = None,
    *,
    names: tuple[str, str] = ("new", "base"),
) -> dict[str, Any]:
    """Compare two summaries (contents of summary.json, ours or the original's) and return comparison.json's content.

    `settings` is the content of config/gate.yaml; `names` are what messages call the two files.
    Raises Refusal where an input is not a summary or an option does not fit the sides.
    """
    with _without_collection():
        return _compare(new, base, settings, options, names)


@contextmanager
def _without_collection() -> Iterator[None]:
    """A large grid is millions of small objects without a cycle: looking for cycles took a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compare(
    new: Any,
    base: Any,
    settings: GateSettings | Mapping[str, Any] | None,
    options: Options | None,
    names: tuple[str, str],
) -> dict[str, Any]:
    inputs = read_inputs(new, base, settings, options, names)
    sides, pairing, settings, options = (inputs.new, inputs.base), inputs.pairing, inputs.settings, inputs.options
    same, skip, judged_pairs = inputs.same, inputs.skip, list(inputs.judged)
    coverage = census(*sides, pairing, settings, inputs.foretold)
    classic = _classic(judged_pairs, *sides, settings, skip) if options.rules != "paired" else Judged.empty()
    decided = classic if options.rules == "classic" else _paired(judged_pairs, settings, skip, options, coverage.waived)
    if idle := coverage.waived.idle():
        coverage.report["idle_waivers"] = idle
    result: dict[str, Any] = {
        "schema": SCHEMA,
        "rules": options.rules,
        "decided_by": "classic" if options.rules == "classic" else "paired",
        "strict": options.strict,
        "exploratory": options.exploratory,
        "arms": list(options.arms) if options.arms else None,
        "settled": [list(name) for name in sorted({(p.cell, p.doc) for p in judged_pairs} & options.settled)],
        "sides": {"new": _side(sides[0]), "base": _side(sides[1])},
        "differences": list(same.differences),
        "coverage": coverage.report,
        "not_compared": [*_untouched(same, pairing.pairs, skip), *coverage.not_compared],
        "headline": cost_per_correct(judged_pairs, skip),
        "classic": {level: classic.levels[level] for level in ("rows", "cells")},
        "planned_repeats": decided.planned,
        "tests": decided.tests,
        **{level: decided.levels[level] for level in LEVELS},
    }
    verdict, reasons = _decide(decided, same, coverage, skip, options)
    return {**result, "verdict": verdict, "exit_code": EXIT_CODES[verdict], "reasons": reasons}


def _paired(
    pairs: list[Pair], settings: GateSettings, skip: Mapping[str, str], options: Options, waived: Waived
) -> Judged:
    from idpbench.gate.paired.judge import judge  # imports numpy, which the classic rules do without
    from idpbench.gate.paired.output import finding_of, test_entry
    from idpbench.gate.paired.pool import build_pool

    layout = judge(build_pool(pairs, skip), settings, options.settled)
    judged = Judged.empty()
    judged.planned = layout.planned
    names = {"regression": "regressions", "improvement": "improvements", "inconclusive": "inconclusive"}
    for level, trials in (("rows", layout.rows), ("cells", layout.cells), ("grid", layout.grid)):
        for trial in sorted(trials, key=lambda one: one.key):
            judged.tests.append(test_entry(trial))
            if trial.word not in names:
                continue
            judged.levels[level][names[trial.word]].append(finding_of(trial))
            if trial.word == "inconclusive" and trial.harm > 0:
                name = f"{trial.key} {trial.metric}"
                judged.harmful.append(name)
                if trial.confirm and not waived.accepts(trial.key, trial.metric):
                    judged.second_look.append(f"{name}: undecided and too large to pass")
    return judged


def _classic(pairs: list[Pair], new: Grid, base: Grid, settings: GateSettings, skip: Mapping[str, str]) -> Judged:
    rows, cells = judge_rows(pairs, settings, skip), judge_cells(pairs, new, base, settings, skip)
    harmful = [f"{f['key']} {f['metric']}" for level in (rows, cells) for f in level.inconclusive if _harms(f)]
    return Judged({"rows": rows.as_dict(), "cells": cells.as_dict(), "grid": Findings().as_dict()}, harmful=harmful)


def _harms(finding: Mapping[str, Any]) -> bool:
    rises = finding["metric"] in ("failures", "cost", "bill", "ece", "ece_mean_conf")
    return bool(finding["delta"] > 0) if rises else bool(finding["delta"] < 0)


def _decide(
    decided: Judged, same: Comparability, coverage: Coverage, skip: Mapping[str, str], options: Options
) -> tuple[str, list[str]]:
    """The release's verdict, in the order in which one word outranks another, and every reason for it."""
    if not same.comparable and not options.exploratory:
        return "incomparable", [_difference(one) for one in same.differences]
    reasons: list[str] = []
    if options.exploratory and same.differences:
        reasons.append(f"exploratory: judged although {'; '.join(_difference(one) for one in same.differences)}")
    regressions = [f for level in LEVELS for f in decided.levels[level]["regressions"]]
    incomplete = [*coverage.reasons, *sorted(set(skip.values()))]
    looks = [*(f"{key}: a key without a baseline fails" for key in coverage.second_look), *decided.second_look]
    if options.strict:
        looks += [f"{name}: harmful and undecided" for name in decided.harmful]
    if regressions:
        reasons.append(f"{len(regressions)} regression{'s' if len(regressions) != 1 else ''}")
    reasons += incomplete
    reasons += looks
    word = "regression" if regressions else "incomplete" if incomplete else "inconclusive" if looks else "pass"
    return word, reasons


def _difference(one: Mapping[str, Any]) -> str:
    keys = one["keys"]
    where = "" if keys == ["*"] else f" ({', '.join(keys[:3])}{f' and {len(keys) - 3} more' if len(keys) > 3 else ''})"
    return f"{one['kind']} differs in {one['field']}: {one['base']} -> {one['new']}{where}"


def _untouched(same: Comparability, pairs: tuple[Pair, ...], skip: Mapping[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"key": "*", "metric": m, "reason": reason} for m, reason in skip.items()]
    changed = sorted({pair.key for pair in pairs if (pair.cell, pair.doc) in same.changed})
    return found + [{"key": key, "metric": "*", "reason": "the document's bytes differ"} for key in changed]


def _side(side: Grid) -> dict[str, Any]:
    """What a reader must know about a side to read its numbers."""
    rows = [row for unit in side.units.values() for row in unit]
    known = ("version", "stack_version", "suite", "class", "stack", "region", "backend", "series", "slug", "overrides")
    facts = {key: side.meta[key] for key in (*known, "pricing_sha256", "scorer_sha256", "commit") if key in side.meta}
    return {
        **facts,
        "source": side.name,
        "rows": len(rows),
        "ended": sum(map(ended, rows)),
        "failures": sum(map(failed, rows)),
        "last_launch": last_launch(side),
    }
