"""Hard members: several tables, many levels, large outputs, or features that work against each other."""

from __future__ import annotations

from idpbench.gold.members.book import Leaf
from idpbench.gold.members.draft import (
    Member,
    constant,
    from_cell,
    header,
    headers_of,
    recipe,
    select,
    steady,
    table,
    value_of,
)


def _health() -> list[Leaf]:
    rows: list[list[object]] = [
        ["Table 7  Treatments by age, sex and year"],
        [None, None, "2021", None, None, None, "2022", None, None, None],
        [None, None, "Women", None, "Men", None, "Women", None, "Men", None],
        ["Region", "Treatment", *["Number", "Rate (1)"] * 4],
    ]
    for b, region in enumerate(("Upland", "Lowland")):
        for r, name in enumerate(("Hip", "Knee", "Cataract")):
            figures: list[object] = []
            for c in range(4):
                number = steady(41, 10 * b + r, c, 4, 900)
                figures += [number, None if number < 120 else round(number / 37.0, 1)]
            rows.append([region if r == 0 else None, name, *figures])
    rows += [["(1) per 10,000 people; not shown below 120 cases"], ["(2)", None, 2021, "revised"]]
    merges = [(2, 3, 2, 6), (2, 7, 2, 10), *((3, c, 3, c + 1) for c in (3, 5, 7, 9))]
    return [Leaf("T7", rows, merges=merges)]


HEALTH = Member(
    "nested-treatments",
    "Three levels of heads, two of labels, blanks with a meaning, notes below",
    "hard",
    (
        "filled_spans",
        "footnote_contamination",
        "hierarchical_headers",
        "merged_cells",
        "single_table",
        "sparse_data",
        "time_series",
    ),
    "T7",
    "One row for each region, treatment, year, sex and measure that has a figure.",
    (
        *headers_of(region="region", treatment="treatment", year="year", sex="women or men", measure="number or rate"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "treatments",
            "T7",
            select("R5C3:R10C10"),
            header("region", "left-nearest", "R5C1:R10C1"),
            header("treatment", "left", "R5C2:R10C2"),
            header("year", "above", "R2C3:R2C10", fill="merge"),
            header("sex", "above", "R3C3:R3C10", fill="merge"),
            header("measure", "above", "R4C3:R4C10"),
        )
    ),
    _health,
)

_SUBJECTS = (("Physics", "Chemistry"), ("Geography", "Art"))


def _grades() -> list[Leaf]:
    rows: list[list[object]] = []
    for band, (left, right) in enumerate(_SUBJECTS):
        rows.append([left, None, None, None, right, None, None])
        rows.append(["Pupil", "Score", "Rank", None, "Pupil", "Score", "Rank"])
        for r, name in enumerate(("Ines", "Jonas", "Kofi")):
            marks = [steady(42, 10 * band + r, c, 1, 99) for c in range(4)]
            rows.append([name, *marks[:2], None, name, *marks[2:]])
        rows.append([None])
    return [Leaf("Results", rows)]


GRADES = Member(
    "small-multiples-results",
    "Four small tables in a square, each under its title",
    "hard",
    ("filled_spans", "hierarchical_headers", "multi_table", "single_table", "stacked_blocks"),
    "Results",
    "One row for each subject, pupil and measure over all four small tables.",
    (
        *headers_of(subject="subject, the title of the small table", pupil="pupil", measure="score or rank"),
        *value_of("the mark"),
    ),
    recipe(
        table(
            "results",
            "Results",
            select("R3C2:R5C3", "R3C6:R5C7", "R9C2:R11C3", "R9C6:R11C7"),
            header("subject", "above-nearest", "R1C1", "R1C5", "R7C1", "R7C5", bands="nearest"),
            header("pupil", "left", "R3C1:R5C1", "R3C5:R5C5", "R9C1:R11C1", "R9C5:R11C5", bands="nearest"),
            header("measure", "above", "R2C2:R2C7", "R8C2:R8C7", exclude=("R2C5", "R8C5"), bands="nearest"),
        )
    ),
    _grades,
)


def _hospital() -> list[Leaf]:
    beds: list[list[object]] = [
        ["A. Beds", None, None, None, "Footnote: wards under repair are left out", None],
        ["Hospital", "Acute", "Long stay", "Day", None, None],
    ]
    beds += [[h, *(steady(43, r, c, 10, 600) for c in range(3)), None, None] for r, h in enumerate(("Royal", "City"))]
    staff: list[list[object]] = [
        [None, None, None, None, None, None],
        ["B. Staff", None, None, None, None, None],
        [None, "Royal", None, "City", None, None],
        ["Grade", "Posts", "Vacant", "Posts", "Vacant", None],
    ]
    staff += [
        [g, *(steady(44, r, c, 0, 240) for c in range(4)), None] for r, g in enumerate(("Nurse", "Doctor", "Porter"))
    ]
    return [Leaf("Sheet1", beds + staff, merges=[(7, 2, 7, 3), (7, 4, 7, 5)])]


