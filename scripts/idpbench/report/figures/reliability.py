"""Reliability: observed accuracy against mean confidence, a panel for each way of assessing, PREV and VERSION."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from idpbench.report.figures.catalogue import RELIABILITY
from idpbench.report.figures.style import BASE_COLOUR, NEW_COLOUR, QUIET, drawing, save, save_numbers, source_line
from idpbench.report.inputs import Inputs
from idpbench.report.reliability import LEAST_WRONG, Arm, arms, wrong

HEADERS = (
    "assessment", "confidence_model", "side", "version", "not_drawn_because", "bin_start", "bin_end", "values",
    "wrong", "mean_confidence", "observed_accuracy", "low", "high",
)  # fmt: skip
MOST_PANELS = 4


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where no way of assessing has wrong values enough on both sides.

    The numbers are written wherever a value was assessed, so that an abstention has its counts and its reason.
    """
    found = arms(inputs)
    if not found:
        return False
    lines = [line for arm in found for line in _numbers(arm, inputs)]
    save_numbers(folder, RELIABILITY.stem, HEADERS, lines)
    shown = [arm for arm in found if arm.abstention is None][:MOST_PANELS]
    if not shown:
        return False
    with drawing(4.1 * len(shown), 5.3, ncols=len(shown), squeeze=False) as (figure, axes):
        for axis, arm in zip(axes.flat, shown, strict=True):
            _panel(axis, arm, inputs)
        handles, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=2, fontsize=8)
        source_line(
            figure,
            "Area of a point: its share of the side's values. Bars: Wilson, 95 %,\n"
            "as if values were independent, which those of one document are not.\n"
            f"Drawn from {LEAST_WRONG} wrong values a side. Source: summary.json of both sides.",
        )
        save(figure, folder, RELIABILITY.stem)
    return True


def _panel(axis: Any, arm: Arm, inputs: Inputs) -> None:
    axis.plot([0, 1], [0, 1], color=QUIET, linewidth=0.8, linestyle="--", zorder=1)
    counts = []
    styles = ((inputs.base, BASE_COLOUR, "o"), (inputs.new, NEW_COLOUR, "D"))
    for found, (side, colour, marker), name in zip(arm.sides, styles, ("PREV", "VERSION"), strict=True):
        assert found is not None  # such an arm abstains
        filled = list(_bins(found))
        spots = [(one["meanConfidence"], one["observedAccuracy"]) for one in filled]
        below = [max(0.0, y - one["observedAccuracyLow"]) for one, (_, y) in zip(filled, spots, strict=True)]
        above = [max(0.0, one["observedAccuracyHigh"] - y) for one, (_, y) in zip(filled, spots, strict=True)]
        x, y = [spot[0] for spot in spots], [spot[1] for spot in spots]
        axis.errorbar(x, y, yerr=[below, above], fmt="none", ecolor=colour, elinewidth=1.1, capsize=3, zorder=2)
        sizes = [(50 if name == "PREV" else 18) + 170 * one["observations"] / found["observations"] for one in filled]
        faces, above_all = ("none", 4) if name == "PREV" else (colour, 3)  # a ring shows where both sides agree
        axis.scatter(
            x, y, s=sizes, marker=marker, facecolors=faces, edgecolors=colour, linewidths=1.4, zorder=above_all
        )
        axis.scatter([], [], s=40, marker=marker, facecolors=faces, edgecolors=colour, label=f"{name} {side.version}")
        counts.append(f"{wrong(found):,} of {found['observations']:,}")
    axis.set(xlim=(-0.05, 1.07), ylim=(-0.05, 1.07), xlabel="mean confidence", ylabel="share of values that are right")
    axis.set_aspect("equal", anchor="N")
    axis.set_title(f"{arm.assessment}, {arm.model}\nwrong: {counts[0]}, {counts[1]}")


def _numbers(arm: Arm, inputs: Inputs) -> Iterator[list[Any]]:
    """The bins of both sides; of a side without a value, its zero."""
    for found, side, name in zip(arm.sides, inputs.sides, ("PREV", "VERSION"), strict=True):
        about = [arm.assessment, arm.model, name, side.version, arm.abstention]
        if found is None:
            yield [*about, None, None, 0, 0, None, None, None, None]
            continue
        for one in _bins(found):
            lost = one["observations"] - round(one["observedAccuracy"] * one["observations"])
            yield [
                *about, one["binStart"], one["binEnd"], one["observations"], lost, one["meanConfidence"],
                one["observedAccuracy"], one["observedAccuracyLow"], one["observedAccuracyHigh"],
            ]  # fmt: skip


def _bins(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in found["bins"] if one["observations"]]
