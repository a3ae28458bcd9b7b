"""The tables of the guidance: numbers in, Markdown cells out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from idpbench.files.tables import MISSING, money, number
from idpbench.report import spelling
from idpbench.report.guidance import grid, hazards, scaling, variance
from idpbench.report.guidance.sweeps import Against, Swept
from idpbench.report.inputs import document_of
from idpbench.report.shelf import Row, Shelved, by_run
from idpbench.settings.grid import Axis

PERFECT = number(1.0)
Table = tuple[list[str], list[list[str]]]


def axes(known: Mapping[str, Axis], rows: Sequence[Row]) -> tuple[Table, list[str]]:
    """(table of the axes of which two values ran, names of the others). `rows` are those of one release."""
    lines = []
    idle = []
    for name, axis in known.items():
        runs = dict.fromkeys(axis.values, 0)
        for run in by_run(rows):
            value = (run[0].get("resolved") or {}).get(name)
            if value in runs:
                runs[value] += 1
        ran = [value for value, count in runs.items() if count]
        if len(ran) < 2:
            idle.append(name)
            continue
        shown = ", ".join(f"{value}{' (default)' if value == axis.default else ''} {runs[value]}" for value in ran)
        without = ", ".join(value for value, count in runs.items() if not count) or "none"
        lines.append([f"`{name}`", shown, without])
    return (["axis", "values with runs", "values without"], lines), idle


def cells(item: Shelved) -> Table:
    """One line a cell: the numbers that are not by document."""
    best = {line.cell for line in grid.frontier(grid.cell_lines(item))}
    headers = [
        "cell", "failed / runs", "correct", "recall", "scalar accuracy", "cell accuracy", "cost per document",
        "run-to-run CV", "mean confidence", "alert rate", "wall time",
    ]  # fmt: skip
    lines = [
        [
            f"**`{line.cell}`**" if line.cell in best else f"`{line.cell}`",
            f"{line.failed} / {line.runs}",
            spelling.share(line.correct),
            number(line.recall),
            number(line.scalar),
            number(line.cells),
            money(line.cost),
            number(line.cv),
            number(line.confidence),
            MISSING if line.alerts is None else f"{line.alerts:.1f} %",
            spelling.value("wall_s", line.wall),
        ]
        for line in grid.cell_lines(item)
    ]
    return headers, lines


def per_document(item: Shelved, metric: str) -> tuple[Table, str]:
    """Cells by documents, one number each; `failed` where no run completed, a star where some did not.

    Cells that print 1.000 on every document are left out, and the second item says how many.
    """
    found = grid.by_document(item, metric)
    docs = grid.documents(item)
    states: dict[tuple[str, str], list[bool]] = {}
    for row in item.rows:
        states.setdefault((str(row["cell"]), document_of(row).partition("|")[0]), []).append(bool(row.get("success")))
    lines = []
    for cell in dict.fromkeys(str(row["cell"]) for row in item.rows):
        line = [f"`{cell}`"]
        for document in docs:
            outcomes = states.get((cell, document))
            if outcomes is None:
                line.append("not run")
            elif not any(outcomes):
                line.append("failed")
            else:
                value = found.get((cell, document))
                line.append(spelling.value(metric, value[0] if value else None) + ("" if all(outcomes) else " *"))
        lines.append(line)
    shown = [line for line in lines if set(line[1:]) != {PERFECT}]
    perfect = len(lines) - len(shown)
    of = f"{PERFECT} on {spelling.listed(docs)}"
    said = f"{spelling.counted(perfect, 'cell')} at {of}, not listed." if shown else f"Every cell is at {of}."
    return (["cell", *docs], shown), said if perfect else ""


def losses(found: Sequence[hazards.Loss]) -> Table:
    """Runs that completed with rows missing."""
    headers = [
        "release",
        "cell",
        "document",
        "failed / runs",
        "rows missing in",
        "whole list lost in",
        "mean recall",
        "least recall",
    ]
    lines = [
        [
            loss.version,
            f"`{loss.cell}`",
            loss.document,
            f"{loss.runs - loss.completed} / {loss.runs}",
            f"{loss.silent} of {loss.completed}",
            f"{loss.lists_lost} of {loss.completed}",
            number(loss.recall),
            number(loss.least),
        ]
        for loss in found
    ]
    return headers, lines


def sizes(found: Sequence[scaling.Size]) -> Table:
    """The size series: one line a size, the modes side by side."""
    names = scaling.modes(found)
    headers = ["rows", "pages"]
    for mode in names:
        headers += [f"recall, {mode}", f"cost, {mode}", f"wall, {mode}"]
    lines = []
    for rows in sorted({size.rows for size in found}):
        own = {size.mode: size for size in found if size.rows == rows}
        pages = next((size.pages for size in own.values() if size.pages is not None), None)
        line = [f"{rows:,}", spelling.whole(pages)]
        for mode in names:
            size = own.get(mode)
            if size is None:
                line += ["not run"] * 3
            elif size.recall is None:
                line += [f"FAILED ({', '.join(size.errors)})", MISSING, MISSING]
            else:
                line += [number(size.recall), money(size.cost), spelling.value("wall_s", size.wall)]
        lines.append(line)
    return headers, lines


def spreads(found: Sequence[variance.Spread]) -> Table:
    """Mean and worst case of each cell's cost, side by side."""
    headers = ["cell", "document", "runs", "mean", "dearest run", "dearest / mean", "cheapest run", "CV"]
    lines = [
        [
            f"`{one.cell}`",
            one.document,
            str(one.runs) + ("" if one.enough else f" (fewer than {variance.LEAST_RUNS})"),
            money(one.mean),
            money(one.most),
            f"{one.worst:.2f}",
            money(one.least),
            number(one.cv),
        ]
        for one in found
    ]
    return headers, lines


