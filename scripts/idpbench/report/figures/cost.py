"""Cost per run of each cell, PREV and VERSION, with the means of the documents behind each cell's mean."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Any

from idpbench.report.cells import cell_order
from idpbench.report.figures.catalogue import COST
from idpbench.report.figures.style import BASE_COLOUR, NEW_COLOUR, drawing, save, save_numbers, source_line
from idpbench.report.inputs import Inputs, Side
from idpbench.report.strata import values

HEADERS = ("cell", "side", "version", "mean_usd", "documents", "runs", "document", "document_mean_usd", "document_runs")


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False, and nothing written, where no cell has a cost on either side."""
    cells = [cell for cell in cell_order(inputs) if any(values(side, "cost", cell) for side in inputs.sides)]
    if not cells:
        return False
    lines: list[list[Any]] = []
    with drawing(8.2, 1.6 + 0.34 * len(cells)) as (figure, axes):
        for side, name, colour, marker, shift in (
            (inputs.base, "PREV", BASE_COLOUR, "o", -0.17),
            (inputs.new, "VERSION", NEW_COLOUR, "D", 0.17),
        ):
            for place, cell in enumerate(cells):
                found = means(side, cell)
                if not found:
                    continue
                mean = fmean(mean for _, mean, _ in found)
                runs = sum(count for _, _, count in found)
                axes.barh(place + shift, mean, height=0.3, color=colour, alpha=0.55, linewidth=0)
                axes.plot(
                    [value for _, value, _ in found], [place + shift] * len(found), marker, color=colour,
                    markersize=3.5, markeredgecolor="white", markeredgewidth=0.4, linestyle="none",
                )  # fmt: skip
                lines += [[cell, name, side.version, mean, len(found), runs, *document] for document in found]
            axes.barh(0, 0, color=colour, alpha=0.55, label=f"{name} {side.version}, cell mean")
            axes.plot([], [], marker, color=colour, markersize=4, label=f"{name} {side.version}, document mean")
        axes.set_yticks(range(len(cells)), cells, fontsize=8)
        axes.set_ylim(len(cells) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.set_xlim(left=0)
        axes.set_xlabel("US dollars per completed run" + (", projected" if inputs.new.backend == "local" else ""))
        axes.set_title(f"Cost per run by cell, {inputs.base.version} and {inputs.new.version}", pad=38)
        handles, labels = axes.get_legend_handles_labels()
        order = sorted(range(len(labels)), key=lambda place: (labels[place].startswith("V"), labels[place]))
        axes.legend(
            [handles[place] for place in order], [labels[place] for place in order],
            loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=2, fontsize=8,
        )  # fmt: skip
        source_line(figure, _source(inputs, lines))
        save(figure, folder, COST.stem)
    save_numbers(folder, COST.stem, HEADERS, lines)
    return True


def means(side: Side, cell: str) -> list[tuple[str, float, int]]:
    """(document, mean cost, runs) of a cell's documents, over completed runs with a known cost."""
    return [(document, fmean(costs), len(costs)) for (_, document), costs in sorted(values(side, "cost", cell).items())]


def _source(inputs: Inputs, lines: list[list[Any]]) -> str:
    counts = {name: sum(line[8] for line in lines if line[1] == name) for name in ("PREV", "VERSION")}
    note = " Local stack, projected cost, nothing was billed." if inputs.new.backend == "local" else ""
    return (
        f"n = {counts['PREV']} completed runs of {inputs.base.version}, {counts['VERSION']} of {inputs.new.version}. "
        f"Source: summary.json of both sides.{note}"
    )
