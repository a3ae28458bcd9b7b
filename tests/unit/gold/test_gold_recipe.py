"""Recipes from untrusted text: what is refused, under which code and path, and how quickly."""

import copy
import json
import time

import pytest
from gold_sheets import one_table
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.gold.issues import Unusable
from idpbench.gold.recipe.address import Area, read_area, read_cell
from idpbench.gold.recipe.parse import parse_recipe, read_recipe
from idpbench.gold.recipe.strict_json import parse_json

HEADERS = [
    {"name": "year", "direction": "above", "select": {"include": ["R1C2:R1C3"], "exclude": ["R1C9"]}},
    {"name": "area", "direction": "left-nearest", "fill": "backward", "select": {"include": ["R2C1"]}},
    {"name": "land", "constant": "A"},
    {"name": "unit", "cell": "R1C1"},
]
GOOD = {"version": "gold-recipe/1", "tables": [one_table(HEADERS, ["R2C2:R3C3"])]}


def faults(value):
    with pytest.raises(Unusable) as caught:
        parse_recipe(value if isinstance(value, (str, bytes)) else json.dumps(value))
    assert all(issue.message and len(issue.message) <= 500 for issue in caught.value.issues)
    return [(issue.code, issue.path) for issue in caught.value.issues]


def changed(change):
    value = copy.deepcopy(GOOD)
    change(value)
    return value


def with_header(header):
    return changed(lambda value: value["tables"][0].update(headers=[header]))


def test_a_good_recipe_is_read():
    read = parse_recipe(json.dumps(GOOD))
    assert [header.name for header in read.tables[0].headers] == ["year", "area", "land", "unit"]
    assert read_recipe(GOOD) == read
    assert parse_recipe(f"\n {json.dumps(GOOD)}\t\r\n".encode()) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null null",
        '{"a":1,"a":2}',
        '{"a":{"b":1,"c":2,"b":3}}',
        "[NaN]",
        "[Infinity]",
        "[-Infinity]",
        "[1e999]",
        "[-1e999]",
        "[" + "9" * 400 + "]",
        "[" + "9" * 5000 + "]",
        r'["\ud800"]',
        r'{"\udc00":1}',
        '["\ud800"]',
        "\ufeff{}",
        b"\xff{}",
        "```json\n{}\n```",
        'Here: {"a":1}',
        "{'a':1}",
        '["\x01"]',
        "[01]",
        "[1,]",
    ],
)
def test_what_is_not_strict_json_has_code_json(text):
    assert faults(text) == [("JSON", "$")]


def test_white_space_and_escapes_of_json_are_read():
    assert parse_json(' {"a": [1, 2.5, "\\u00e9\\ud83d\\ude00", true, null]} ') == {"a": [1, 2.5, "é😀", True, None]}


@pytest.mark.parametrize(
    "text",
    ["[" * 33 + "]" * 33, '{"a":' * 33 + "1" + "}" * 33, "[" * 200_000, " " * (256 * 1024 + 1), "é" * (128 * 1024 + 1)],
)
def test_too_many_bytes_or_levels_have_code_too_large(text):
    start = time.process_time()
    assert faults(text) == [("TOO_LARGE", "$")]
    assert time.process_time() - start < 1


def test_the_limits_of_size_and_nesting_are_exact():
    assert parse_json("[" * 32 + "]" * 32)
    assert parse_json('["' + "[" * 100 + '\\"[[["]') == ["[" * 100 + '"[[[']
    assert parse_json("[1]" + " " * (256 * 1024 - 3)) == [1]