HOSPITAL = Member(
    "two-tables-hospital",
    "Two tables of different make on one sheet, with hospitals down in one and across in the other",
    "hard",
    ("footnote_contamination", "hierarchical_headers", "merged_cells", "multi_table", "transposed_headers"),
    "Sheet1",
    "Both tables as one list. `subject` is beds or staff; `class` is the kind of bed or the grade; `status` is the "
    "kind of post and says `in use` for beds.",
    (
        *headers_of(
            subject="beds or staff",
            hospital="name of the hospital",
            status="posts, vacant or in use",
            **{"class": "kind or grade"},
        ),
        *value_of("the count"),
    ),
    recipe(
        table(
            "beds",
            "Sheet1",
            select("R3C2:R4C4"),
            constant("subject", "beds"),
            header("hospital", "left", "R3C1:R4C1"),
            header("class", "above", "R2C2:R2C4"),
            constant("status", "in use"),
        ),
        table(
            "staff",
            "Sheet1",
            select("R9C2:R11C5"),
            constant("subject", "staff"),
            header("hospital", "above", "R7C2:R7C5", fill="merge"),
            header("class", "left", "R9C1:R11C1"),
            header("status", "above", "R8C2:R8C5"),
        ),
    ),
    _hospital,
)


def _census() -> list[Leaf]:
    ages = (*(f"{low}-{low + 4}" for low in range(0, 85, 5)), "85+")
    rows: list[list[object]] = [
        ["Census of invented parishes"],
        [None, None, *("Females" if c == 0 else None for c in range(18))],
    ]
    rows[1] += ["Males" if c == 0 else None for c in range(18)]
    rows.append(["District", "Parish", *ages, *ages])
    for d in range(5):
        for p in range(6):
            counts = [steady(45, 10 * d + p, c, 0, 130) for c in range(36)]
            shown = [n if n > 8 else None for n in counts]
            rows.append([f"District {d + 1}" if p == 0 else None, f"Parish {d + 1}.{p + 1}", *shown])
        rows.append([None, "Total", *(steady(46, d, c, 300, 700) for c in range(36))])
    return [Leaf("Census", rows)]


CENSUS = Member(
    "large-census",
    "A large sheet with totals among the rows and small counts left blank",
    "hard",
    ("filled_spans", "hierarchical_headers", "single_table", "sparse_data", "stacked_blocks"),
    "Census",
    "One row for each district, parish, sex and age band with a count; totals are left out.",
    (
        *headers_of(district="district", parish="parish", sex="females or males", age="age band"),
        *value_of("people", "people"),
    ),
    recipe(
        table(
            "census",
            "Census",
            select("R4C3:R38C38", exclude=tuple(f"R{10 + 7 * d}C3:R{10 + 7 * d}C38" for d in range(5))),
            header("district", "left-nearest", "R4C1:R38C1"),
            header("parish", "left", "R4C2:R38C2", where={"not_matches": "^Total$"}),
            header("sex", "above-nearest", "R2C3:R2C38"),
            header("age", "above", "R3C3:R3C38"),
            value="people",
        )
    ),
    _census,
)


def _port() -> list[Leaf]:
    rows: list[list[object]] = [
        [None, None, "Bulk", None, None, "General", None, None],
        [None, None, "Ore", "Grain", "Coal", "Boxes", "Cars", "Pallets"],
    ]
    for b, berth in enumerate(("Quay 1", "Quay 2", "Quay 3")):
        for r, way in enumerate(("in", "out")):
            figures = [steady(47, 10 * b + r, c, 0, 880) for c in range(6)]
            rows.append([berth if r == 1 else None, way, *figures])
    rows[0][2], rows[0][3] = None, "Bulk"
    rows[0][5], rows[0][6] = None, "General"
    return [Leaf("Port", rows)]


PORT = Member(
    "backward-port",
    "Group heads centred over their columns, and row groups named on their last row",
    "hard",
    ("filled_spans", "hierarchical_headers", "single_table", "transposed_headers"),
    "Port",
    "One row for each quay, way, cargo group and cargo. The quay is printed on the last of its rows, the cargo "
    "group over the middle of its columns.",
    (
        *headers_of(quay="quay", way="in or out", group="cargo group", cargo="cargo"),
        *value_of("thousand tonnes"),
    ),
    recipe(
        table(
            "port",
            "Port",
            select("R3C3:R8C8"),
            header("quay", "left-nearest", "R3C1:R8C1", fill="backward"),
            header("way", "left", "R3C2:R8C2"),
            header("group", "above-nearest", "R1C4", "R1C7", fill="closest"),
            header("cargo", "above", "R2C3:R2C8"),
        )
    ),
    _port,
)


