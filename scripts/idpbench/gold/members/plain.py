"""Easy members: one compact table with direct headers, each with one thing that a careless reader trips over."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

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


def _rainfall() -> list[Leaf]:
    stations = ("Arden Hill", "Brook End", "Carse Point", "Dunmore")
    rows: list[list[object]] = [["Station", 2021, 2022, 2023, 2024]]
    rows += [[name, *(steady(11, i, year, 4200, 13900) / 10 for year in range(4))] for i, name in enumerate(stations)]
    return [Leaf("Rainfall", rows, bold=[(1, c) for c in range(1, 6)])]


RAINFALL = Member(
    "plain-rainfall",
    "Rainfall by station and year",
    "easy",
    ("single_table", "time_series"),
    "Rainfall",
    "One row for each station and year with the rainfall in millimetres.",
    (*headers_of(station="name of the station", year="calendar year"), *value_of("rainfall, mm", "rainfall_mm")),
    recipe(
        table(
            "rainfall",
            "Rainfall",
            select("R2C2:R5C5"),
            header("station", "left", "R2C1:R5C1"),
            header("year", "above", "R1C2:R1C5"),
            value="rainfall_mm",
        )
    ),
    _rainfall,
)


def _turbines() -> list[Leaf]:
    names = ("T-01", "T-02", "T-03", "T-04", "T-05")
    properties = (("Hub height", "m", 80, 140), ("Rated power", "kW", 1800, 4200), ("Rotor diameter", "m", 70, 155))
    rows: list[list[object]] = [["Turbine", None, *names]]
    for r, (name, unit, low, high) in enumerate(properties):
        rows.append([name, unit, *(steady(12, r, c, low, high) for c in range(len(names)))])
    rows.append(["Commissioned", "date", *(date(2014 + c, 1 + 2 * c, 3 + 5 * c) for c in range(len(names)))])
    return [Leaf("Fleet", rows)]


TURBINES = Member(
    "transposed-turbines",
    "Turbine data sheet with the records side by side",
    "easy",
    ("single_table", "transposed_headers", "unit_rows"),
    "Fleet",
    "The records stand in columns. One row for each turbine and property, with the property's unit.",
    (
        *headers_of(turbine="code of the turbine", property="what is stated", unit="unit of the value"),
        *value_of("the stated value"),
    ),
    recipe(
        table(
            "fleet",
            "Fleet",
            select("R2C3:R5C7"),
            header("turbine", "above", "R1C3:R1C7"),
            header("property", "left", "R2C1:R5C1"),
            header("unit", "left", "R2C2:R5C2"),
        )
    ),
    _turbines,
)


def _clinics() -> list[Leaf]:
    rows: list[list[object]] = [["Clinic", "Mon", "Tue", "Wed", "Thu", "Fri"]]
    for r, name in enumerate(("Eastgate", "Harbour", "Mill Lane", "Old Town", "Riverside", "St Anne")):
        visits = [steady(13, r, c, 0, 38) for c in range(5)]
        rows.append([name, *(None if v % 4 == 0 else v for v in visits)])
    return [Leaf("Week 14", rows)]


CLINICS = Member(
    "sparse-clinics",
    "Clinic visits with days on which nobody worked",
    "easy",
    ("single_table", "sparse_data"),
    "Week 14",
    "One row for each clinic and weekday; an empty day stays a row with an empty value.",
    (*headers_of(clinic="name of the clinic", weekday="day of the week"), *value_of("number of visits", "visits")),
    recipe(
        table(
            "visits",
            "Week 14",
            select("R2C2:R7C6"),
            header("clinic", "left", "R2C1:R7C1"),
            header("weekday", "above", "R1C2:R1C6"),
            value="visits",
            keep_blank=True,
        )
    ),
    _clinics,
)


def _ferries() -> list[Leaf]:
    rows: list[list[object]] = [
        ["Table 4. Passengers by route"],
        [None],
        ["Route", "Adults", "Children (a)", "Cycles"],
    ]
    for r, name in enumerate(("North loop", "South loop", "Island express")):
        rows.append([name, *(steady(14, r, c, 300, 9000) for c in range(3))])
    rows += [
        ["(a) Under 12 years; infants travel free and are not counted."],
        ["(b)", 7, "is the number of days without service."],
        ["Source: invented for this suite."],
    ]
    return [Leaf("Table 4", rows)]


FERRIES = Member(
    "footnotes-ferries",
    "A table with notes and a stray number under it",
    "easy",
    ("footnote_contamination", "single_table"),
    "Table 4",
    "One row for each route and kind of passenger. Notes below the table are no data.",
    (*headers_of(route="name of the route", kind="what was carried, as printed"), *value_of("number carried")),
    recipe(
        table(
            "ferries",
            "Table 4",
            select("R4C2:R6C4"),
            header("route", "left", "R4C1:R6C1"),
            header("kind", "above", "R3C2:R3C4"),
        )
    ),
    _ferries,
)


def _library() -> list[Leaf]:
    about = Leaf("About", [["Unit", "loans"], ["Region", "Lakeland"], ["Contact", "none: invented"]])
    rows: list[list[object]] = [["Branch", "Loans"]]
    rows += [[name, steady(15, r, 0, 900, 24000)] for r, name in enumerate(("Ash", "Birch", "Cedar", "Elm", "Oak"))]
    return [about, Leaf("Loans", rows)]


LIBRARY = Member(
    "metadata-library",
    "One column of figures, with its unit on another sheet",
    "easy",
    ("metadata_sheet", "single_table"),
    None,
    "One row for each branch with the number of loans; `measure` is the head of the column of figures.",
    (*headers_of(branch="name of the branch", measure="what is counted"), *value_of("the count")),
    recipe(
        table(
            "loans",
            "Loans",
            select("R2C2:R6C2"),
            header("branch", "left", "R2C1:R6C1"),
            from_cell("measure", "R1C2"),
        )
    ),
    _library,
)


def _shifts() -> list[Leaf]:
    rows: list[list[object]] = [["Line", datetime(2024, 3, 1), datetime(2024, 3, 2), datetime(2024, 3, 3)]]
    rows.append(["First start", time(6, 5), time(6, 15), time(7, 0)])
    rows.append(["Running time", timedelta(hours=22, minutes=40), timedelta(hours=25, minutes=5), timedelta(hours=19)])
    rows.append(["Completed", True, False, True])
    rows.append(["Scrap rate", 0.017, "#N/A", 0.0125])
    return [Leaf("Shifts", rows)]


SHIFTS = Member(
    "typed-shifts",
    "Values of many types: times of day, elapsed hours, truth values, an error",
    "easy",
    ("single_table", "time_series"),
    "Shifts",
    "One row for each line item and day, with the value as the sheet holds it.",
    (*headers_of(item="what is stated", day="date"), *value_of("the value, of any type")),
    recipe(
        table(
            "shifts",
            "Shifts",
            select("R2C2:R5C4"),
            header("item", "left", "R2C1:R5C1"),
            header("day", "above", "R1C2:R1C4"),
        )
    ),
    _shifts,
)


def _harvest() -> list[Leaf]:
    rows: list[list[object]] = [["Crop", "Yield", "Area"], [None, "t/ha", "ha"]]
    for r, crop in enumerate(("Barley", "Oats", "Rye", "Spelt", "Wheat")):
        rows.append([crop, steady(16, r, 0, 21, 88) / 10, steady(16, r, 1, 40, 900)])
    return [Leaf("Harvest 2023", rows)]


HARVEST = Member(
    "units-harvest",
    "A row of units under the heads",
    "easy",
    ("single_table", "unit_rows"),
    "Harvest 2023",
    "One row for each crop and measure, with its unit and the year of the harvest, 2023.",
    (
        *headers_of(crop="name of the crop", measure="what is measured", unit="its unit", year="year of the harvest"),
        *value_of("the figure"),
    ),
    recipe(
        table(
            "harvest",
            "Harvest 2023",
            select("R3C2:R7C3"),
            header("crop", "left", "R3C1:R7C1"),
            header("measure", "above", "R1C2:R1C3"),
            header("unit", "above", "R2C2:R2C3"),
            constant("year", 2023),
        )
    ),
    _harvest,
)

MEMBERS = (RAINFALL, TURBINES, CLINICS, FERRIES, LIBRARY, SHIFTS, HARVEST)