HEADER = "$.tables[0].headers[0]"
SELECT = {"include": ["R1C1"]}
ABOVE = {"name": "h", "direction": "above", "select": SELECT}


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ({"name": "h"}, HEADER),
        ({"name": "h", "cell": "R1C1", "select": SELECT, "direction": "above"}, HEADER),
        ("h", HEADER),
        ({"name": "h", "cell": "R1C1:R1C2"}, f"{HEADER}.cell"),
        ({"name": "h", "cell": "R1C1", "direction": "above"}, f"{HEADER}.direction"),
        ({"name": "h", "constant": " \n"}, f"{HEADER}.constant"),
        ({"name": "h", "constant": ["a"]}, f"{HEADER}.constant"),
        ({"name": "h", "constant": None}, f"{HEADER}.constant"),
        ({"constant": "a"}, f"{HEADER}.name"),
        ({"name": "h", "select": SELECT}, f"{HEADER}.direction"),
        (ABOVE | {"direction": "up"}, f"{HEADER}.direction"),
        (ABOVE | {"fill": "forward"}, f"{HEADER}.fill"),
        (ABOVE | {"fill": "right"}, f"{HEADER}.fill"),
        (ABOVE | {"fill": None}, f"{HEADER}.fill"),
        (ABOVE | {"direction": "left-nearest", "fill": "none"}, f"{HEADER}.fill"),
        (ABOVE | {"bands": "some"}, f"{HEADER}.bands"),
        (ABOVE | {"default": []}, f"{HEADER}.default"),
        (ABOVE | {"overrides": {"A1": "left"}}, f"{HEADER}.overrides.A1"),
        (ABOVE | {"overrides": {"R1C1": "N"}}, f"{HEADER}.overrides.R1C1"),
        (ABOVE | {"overrides": [1]}, f"{HEADER}.overrides"),
        (ABOVE | {"spans": {"R1C1:R1C2": [1, 2]}}, f"{HEADER}.spans.R1C1:R1C2"),
        (ABOVE | {"spans": {"R1C5": [2, 1]}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"spans": {"R1C5": [0, 1]}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"spans": {"R1C5": [1.0, 2]}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"spans": {"R1C5": [True, 2]}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"spans": {"R1C5": [1, 2, 3]}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"spans": {"R1C5": {"0": 1}}}, f"{HEADER}.spans.R1C5"),
        (ABOVE | {"select": {"include": []}}, f"{HEADER}.select.include"),
        (ABOVE | {"select": {"include": ["R1C1"] * 501}}, f"{HEADER}.select.include"),
        (ABOVE | {"select": {"include": ["R1C1", 2]}}, f"{HEADER}.select.include[1]"),
        (ABOVE | {"select": {"include": "R1C1"}}, f"{HEADER}.select.include"),
        (ABOVE | {"select": {"include": ["R1C1"], "exclude": ["R1C1", "R0C1"]}}, f"{HEADER}.select.exclude[1]"),
        (ABOVE | {"select": {"include": ["R1C1"], "where": {"types": ["num"]}}}, f"{HEADER}.select.where.types[0]"),
        (ABOVE | {"select": {"include": ["R1C1"], "where": {"matches": "("}}}, f"{HEADER}.select.where.matches"),
        (ABOVE | {"select": {"include": ["R1C1"], "where": {"matches": "(?=a)"}}}, f"{HEADER}.select.where.matches"),
        (ABOVE | {"select": {"include": ["R1C1"], "where": {"not_matches": "a" * 1001}}},
         f"{HEADER}.select.where.not_matches"),
        (ABOVE | {"select": {"include": ["R1C1"], "where": {"regex": "a"}}}, f"{HEADER}.select.where.regex"),
        (ABOVE | {"[key]": 1}, f"{HEADER}.[key]"),
    ],
)  # fmt: skip
def test_a_fault_of_a_header_has_code_schema_and_its_own_path(header, path):
    assert faults(with_header(header)) == [("SCHEMA", path)]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda value: value.update(version="gold-recipe/2"), "$.version"),
        (lambda value: value.pop("version"), "$.version"),
        (lambda value: value.update(note=1), "$.note"),
        (lambda value: value.update(tables=[]), "$.tables"),
        (lambda value: value.update(tables={}), "$.tables"),
        (lambda value: value.update(tables=[one_table([], ["R1C1"], name=f"t{i}") for i in range(21)]), "$.tables"),
        (lambda value: value["tables"].append(one_table([], ["R1C1"])), "$.tables[1].name"),
        (lambda value: value["tables"][0].update(sheet=1), "$.tables[0].sheet"),
        (lambda value: value["tables"][0].update(sheet=None), "$.tables[0].sheet"),
        (lambda value: value["tables"][0].pop("headers"), "$.tables[0].headers"),
        (lambda value: value["tables"][0]["values"].update(keep_blank=1), "$.tables[0].values.keep_blank"),
        (lambda value: value["tables"][0]["values"].update(name="a" * 64), "$.tables[0].values.name"),
        (lambda value: value["tables"][0]["values"].update(name="a\n"), "$.tables[0].values.name"),
        (lambda value: value["tables"][0]["values"].update(name="é"), "$.tables[0].values.name"),
        (lambda value: value["tables"][0]["headers"].append(HEADERS[0]), "$.tables[0].headers[4].name"),
        (lambda value: value["tables"][0].update(headers=[{"name": f"h{i}", "constant": 1} for i in range(41)]),
         "$.tables[0].headers"),
    ],
)  # fmt: skip
def test_a_fault_elsewhere_has_code_schema_and_its_own_path(change, path):
    assert faults(changed(change)) == [("SCHEMA", path)]


