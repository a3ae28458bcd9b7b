"""Members whose shape misleads: labels on both sides, registers of words, two levels of periods, heads at the foot."""

from __future__ import annotations

from datetime import date

from idpbench.gold.members.book import Leaf
from idpbench.gold.members.draft import (
    Member,
    from_cell,
    header,
    headers_of,
    recipe,
    select,
    steady,
    table,
    value_of,
)


def _register() -> list[Leaf]:
    people = ("Amara Odu", "Bjarne Holt", "Chloe Petit", "Dario Conti", "Esra Kaya")
    tasks = ("boats", "library", "kitchen", "boats", "garden")
    rows: list[list[object]] = [["Register of helpers", None, None, "as of", date(2026, 5, 1)], [None]]
    rows.append(["Name", "Task", "Since", "Hours", "Keys"])
    for r, (name, task) in enumerate(zip(people, tasks, strict=True)):
        since = date(2016 + 2 * r, 3 + r, 5)
        rows.append([name, task, since, steady(51, r, 0, 12, 240), None if r == 2 else r % 2 == 0])
    rows += [[None], ["Hours are those of the last season, 2025."]]
    return [Leaf("Helpers", rows)]


REGISTER = Member(
    "register-helpers",
    "A register of people: words, dates, numbers and truth values in one block",
    "easy",
    ("footnote_contamination", "single_table", "sparse_data"),
    "Helpers",
    "One row for each person and column after the name, where there is an entry.",
    (*headers_of(name="name of the helper", attribute="head of the column"), *value_of("the entry, of any type")),
    recipe(
        table(
            "register",
            "Helpers",
            select("R4C2:R8C5"),
            header("name", "left", "R4C1:R8C1"),
            header("attribute", "above", "R3C2:R3C5"),
        )
    ),
    _register,
)


def _quarters() -> list[Leaf]:
    rows: list[list[object]] = [[None, 2023, None, None, None, 2024, None, None], ["Airport"]]
    rows[1] += ["Q1", "Q2", "Q3", "Q4", "Q1", "Q2", "Q3 (p)"]
    for r, name in enumerate(("Estrand", "Foley", "Gannet Bay", "Hollin")):
        rows.append([name, *(steady(52, r, c, 40, 990) for c in range(7))])
    rows.append(["(p) provisional"])
    return [Leaf("Passengers", rows, bold=[(1, 2), (1, 6)])]


QUARTERS = Member(
    "quarters-airports",
    "Years over four and three quarters, told only by where they begin",
    "medium",
    ("filled_spans", "footnote_contamination", "hierarchical_headers", "single_table", "time_series"),
    "Passengers",
    "One row for each airport, year and quarter, the quarter as printed.",
    (
        *headers_of(airport="airport", year="year", quarter="quarter as printed"),
        *value_of("passengers, thousand", "passengers"),
    ),
    recipe(
        table(
            "passengers",
            "Passengers",
            select("R3C2:R6C8"),
            header("airport", "left", "R3C1:R6C1"),
            header("year", "above-nearest", "R1C2:R1C8"),
            header("quarter", "above", "R2C2:R2C8"),
            value="passengers",
        )
    ),
    _quarters,
)


def _bilingual() -> list[Leaf]:
    lines = (("Milch", "Milk"), ("Käse", "Cheese"), ("Eier", "Eggs"), ("Obst", "Fruit"))
    rows: list[list[object]] = [["Ausfuhr", "2021", "2022", "2023", "Exports"]]
    for r, (german, english) in enumerate(lines):
        rows.append([german, *(steady(53, r, c, 30, 800) for c in range(3)), english])
    rows.append(["Tonnen", None, None, None, "tonnes"])
    return [Leaf("Aussenhandel", rows), Leaf("Notes", [["Figures are invented."], ["Unit", "tonnes"]])]


BILINGUAL = Member(
    "bilingual-exports",
    "Labels in two languages, one on each side, and the unit below",
    "medium",
    ("metadata_sheet", "single_table", "time_series", "transposed_headers", "unit_rows"),
    None,
    "One row for each good and year, with the good in both languages and the unit in English.",
    (
        *headers_of(good_de="good in German", good_en="good in English", year="year", unit="unit in English"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "exports",
            "Aussenhandel",
            select("R2C2:R5C4"),
            header("good_de", "left", "R2C1:R5C1"),
            header("good_en", "right", "R2C5:R5C5"),
            header("year", "above", "R1C2:R1C4"),
            from_cell("unit", "R6C5"),
        )
    ),
    _bilingual,
)


def _shore() -> list[Leaf]:
    rows: list[list[object]] = [["Species", "May", "June", "July", None, "Shore"]]
    for r, (name, shore) in enumerate(
        (("Avocet", "north"), ("Curlew", None), ("Dunlin", None), ("Eider", "south"), ("Fulmar", None))
    ):
        counts = [steady(54, r, c, 0, 300) for c in range(3)]
        rows.append([name, *(None if n < 40 else n for n in counts), None, shore])
    rows.append(["All", 812, 733, 905, None, "both"])
    return [Leaf("Count", rows)]


SHORE = Member(
    "right-groups-shore",
    "Groups of rows named at the right edge, and a total that belongs to none",
    "medium",
    ("filled_spans", "hierarchical_headers", "single_table", "sparse_data", "time_series", "transposed_headers"),
    "Count",
    "One row for each species and month with a count. The shore is printed on the first of its rows; the line All is "
    "left out.",
    (*headers_of(species="species", month="month", shore="north or south"), *value_of("birds", "birds")),
    recipe(
        table(
            "count",
            "Count",
            select("R2C2:R6C4"),
            header("species", "left", "R2C1:R6C1"),
            header("month", "above", "R1C2:R1C4"),
            header("shore", "right-nearest", "R2C6:R6C6"),
            value="birds",
        )
    ),
    _shore,
)


def _turned() -> list[Leaf]:
    rows: list[list[object]] = [
        ["Depth", "0 m", "5 m", "10 m", None],
        ["Station A", *(steady(55, 0, c, 40, 220) / 10 for c in range(3)), None],
        [None, *(steady(55, 1, c, 40, 220) / 10 for c in range(3)), "Station B"],
        ["Station C", *(steady(55, 2, c, 40, 220) / 10 for c in range(3)), None],
        [None, *(steady(55, 3, c, 40, 220) / 10 for c in range(3)), "Station D"],
        ["Depth", "0 m", "5 m", "10 m", None],
    ]
    return [Leaf("Temperature", rows)]


TURNED = Member(
    "turned-stations",
    "Row labels that change sides from row to row",
    "hard",
    ("single_table", "transposed_headers"),
    "Temperature",
    "One row for each station and depth; the station stands left or right of its row.",
    (*headers_of(station="station", depth="depth as printed"), *value_of("temperature, degrees", "degrees")),
    recipe(
        table(
            "temperature",
            "Temperature",
            select("R2C2:R5C4"),
            header(
                "station",
                "left",
                "R2C1:R5C1",
                "R2C5:R5C5",
                overrides={"R3C5": "right", "R5C5": "right"},
            ),
            header("depth", "above", "R1C2:R1C4"),
            value="degrees",
        )
    ),
    _turned,
)

MEMBERS = (REGISTER, QUARTERS, BILINGUAL, SHORE, TURNED)
