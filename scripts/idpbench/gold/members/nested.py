"""Medium members whose heads have levels: merged, filled, centred, indented, or on the far side of the table."""

from __future__ import annotations

from idpbench.gold.members.book import Leaf
from idpbench.gold.members.draft import Member, header, headers_of, recipe, select, steady, table, value_of


def _schools() -> list[Leaf]:
    rows: list[list[object]] = [
        ["District", "2022", None, None, "2023", None, None],
        [None, "Pupils", "Teachers", "Ratio", "Pupils", "Teachers", "Ratio"],
    ]
    for r, name in enumerate(("Ashby", "Brent", "Corley", "Dale")):
        figures: list[object] = []
        for y in range(2):
            pupils, teachers = steady(21, r, y, 3000, 9000), steady(22, r, y, 180, 420)
            figures += [pupils, teachers, round(pupils / teachers, 1)]
        rows.append([name, *figures])
    return [Leaf("Schools", rows, merges=[(1, 1, 2, 1), (1, 2, 1, 4), (1, 5, 1, 7)])]


SCHOOLS = Member(
    "merged-schools",
    "Years merged over three measures each",
    "medium",
    ("hierarchical_headers", "merged_cells", "single_table", "time_series"),
    "Schools",
    "One row for each district, year and measure.",
    (
        *headers_of(district="name of the district", year="year", measure="pupils, teachers or their ratio"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "schools",
            "Schools",
            select("R3C2:R6C7"),
            header("district", "left", "R3C1:R6C1"),
            header("year", "above", "R1C2:R1C7", fill="merge"),
            header("measure", "above", "R2C2:R2C7"),
        )
    ),
    _schools,
)


def _energy() -> list[Leaf]:
    groups = (("Fossil", ("Coal", "Gas", "Oil")), ("Renewable", ("Hydro", "Solar", "Wind")), ("Other", ("Waste",)))
    rows: list[list[object]] = [["Group", "Source", "2019", "2020", "2021"]]
    for g, (group, sources) in enumerate(groups):
        for s, source in enumerate(sources):
            rows.append([group if s == 0 else None, source, *(steady(23, 10 * g + s, y, 5, 800) for y in range(3))])
    return [Leaf("Generation", rows)]


ENERGY = Member(
    "filled-energy",
    "A group named once, on the first of its rows",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table", "time_series"),
    "Generation",
    "One row for each source and year, with the group that the source belongs to.",
    (
        *headers_of(group="group of sources", source="source of energy", year="year"),
        *value_of("generation, GWh", "generation_gwh"),
    ),
    recipe(
        table(
            "generation",
            "Generation",
            select("R2C3:R8C5"),
            header("group", "left-nearest", "R2C1:R8C1"),
            header("source", "left", "R2C2:R8C2"),
            header("year", "above", "R1C3:R1C5"),
            value="generation_gwh",
        )
    ),
    _energy,
)


def _budget() -> list[Leaf]:
    lines = (
        ("Health", 0, None),
        ("Hospitals", 1, 1),
        ("Clinics", 1, 1),
        ("Transport", 0, None),
        ("Roads", 1, 1),
        ("Rail", 1, 1),
        ("Ports", 1, 1),
        ("Culture", 0, None),
        ("Museums", 1, 1),
    )
    rows: list[list[object]] = [["Item", "Budget", "Outturn"]]
    indents = {}
    for r, (name, indent, filled) in enumerate(lines, start=2):
        rows.append([name, *(steady(24, r, c, 100, 4000) if filled else None for c in range(2))])
        if indent:
            indents[r, 1] = indent
    return [Leaf("Budget", rows, indents=indents, bold=[(2, 1), (5, 1), (9, 1)])]


BUDGET = Member(
    "indented-budget",
    "Group titles in the label column, told only by their indent and bold type",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table"),
    "Budget",
    "One row for each item and column of figures; `area` is the title above the item in the label column.",
    (
        *headers_of(area="area of spending", item="item of the area", kind="budget or outturn"),
        *value_of("amount, thousand", "amount"),
    ),
    recipe(
        table(
            "budget",
            "Budget",
            select("R2C2:R10C3"),
            header("area", "left-nearest", "R2C1", "R5C1", "R9C1"),
            header("item", "left", "R2C1:R10C1", exclude=("R2C1", "R5C1", "R9C1")),
            header("kind", "above", "R1C2:R1C3"),
            value="amount",
        )
    ),
    _budget,
)


def _survey() -> list[Leaf]:
    rows: list[list[object]] = [
        [None, None, None, "Women", None, None, "Men"],
        ["Answer", "All", "16-34", "35-64", "65+", "16-49", "50+"],
    ]
    for r, name in enumerate(("Agree", "Neither", "Disagree")):
        rows.append([name, *(steady(25, r, c, 3, 90) for c in range(6))])
    return [Leaf("Survey", rows)]


