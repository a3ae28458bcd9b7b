"""Members on tables of other statistical offices: their tasks and reference recipes are ours."""

from __future__ import annotations

from idpbench.gold.members.draft import header, headers_of, recipe, select, table, value_of
from idpbench.gold.members.publishers import DOCTORATES, HOUSING, LONELINESS, bank

LONELY = bank(
    "ons",
    "ons-loneliness-by-country",
    "Loneliness by country: two small tables, each with a row of sample sizes set apart",
    "medium",
    ("filled_spans", "footnote_contamination", "multi_table", "single_table", "sparse_data", "stacked_blocks"),
    "1.3 Loneliness by country",
    "One row for each figure. `question` is the first line of the small table, `line` the line itself.",
    (
        *headers_of(question="first line of the small table", line="the line", country="country or all people"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "loneliness",
            "1.3 Loneliness by country",
            select("R7C2:R11C5", "R15C2:R19C5"),
            header("question", "left-nearest", "R7C1", "R15C1"),
            header("line", "left", "R7C1:R11C1", "R15C1:R19C1"),
            header("country", "above", "R6C2:R6C5", "R14C2:R14C5"),
        )
    ),
    LONELINESS,
)

PERMITS = bank(
    "us-census",
    "us-housing-permits",
    "Building permits by month and region, with a second table and rows of errors below",
    "medium",
    (
        "filled_spans",
        "footnote_contamination",
        "hierarchical_headers",
        "merged_cells",
        "multi_table",
        "single_table",
        "time_series",
    ),
    "Table 1 - Permits",
    "Table 1a only, without its error and change rows: one row for each month, region and size of building.",
    (
        *headers_of(year="year, the title above the months", month="month as printed", region="region"),
        *headers_of(units="size of building or total"),
        *value_of("thousand units"),
    ),
    recipe(
        table(
            "permits",
            "Table 1 - Permits",
            select("R9C2:R18C13", "R21C2:R23C13"),
            header("year", "left-nearest", "R8C1", "R20C1"),
            header("month", "left", "R9C1:R18C1", "R21C1:R23C1"),
            header("region", "above", "R5C2:R5C13", fill="merge"),
            header("units", "above", "R6C2:R6C13"),
        )
    ),
    HOUSING,
)

FIELDS = bank(
    "us-nsf",
    "us-doctorates-by-field",
    "Doctorates by field, numbers and per cents under merged years",
    "medium",
    ("hierarchical_headers", "merged_cells", "single_table", "time_series"),
    "Table 12",
    "One row for each field of study (of every level), year and measure.",
    (*headers_of(field="field of study", year="year", measure="number or per cent"), *value_of("the figure")),
    recipe(
        table(
            "doctorates",
            "Table 12",
            select("R6C2:R50C15"),
            header("field", "left", "R6C1:R50C1"),
            header("year", "above", "R4C2:R4C15", fill="merge"),
            header("measure", "above", "R5C2:R5C15"),
        )
    ),
    DOCTORATES,
)

MEMBERS = (LONELY, PERMITS, FIELDS)
