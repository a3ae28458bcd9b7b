"""Rendering results/<backend>/guidance/README.md from the published sides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from idpbench.files.tables import markdown, money
from idpbench.report import spelling
from idpbench.report.classification import READING
from idpbench.report.guidance import classes, grid, hazards, scaling, tables, variance
from idpbench.report.guidance.catalogue import CLIFF, FIGURES, PARETO
from idpbench.report.guidance.recommend import Desk, Recommendation, recommendations
from idpbench.report.guidance.sweeps import sweep
from idpbench.report.marking import marking, model_label
from idpbench.report.shelf import Shelved, each_release, evidence, newest, pick, source
from idpbench.report.templating import fill
from idpbench.settings.model import Settings

EXTRACTION = ("correct", "completeness_recall", "cost")
CLASSIFICATION = ("sections_correct", "cost_by_phase/Classification")
CONFIDENCE = ("mean_confidence", "cost_by_phase/Assessment")
MOST_LOSSES = 20


def render(settings: Settings, sides: Sequence[Shelved], backend: str) -> str:
    """The page; without any published side it says so and recommends nothing."""
    release = newest(item for item in sides if item.plain) or newest(sides)
    context: dict[str, Any] = {
        "backend": backend, "mark": marking(backend), "release": release, "md": markdown, "local": backend == "local",
    }  # fmt: skip
    if release is not None:
        context |= _sections(settings, list(sides), release, backend)
    return fill("guidance", **context)


def figures_of(sides: Sequence[Shelved]) -> list[tuple[str, Shelved]]:
    """(stem, side) of the figures that there are numbers for, in the order of the page."""
    found = []
    for figure, suites in zip(FIGURES, (grid.SUITES, scaling.SUITES), strict=True):
        item = pick(sides, suites)
        if item is not None:
            found.append((figure.stem, item))
    return found


def _sections(settings: Settings, sides: list[Shelved], release: str, backend: str) -> dict[str, Any]:
    label = {name: model_label(model, backend) for name, model in settings.models.items()}
    own = [item for item in sides if item.version == release]
    benchmarks = classes.benchmarks(sides)
    suites = [item for item in sides if item.classification is None]
    rows = [row for item in suites if item.version == release for row in item.rows]
    table, series, cost = (pick(sides, suites) for suites in (grid.SUITES, scaling.SUITES, variance.SUITES))
    lines = recommendations(Desk(sides, release))
    swept = {
        axis: sweep(suites, axis, _models(settings, axis), settings.axes[axis].default, release, metrics)
        for axis, metrics in (
            ("extraction_model", EXTRACTION),
            ("classification_model", CLASSIFICATION),
            ("confidence_model", CONFIDENCE),
        )
    }
    seen = {"classification_model": classes.measured(benchmarks)}
    measured_axes, idle = tables.axes(settings.axes, rows)
    return {
        "everything": evidence((item, item.rows) for item in own).line(),
        "abstract": _abstract(table, series, lines),
        "axes": measured_axes,
        "idle": idle,
        "grid": _matrix(table, release) if table else None,
        "hazards": _hazards(sides, own, release),
        "scaling": _scaling(series, release) if series else None,
        "variance": _variance(cost, release) if cost else None,
        "broken": list(dict.fromkeys(f"{item.address}: {text}" for item in suites for text in item.broken)),
        "extraction": tables.extraction(swept["extraction_model"], label),
        "classification": tables.phase(
            swept["classification_model"], label, "classification model", "sections_correct", "files cut rightly"
        ),
        "confidence": tables.phase(
            swept["confidence_model"], label, "confidence model", "mean_confidence", "mean confidence"
        ),
        "pages": classes.sections(benchmarks, release),
        "reading": READING,
        "unmeasured": {
            axis: _without(settings, axis, {one.value for one in found} | seen.get(axis, set()), label)
            for axis, found in swept.items()
        },
        "kept": [_kept(line) for line in lines if line.configuration is not None],
        "withdrawn": [[line.situation, line.why] for line in lines if line.configuration is None],
        "figures": {figure.stem: figure for figure in FIGURES},
        "pareto": PARETO.stem,
        "cliff": CLIFF.stem,
        "least_runs": variance.LEAST_RUNS,
    }


def _abstract(table: Shelved | None, series: Shelved | None, lines: Sequence[Recommendation]) -> list[str]:
    """The headline results, one sentence each."""
    found = []
    if table is not None:
        cells = grid.cell_lines(table)
        known = [cell for cell in cells if cell.correct is not None and cell.cost is not None]
        if known:
            cheap, dear = (choose(known, key=lambda cell: cell.cost or 0) for choose in (min, max))
            low, high = (choose(known, key=lambda cell: cell.correct or 0) for choose in (min, max))
            found.append(
                f"Over {spelling.counted(len(known), 'cell')} of {table.suite} on {table.version}, the share of fields "
                f"and list cells that are right lies between {spelling.share(low.correct)} (`{low.cell}`) and "
                f"{spelling.share(high.correct)} (`{high.cell}`)."
            )
            found.append(
                f"Cost per document lies between {money(cheap.cost)} (`{cheap.cell}`) and {money(dear.cost)} "
                f"(`{dear.cell}`)."
            )
            failed, runs = sum(cell.failed for cell in cells), sum(cell.runs for cell in cells)
            found.append(f"{failed} of {spelling.counted(runs, 'run')} of that grid failed.")
    if series is not None:
        sizes = scaling.sizes(series)
        found += [scaling.located(scaling.cliff(sizes, mode)) for mode in scaling.modes(sizes)]
    kept = sum(line.configuration is not None for line in lines)
    found.append(
        f"{spelling.counted(kept, 'recommendation')}, {len(lines) - kept} withdrawn for want of evidence (section 9)."
    )
    return found


def _matrix(item: Shelved, release: str) -> dict[str, Any]:
    shown = [
        ("completeness_recall", "Recall"),
        ("scalar_accuracy", "Scalar accuracy"),
        ("cell_accuracy", "Cell accuracy"),
        ("cost", "Cost"),
    ]
    return {
        "source": source(item, release),
        "cells": tables.cells(item),
        "documents": [(title, *tables.per_document(item, metric)) for metric, title in shown],
        "repeats": max(int(row.get("repeat") or 0) for row in item.rows) + 1,
        "aliases": item.side.meta.get("aliases") or {},
    }


def _hazards(sides: Sequence[Shelved], own: Sequence[Shelved], release: str) -> dict[str, Any]:
    integrated, declined = each_release(sides, hazards.INTEGRATED), each_release(sides, hazards.DECLINED)
    declined += [item for item in sides if item.suite == hazards.DECLINED and not item.plain]
    everywhere = hazards.silent(loss for item in own for loss in hazards.losses(item))
    return {
        "integrated": tables.losses([loss for item in integrated for loss in hazards.losses(item)]),
        "integrated_source": [source(item, release) for item in integrated],
        "declined": tables.losses([loss for item in declined for loss in hazards.losses(item)]),
        "declined_source": [source(item, release) for item in declined],
        "silent": tables.losses(everywhere[:MOST_LOSSES]),
        "silent_count": len(everywhere),
        "most": MOST_LOSSES,
    }


def _scaling(item: Shelved, release: str) -> dict[str, Any]:
    sizes = scaling.sizes(item)
    return {
        "source": source(item, release),
        "sizes": tables.sizes(sizes),
        "edges": [scaling.located(scaling.cliff(sizes, mode)) for mode in scaling.modes(sizes)],
    }


def _variance(item: Shelved, release: str) -> dict[str, Any]:
    return {"source": source(item, release), "spreads": tables.spreads(variance.spreads(item))}


def _kept(line: Recommendation) -> list[str]:
    return [line.situation, str(line.configuration), line.why, line.evidence.line() if line.evidence else ""]


def _models(settings: Settings, axis: str) -> dict[str, str]:
    return {value: settings.models[value].model_id for value in settings.axes[axis].values}


def _without(settings: Settings, axis: str, seen: Collection[str], label: Mapping[str, str]) -> list[str]:
    return [label[value] for value in settings.axes[axis].values if value not in seen]


def write(settings: Settings, sides: Sequence[Shelved], backend: str, folder: Path) -> None:
    """Write README.md and the figures that there are numbers for into an empty folder."""
    from idpbench.files.atomic import write_text
    from idpbench.report.guidance.draw import draw_cliff, draw_pareto  # imports a plot library

    folder.mkdir(parents=True, exist_ok=True)
    drawing = {PARETO.stem: draw_pareto, CLIFF.stem: draw_cliff}
    for stem, item in figures_of(sides):
        drawing[stem](item, folder)
    write_text(folder / "README.md", render(settings, sides, backend))
