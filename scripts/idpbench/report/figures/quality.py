"""Recall and accuracy of each (cell, document) on both sides: one panel a metric, PREV across, VERSION up."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

from idpbench.report.cells import measured_quality
from idpbench.report.figures.catalogue import QUALITY
from idpbench.report.figures.style import COLOURS, MARKERS, QUIET, drawing, save, save_numbers, source_line
from idpbench.report.inputs import Inputs
from idpbench.report.strata import values

HEADERS = ("metric", "cell", "document", "prev", "version", "runs_prev", "runs_version")
MOST_LABELS = 8
LEAST_STEP = 0.02  # a key is named where its two sides differ by the gate's threshold


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where no metric was measured on both sides."""
    panels = [(metric, header, points(inputs, metric)) for metric, header in measured_quality(inputs)]
    panels = [panel for panel in panels if panel[2]]
    if not panels:
        return False
    columns = 2 if len(panels) in (2, 4) else min(3, len(panels))
    count_rows = math.ceil(len(panels) / columns)
    documents = sorted({point[1] for _, _, found in panels for point in found}, key=_natural)
    longest = max(len(_moved(found)) for _, _, found in panels)
    with drawing(
        3.7 * columns, (4.3 + 0.165 * longest) * count_rows + 0.8, nrows=count_rows, ncols=columns, squeeze=False
    ) as (
        figure,
        axes,
    ):
        for axis, panel in zip(axes.flat, panels, strict=False):
            _panel(axis, inputs, panel, documents)
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
        handles, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="outside upper left", ncols=min(4, len(documents)), fontsize=8, title_fontsize=8
        )
        runs = [sum(int(point[i]) for point in panels[0][2]) for i in (4, 5)]
        source_line(
            figure,
            f"One point is one key (cell, document), larger where several keys coincide; n = {runs[0]} completed runs "
            f"of {inputs.base.version}, {runs[1]} of {inputs.new.version} (first panel).\nKeys that differ by "
            f"{LEAST_STEP} or more are numbered, at most {MOST_LABELS} a panel. Source: summary.json of both sides.",
        )
        save(figure, folder, QUALITY.stem)
    save_numbers(folder, QUALITY.stem, HEADERS, [[metric, *point] for metric, _, found in panels for point in found])
    return True


def points(inputs: Inputs, metric: str) -> list[tuple[str, str, float, float, int, int]]:
    """(cell, document, PREV's mean, VERSION's mean, runs, runs) of the keys measured on both sides."""
    base, new = (values(side, metric) for side in inputs.sides)
    return [
        (*key, fmean(base[key]), fmean(new[key]), len(base[key]), len(new[key])) for key in sorted(set(base) & set(new))
    ]


def _panel(axis: Any, inputs: Inputs, panel: tuple[str, str, list[Any]], documents: list[str]) -> None:
    _, header, found = panel
    least = min(min(point[2], point[3]) for point in found)
    span = 1.0 - min(least, 0.9)
    low, high = 1.0 - 1.06 * span, 1.0 + 0.09 * span
    axis.plot([low, high], [low, high], color=QUIET, linewidth=0.8, linestyle="--", zorder=1)
    for place, document in enumerate(documents):
        style = {
            "marker": MARKERS[place % len(MARKERS)],
            "facecolors": "none",
            "edgecolors": COLOURS[(place + place // len(COLOURS)) % len(COLOURS)],
            "linewidths": 1.2,
        }
        tally = Counter((point[2], point[3]) for point in found if point[1] == document)
        sizes = [22 + 9 * (count - 1) for count in tally.values()]
        axis.scatter([spot[0] for spot in tally], [spot[1] for spot in tally], s=sizes, zorder=3, **style)
        axis.scatter([], [], s=26, label=document, **style)
    axis.set(xlim=(low, high), ylim=(low, high))
    ticks = [tick for tick in axis.get_xticks() if low <= tick <= 1.0 + 1e-9]
    axis.set(xticks=ticks, yticks=ticks, xlabel=f"PREV {inputs.base.version}", ylabel=f"VERSION {inputs.new.version}")
    axis.set_aspect("equal", anchor="N")
    worse = sum(1 for point in found if point[3] < point[2] - LEAST_STEP + 1e-9)
    better = sum(1 for point in found if point[3] > point[2] + LEAST_STEP - 1e-9)
    counted = f"{worse} lower and {better} higher by {LEAST_STEP} or more"
    axis.set_title(f"{header[:1].upper()}{header[1:]}: {len(found)} keys,\n{counted}")
    _number_moved(axis, found, high - low)


def _number_moved(axis: Any, found: list[Any], span: float) -> None:
    """Numbers beside the keys that moved most, and their names and values in a list below the panel."""
    moved = _moved(found)
    spots: dict[tuple[float, float], list[str]] = {}
    for number, point in enumerate(moved, start=1):
        spots.setdefault((point[2], point[3]), []).append(str(number))
    above: list[float] = []
    right: list[float] = []
    for (old, new), numbers in sorted(spots.items(), key=lambda item: (-item[0][1], -item[0][0])):
        label = ",".join(numbers)
        if new > old:
            place = _free(old, above, span * (0.03 + 0.022 * len(label)))
            spot, anchor = (place, new + 0.045 * span), {"ha": "center", "va": "center"}
        else:
            place = _free(new, right, span * 0.045)
            spot, anchor = (old + 0.03 * span, place), {"ha": "left", "va": "center"}
        line = {"arrowstyle": "-", "color": QUIET, "linewidth": 0.4, "shrinkA": 0, "shrinkB": 2}
        axis.annotate(
            label, (old, new), xytext=spot, fontsize=7, arrowprops=line, zorder=4, annotation_clip=False, **anchor
        )
    names = [f"{n}  {p[0]} | {p[1]}: {p[2]:.3f} to {p[3]:.3f}" for n, p in enumerate(moved, start=1)]
    axis.text(0, -0.17, "\n".join(names), transform=axis.transAxes, fontsize=7, va="top", ha="left", linespacing=1.35)


def _moved(found: list[Any]) -> list[Any]:
    """The keys that differ by the gate's threshold or more, largest difference first, cut to what a list can hold."""
    moved = [point for point in found if abs(point[3] - point[2]) >= LEAST_STEP - 1e-9]
    return sorted(moved, key=lambda point: (-abs(point[3] - point[2]), point[0], point[1]))[:MOST_LABELS]


def _natural(name: str) -> list[tuple[int, str]]:
    """Sort key that puts scale_25 before scale_100."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _free(wanted: float, taken: list[float], step: float) -> float:
    """The nearest place at or below `wanted` that keeps `step` from every place taken; it is taken from then on."""
    place = wanted
    while any(abs(place - other) < step - 1e-12 for other in taken):
        place -= step / 4
    taken.append(place)
    return place
