"""Cells against documents: the share of rows found by VERSION, what changed in quality, what changed in cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from matplotlib.patches import Rectangle

from idpbench.report.cells import cell_order, measured_quality
from idpbench.report.figures.catalogue import HEAT
from idpbench.report.figures.quality import _natural
from idpbench.report.figures.style import drawing, save, save_numbers, source_line
from idpbench.report.inputs import Inputs
from idpbench.report.strata import values

HEADERS = (
    "cell", "document", "runs_prev", "failed_prev", "runs_version", "failed_version",
    "quality_metric", "quality_change", "cost_change_log",
)  # fmt: skip
UNDEFINED = "#D0D0D0"
Key = tuple[str, str]


@dataclass(frozen=True)
class Square:
    """One (cell, document): runs and failed runs of PREV and VERSION, the quality metric that moved most, the cost."""

    runs: tuple[int, int]
    failed: tuple[int, int]
    metric: str | None
    quality: float | None
    cost: float | None


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where nothing was run."""
    found = squares(inputs)
    if not found:
        return False
    cells = [cell for cell in cell_order(inputs) if any(key[0] == cell for key in found)]
    documents = sorted({document for _, document in found}, key=_natural)
    width = max(7.2, 2.6 + 2 * 0.62 * len(documents))
    with drawing(width, 2.2 + 0.26 * len(cells), ncols=2, sharey=True) as (figure, axes):
        for axis, name, title in ((axes[0], "quality", "Change in quality"), (axes[1], "cost", "Change in cost")):
            _panel(axis, found, cells, documents, name, title)
        axes[0].set_yticks(range(len(cells)), cells, fontsize=8)
        failed = [sum(square.failed[side] for square in found.values()) for side in (0, 1)]
        runs = [sum(square.runs[side] for square in found.values()) for side in (0, 1)]
        note = " Projected cost, nothing was billed." if inputs.new.backend == "local" else ""
        source_line(
            figure,
            f"Quality: of all metrics the one that moved most. Blue is better, orange is worse. Hatched: failed runs,\n"
            f"PREV {failed[0]} of {runs[0]}, VERSION {failed[1]} of {runs[1]}; the numbers are runs failed, PREV to "
            f"VERSION. Grey: not measured on both sides, blank: not planned.\nFrom summary.json of both sides.{note}",
        )
        save(figure, folder, HEAT.stem)
    save_numbers(
        folder, HEAT.stem, HEADERS,
        [
            [*key, s.runs[0], s.failed[0], s.runs[1], s.failed[1], s.metric, s.quality, s.cost]
            for key, s in sorted(found.items())
        ],
    )  # fmt: skip
    return True


def squares(inputs: Inputs) -> dict[Key, Square]:
    """What is known of each (cell, document) that either side ran."""
    tally: dict[Key, list[list[int]]] = {}
    for place, side in enumerate(inputs.sides):
        for row in side.rows:
            key = (row["cell"], str(row["doc"]).removesuffix(".pdf"))
            counts = tally.setdefault(key, [[0, 0], [0, 0]])
            counts[0][place] += 1
            counts[1][place] += not row.get("success")
    costs = [values(side, "cost") for side in inputs.sides]
    quality = {metric: [values(side, metric) for side in inputs.sides] for metric, _ in measured_quality(inputs)}
    found = {}
    for key, (runs, failed) in tally.items():
        moved = {
            metric: fmean(new[key]) - fmean(base[key])
            for metric, (base, new) in quality.items()
            if {key} <= base.keys() & new.keys()
        }
        most = max(sorted(moved), key=lambda metric: abs(moved[metric]), default=None)
        means = [fmean(side[key]) for side in costs if key in side]
        cost = math.log(means[1] / means[0]) if len(means) == 2 and min(means) > 0 else None
        found[key] = Square(
            (runs[0], runs[1]), (failed[0], failed[1]), most, None if most is None else moved[most], cost
        )
    return found


def _panel(axis: Any, found: dict[Key, Square], cells: list[str], documents: list[str], name: str, title: str) -> None:
    # The scale ends at a change that anybody would call large; beyond it the number still stands in the square.
    full = math.log(1.5) if name == "cost" else 0.25
    for (cell, document), square in found.items():
        x, y = documents.index(document), cells.index(cell)
        value = getattr(square, name)
        better = None if value is None else (-value if name == "cost" else value) / full
        axis.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=_colour(better), edgecolor="white", linewidth=0.8))
        if sum(square.failed):
            axis.add_patch(
                Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, hatch="////", edgecolor="#8A8A8A", linewidth=0)
            )
        if label := _label(square, name):
            back = {"facecolor": "white", "linewidth": 0, "boxstyle": "square,pad=0.15"} if sum(square.failed) else None
            axis.text(x, y, label, ha="center", va="center", fontsize=6.5, bbox=back)
    axis.set(xlim=(-0.5, len(documents) - 0.5), ylim=(len(cells) - 0.5, -0.5))
    axis.set_xticks(range(len(documents)), documents, fontsize=7, rotation=40, ha="right", rotation_mode="anchor")
    axis.grid(visible=False)
    axis.set_title(title)


def _label(square: Square, name: str) -> str:
    value = getattr(square, name)
    shown = "" if value is None else f"{100 * math.expm1(value):+.0f} %" if name == "cost" else f"{value:+.2f}"
    if shown in ("+0.00", "-0.00", "+0 %", "-0 %"):
        shown = "0"
    return f"{square.failed[0]} to {square.failed[1]}" if sum(square.failed) and name == "quality" else shown


def _colour(better: float | None) -> str | tuple[float, ...]:
    """White at no change, blue towards 1, orange towards -1, grey where nothing is known."""
    if better is None:
        return UNDEFINED
    end = (0.0, 0.447, 0.698) if better > 0 else (0.902, 0.624, 0.0)
    share = 0.85 * min(1.0, abs(better))
    return tuple(round(1 - share * (1 - part), 4) for part in end)
