"""Members on tables of the Australian Bureau of Statistics: their tasks and reference recipes are ours."""

from __future__ import annotations

from idpbench.gold.members.draft import Member, header, headers_of, recipe, select, table, value_of
from idpbench.gold.members.publishers import EARNINGS, ENERGY, GENDER, HOURS, INDUSTRY, TAXES, VEHICLES, bank

HOURS_WORKED = bank(
    "abs",
    "abs-hours-worked",
    "Hours worked, quarterly, with the series' metadata above",
    "medium",
    ("hierarchical_headers", "metadata_sheet", "single_table", "time_series", "unit_rows"),
    "Data1",
    "One row for each quarter and series.",
    (
        *headers_of(
            period="quarter, as dated in the first column",
            description="description of the series",
            unit="unit",
            series_type="series type",
            series_id="series identifier",
        ),
        *value_of("the observation"),
    ),
    recipe(
        table(
            "hours",
            "Data1",
            select("R11C2:R158C8"),
            header("period", "left", "R11C1:R158C1"),
            header("description", "above", "R1C2:R1C8"),
            header("unit", "above", "R2C2:R2C8"),
            header("series_type", "above", "R3C2:R3C8"),
            header("series_id", "above", "R10C2:R10C8"),
        )
    ),
    HOURS,
)

TAXES_BY_INDUSTRY = bank(
    "abs",
    "abs-taxes-by-industry",
    "Environmental taxes by industry and year",
    "easy",
    ("single_table", "time_series"),
    "Table 6.2",
    "One row for each line of the table (totals included) and financial year.",
    (*headers_of(industry="industry, households or total", year="financial year"), *value_of("$ million")),
    recipe(
        table(
            "taxes",
            "Table 6.2",
            select("R6C2:R13C14"),
            header("industry", "left", "R6C1:R13C1"),
            header("year", "above", "R5C2:R5C14"),
        )
    ),
    TAXES,
)

TAXES_BY_KIND = bank(
    "abs",
    "abs-taxes-by-kind",
    "Environmental taxes by kind, with notes below",
    "medium",
    ("filled_spans", "footnote_contamination", "hierarchical_headers", "single_table", "time_series"),
    "Table 6.1",
    "One row for each tax and financial year. `group` is the title above the indented taxes; lines that belong to none "
    "say `none`. Marks such as - and na are kept as printed.",
    (
        *headers_of(group="energy or transport taxes, or none", tax="the tax", year="financial year"),
        *value_of("$ million, as printed"),
    ),
    recipe(
        table(
            "taxes",
            "Table 6.1",
            select("R7C2:R11C14", "R13C2:R19C14"),
            header(
                "group",
                "left-nearest",
                "R6C1",
                "R12C1",
                spans={"R6C1": [6, 11], "R12C1": [12, 16]},
                default="none",
            ),
            header("tax", "left", "R7C1:R11C1", "R13C1:R19C1"),
            header("year", "above", "R5C2:R5C14"),
        )
    ),
    TAXES,
)


def _earnings(
    sheet: str, member_id: str, title: str, parts: tuple[int, int], measures: tuple[int, ...],
    rows: tuple[tuple[int, int], ...], last: int, label: str, across: str, features: tuple[str, ...],
) -> Member:  # fmt: skip
    blocks = [f"R{top}C2:R{bottom}C{last}" for top, bottom in rows]
    labels = [f"R{top}C1:R{bottom}C1" for top, bottom in rows]
    return bank(
        "abs",
        member_id,
        title,
        "medium",
        features,
        sheet,
        "One row for each figure. `part` is the title across the sheet (estimate or standard error), `measure` the "
        "title above the indented lines.",
        (
            *headers_of(part="estimate or standard error", measure="what is measured", **{label: "the indented line"}),
            *headers_of(**{across: "head of the column"}),
            *value_of("the figure"),
        ),
        recipe(
            table(
                "earnings",
                sheet,
                select(*blocks),
                header("part", "left-nearest", *(f"R{row}C1" for row in parts)),
                header("measure", "left-nearest", *(f"R{row}C1" for row in measures)),
                header(label, "left", *labels),
                header(across, "above", f"R5C2:R5C{last}"),
            )
        ),
        EARNINGS,
    )


_STACKED = ("filled_spans", "hierarchical_headers", "single_table", "stacked_blocks", "unit_rows")

EARNINGS_BY_SECTOR = _earnings(
    "Table_12", "abs-earnings-by-sector", "Earnings by sector and age, in stacked blocks",
    (6, 15), (7, 11, 16, 20), ((8, 10), (12, 14), (17, 19), (21, 23)), 7, "sector", "age", _STACKED,
)  # fmt: skip
EARNINGS_BY_SIZE = _earnings(
    "Table_14", "abs-earnings-by-size", "Earnings by size of employer and age, in stacked blocks",
    (6, 21), (7, 14, 22, 29), ((8, 13), (15, 20), (23, 28), (30, 35)), 7, "size", "age", _STACKED,
)  # fmt: skip
EARNINGS_BY_RATE = _earnings(
    "Table_11", "abs-earnings-by-rate", "Earnings by sector and rate of pay, with gaps",
    (6, 19), (7, 11, 15, 20, 24, 28), ((8, 10), (12, 14), (16, 18), (21, 23), (25, 27), (29, 31)), 6, "sector", "rate",
    ("filled_spans", "hierarchical_headers", "single_table", "sparse_data", "stacked_blocks", "unit_rows"),
)  # fmt: skip

