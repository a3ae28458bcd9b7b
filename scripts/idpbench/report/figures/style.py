"""How every figure looks and is written: one palette, no clock and no host in the bytes, numbers in a CSV beside it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import seaborn as sns
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from idpbench.files.atomic import write_bytes, write_text

# Two colours of the Okabe-Ito palette that differ in lightness too, so that they stay apart in grey.
BASE_COLOUR = "#E69F00"
NEW_COLOUR = "#0072B2"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#999999")
QUIET = "#767676"
RESOLUTION = 150


@contextmanager
def drawing(width: float, height: float, **layout: Any) -> Iterator[tuple[Figure, Any]]:
    """A figure and its axes (`plt.subplots(**layout)`) under the common style; closed at the end."""
    settings: dict[Any, Any] = {
        "svg.hashsalt": "idpbench",
        "svg.fonttype": "none",
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "legend.frameon": False,
    }
    with sns.axes_style("whitegrid", {"grid.color": "#E5E5E5"}), matplotlib.rc_context(settings):
        figure, axes = plt.subplots(figsize=(width, height), layout="constrained", **layout)
        try:
            yield figure, axes
        finally:
            plt.close(figure)


def save(figure: Figure, folder: Path, stem: str) -> None:
    """Write stem.png and stem.svg; the same figure gives the same bytes, since no date and no program is named.

    The layout is worked out once and then held, and each format is printed by its own canvas: `savefig` would go
    through the whole figure once more for each.
    """
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    figure.set_dpi(RESOLUTION)
    for suffix, canvas, metadata in (
        ("png", FigureCanvasAgg, {"Software": None}),
        ("svg", FigureCanvasSVG, {"Date": None, "Creator": None}),
    ):
        stream, printer = io.BytesIO(), getattr(canvas(figure), f"print_{suffix}")
        printer(stream, metadata=metadata)
        write_bytes(folder / f"{stem}.{suffix}", stream.getvalue())


def save_numbers(folder: Path, stem: str, headers: Sequence[str], lines: Sequence[Sequence[Any]]) -> None:
    """Write stem.csv: every number that the figure shows."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(headers)
    writer.writerows([["" if value is None else value for value in line] for line in lines])
    write_text(folder / f"{stem}.csv", table.getvalue())


PERCENTS = (0, 5, -5, 10, -10, 25, -25, 50, -50, 100, -75, 200, -90, 400, 900, -95, 3900)


def percent_ticks(axis: Any, low: float, high: float) -> None:
    """Ticks in percent on an axis of natural logarithms of ratios, as many as have room between `low` and `high`."""
    kept: list[int] = []
    for percent in PERCENTS:
        place = math.log1p(percent / 100)
        apart = min((abs(place - math.log1p(other / 100)) for other in kept), default=math.inf)
        if low <= place <= high and apart >= 0.1 * (high - low):
            kept.append(percent)
    kept.sort()
    axis.set_xticks([math.log1p(p / 100) for p in kept], [f"{p:+d} %" if p else "0" for p in kept], fontsize=8)


def source_line(figure: Figure, text: str) -> None:
    """The small line below a figure: what it was made from."""
    figure.supxlabel(text, fontsize=7, color=QUIET, x=0.01, ha="left")