@pytest.mark.parametrize("value", [[], "a", 1, None, True])
def test_a_recipe_is_an_object(value):
    assert faults(json.dumps(value)) == [("SCHEMA", "$")]


def test_all_faults_are_told_at_once():
    value = with_header(ABOVE | {"direction": "up", "select": {"include": ["A1", "R1C1", "B2"]}, "more": 1})
    assert sorted(faults(value)) == [
        ("SCHEMA", f"{HEADER}.direction"),
        ("SCHEMA", f"{HEADER}.more"),
        ("SCHEMA", f"{HEADER}.select.include[0]"),
        ("SCHEMA", f"{HEADER}.select.include[2]"),
    ]


def test_a_name_is_a_header_or_a_value_over_all_tables():
    other = one_table([{"name": "value", "constant": 1}], ["R1C1"], name="u")
    other["values"]["name"] = "amount"
    assert faults(changed(lambda value: value["tables"].append(other))) == [
        ("NAME_ROLE_CONFLICT", "$.tables[1].headers[0].name")
    ]
    other["headers"][0]["name"] = "year"
    assert parse_recipe(json.dumps(changed(lambda value: value["tables"].append(other))))


def test_a_long_key_is_shortened_in_its_path():
    (code, path), *rest = faults(changed(lambda value: value.update({"k" * 5000: 1})))
    assert (code, rest) == ("SCHEMA", [])
    assert path == f"$.{'k' * 80}..."


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("R1C1", Area(1, 1, 1, 1)),
        ("R2C3:R2C3", Area(2, 3, 2, 3)),
        ("R1C1:R1048576C16384", Area(1, 1, 1_048_576, 16_384)),
    ],
)
def test_addresses(text, area):
    assert read_area(text) == area


@pytest.mark.parametrize(
    "text",
    ["", "A1", "r1c1", "R1", "R01C1", "R0C1", "R1C0", "R1C1 ", "R1C1\n", "R١C1", "R1C1:R1C1:R1C1", "R1C1:", ":R1C1",
     "R2C1:R1C1", "R1C2:R1C1", "R1048577C1", "R1C16385", "R1C1:R1048577C1", "R1C1:R1C16385", "R-1C1", "R1C1:C2",
     "R99999999C1"],
)  # fmt: skip
def test_what_is_no_address(text):
    with pytest.raises(ValueError):
        read_area(text)


def test_a_range_is_no_cell():
    with pytest.raises(ValueError):
        read_cell("R1C1:R1C2")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "a{1000}", r"\pL+", "(?i)total", "(x{1,30}){1,30}$"])
def test_patterns_of_re2_are_taken(pattern):
    value = with_header(ABOVE | {"select": {"include": ["R1C1"], "where": {"matches": pattern}}})
    assert parse_recipe(json.dumps(value))


@pytest.mark.parametrize("pattern", [r"(a)\1", "((a{1000}){1000})", "(?<=a)b", "a{1001}", r"(\pL{500}){50}"])
def test_patterns_that_re2_cannot_bound_are_refused(pattern):
    value = with_header(ABOVE | {"select": {"include": ["R1C1"], "where": {"matches": pattern}}})
    start = time.process_time()
    assert faults(value) == [("SCHEMA", f"{HEADER}.select.where.matches")]
    assert time.process_time() - start < 1


def test_thousands_of_faults_take_no_time():
    value = with_header(ABOVE | {"select": {"include": ["R1C1"], "exclude": ["A1"] * 20_000}})
    start = time.process_time()
    assert len(faults(value)) == 20_000
    assert time.process_time() - start < 5


def test_a_key_twice_among_thousands_is_found_at_once():
    text = "{" + ",".join(f'"{number}":0' for number in [*range(20_000), 19_999]) + "}"
    start = time.process_time()
    assert faults(text) == [("JSON", "$")]
    assert time.process_time() - start < 1


places = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def parts(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from parts(item, (*path, key))


PARTS = [path for path in parts(GOOD) if path]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PARTS), places)
def test_any_part_replaced_by_anything_gives_a_recipe_or_coded_issues(path, put):
    value = copy.deepcopy(GOOD)
    place = value
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = put
    try:
        parse_recipe(json.dumps(value))
    except Unusable as fault:
        codes = {issue.code for issue in fault.issues}
        assert codes <= {"JSON", "SCHEMA", "NAME_ROLE_CONFLICT"}
        assert all(issue.path.startswith("$") for issue in fault.issues)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_text_gives_a_value_or_a_coded_issue(text):
    try:
        parse_json(text)
    except Unusable as fault:
        assert fault.issues[0].code in ("JSON", "TOO_LARGE")
