"""Medium members in which a layout repeats: blocks down the sheet, tables side by side, long series."""

from __future__ import annotations

from datetime import date

from idpbench.gold.members.book import Leaf
from idpbench.gold.members.draft import Member, from_cell, header, headers_of, recipe, select, steady, table, value_of


def _crime() -> list[Leaf]:
    rows: list[list[object]] = [["Offence", "2020", "2021", "2022"]]
    merges = []
    for b, block in enumerate(("Metropolitan", "Rural")):
        rows.append([block])
        merges.append((len(rows), 1, len(rows), 4))
        for r, name in enumerate(("Burglary", "Fraud", "Theft", "Vandalism")):
            rows.append([name, *(steady(31, 10 * b + r, c, 20, 2400) for c in range(3))])
    return [Leaf("Offences", rows, merges=merges)]


CRIME = Member(
    "stacked-offences",
    "Two blocks under one row of heads, each with a merged title",
    "medium",
    ("filled_spans", "hierarchical_headers", "merged_cells", "single_table", "stacked_blocks", "time_series"),
    "Offences",
    "One row for each area, offence and year.",
    (*headers_of(area="area, the title of the block", offence="offence", year="year"), *value_of("recorded offences")),
    recipe(
        table(
            "offences",
            "Offences",
            select("R3C2:R6C4", "R8C2:R11C4"),
            header("area", "left-nearest", "R2C1", "R7C1"),
            header("offence", "left", "R3C1:R6C1", "R8C1:R11C1"),
            header("year", "above", "R1C2:R1C4"),
        )
    ),
    _crime,
)


def _fleet() -> list[Leaf]:
    blocks = (("Buses", ("Diesel", "Electric", "Hybrid")), ("Trams", ("Low floor", "High floor")))
    rows: list[list[object]] = []
    for b, (title, heads) in enumerate(blocks):
        rows += [[title], ["Depot", *heads]]
        rows += [[d, *(steady(32, 10 * b + r, c, 0, 160) for c in range(len(heads)))] for r, d in enumerate("ABC")]
        rows.append([None])
    return [Leaf("Vehicles", rows)]


FLEET = Member(
    "stacked-vehicles",
    "Stacked blocks whose heads differ",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table", "stacked_blocks"),
    "Vehicles",
    "One row for each kind of vehicle, depot and drive or floor; each block has heads of its own.",
    (
        *headers_of(vehicle="title of the block", depot="letter of the depot", type="head of the column"),
        *value_of("vehicles"),
    ),
    recipe(
        table(
            "vehicles",
            "Vehicles",
            select("R3C2:R5C4", "R9C2:R11C3"),
            header("vehicle", "left-nearest", "R1C1", "R7C1"),
            header("depot", "left", "R3C1:R5C1", "R9C1:R11C1"),
            header("type", "above", "R2C2:R2C4", "R8C2:R8C3", bands="nearest"),
        )
    ),
    _fleet,
)


def _sides() -> list[Leaf]:
    rows: list[list[object]] = [["Imports", None, None, None, "Exports", None, None]]
    rows.append(["Good", "2022", "2023", None, "Good", "2022", "2023"])
    for r, (left, right) in enumerate((("Steel", "Paper"), ("Timber", "Glass"), ("Salt", "Wool"))):
        figures = [steady(33, r, c, 15, 990) for c in range(4)]
        rows.append([left, *figures[:2], None, right, *figures[2:]])
    return [Leaf("Trade", rows)]


SIDES = Member(
    "side-by-side-trade",
    "Two tables side by side with different goods",
    "medium",
    ("multi_table", "time_series"),
    "Trade",
    "Both tables as one list: one row for each direction of trade, good and year.",
    (
        *headers_of(direction="imports or exports", good="name of the good", year="year"),
        *value_of("thousand tonnes"),
    ),
    recipe(
        table(
            "imports",
            "Trade",
            select("R3C2:R5C3"),
            from_cell("direction", "R1C1"),
            header("good", "left", "R3C1:R5C1"),
            header("year", "above", "R2C2:R2C3"),
        ),
        table(
            "exports",
            "Trade",
            select("R3C6:R5C7"),
            from_cell("direction", "R1C5"),
            header("good", "left", "R3C5:R5C5"),
            header("year", "above", "R2C6:R2C7"),
        ),
    ),
    _sides,
)


