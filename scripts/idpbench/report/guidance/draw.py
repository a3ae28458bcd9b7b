"""The two figures of the guidance, each with its numbers beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from idpbench.report.figures.style import COLOURS, MARKERS, QUIET, drawing, save, save_numbers, source_line
from idpbench.report.guidance import grid, scaling
from idpbench.report.guidance.catalogue import CLIFF, PARETO
from idpbench.report.shelf import Shelved, evidence_of

PARETO_HEADERS = (
    "cell", "extraction_mode", "documents", "runs", "failed", "cost_usd", "share_correct", "recall", "cell_accuracy",
    "frontier",
)  # fmt: skip
CLIFF_HEADERS = (
    "mode",
    "document",
    "rows",
    "pages",
    "runs",
    "failed",
    "recall",
    "least_recall",
    "cost_usd",
    "wall_s",
    "errors",
)
Places = dict[tuple[float, float], list[grid.CellLine]]
LOCAL = " Local stack (self-test), projected cost, nothing was billed."


def draw_pareto(item: Shelved, folder: Path) -> bool:
    """Cost against share correct, one point a cell; False where no cell has both."""
    lines = [line for line in grid.cell_lines(item) if line.cost is not None and line.correct is not None]
    if not lines:
        return False
    best = grid.frontier(lines)
    places: Places = {}
    for line in lines:
        places.setdefault((round(line.cost or 0, 4), round(line.correct or 0, 4)), []).append(line)
    order = sorted(places, key=lambda spot: (spot[0], -spot[1]))
    modes = sorted({_mode(line) for line in lines}, key=lambda mode: (mode != "simple", mode))
    with drawing(9.2, 4.9, ncols=2, width_ratios=(3, 2)) as (figure, (axis, key)):
        steps = [(line.cost or 0, line.correct or 0) for line in best]
        axis.plot(
            [x for x, _ in steps], [y for _, y in steps], color=QUIET, linewidth=0.9, linestyle="--", zorder=1,
            drawstyle="steps-post", label="not beaten in both",
        )  # fmt: skip
        for place, mode in enumerate(modes):
            own = [spot for spot in order if any(_mode(line) == mode for line in places[spot])]
            axis.scatter(
                [x for x, _ in own], [y for _, y in own], s=46, marker=MARKERS[place], facecolors="none",
                edgecolors=COLOURS[place], linewidths=1.3, zorder=3, label=f"{mode} mode",
            )  # fmt: skip
        _number(axis, order)
        axis.set(xlabel=f"US dollars per document{', projected' if item.side.backend == 'local' else ''}")
        axis.set_ylabel("share of fields and list cells right, failed runs included")
        axis.set_xlim(left=0)
        lowest = min(y for _, y in order)
        pad = 0.08 * max(1 - lowest, 0.02)
        axis.set_ylim(lowest - 2 * pad, 1 + pad)
        axis.set_title(f"{item.version}, suite {item.suite}: {len(lines)} cells", pad=24)
        axis.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=3, fontsize=8)
        key.axis("off")
        key.set_title("Cells by cost; * not beaten in both", pad=24)
        _list(key, order, places, best)
        source_line(figure, f"{evidence_of(item).line()}. Source: {item.address}/summary.json.{_local(item)}")
        save(figure, folder, PARETO.stem)
    names = {line.cell for line in best}
    save_numbers(
        folder, PARETO.stem, PARETO_HEADERS,
        [
            [one.cell, _mode(one), one.documents, one.runs, one.failed, one.cost, one.correct, one.recall, one.cells,
             one.cell in names]
            for one in lines
        ],
    )  # fmt: skip
    return True


def draw_cliff(item: Shelved, folder: Path) -> bool:
    """Recall and cost against rows for each mode; False where there is no size."""
    found = scaling.sizes(item)
    if not found:
        return False
    with drawing(9.2, 4.3, ncols=2) as (figure, axes):
        for place, mode in enumerate(scaling.modes(found)):
            own = [size for size in found if size.mode == mode]
            style = {"color": COLOURS[place], "marker": MARKERS[place], "markersize": 5, "linewidth": 1.4}
            for axis, key in zip(axes, ("recall", "cost"), strict=True):
                known = [(size.rows, getattr(size, key)) for size in own if getattr(size, key) is not None]
                axis.plot([x for x, _ in known], [y for _, y in known], label=f"{mode} mode", **style)
            edge = scaling.cliff(found, mode)
            for rows in edge.refused:
                # On the lower edge and not at a value: a failed run has neither a recall nor a cost here.
                for axis in axes:
                    axis.plot(
                        [rows], [0], "x", color=COLOURS[place], markersize=9, markeredgewidth=2, clip_on=False,
                        zorder=5, transform=axis.get_xaxis_transform(),
                    )  # fmt: skip
            if edge.first_loss is not None:
                _edge(axes[0], edge, COLOURS[place])
        every = sorted({size.rows for size in found})
        for axis, title, label in (
            (axes[0], "Recall against rows", "recall of completed runs"),
            (axes[1], "Cost against rows", "US dollars per completed run"),
        ):
            axis.set_xscale("log")
            axis.set_xticks(every, [f"{count:,}" for count in every], fontsize=7, rotation=60)
            axis.minorticks_off()
            axis.set(xlabel="rows in the document (logarithmic)", ylabel=label, title=title)
        axes[0].set_ylim(-0.03, 1.06)
        axes[1].set_ylim(bottom=0)
        handles, labels = axes[1].get_legend_handles_labels()
        if any(size.failed for size in found):
            mark = axes[1].plot([], [], "x", color=QUIET, markersize=9, markeredgewidth=2, label="a run failed")
            handles, labels = [*handles, *mark], [*labels, "a run failed"]
        figure.legend(handles, labels, loc="outside upper left", ncols=4, fontsize=8)
        source_line(figure, f"{evidence_of(item).line()}. Source: {item.address}/summary.json.{_local(item)}")
        save(figure, folder, CLIFF.stem)
    lines = [
        [
            s.mode,
            s.document,
            s.rows,
            s.pages,
            s.runs,
            s.failed,
            s.recall,
            s.least_recall,
            s.cost,
            s.wall,
            " ".join(s.errors),
        ]
        for s in found
    ]
    save_numbers(folder, CLIFF.stem, CLIFF_HEADERS, lines)
    return True


def _edge(axis: Any, edge: scaling.Cliff, colour: str) -> None:
    """The band in which a mode stops being whole."""
    start, end = edge.last_whole or edge.first_loss, edge.first_loss
    axis.axvspan(start, end, color=colour, alpha=0.12, linewidth=0, zorder=0)
    text = (
        f"{edge.mode}: whole to {edge.last_whole:,},\nnot at {end:,}"
        if edge.last_whole
        else f"{edge.mode}: never whole"
    )
    axis.annotate(text, (start, 0.2), xytext=(-6, 0), textcoords="offset points", fontsize=7, ha="right", color=colour)


def _number(axis: Any, spots: Sequence[tuple[float, float]]) -> None:
    """A number below each place, as far down as it takes to stand clear of its neighbours' numbers."""
    width = max(x for x, _ in spots) or 1.0
    taken: list[tuple[int, float, float]] = []
    for number, (x, y) in enumerate(spots, start=1):
        level = 0
        while any(level == other and abs(x - at) < 0.035 * width and abs(y - up) < 0.02 for other, at, up in taken):
            level += 1
        taken.append((level, x, y))
        axis.annotate(
            str(number), (x, y), xytext=(0, -13 - 11 * level), textcoords="offset points", fontsize=7, ha="center",
            va="center", arrowprops={"arrowstyle": "-", "color": QUIET, "linewidth": 0.4, "shrinkA": 0, "shrinkB": 3},
        )  # fmt: skip


def _list(key: Any, spots: Sequence[tuple[float, float]], places: Places, best: Sequence[grid.CellLine]) -> None:
    """The cells behind the numbers, with their two coordinates, in columns."""
    marks = {line.cell for line in best}
    columns: list[list[str]] = [[], [], [], []]
    for number, spot in enumerate(spots, start=1):
        for place, line in enumerate(places[spot]):
            first = (
                [str(number), f"${line.cost or 0:.4f}", f"{100 * (line.correct or 0):.1f} %"] if not place else [""] * 3
            )
            for column, text in zip(columns, [*first, line.cell + (" *" if line.cell in marks else "")], strict=True):
                column.append(text)
    for place, (column, at, side) in enumerate(zip(columns, (0.04, 0.2, 0.38, 0.42), "rrrl", strict=True)):
        key.text(
            at, 1, "\n".join(column), transform=key.transAxes, fontsize=7, va="top", linespacing=1.4,
            ha="left" if side == "l" else "right", color="black" if place in (0, 3) else QUIET,
        )  # fmt: skip


def _mode(line: grid.CellLine) -> str:
    return line.resolved.get("extraction_mode", "any")


def _local(item: Shelved) -> str:
    return LOCAL if item.side.backend == "local" else ""
