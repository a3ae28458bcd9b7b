"""Effects that are not plainly nothing: with the interval, the band of the threshold, and what the test could see."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.report.figures.catalogue import EFFECTS
from idpbench.report.figures.style import QUIET, drawing, percent_ticks, save, save_numbers, source_line
from idpbench.report.inputs import Inputs
from idpbench.report.verdict import LOGARITHMIC, metric_name, tests

HEADERS = (
    "level", "key", "metric", "verdict", "effect", "low", "high", "threshold", "detectable", "n_prev", "n_version",
)  # fmt: skip
# Colour, marker and whether it is filled, so that words stay apart in grey too.
WORDS = {
    "regression": ("#D55E00", "s", True),
    "improvement": ("#009E73", "D", True),
    "inconclusive": ("#CC79A7", "^", False),
    "not seen": ("#767676", "o", False),
    "equal": ("#0072B2", "o", True),
}
MOST_LINES = 36
LEVELS = ("grid", "cell", "row")


def draw(inputs: Inputs, folder: Path) -> bool:
    """Write the figure; False where comparison.json has no test with an effect or an interval."""
    quality, money = (chosen(inputs.comparison, logarithmic) for logarithmic in (False, True))
    panels = [(title, lines) for title, lines in (("Quality", quality), ("Cost", money)) if lines]
    if not panels:
        return False
    ratios = [len(lines) + 3 for _, lines in panels]  # a title and an axis take the room of three lines
    layout = {"nrows": len(panels), "squeeze": False, "gridspec_kw": {"height_ratios": ratios}}
    with drawing(8.2, 1.0 + 0.19 * sum(ratios), **layout) as (figure, axes):
        for axis, (title, lines) in zip(axes.flat, panels, strict=True):
            _panel(axis, title, lines)
        used = [word for word in WORDS if any(test["verdict"] == word for _, lines in panels for test in lines)]
        for word in used:
            colour, marker, filled = WORDS[word]
            axes.flat[0].plot(
                [], [], marker, color=colour, markerfacecolor=colour if filled else "white", markersize=5, label=word
            )
        figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper left", ncols=len(used), fontsize=8)
        source_line(figure, _source(inputs, quality + money))
        save(figure, folder, EFFECTS.stem)
    save_numbers(folder, EFFECTS.stem, HEADERS, [_numbers(test) for _, lines in panels for test in lines])
    return True


def chosen(comparison: Mapping[str, Any], logarithmic: bool) -> list[dict[str, Any]]:
    """Judged tests of the grid, then of cells, that moved or have an interval, then rows with a finding or undecided.

    Within a level what looks most harmful comes first, measured in thresholds; no more than a figure can hold.
    """
    found = []
    for test in tests(comparison):
        if (test["metric"] in LOGARITHMIC) != logarithmic or not test["judged"] or test["verdict"] not in WORDS:
            continue
        told = test["verdict"] in ("regression", "improvement", "inconclusive")
        if told or (test["level"] != "row" and (test["effect"] or test["half"] is not None)):
            found.append(test)
    found.sort(key=lambda t: (LEVELS.index(t["level"]), -t["harm"] / t["threshold"], t["key"], t["metric"]))
    return found[:MOST_LINES]


def _panel(axis: Any, title: str, lines: list[dict[str, Any]]) -> None:
    logarithmic = lines[0]["metric"] in LOGARITHMIC
    reach = max(max(abs(test["effect"]) + (test["half"] or 0.0), 1.6 * test["threshold"]) for test in lines)
    limit = 1.06 * min(reach, math.log(40) if logarithmic else 1.0)
    places = range(len(lines))
    wide = [test["threshold"] for test in lines]
    axis.barh(places, [2 * one for one in wide], 0.84, [-one for one in wide], color="#E8E8E8", linewidth=0, zorder=0.5)
    seen = [(test["detectable"], place) for place, test in enumerate(lines) if (test["detectable"] or limit) < limit]
    for sign in (-1, 1):
        axis.plot([sign * one for one, _ in seen], [place for _, place in seen], "k|", markersize=6, zorder=3)
    for word, (colour, marker, filled) in WORDS.items():
        own = [(place, test) for place, test in enumerate(lines) if test["verdict"] == word]
        spans = [(place, test["effect"], test["half"]) for place, test in own if test["half"] is not None]
        axis.hlines(
            [place for place, _, _ in spans], [max(-limit, effect - half) for _, effect, half in spans],
            [min(limit, effect + half) for _, effect, half in spans], color=colour, linewidth=1.3, zorder=2,
        )  # fmt: skip
        axis.plot(
            [max(-limit, min(limit, test["effect"])) for _, test in own], [place for place, _ in own], marker,
            color=colour, markersize=5, zorder=4, markerfacecolor=colour if filled else "white",
        )  # fmt: skip
    axis.axvline(0, color=QUIET, linewidth=0.8, zorder=1)
    names = [_name(test) for test in lines]
    axis.set_yticks(range(len(lines)), names, fontsize=7)
    axis.set(xlim=(-limit, limit), ylim=(len(lines) - 0.5, -0.5))
    axis.grid(axis="y", visible=False)
    if logarithmic:
        percent_ticks(axis, -limit, limit)
    axis.set_xlabel("change, logarithmic" if logarithmic else "difference, VERSION minus PREV")
    axis.set_title(f"{title}: {len(lines)} tests")


def _name(test: Mapping[str, Any]) -> str:
    key = {"*": "whole grid"}.get(test["key"], str(test["key"]).replace(".pdf", ""))
    return f"{key}: {metric_name(test['metric'])}"


def _numbers(test: Mapping[str, Any]) -> list[Any]:
    half = test["half"]
    ends = (None, None) if half is None else (test["effect"] - half, test["effect"] + half)
    kept = [test[name] for name in ("level", "key", "metric", "verdict", "effect")]
    return [*kept, *ends, test["threshold"], test["detectable"], test["n_base"], test["n_new"]]


def _source(inputs: Inputs, shown: list[dict[str, Any]]) -> str:
    of = sum(1 for test in tests(inputs.comparison) if test["judged"])
    note = " Local stack, projected cost, nothing was billed." if inputs.new.backend == "local" else ""
    return (
        f"{len(shown)} of {of} judged tests, at most {MOST_LINES} a panel: of the grid and of cells those that moved "
        "or have an interval, of documents\nthose with a finding. Line: 95 % interval. Band: the threshold. Ticks: the "
        f"smallest effect found in 80 % of repetitions,\neither way. Source: tests of comparison.json.{note}"
    )
