"""Which figures exist, in the order of a page; names only, so that the page can be rendered without a plot library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`stem` names the files (stem.png, stem.svg, stem.csv); `caption` says what is shown."""

    stem: str
    caption: str


COST = Figure("cost_per_cell", "Cost per run of each cell on both sides; points are the documents' means.")
QUALITY = Figure(
    "paired_quality", "Recall and accuracy of each (cell, document), PREV against VERSION; the line is equality."
)
SERIES = Figure("size_series", "Recall, cost and wall time against the rows of the document.")
EFFECTS = Figure(
    "effects",
    "Effects with their 95 % intervals, the band of the threshold, and ticks at what each test could have seen.",
)
HEAT = Figure("changes", "Change of quality and cost by cell and document; failures hatched, not measured in grey.")
REPEATS = Figure("repeats", "Every completed run against the mean of its document on PREV.")
RELIABILITY = Figure(
    "reliability",
    "Confidence against the share of list cells that are right, by how they were assessed; the line is equality.",
)
TREND = Figure("trend", "The release grid over releases: quality, cost per run, failed runs.")
FIGURES = (EFFECTS, HEAT, COST, REPEATS, QUALITY, SERIES, RELIABILITY)
SUFFIXES = (".png", ".svg", ".csv")