def extraction(found: Sequence[Swept], label: Mapping[str, str]) -> Table:
    """The sweep of the extraction model: each value against the default on what both ran."""
    headers = [
        "extraction model",
        "release",
        "failed / runs",
        "date",
        "compared on",
        "correct",
        "recall",
        "cost per document",
        "change",
    ]
    lines = []
    for one in found:
        cost = one.numbers["cost"]
        lines.append(
            [
                label[one.value] + (" (default)" if one.default else ""),
                one.version + (" (older)" if one.older else ""),
                f"{one.evidence.failed} / {one.evidence.runs}",
                one.evidence.days,
                "itself" if one.default else spelling.counted(cost.strata, "document"),
                _against("share", one.numbers["correct"], one.default),
                _against("completeness_recall", one.numbers["completeness_recall"], one.default),
                _against("cost", cost, one.default),
                MISSING if one.default else spelling.difference(cost.control, cost.value),
            ]
        )
    return headers, lines


def phase(found: Sequence[Swept], label: Mapping[str, str], name: str, metric: str, title: str) -> Table:
    """The sweep of a model of another phase: what the phase cost and what it is judged by."""
    headers = [
        name,
        "release",
        "failed / runs",
        "date",
        "compared on",
        title,
        "cost of the phase",
        "confidence observations",
        "ECE",
        "AUROC",
    ]
    cost = next(key for key in found[0].numbers if key.startswith("cost_by_phase/")) if found else ""
    lines = []
    for one in found:
        pooled = one.calibration or {}
        lines.append(
            [
                label[one.value] + (" (default)" if one.default else ""),
                one.version + (" (older)" if one.older else ""),
                f"{one.evidence.failed} / {one.evidence.runs}",
                one.evidence.days,
                "itself" if one.default else spelling.counted(one.numbers[cost].strata, "document"),
                _against(metric, one.numbers[metric], one.default),
                _against("cost", one.numbers[cost], one.default),
                spelling.whole(int(pooled["observations"])) if pooled else MISSING,
                number(pooled.get("ece_mean_conf")),
                number(pooled.get("auroc_unbinned")),
            ]
        )
    return headers, lines


def mean(lines: Sequence[grid.CellLine], name: str) -> float | None:
    """Mean over cells of one of their numbers."""
    found = [value for line in lines if (value := getattr(line, name)) is not None]
    return fmean(found) if found else None


def _against(metric: str, pair: Against, default: bool) -> str:
    def shown(amount: float | None) -> str:
        return spelling.share(amount) if metric == "share" else spelling.value(metric, amount)

    if default or not pair.strata:
        return shown(pair.value)
    return f"{shown(pair.value)} (default {shown(pair.control)})"
