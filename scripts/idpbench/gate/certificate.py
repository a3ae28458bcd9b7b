"""The A/A certificate: how often these very runs, with sides dealt out by chance, give a regression or exit 4.

Sides are relabelled at random within (cell, document), whole runs of labelled sets together, with a fixed seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from idpbench.files.canonical import digest
from idpbench.files.provenance import source_digest
from idpbench.gate.inputs import read_inputs
from idpbench.gate.options import GateSettings, Options
from idpbench.gate.paired.chances import Memory
from idpbench.gate.paired.judge import judge_relabelled
from idpbench.gate.paired.layout import Labels, Layout
from idpbench.gate.paired.pool import Document, build_pool
from idpbench.gate.paired.relabel import SEED

SCHEMA = "idpbench/certificate/1"
RELABELLINGS = 200
# Above this share of regressions among relabellings the gate is called loose on this grid.
LOOSE = 0.05
Z95 = 1.959963984540054


def judged_values(
    new: Any, base: Any, settings: GateSettings | Mapping[str, Any] | None = None, options: Options | None = None
) -> str:
    """Digest of what the certificate depends on: the judged values of both sides' runs, thresholds and levels."""
    inputs = read_inputs(new, base, settings, options, ("new", "base"))
    return _digest(build_pool(inputs.judged, inputs.skip), inputs.settings, inputs.options)


def certify(
    new: Any,
    base: Any,
    settings: GateSettings | Mapping[str, Any] | None = None,
    options: Options | None = None,
    *,
    relabellings: int = RELABELLINGS,
    names: tuple[str, str] = ("new", "base"),
    kept: Callable[[str, str], Mapping[str, Any] | None] = lambda values, judge: None,
) -> dict[str, Any]:
    """Judge `relabellings` random relabellings of the pooled runs; shares with Wilson 95 % intervals.

    `loose` lists the families that caused regressions, with their counts, where the share is above 5 %, else null.
    `kept(values, judge)` may know a certificate of these values by this judge, which is then the answer.
    """
    inputs = read_inputs(new, base, settings, options, names)
    pool = build_pool(inputs.judged, inputs.skip)
    values, by = _digest(pool, inputs.settings, inputs.options), judge_digest()
    if (known := kept(values, by)) is not None:
        return dict(known)
    memory, families, regressions, looks = Memory(), Counter[str](), 0, 0
    generator = np.random.Generator(np.random.PCG64(SEED))
    for _ in range(relabellings if pool else 0):
        labels = _shuffled(pool, generator)
        layout = judge_relabelled(pool, inputs.settings, inputs.options.settled, labels, memory)
        found = _families(layout, "regression")
        families.update(found)
        if found:
            regressions += 1
        elif any(trial.confirm for trial in (*layout.rows, *layout.cells, *layout.grid)):
            looks += 1
    done = relabellings if pool else 0
    low, high = wilson(regressions, done)
    share = regressions / done if done else None
    return {
        "schema": SCHEMA,
        "values": values,
        "judge": by,
        "relabellings": done,
        "regressions": regressions,
        "regression_share": share,
        "low": low,
        "high": high,
        "exit4": looks,
        "exit4_share": looks / done if done else None,
        "loose": dict(sorted(families.items())) if share is not None and share > LOOSE else None,
    }


def judge_digest() -> str:
    """Digest of the code that judges a relabelling; what it reads and by which rules is in the digest of the values."""
    return source_digest("gate.paired", "gate.certificate")


def wilson(hits: int, of: int) -> tuple[float | None, float | None]:
    """Wilson's 95 % interval of a share; none for no trials."""
    if not of:
        return None, None
    share, z2 = hits / of, Z95**2
    centre = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * (share * (1 - share) / of + z2 / (4 * of**2)) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def _shuffled(pool: Sequence[Document], generator: np.random.Generator) -> Labels:
    """A random relabelling of every document, each side keeping its number of runs, whatever the order of the file."""
    labels: dict[str, list[bool]] = {}
    for document in pool:
        dealt = generator.permutation(sorted(document.labels))
        own = [False] * len(dealt)
        for label, run in zip(dealt, _by_value(document), strict=True):
            own[run] = bool(label)
        labels[document.key] = own
    return labels


def _by_value(document: Document) -> list[int]:
    """The runs of a document in an order that knows neither side nor file."""
    values: list[list[Any]] = [[] for _ in document.labels]
    for _, column in sorted(document.rows.items()):
        by_run = dict(zip(column.runs, column.values, strict=True))
        for run, listed in enumerate(values):
            listed.append(by_run.get(run))
    return sorted(range(len(values)), key=lambda run: repr(values[run]))


def _families(layout: Layout, word: str) -> set[str]:
    """Families of a layout with a test of that word, each once."""
    named = (
        ("row quality", (trial for unit in layout.quality for trial in unit.trials)),
        ("row cost", (trial for unit in layout.cost for trial in unit.trials)),
        ("cells", iter(layout.cells)),
        ("grid", iter(layout.grid)),
    )
    return {name for name, trials in named if any(trial.word == word for trial in trials)}


def _digest(pool: Sequence[Document], settings: GateSettings, options: Options) -> str:
    values = []
    for document in pool:
        columns = sorted(document.rows.items())
        runs: list[list[Any]] = [[label] for label in document.labels]
        for _, column in columns:
            by_run = dict(zip(column.runs, column.values, strict=True))
            for run, listed in enumerate(runs):
                listed.append(by_run.get(run))
        values.append([document.key, [list(name) for name, _ in columns], sorted(runs, key=repr)])
    rules = {
        name: [level.quality, level.separation, level.cost, level.level]
        for name, level in (("row", settings.row), ("cell", settings.cell), ("grid", settings.grid))
    }
    few = [settings.few_repeats, settings.level_few]
    return digest({"values": values, "rules": rules, "few": few, "settled": sorted(map(list, options.settled))})
