"""Execution of recipes: what is selected, which header a value gets, in what order rows stand."""

import random
import time

import pytest
from gold_naive import assignment, selected
from gold_sheets import book, one_table, recipe, sheet
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.gold.execute import execute, selection
from idpbench.gold.execute.areas import difference
from idpbench.gold.execute.selection import Selector
from idpbench.gold.issues import Unusable
from idpbench.gold.recipe.address import Area
from idpbench.gold.recipe.parse import read_recipe
from idpbench.gold.recipe.schema import DIRECT_FILLS, DIRECTIONS, NEAREST_FILLS, Select
from idpbench.gold.tidy import csv_bytes
from idpbench.gold.trace import trace_bytes

SIZE = 6
seeds = st.integers(0, 2**32 - 1).map(random.Random)  # sheets and recipes are drawn by a seed: quick to make


def spelled(address):
    return f"R{address[0]}C{address[1]}"


def draw_cell(chance):
    return chance.randint(1, SIZE), chance.randint(1, SIZE)


def draw_area(chance):
    (top, left), (bottom, right) = draw_cell(chance), draw_cell(chance)
    return Area(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


def area_text(area):
    return f"R{area.top}C{area.left}:R{area.bottom}C{area.right}"


def draw_areas(chance, least, most):
    found = [draw_area(chance) for _ in range(chance.randint(least, most))]
    return [spelled(area[:2]) if chance.random() < 0.5 else area_text(area) for area in found]


def draw_cells(chance):
    return {spelled(draw_cell(chance)): chance.choice(["a", "b", " ", 1]) for _ in range(chance.randint(1, 25))}


def draw_merges(chance):
    """Some merged ranges that do not overlap."""
    found, taken = [], set()
    for area in (draw_area(chance) for _ in range(chance.randint(0, 4))):
        if not taken & set(cells_of(area)):
            found.append(area_text(area))
            taken |= set(cells_of(area))
    return found


def cells_of(area):
    return [(row, col) for row in range(area.top, area.bottom + 1) for col in range(area.left, area.right + 1)]


def draw_header(chance, name="h"):
    direction = chance.choice(DIRECTIONS)
    header = {"name": name, "direction": direction, "select": {"include": draw_areas(chance, 1, 3)}}
    optional = {
        "fill": chance.choice(NEAREST_FILLS if direction.endswith("nearest") else DIRECT_FILLS),
        "overrides": {spelled(draw_cell(chance)): chance.choice(DIRECTIONS) for _ in range(chance.randint(1, 5))},
        "spans": {spelled(draw_cell(chance)): sorted(draw_cell(chance)) for _ in range(chance.randint(1, 5))},
        "bands": chance.choice(["all", "nearest"]),
        "default": chance.choice(["none", 0]),
    }
    return header | {key: value for key, value in optional.items() if chance.random() < 0.5}


@settings(max_examples=250, deadline=None)
@given(seeds)
def test_the_indexed_look_up_equals_the_naive_one(chance):
    workbook = book({"S": {"cells": draw_cells(chance), "merges": draw_merges(chance)}})
    written = recipe(one_table([draw_header(chance)], draw_areas(chance, 1, 2), keep_blank=True))
    made = execute(written, workbook)
    only, read = workbook.sheets[0], written.tables[0].headers[0]
    places = sorted(selected(only, written.tables[0].values.select))
    assert [row.source for row in made.trace] == [f"S!{spelled(place)}" for place in places]
    for place, row in zip(places, made.trace, strict=True):
        direction, address, text, state = assignment(only, read, place)
        if state == "missing" and read.default is not None:
            text, state = str(read.default), "default"
        source = address and f"S!{spelled(address)}"
        assert row.headers[0][1:] == (direction, source, text, state)
    used = {row.headers[0].source for row in made.trace} - {None}
    anchors = selected(only, read.select) & only.cells.keys()
    assert made.counts["UNUSED_HEADER_CELL"] == len(anchors) - len(used)


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_a_selection_is_the_union_less_the_union_within_the_used_cells(chance):
    only = sheet(draw_cells(chance))
    select = Select(include=tuple(draw_areas(chance, 1, 5)), exclude=tuple(draw_areas(chance, 0, 5)))
    selector = Selector()
    found = selector.cells(only, select, "$")
    assert found == sorted(selected(only, select))
    assert selector.room == 200_000 - len(found)


@settings(max_examples=50, deadline=None)
@given(seeds)
def test_areas_of_a_difference_are_disjoint(chance):
    include, exclude = ([draw_area(chance) for _ in range(chance.randint(0, 6))] for _ in range(2))
    cells = [cell for found in difference(include, exclude) for cell in cells_of(found)]
    assert len(cells) == len(set(cells))


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_output_does_not_depend_on_the_order_of_headers(chance):
    workbook = book({"S": {"cells": draw_cells(chance)}})
    declared = [draw_header(chance, name) for name in ("h", "i", "j")]
    values = draw_areas(chance, 1, 2)
    one = execute(recipe(one_table(declared, values)), workbook)
    other = execute(recipe(one_table(declared[::-1], values)), workbook)
    assert csv_bytes(one.table) == csv_bytes(other.table)
    assert [(row.source, set(row.headers)) for row in one.trace] == [(r.source, set(r.headers)) for r in other.trace]


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_output_does_not_depend_on_the_order_of_tables_that_share_no_cell(chance):
    cells = draw_cells(chance)
    workbook = book({"S": {"cells": cells}, "T": {"cells": cells}})
    values = draw_areas(chance, 1, 2)
    tables = [
        one_table([draw_header(chance)], values, name="a", sheet="T"),
        one_table([draw_header(chance, "g")], values, name="b"),
    ]
    one, other = execute(recipe(*tables), workbook), execute(recipe(*tables[::-1]), workbook)
    assert (csv_bytes(one.table), trace_bytes(one.trace)) == (csv_bytes(other.table), trace_bytes(other.trace))
    sheets = [row.source.split("!")[0] for row in one.trace]
    assert sheets == sorted(sheets)


def crosstab():
    cells = {"R1C2": 2023, "R1C3": 2024, "R2C1": "N", "R2C2": 1, "R2C3": 2, "R3C1": "S", "R3C2": 3, "R3C3": 4}
    return book({"S": {"cells": cells}})


def test_a_cell_of_two_tables_gives_two_rows_in_table_order_and_one_warning_for_each_later_table():
    tables = [one_table([{"name": "k", "constant": name}], ["R2C2"], name=name) for name in ("b", "a", "c")]
    made = execute(recipe(*tables), crosstab())
    assert made.table.rows == (("b", "1"), ("a", "1"), ("c", "1"))
    assert made.warnings == tuple(
        {"code": "OVERLAPPING_VALUE_CELL", "table": name, "address": "S!R2C2"} for name in ("a", "c")
    )


def test_an_empty_selection_is_a_warning_and_the_columns_stay():
    made = execute(recipe(one_table([{"name": "k", "constant": 1}], ["R9C9"])), crosstab())
    assert (made.table.columns, made.table.rows) == (("k", "value"), ())
    assert made.warnings == ({"code": "EMPTY_VALUE_SELECTION", "table": "t"},)
    assert made.warnings_by_code == {"EMPTY_VALUE_SELECTION": 1}


def test_blank_value_cells_count_as_left_only_where_they_are_kept():
    cells = {"R1C1": "a", "R2C2": "z"}
    for keep, rows in ((False, ()), (True, (("",),))):
        made = execute(recipe(one_table([], ["R1C2"], keep_blank=keep)), book({"S": {"cells": cells}}))
        assert made.table.rows == rows
        assert bool(made.warnings) is not keep


def test_what_is_of_no_use_is_counted():
    header = {
        "name": "h",
        "direction": "left",
        "overrides": {"R9C9": "above", "R2C1": "left"},
        "spans": {"R8C8": [1, 2]},
        "select": {"include": ["R1C1:R3C1"]},
    }
    made = execute(recipe(one_table([header], ["R2C2:R2C3"])), crosstab())
    assert made.counts == {
        "UNUSED_HEADER_CELL": 1,
        "UNUSED_KEY": 2,
        "MISSING_ASSIGNMENT": 0,
        "AMBIGUOUS_ASSIGNMENT": 0,
    }
    assert made.warnings_by_code == {"UNUSED_HEADER_CELL": 1, "UNUSED_KEY": 2}


def test_an_override_that_names_the_declared_direction_changes_nothing():
    header = {"name": "h", "direction": "above-nearest", "fill": "backward", "select": {"include": ["R1C2:R1C3"]}}
    plain = execute(recipe(one_table([header], ["R2C1:R2C3"])), crosstab())
    named = execute(recipe(one_table([header | {"overrides": {"R1C3": "above-nearest"}}], ["R2C1:R2C3"])), crosstab())
    assert named.trace == plain.trace
    assert named.counts["UNUSED_KEY"] == 0


def test_sheets_are_found_by_title_or_by_the_only_title_like_it():
    sheets = {"Data 1": {"cells": {"R1C1": 1}}, "Café": {"cells": {"R1C1": 2}}, "data1": {"cells": {"R1C1": 3}}}

    def value(name):
        return execute(recipe(one_table([], ["R1C1"], sheet=name)), book(sheets)).table.rows[0][0]

    assert [value("Data 1"), value("data1"), value("CAFE\u0301 ")] == ["1", "3", "2"]
    for name, code in (("DATA1", "SHEET_AMBIGUOUS"), ("Data 2", "SHEET_NOT_FOUND"), ("", "SHEET_NOT_FOUND")):
        with pytest.raises(Unusable) as caught:
            value(name)
        assert [(issue.code, issue.path) for issue in caught.value.issues] == [(code, "$.tables[0].sheet")]


def test_all_sheets_that_are_not_found_are_told_at_once():
    tables = [one_table([], ["R1C1"], name=name, sheet=name) for name in ("a", "b")]
    with pytest.raises(Unusable) as caught:
        execute(recipe(*tables), crosstab())
    assert [issue.path for issue in caught.value.issues] == ["$.tables[0].sheet", "$.tables[1].sheet"]


def test_filters_look_at_kinds_and_at_canonical_texts_anywhere_in_them():
    cells = {"R1C1": "ab", "R2C1": 12.0, "R3C1": True, "R4C1": {"error": "#N/A"}, "R6C1": " Total b"}

    def rows(**where):
        written = recipe(one_table([], {"include": ["R1C1:R6C1"], "where": where}, keep_blank=True))
        return [row[0] for row in execute(written, book({"S": {"cells": cells}})).table.rows]

    assert rows(types=["number", "boolean"]) == ["12", "true"]
    assert rows(types=["blank", "error"]) == ["#N/A", ""]
    assert rows(matches="b") == ["ab", "Total b"]
    assert rows(matches="^[0-9]+$") == ["12"]
    assert rows(matches="^$") == [""]
    assert rows(not_matches="^Total|^$", types=["text", "blank"]) == ["ab"]
    assert rows() == ["ab", "12", "true", "#N/A", "", "Total b"]


def test_a_recipe_selects_at_most_200_000_cells_over_all_selections():
    tall = book({"S": {"cells": {"R1C1": "a", "R100000C2": "b", "R100000C3": "c"}}})
    header = {"name": "h", "direction": "left", "select": {"include": ["R1C1:R100000C1"]}}
    assert len(execute(recipe(one_table([header], ["R1C2:R100000C2"])), tall).table.rows) == 1
    for table, path in (
        (one_table([header], ["R1C2:R100000C2", "R1C3"]), "$.tables[0].headers[0].select"),
        (one_table([header], ["R1C1:R100000C3"]), "$.tables[0].values.select"),
    ):
        with pytest.raises(Unusable) as caught:
            execute(recipe(table), tall)
        assert [(issue.code, issue.path) for issue in caught.value.issues] == [("TOO_MANY_CELLS", path)]


def test_what_is_excluded_does_not_count():
    corner = book({"S": {"cells": {"R1C1": "a", "R1048576C16384": "z"}}})
    select = {
        "include": ["R1C1:R1048576C16384"],
        "exclude": ["R2C1:R1048576C16383", "R1C2:R1048575C16384"],
    }
    made = execute(recipe(one_table([], select)), corner)
    assert [row.source for row in made.trace] == ["S!R1C1", "S!R1048576C16384"]


def test_the_whole_sheet_is_refused_at_once():
    corner = book({"S": {"cells": {"R1C1": "a", "R1048576C16384": "z"}}})
    start = time.process_time()
    with pytest.raises(Unusable) as caught:
        execute(recipe(one_table([], ["R1C1:R1048576C16384"])), corner)
    assert caught.value.issues[0].code == "TOO_MANY_CELLS"
    assert time.process_time() - start < 0.5


def test_long_texts_multiplied_are_refused_before_they_are_written():
    cells = {"R1C1": "x" * 32_767} | {f"R{row}C2": 1 for row in range(1, 9_001)}
    header = {"name": "h", "cell": "R1C1"}
    with pytest.raises(Unusable) as caught:
        execute(recipe(one_table([header], ["R1C2:R9000C2"])), book({"S": {"cells": cells}}))
    assert [(issue.code, issue.path) for issue in caught.value.issues] == [("TOO_LARGE", "$")]


def bounded(action, seconds):
    start = time.process_time()
    action()
    assert time.process_time() - start < seconds


@pytest.mark.parametrize("bands", ["all", "nearest"])
def test_many_anchors_in_one_column_take_no_time_to_compare(bands):
    """8,000 equal labels in one column, every one in sight of 8,000 values below and beside."""
    cells = {f"R{row}C1": "same" for row in range(1, 8_001)} | {f"R{row}C2": 1 for row in range(1, 8_001)}
    header = {
        "name": "h",
        "direction": "above-nearest",
        "fill": "forward",
        "bands": bands,
        "select": {"include": ["R1C1:R8000C1"]},
    }
    workbook, written = book({"S": {"cells": cells}}), recipe(one_table([header], ["R1C2:R8000C2"]))
    bounded(lambda: execute(written, workbook), 2)


def test_anchors_in_several_directions_take_no_time_to_compare():
    """4,000 columns of labels, all in sight of 4,000 values far away, and one anchor in another direction."""
    cells = {f"R1C{column}": f"label {column}" for column in range(1, 4_001)}
    cells |= {f"R{row}C4001": 1 for row in range(5_000, 9_000)}
    header = {
        "name": "h",
        "direction": "left-nearest",
        "overrides": {"R1C1": "above"},
        "select": {"include": ["R1C1:R1C4000"]},
    }
    workbook, written = book({"S": {"cells": cells}}), recipe(one_table([header], ["R5000C4001:R8999C4001"]))
    made = execute(written, workbook)
    assert {row.headers[0].source for row in made.trace} == {"S!R1C4000"}
    bounded(lambda: execute(written, workbook), 3)


@pytest.mark.parametrize("direction", ["above-nearest", "below-nearest"])
def test_with_several_directions_the_nearest_by_manhattan_distance_comes_first(direction):
    """Two rows of labels above, two below the value; the nearer of each pair is reached from its other side."""
    cells = {"R1C3": "far", "R2C5": "near", "R4C4": 1, "R6C5": "near", "R7C3": "far", "R4C9": "other"}
    header = {
        "name": "h",
        "direction": direction,
        "fill": "closest",
        "overrides": {"R4C9": "left"},
        "select": {"include": ["R1C1:R3C9", "R4C9", "R5C1:R7C9"]},
    }
    made = execute(recipe(one_table([header], ["R4C4"])), book({"S": {"cells": cells}}))
    row = 2 if direction.startswith("above") else 6
    assert made.trace[0].headers[0] == ("h", direction, f"S!R{row}C5", "near", "ambiguous")


def test_thousands_of_overlapping_areas_take_no_time():
    exclude = [f"R{row}C{row % 50 + 1}:R1048576C{row % 50 + 1}" for row in range(1, 7_001)]
    select = {"include": ["R1C1:R1048576C60"], "exclude": [*exclude, "R1C51:R1048576C60"]}
    workbook = book({"S": {"cells": {"R1048576C60": "z"}}})
    written = recipe(one_table([], select))
    bounded(lambda: execute(written, workbook), 4)


def test_a_pattern_that_would_explode_is_matched_in_linear_time():
    cells = {f"R{row}C1": "a" * 30_000 + "b" + str(row) for row in range(1, 21)}
    select = {"include": ["R1C1:R20C1"], "where": {"matches": "(a+)+$"}}
    workbook, written = book({"S": {"cells": cells}}), recipe(one_table([], select))
    bounded(lambda: execute(written, workbook), 1)


def test_patterns_that_are_too_much_work_for_the_texts_are_refused(monkeypatch):
    monkeypatch.setattr(selection, "MOST_WORK", 10_000_000)
    cells = {f"R{row}C1": "ab" * 1_000 + str(row) for row in range(1, 11)} | {"R11C1": "ab" * 1_000 + "1"}
    workbook = book({"S": {"cells": cells}})

    def run(pattern, last):
        select = {"include": [f"R1C1:R{last}C1"], "where": {"types": ["text"], "not_matches": pattern}}
        return execute(recipe(one_table([], select)), workbook)

    assert len(run("(a|b)*a(a|b){900}$", 1).table.rows) == 1
    assert len(run("^x", 11).table.rows) == 11
    with pytest.raises(Unusable) as caught:
        run("(a|b)*a(a|b){900}$", 10)
    (issue,) = caught.value.issues
    assert (issue.code, issue.path) == ("TOO_LARGE", "$.tables[0].values.select.where")


def test_a_recipe_read_from_a_value_is_the_recipe_of_its_text():
    value = {"version": "gold-recipe/1", "tables": [one_table([], ["R1C1"])]}
    assert read_recipe(value) == recipe(*value["tables"])
