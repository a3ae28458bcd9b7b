"""What size does: recall, cost and wall time against the rows of the document, where a grid has a size series."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from idpbench.report.figures.catalogue import SERIES
from idpbench.report.figures.style import COLOURS, MARKERS, drawing, save, save_numbers, source_line
from idpbench.report.inputs import Inputs, Side, document_of
from idpbench.report.strata import is_number

PANELS = (
    ("completeness_recall", "recall", "recall"),
    ("cost", "cost per run", "US dollars per completed run"),
    ("wall_s", "wall time", "seconds per completed run"),
)
LEAST_SIZES = 4
MOST_CELLS = 6
HEADERS = ("metric", "cell", "side", "version", "rows", "document", "mean", "runs")


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where no cell has documents of four or more sizes on one of the sides."""
    cells = series_cells(inputs)[:MOST_CELLS]
    if not cells:
        return False
    lines: list[list[Any]] = []
    with drawing(9.6, 3.9, ncols=len(PANELS)) as (figure, axes):
        for axis, (metric, title, label) in zip(axes, PANELS, strict=True):
            for place, cell in enumerate(cells):
                for side, name, style in ((inputs.base, "PREV", "--"), (inputs.new, "VERSION", "-")):
                    found = by_rows(side, cell, metric)
                    lines += [[metric, cell, name, side.version, *point] for point in found]
                    axis.plot(
                        [point[0] for point in found], [point[2] for point in found], style,
                        color=COLOURS[place], marker=MARKERS[place], markersize=4, linewidth=1.3,
                        markerfacecolor="white" if name == "PREV" else COLOURS[place],
                        label=f"{cell}, {side.version}",
                    )  # fmt: skip
            sizes = sorted({line[4] for line in lines if line[0] == metric})
            axis.set_xscale("log")
            axis.set_xticks(sizes, [str(size) for size in sizes], fontsize=7, rotation=60)
            axis.minorticks_off()
            axis.set(xlabel="rows in the document (logarithmic)", ylabel=label)
            axis.set_ylim(bottom=-0.03 if metric == "completeness_recall" else 0)
            axis.set_title(f"{title[:1].upper()}{title[1:]} against rows")
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=min(4, len(labels)), fontsize=8)
        note = " Local stack, projected cost, nothing was billed." if inputs.new.backend == "local" else ""
        runs = sum(line[7] for line in lines if line[0] == "completeness_recall")
        source_line(
            figure,
            f"n = {runs} completed runs of {len(cells)} cells; a size without a point has no completed run. "
            f"Source: summary.json of both sides.{note}",
        )
        save(figure, folder, SERIES.stem)
    save_numbers(folder, SERIES.stem, HEADERS, lines)
    return True


def series_cells(inputs: Inputs) -> list[str]:
    """Cells that have completed documents of at least four sizes on one side."""
    sizes: dict[str, set[int]] = defaultdict(set)
    for side in inputs.sides:
        for row in side.successes():
            if is_number(row.get("rows_truth")) and row["rows_truth"] > 0:
                sizes[row["cell"]].add(int(row["rows_truth"]))
    return [cell for cell in sorted(sizes) if len(sizes[cell]) >= LEAST_SIZES]


def by_rows(side: Side, cell: str, metric: str) -> list[tuple[int, str, float, int]]:
    """(rows, document, mean, runs) of a cell's documents, by size; documents of one size stay apart."""
    found: dict[tuple[int, str], list[float]] = defaultdict(list)
    for row in side.successes():
        if row["cell"] == cell and is_number(row.get("rows_truth")) and is_number(row.get(metric)):
            found[int(row["rows_truth"]), document_of(row)].append(float(row[metric]))
    return [(rows, document, fmean(every), len(every)) for (rows, document), every in sorted(found.items())]