SURVEY = Member(
    "spans-survey",
    "Group labels that stand over the last or a middle column of their group",
    "medium",
    ("hierarchical_headers", "single_table"),
    "Survey",
    "One row for each answer and age band. The columns 16-34, 35-64 and 65+ are women, 16-49 and 50+ men; "
    "the column All has no sex and says `all`.",
    (
        *headers_of(answer="answer given", sex="women, men or all", age="age band as printed"),
        *value_of("per cent", "percent"),
    ),
    recipe(
        table(
            "survey",
            "Survey",
            select("R3C2:R5C7"),
            header("answer", "left", "R3C1:R5C1"),
            header("sex", "above", "R1C4", "R1C7", spans={"R1C4": [3, 5], "R1C7": [6, 7]}, default="all"),
            header("age", "above", "R2C2:R2C7"),
            value="percent",
        )
    ),
    _survey,
)


def _trade() -> list[Leaf]:
    regions = ("North", "East", "South", "West")
    rows: list[list[object]] = [["Origin", *regions, "Code"]]
    for r, name in enumerate(regions):
        rows.append([name, *(steady(26, r, c, 10, 700) if c > r else None for c in range(4)), f"Z{r + 1}"])
    return [Leaf("Flows", rows)]


TRADE = Member(
    "triangle-trade",
    "An upper triangle, with a second label on the right",
    "medium",
    ("single_table", "sparse_data", "transposed_headers"),
    "Flows",
    "One row for each pair of regions that has a figure; `code` is the zone code at the end of the row.",
    (
        *headers_of(origin="region of origin", destination="region of destination", code="zone code of the origin"),
        *value_of("tonnes", "tonnes"),
    ),
    recipe(
        table(
            "flows",
            "Flows",
            select("R2C2:R5C5"),
            header("origin", "left", "R2C1:R5C1"),
            header("destination", "above", "R1C2:R1C5"),
            header("code", "right", "R2C6:R5C6"),
            value="tonnes",
        )
    ),
    _trade,
)


def _wages() -> list[Leaf]:
    rows: list[list[object]] = [[None, "Men", None, None, "Women", None, None]]
    for r, name in enumerate(("Retail", "Care", "Building", "Farming")):
        rows.append([name, *(steady(27, r, c, 1500, 4200) for c in range(6))])
    rows.append([None, "Full-time", "Part-time", "All", "Full-time", "Part-time", "All"])
    return [Leaf("Wages", rows, merges=[(1, 2, 1, 4), (1, 5, 1, 7)])]


WAGES = Member(
    "below-wages",
    "The second level of heads stands below the figures",
    "medium",
    ("hierarchical_headers", "merged_cells", "single_table", "transposed_headers"),
    "Wages",
    "One row for each industry, sex and working time; the working time is printed below the figures.",
    (
        *headers_of(industry="industry", sex="men or women", hours="working time"),
        *value_of("weekly wage", "wage"),
    ),
    recipe(
        table(
            "wages",
            "Wages",
            select("R2C2:R5C7"),
            header("industry", "left", "R2C1:R5C1"),
            header("sex", "above", "R1C2:R1C7", fill="merge"),
            header("hours", "below", "R6C2:R6C7"),
            value="wage",
        )
    ),
    _wages,
)


def _tides() -> list[Leaf]:
    rows: list[list[object]] = [[None, "Spring tide", None, None, None, "Neap tide", None]]
    rows.append(["Gauge", "Low", "Mean", "High", None, "Low", "High"])
    for r, name in enumerate(("Pier 1", "Pier 2", "Lock")):
        figures: list[object] = [steady(28, r, c, 20, 690) / 100 for c in range(6)]
        rows.append([name, *figures[:3], None, *figures[3:5]])
    return [Leaf("Tides", rows)]


TIDES = Member(
    "filled-tides",
    "Heads filled to the right over an empty column between two groups",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table", "sparse_data"),
    "Tides",
    "One row for each gauge, tide and level; the empty column only separates.",
    (
        *headers_of(gauge="name of the gauge", tide="spring or neap tide", level="low, mean or high"),
        *value_of("height, m", "height_m"),
    ),
    recipe(
        table(
            "tides",
            "Tides",
            select("R3C2:R5C7"),
            header("gauge", "left", "R3C1:R5C1"),
            header("tide", "above-nearest", "R1C2:R1C7"),
            header("level", "above", "R2C2:R2C7"),
            value="height_m",
        )
    ),
    _tides,
)

MEMBERS = (SCHOOLS, ENERGY, BUDGET, SURVEY, TRADE, WAGES, TIDES)