ENERGY_SUPPLY = bank(
    "abs",
    "abs-energy-supply",
    "Supply of energy by product and industry, half of it not applicable",
    "hard",
    ("filled_spans", "hierarchical_headers", "merged_cells", "single_table", "stacked_blocks"),
    "Table 1.1",
    "One row for each product (totals included) and column; `part` is the title across the sheet; industries under no "
    "group say `none`. Marks are kept as printed.",
    (
        *headers_of(part="title across the sheet", product="energy product", group="group of industries or none"),
        *headers_of(industry="industry or total"),
        *value_of("petajoules, as printed"),
    ),
    recipe(
        table(
            "supply",
            "Table 1.1",
            select("R8C2:R27C27", "R29C2:R51C27"),
            header("part", "left-nearest", "R7C1", "R28C1"),
            header("product", "left", "R8C1:R27C1", "R29C1:R51C1"),
            header("group", "above", "R5C2:R5C27", fill="merge", default="none"),
            header("industry", "above", "R6C2:R6C27"),
        )
    ),
    ENERGY,
)

INDUSTRY_BY_SIZE = bank(
    "abs",
    "abs-industry-by-size",
    "Seven measures over three years, in a block for each size of business",
    "hard",
    (
        "filled_spans",
        "hierarchical_headers",
        "merged_cells",
        "single_table",
        "stacked_blocks",
        "time_series",
        "unit_rows",
    ),
    "Table_5",
    "One row for each size of business, industry (totals included), measure and year, with its unit.",
    (
        *headers_of(size="title of the block", industry="industry or total", measure="measure", year="financial year"),
        *headers_of(unit="unit"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "industries",
            "Table_5",
            select("R9C2:R27C22", "R29C2:R47C22", "R49C2:R67C22", "R69C2:R87C22"),
            header("size", "left-nearest", "R8C1", "R28C1", "R48C1", "R68C1"),
            header("industry", "left", "R9C1:R27C1", "R29C1:R47C1", "R49C1:R67C1", "R69C1:R87C1"),
            header("measure", "above", "R5C2:R5C22", fill="merge"),
            header("year", "above", "R6C2:R6C22"),
            header("unit", "above", "R7C2:R7C22"),
        )
    ),
    INDUSTRY,
)

BUSES = bank(
    "abs",
    "abs-bus-kilometres",
    "Kilometres of buses, with figures and their standard errors side by side",
    "easy",
    ("single_table", "unit_rows"),
    "Table_30",
    "One row for each line of the table and column.",
    (*headers_of(bus="type of bus or total", measure="head of the column", unit="unit"), *value_of("the figure")),
    recipe(
        table(
            "buses",
            "Table_30",
            select("R7C2:R9C29"),
            header("bus", "left", "R7C1:R9C1"),
            header("measure", "above", "R5C2:R5C29"),
            header("unit", "above", "R6C2:R6C29"),
        )
    ),
    VEHICLES,
)

SATISFACTION = bank(
    "abs",
    "abs-life-satisfaction",
    "Life satisfaction by sex, with the same rows again as relative standard errors",
    "hard",
    (
        "filled_spans",
        "footnote_contamination",
        "hierarchical_headers",
        "merged_cells",
        "multi_table",
        "sparse_data",
        "stacked_blocks",
        "unit_rows",
    ),
    "Table 10.9",
    "Both tables as one list: one row for each figure, with the sex, the unit and whether it is an estimate or a "
    "relative standard error (`rse`).",
    (
        *headers_of(part="estimate or rse", item="the line", sex="males or females", unit="unit of the estimate"),
        *value_of("the figure, as printed"),
    ),
    recipe(
        *(
            table(
                name,
                "Table 10.9",
                select(f"R{first}C2:R{last}C5"),
                {"name": "part", "constant": name},
                header("item", "left", f"R{first}C1:R{last}C1"),
                header("sex", "above", "R6C2:R6C5", fill="merge"),
                header("unit", "above", "R7C2:R7C5"),
            )
            for name, first, last in (("estimate", 11, 23), ("rse", 29, 41))
        )
    ),
    GENDER,
)

MEMBERS = (
    HOURS_WORKED,
    TAXES_BY_INDUSTRY,
    TAXES_BY_KIND,
    EARNINGS_BY_SECTOR,
    EARNINGS_BY_SIZE,
    EARNINGS_BY_RATE,
    ENERGY_SUPPLY,
    INDUSTRY_BY_SIZE,
    BUSES,
    SATISFACTION,
)