def _series() -> list[Leaf]:
    kinds = ("Dwellings started", "Dwellings completed", "Dwellings approved")
    heads: list[list[object]] = [
        [None, *(f"{kind} ; {sector}" for kind in kinds for sector in ("Private", "Public"))],
        ["Unit", *["Number"] * 4, *["Index"] * 2],
        ["Series type", *["Original", "Seasonally adjusted"] * 3],
        ["Series ID", *(f"S{steady(34, 0, c, 1000000, 9999999)}" for c in range(6))],
    ]
    quarters = [date(2012 + (q // 4), 3 * (q % 4) + 3, 1) for q in range(48)]
    body = [[day, *(steady(34, 1 + r, c, 900, 21000) for c in range(6))] for r, day in enumerate(quarters)]
    about = Leaf("Index", [["Quarterly construction"], ["Sheets", "Data1"], ["Series", 6], ["Invented figures"]])
    return [about, Leaf("Data1", heads + body)]


SERIES = Member(
    "series-construction",
    "A quarterly time series with four rows of heads and an index sheet",
    "medium",
    ("hierarchical_headers", "metadata_sheet", "single_table", "time_series", "unit_rows"),
    None,
    "One row for each quarter and series, with the series' description, unit, type and identifier.",
    (
        *headers_of(
            period="first day of the quarter's last month",
            description="description of the series",
            unit="unit",
            series_type="original or seasonally adjusted",
            series_id="identifier of the series",
        ),
        *value_of("the observation"),
    ),
    recipe(
        table(
            "series",
            "Data1",
            select("R5C2:R52C7"),
            header("period", "left", "R5C1:R52C1"),
            header("description", "above", "R1C2:R1C7"),
            header("unit", "above", "R2C2:R2C7"),
            header("series_type", "above", "R3C2:R3C7"),
            header("series_id", "above", "R4C2:R4C7"),
        )
    ),
    _series,
)


def _stock() -> list[Leaf]:
    rows: list[list[object]] = [["Warehouse stock"], [None]]
    for b, site in enumerate(("Site A", "Site B", "Site C")):
        rows.append([None, None, "Jan", "Feb", "Mar"])
        for r, name in enumerate(("Bolts", "Nuts", "Rivets")):
            label = site if r == 0 else None
            rows.append([label, name, *(steady(35, 10 * b + r, c, 0, 5000) for c in range(3))])
    return [Leaf("Stock", rows)]


STOCK = Member(
    "repeated-stock",
    "The same heads printed again over every block",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table", "stacked_blocks", "time_series"),
    "Stock",
    "One row for each site, part and month.",
    (*headers_of(site="site", part="part", month="month"), *value_of("pieces")),
    recipe(
        table(
            "stock",
            "Stock",
            select("R4C3:R6C5", "R8C3:R10C5", "R12C3:R14C5"),
            header("site", "left-nearest", "R4C1:R14C1"),
            header("part", "left", "R4C2:R14C2"),
            header("month", "above", "R3C3:R3C5", "R7C3:R7C5", "R11C3:R11C5"),
        )
    ),
    _stock,
)


def _noted() -> list[Leaf]:
    rows: list[list[object]] = [["Water use", None, None, None], ["Sector", "2021", "Note", "2022", "Note"]]
    for r, name in enumerate(("Households", "Farms", "Mines", "Mills")):
        figures = [steady(36, r, c, 100, 5000) for c in range(2)]
        rows.append([name, figures[0], "e" if r % 2 else None, figures[1], None if r else "r"])
    rows.append(["Total", 9_871, None, 8_430, None])
    rows += [["e = estimated, r = revised", None, None, None], ["2 mills did not answer in", 2022, None, None]]
    return [Leaf("Use", rows)]


NOTED = Member(
    "flagged-water",
    "Flag columns between the figures, a total, and a note with a year in it",
    "medium",
    ("footnote_contamination", "single_table", "sparse_data", "time_series"),
    "Use",
    "One row for each sector and year, without the total; the flags are left out.",
    (*headers_of(sector="sector", year="year"), *value_of("million litres")),
    recipe(
        table(
            "use",
            "Use",
            select("R3C2:R6C5", exclude=("R3C3:R6C3", "R3C5:R6C5")),
            header("sector", "left", "R3C1:R6C1"),
            header("year", "above", "R2C2", "R2C4"),
        )
    ),
    _noted,
)

MEMBERS = (CRIME, FLEET, SIDES, SERIES, STOCK, NOTED)
