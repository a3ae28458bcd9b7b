"""The release grid over all releases: one line each, from the published sides, for the landing page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from idpbench.files.tables import number
from idpbench.report import spelling
from idpbench.report.guidance.grid import correct_share
from idpbench.report.ownership import OWNING_SUITE
from idpbench.report.shelf import Evidence, Shelved, evidence_of, shelf
from idpbench.report.strata import values
from idpbench.summary.stats import cost_per_correct_field

FOLDER = "releases"
LEAST_RELEASES = 3  # two points are the table's two lines
HEADERS = (
    "release", "verdict", "failed / runs", "correct", "recall", "cost per run", "cost per correct field", "date",
)  # fmt: skip


@dataclass(frozen=True)
class Point:
    """One release on the release grid: means over its keys (cell, document), `correct` over all runs."""

    version: str
    evidence: Evidence
    correct: float | None
    recall: float | None
    cost: float | None
    per_correct: float | None


def points(sides: Sequence[Shelved]) -> list[Point]:
    """Releases whose release grid was published, oldest first."""
    return [_point(item) for item in sides if item.plain and item.suite == OWNING_SUITE]


def table(results: Path, found: Sequence[Point], releases: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Lines of the landing page, newest first; `releases` are the release.json entries, which name the verdicts."""
    pages = {str(entry["pair"]["version"]): entry for entry in releases}
    lines = []
    for point in reversed(found):
        entry = pages.get(point.version)
        name, verdict = point.version, "no page of its own"
        if entry is not None:
            name = f"[{point.version}]({results.name}/{entry['addresses']['page']})"
            verdict = f"{entry['verdict']} (against {entry['pair']['prev']})"
        lines.append(
            [
                name,
                verdict,
                f"{point.evidence.failed} / {point.evidence.runs}{' PARTIAL' if point.evidence.partial else ''}",
                spelling.share(point.correct),
                number(point.recall),
                spelling.value("cost", point.cost),
                spelling.fine(point.per_correct),
                point.evidence.days,
            ]
        )
    return lines


def figure_files(results: Path) -> dict[str, bytes]:
    """The trend figure of results/<backend>, destination below results/ -> bytes; nothing before the third release."""
    found = points(shelf(results))
    if len(found) < LEAST_RELEASES:
        return {}
    from idpbench.report.figures.trend import draw  # imports a plot library

    with TemporaryDirectory() as folder:
        draw(found, results.name, Path(folder))
        return {f"{results.name}/{FOLDER}/{path.name}": path.read_bytes() for path in sorted(Path(folder).iterdir())}


def _point(item: Shelved) -> Point:
    def mean(metric: str) -> float | None:
        groups = values(item.side, metric)
        return fmean(fmean(one) for one in groups.values()) if groups else None

    cells = dict.fromkeys(str(row["cell"]) for row in item.rows)
    shares = [
        share for cell in cells if (share := correct_share([r for r in item.rows if r["cell"] == cell])) is not None
    ]
    return Point(
        version=item.version,
        evidence=evidence_of(item),
        correct=fmean(shares) if shares else None,
        recall=mean("completeness_recall"),
        cost=mean("cost"),
        per_correct=cost_per_correct_field(item.rows)["value"],
    )