def _lease() -> list[Leaf]:
    rows: list[list[object]] = [
        ["Rents", None, None, None, None],
        [None, "Flat", "House", None, None],
        ["Centre", *(steady(48, 0, c, 600, 2400) for c in range(2)), "EUR", None],
        ["Suburb", *(steady(48, 1, c, 500, 1800) for c in range(2)), "EUR", None],
        ["Prices", "old", "new", None, None],
        ["Centre", *(steady(48, 2, c, 2200, 7100) for c in range(2)), "EUR/m2", None],
        ["Suburb", *(steady(48, 3, c, 1700, 5200) for c in range(2)), "EUR/m2", None],
        [None, "thousand", None, None, "Vacant homes"],
        ["Centre", *(steady(48, 4, c, 1, 90) for c in range(1)), None, None, None],
        ["Suburb", *(steady(48, 5, c, 1, 90) for c in range(1)), None, None, None],
    ]
    return [Leaf("Housing", rows), Leaf("Notes", [["Rents are monthly."], ["Prices are means."], ["Invented."]])]


LEASE = Member(
    "mixed-housing",
    "Three blocks whose titles, heads and units stand in different places, and a sheet of notes",
    "hard",
    ("filled_spans", "hierarchical_headers", "metadata_sheet", "multi_table", "stacked_blocks", "unit_rows"),
    "Housing",
    "One row for each subject, place and column. `subject` is Rents, Prices or Vacant homes; `type` is the head of the "
    "column, and `all` for vacant homes; `unit` stands right of the figures, or above them in the last block.",
    (
        *headers_of(subject="title of the block", place="centre or suburb", type="head of the column", unit="unit"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "priced",
            "Housing",
            select("R3C2:R4C3", "R6C2:R7C3"),
            header("subject", "left-nearest", "R1C1", "R5C1"),
            header("place", "left", "R3C1:R4C1", "R6C1:R7C1"),
            header("type", "above", "R2C2:R2C3", "R5C2:R5C3", bands="nearest"),
            header("unit", "right", "R3C4:R4C4", "R6C4:R7C4"),
        ),
        table(
            "vacant",
            "Housing",
            select("R9C2:R10C2"),
            from_cell("subject", "R8C5"),
            header("place", "left", "R9C1:R10C1"),
            constant("type", "all"),
            header("unit", "above", "R8C2"),
        ),
    ),
    _lease,
)


def _cards() -> list[Leaf]:
    rows: list[list[object]] = []
    for s, site in enumerate(("Alder Weir", "Birch Ford", "Corn Mill", "Deep Cut")):
        rows.append(["Site", site, None, "Grid ref", f"NX {steady(49, s, 9, 100, 999)} {steady(49, s, 8, 100, 999)}"])
        rows.append([None, "pH", "Oxygen", "Nitrate", "Phosphate"])
        rows.append([None, None, "mg/l", "mg/l", "µg/l"])
        for r, season in enumerate(("Spring", "Summer", "Autumn")):
            figures = [steady(49, 10 * s + r, c, 5, 99) / 10 for c in range(4)]
            rows.append([season, *(None if (r + c + s) % 5 == 0 else f for c, f in enumerate(figures))])
        rows.append([None])
    return [Leaf("Samples", rows)]


CARDS = Member(
    "record-cards-water",
    "One card after another, with label and content side by side above each block",
    "hard",
    ("filled_spans", "hierarchical_headers", "single_table", "sparse_data", "stacked_blocks", "unit_rows"),
    "Samples",
    "One row for each site, season and measure with a figure, with the site's grid reference and the unit; pH has no "
    "unit and says `none`.",
    (
        *headers_of(
            site="name of the site",
            grid="grid reference",
            season="season",
            measure="what was measured",
            unit="unit or none",
        ),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "samples",
            "Samples",
            select(*(f"R{4 + 7 * s}C2:R{6 + 7 * s}C5" for s in range(4))),
            header("site", "above-nearest", *(f"R{1 + 7 * s}C2" for s in range(4)), bands="nearest"),
            header(
                "grid",
                "above",
                *(f"R{1 + 7 * s}C5" for s in range(4)),
                bands="nearest",
                spans={f"R{1 + 7 * s}C5": [2, 5] for s in range(4)},
            ),
            header("season", "left", *(f"R{4 + 7 * s}C1:R{6 + 7 * s}C1" for s in range(4))),
            header("measure", "above", *(f"R{2 + 7 * s}C2:R{2 + 7 * s}C5" for s in range(4))),
            header("unit", "above", *(f"R{3 + 7 * s}C2:R{3 + 7 * s}C5" for s in range(4)), default="none"),
        )
    ),
    _cards,
)

MEMBERS = (HEALTH, GRADES, HOSPITAL, CENSUS, PORT, LEASE, CARDS)
