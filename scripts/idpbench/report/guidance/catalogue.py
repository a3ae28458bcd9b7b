"""Which figures the guidance has; names only, so that the page can be rendered without a plot library."""

from __future__ import annotations

from idpbench.report.figures.catalogue import Figure

PARETO = Figure(
    "cost_and_correctness",
    "Cost per document and share of fields and list cells that are right, one point a cell. The line joins the cells "
    "that no other beats in both.",
)
CLIFF = Figure(
    "completeness_cliff",
    "Recall of completed runs and cost against the rows of the document, simple and advanced mode. A cross marks a "
    "size at which a run failed.",
)
FIGURES = (PARETO, CLIFF)
