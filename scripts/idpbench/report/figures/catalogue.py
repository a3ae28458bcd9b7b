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
TREND = Figure("trend", "The release grid over releases: quality, cost per run, failed runs.")
FIGURES = (COST, QUALITY, SERIES)
SUFFIXES = (".png", ".svg", ".csv")
