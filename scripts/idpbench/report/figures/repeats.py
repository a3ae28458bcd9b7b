"""Every run by itself: its cost and quality against the mean of its document on PREV, so that noise can be seen."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean
from typing import Any

from idpbench.report.cells import cell_order, measured_quality
from idpbench.report.figures.catalogue import REPEATS
from idpbench.report.figures.style import (
    BASE_COLOUR,
    MARKERS,
    NEW_COLOUR,
    drawing,
    percent_ticks,
    save,
    save_numbers,
    source_line,
)
from idpbench.report.inputs import Inputs
from idpbench.report.strata import values

HEADERS = ("metric", "cell", "document", "side", "version", "value", "prev_mean", "shown")
Line = list[Any]


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where no document has a cost on both sides and at least two runs on one."""
    lines = {metric: runs(inputs, metric) for metric in ("cost", _moving(inputs)) if metric}
    lines = {metric: found for metric, found in lines.items() if found}
    if "cost" not in lines or len(lines["cost"]) == len({(line[1], line[2], line[3]) for line in lines["cost"]}):
        return False
    cells = [cell for cell in cell_order(inputs) if any(line[1] == cell for line in lines["cost"])]
    documents = sorted({line[2] for found in lines.values() for line in found})
    with drawing(4.2 * len(lines) + 1.6, 1.8 + 0.36 * len(cells), ncols=len(lines), sharey=True, squeeze=False) as (
        figure,
        axes,
    ):
        for axis, (metric, found) in zip(axes.flat, lines.items(), strict=True):
            _panel(axis, metric, found, cells, documents)
        axes.flat[0].set_yticks(range(len(cells)), cells, fontsize=8)
        for name, version, colour in (
            ("PREV", inputs.base.version, BASE_COLOUR),
            ("VERSION", inputs.new.version, NEW_COLOUR),
        ):
            axes.flat[0].plot([], [], "o", color=colour, markersize=5, label=f"{name} {version}")
        for place, document in enumerate(documents[: len(MARKERS)]):
            axes.flat[0].plot(
                [], [], MARKERS[place], color="#404040", markerfacecolor="none", markersize=5, label=document
            )
        handles, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=min(5, len(labels)), fontsize=8)
        note = " Local stack, projected cost, nothing was billed." if inputs.new.backend == "local" else ""
        source_line(
            figure,
            f"One mark is one completed run of {len(lines['cost'])}, beside the mean of its document on PREV (0). "
            f"Source: summary.json of both sides.{note}",
        )
        save(figure, folder, REPEATS.stem)
    save_numbers(folder, REPEATS.stem, HEADERS, [line for found in lines.values() for line in found])
    return True


def runs(inputs: Inputs, metric: str) -> list[Line]:
    """One line a run: metric, cell, document, side, version, value, PREV's mean, and what is drawn.

    Drawn is the difference from PREV's mean, for cost the logarithm of the ratio; documents without PREV have none.
    """
    found: list[Line] = []
    base = values(inputs.base, metric)
    for side, name in ((inputs.base, "PREV"), (inputs.new, "VERSION")):
        for (cell, document), every in sorted(values(side, metric).items()):
            mean = fmean(base[cell, document]) if (cell, document) in base else None
            if mean is None or (metric == "cost" and (mean <= 0 or min(every) <= 0)):
                continue
            for value in every:
                shown = math.log(value / mean) if metric == "cost" else value - mean
                found.append([metric, cell, document, name, side.version, value, mean, shown])
    return found


def _moving(inputs: Inputs) -> str | None:
    """The quality metric in which runs differ most from PREV's mean; None where no run differs at all."""
    spread = {
        metric: math.fsum(abs(line[-1]) for line in runs(inputs, metric)) for metric, _ in measured_quality(inputs)
    }
    most = max(sorted(spread), key=lambda metric: spread[metric], default=None)
    return most if most is not None and spread[most] > 0 else None


def _panel(axis: Any, metric: str, found: list[Line], cells: list[str], documents: list[str]) -> None:
    for name, colour, shift in (("PREV", BASE_COLOUR, -0.19), ("VERSION", NEW_COLOUR, 0.19)):
        for place, document in enumerate(documents):
            # a lane for each document, so that equal values do not hide each other
            lane = shift + 0.24 * ((place + 0.5) / len(documents) - 0.5)
            chosen = [line for line in found if line[2] == document and line[3] == name]
            axis.plot(
                [line[-1] for line in chosen], [cells.index(line[1]) + lane for line in chosen],
                MARKERS[place % len(MARKERS)], color=colour, markerfacecolor="none", markersize=4, alpha=0.85,
                linestyle="none",
            )  # fmt: skip
    for place in range(1, len(cells)):
        axis.axhline(place - 0.5, color="#E5E5E5", linewidth=0.7)
    axis.set_ylim(len(cells) - 0.5, -0.5)
    axis.grid(axis="y", visible=False)
    if metric == "cost":
        shown = [line[-1] for line in found]
        percent_ticks(axis, 1.05 * min(*shown, -0.05), 1.05 * max(*shown, 0.05))
        axis.set(title="Cost of each run", xlabel="against PREV's mean of the document, logarithmic")
    else:
        axis.set(
            title=f"{metric.replace('_', ' ').capitalize()} of each run", xlabel="minus PREV's mean of the document"
        )
