"""Several extractors over the same suites: one table per suite, metric by extractor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.claims.metrics import NORMATIVE
from idpbench.files.errors import Refusal
from idpbench.scoring.calibration import wilson

COMPARISON = "idpbench/claims-comparison/1"
SHARES = ("precision", "recall")


@dataclass(frozen=True)
class Cell:
    """One figure of one extractor: its mean over the passes, their range, and an interval of the mean.

    `support` is that of one pass on average. The interval (95 %) is Wilson's for the mean over as many: passes over the
    same sources are no new evidence on other sources, so that more of them do not narrow it. None for a calibration
    error, which is no share of anything. All is None where no case was run or the figure was not measured.
    """

    mean: float | None
    minimum: float | None
    maximum: float | None
    low: float | None
    high: float | None
    support: int


def compare(aggregates: Sequence[Sequence[Mapping[str, Any]]], extractor_ids: Sequence[str]) -> dict[str, Any]:
    """`idpbench/claims-comparison/1` from the aggregates of each suite, in the order of `extractor_ids`.

    All must have been judged alike; a Refusal names what differs.
    """
    judges = [aggregate["judge"] for suite in aggregates for aggregate in suite]
    for judge in judges[1:]:
        if judge != judges[0]:
            raise Refusal(f"found results judged by {judge} and by {judges[0]}, expected one judge; score them again")
    return {
        "schema": COMPARISON,
        "judge": judges[0] if judges else None,
        "extractor_ids": list(extractor_ids),
        "suites": [_suite(suite, extractor_ids) for suite in aggregates],
    }


def _suite(aggregates: Sequence[Mapping[str, Any]], extractor_ids: Sequence[str]) -> dict[str, Any]:
    by_id = {aggregate["extractor_id"]: aggregate for aggregate in aggregates}
    resolution = [name for aggregate in aggregates for name in aggregate["figures"] if name.startswith("resolution_")]
    names = [*NORMATIVE, *dict.fromkeys(resolution)]
    return {
        "suite_id": aggregates[0]["suite_id"],
        "suite_version": aggregates[0]["suite_version"],
        "runs": {name: by_id[name]["runs"] for name in extractor_ids},
        "metrics": {metric: {name: vars(cell(by_id[name], metric)) for name in extractor_ids} for metric in names},
        "reports": {name: by_id[name] for name in extractor_ids},
    }


def cell(aggregate: Mapping[str, Any], metric: str) -> Cell:
    """A figure of an aggregate as a cell of the table."""
    passes = aggregate["passes"]
    if not any(result["cases_run"] for result in passes) or metric not in aggregate["figures"]:
        return Cell(None, None, None, None, None, 0)
    figure = aggregate["figures"][metric]
    supports = [result["figures"][metric]["support"] for result in passes if metric in result["figures"]]
    support = round(sum(supports) / len(supports))
    low = high = None
    if metric in SHARES and support and figure["mean"] is not None:
        low, high = wilson(round(figure["mean"] * support), support)
    return Cell(figure["mean"], figure["minimum"], figure["maximum"], low, high, support)
