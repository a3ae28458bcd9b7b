"""The release grid over releases: share correct and recall, cost per run, failed runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from idpbench.report.figures.catalogue import TREND
from idpbench.report.figures.style import COLOURS, MARKERS, drawing, save, save_numbers, source_line
from idpbench.report.trend import Point

HEADERS = (
    "release",
    "runs",
    "failed",
    "share_correct",
    "recall",
    "cost_usd",
    "cost_per_correct_field_usd",
    "first",
    "last",
)


def draw(points: Sequence[Point], backend: str, folder: Path) -> None:
    """Write trend.png, .svg and .csv; releases stand at equal distances, oldest left."""
    places = range(len(points))
    local = backend == "local"
    with drawing(9.2, 3.2, ncols=3) as (figure, (quality, cost, failures)):
        for number, (label, key) in enumerate((("correct, failed runs included", "correct"), ("recall", "recall"))):
            known = [(place, value) for place in places if (value := getattr(points[place], key)) is not None]
            quality.plot(
                [x for x, _ in known], [y for _, y in known], label=label, color=COLOURS[number],
                marker=MARKERS[number], markersize=5,
            )  # fmt: skip
        low = min([value for p in points for value in (p.correct, p.recall) if value is not None], default=0.0)
        quality.set(title="Quality", ylabel="share", ylim=(min(0.9, low) - 0.02, 1.01))
        quality.legend(fontsize=7, loc="lower right")
        known = [(place, value) for place in places if (value := points[place].cost) is not None]
        cost.plot([x for x, _ in known], [y for _, y in known], color=COLOURS[0], marker=MARKERS[0], markersize=5)
        cost.set(title="Cost per run", ylabel=f"US dollars{', projected' if local else ''}")
        cost.set_ylim(0, 1.15 * max((value for _, value in known), default=1.0))
        shares = [100 * p.evidence.failed / p.evidence.runs if p.evidence.runs else 0 for p in points]
        failures.bar(list(places), shares, width=0.5, color=COLOURS[0], alpha=0.55, linewidth=0)
        failures.set(title="Failed runs", ylabel="percent of runs", ylim=(0, max(5.0, 1.15 * max(shares))))
        for place, point in zip(places, points, strict=True):
            text = f"{point.evidence.failed} / {point.evidence.runs}"
            failures.annotate(
                text, (place, shares[place]), xytext=(0, 3), textcoords="offset points", fontsize=7, ha="center"
            )
        for axis in (quality, cost, failures):
            axis.set_xticks(list(places), [p.version for p in points], fontsize=8)
            axis.set_xlim(-0.5, len(points) - 0.5)
        runs = sum(p.evidence.runs for p in points)
        note = " Local stack (self-test), projected cost, nothing was billed." if local else ""
        source_line(figure, f"n = {runs} runs of {len(points)} releases. Source: v*/corefast/summary.json.{note}")
        save(figure, folder, TREND.stem)
    save_numbers(
        folder, TREND.stem, HEADERS,
        [
            [p.version, p.evidence.runs, p.evidence.failed, p.correct, p.recall, p.cost, p.per_correct,
             p.evidence.first, p.evidence.last]
            for p in points
        ],
    )  # fmt: skip
