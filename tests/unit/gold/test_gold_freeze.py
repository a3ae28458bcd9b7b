"""Freezing a draft: what breaks a rule is refused with every reason, and nothing half-written is taken for a suite."""

import pytest
from gold_drafts import BANK, COLUMNS, HEADERS, MEMBERS, ROWS, STAGED, SUITE, member, write_draft
from gold_sheets import one_table
from gold_xlsx import packed, parts, sheet_xml

from idpbench.files.atomic import write_bytes
from idpbench.files.errors import Refusal
from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.suite import freeze as freezing
from idpbench.gold.suite.draft import read_draft
from idpbench.gold.suite.freeze import Material, freeze, freeze_suite
from idpbench.gold.suite.load import load_suite
from idpbench.gold.tidy import csv_bytes
from idpbench.gold.trace import trace_bytes
from idpbench.gold.workbook import read_workbook


def recipe_of(*tables):
    return {"version": "gold-recipe/1", "tables": list(tables)}


def frozen(folder, members, spoil=lambda files: files, **more):
    """The suite of a draft, its recipes executed here; `spoil` changes what the second run made."""
    draft = read_draft(write_draft(folder / "draft", members, **more))
    material = {}
    for one in draft.members:
        book = (folder / "draft" / one.workbook.path).read_bytes()
        recipe = (folder / "draft" / one.recipe).read_bytes()
        try:
            made = execute(parse_recipe(recipe), read_workbook(book))
            files = csv_bytes(made.table), trace_bytes(made.trace)
        except Unusable:
            files = b"", b""
        material[one.member_id] = Material(book, recipe, (files, spoil(files)))
    return freeze(draft, material, (folder / "draft" / "vocabulary.json").read_bytes())


TABLE = one_table(HEADERS, ["R2C2:R2C3"], sheet="One")
SHORT = [HEADERS[0] | {"select": {"include": ["R1C2"]}}, HEADERS[1]]
MISSING = recipe_of(one_table(SHORT, ["R2C2:R2C3"], sheet="One"))


def asked(*columns):
    return {"task": MEMBERS[2]["task"] | {"columns": list(columns)}}


RULES = {
    "an unknown feature": ({"features": ["single_table", "odd"]}, None, "UNKNOWN_FEATURE"),
    "single_table without the tag": ({"features": ["unit_rows"]}, None, "SINGLE_TABLE"),
    "two tables with the tag": ({}, recipe_of(TABLE, TABLE | {"name": "u"}), "SINGLE_TABLE"),
    "columns that are not asked for": (asked(*COLUMNS[1:]), None, "TASK_COLUMNS"),
    "a column twice": (asked(*COLUMNS, COLUMNS[0]), None, "TASK_COLUMNS"),
    "a column of another role": (asked(*COLUMNS[:2], COLUMNS[2] | {"role": "header"}), None, "TASK_COLUMNS"),
    "a recipe that is none": ({}, {"version": 1}, "SCHEMA"),
    "a sheet that is not there": ({}, recipe_of(TABLE | {"sheet": "Nine"}), "SHEET_NOT_FOUND"),
    "a reference without rows": ({}, recipe_of(one_table(HEADERS, ["R9C9"], sheet="One")), "EMPTY_OUTPUT"),
    "a missing header": ({}, MISSING, "REFERENCE_STATE: header year is missing for 1 value cells"),
    "another accepted state": (
        {"accepts": [{"header": "year", "state": "ambiguous"}]}, MISSING, "REFERENCE_STATE"),
    "a bank asset that is not published": ({"source_kind": "bank_asset"}, None, "NOT_PUBLISHED"),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_draft_that_breaks_a_rule_says_which(tmp_path, name):
    changes, recipe, word = RULES[name]
    with pytest.raises(Refusal, match=word):
        frozen(tmp_path, [member("mike-table", **changes)], recipes=recipe and {"mike-table": recipe})


def test_the_same_sheet_and_table_twice_are_refused(tmp_path):
    twice = member("zulu-table", recipe="mike-table.json", task=MEMBERS[2]["task"])
    with pytest.raises(Refusal, match="MEMBER_TWICE"):
        frozen(tmp_path, [member("mike-table"), twice])


def test_all_reasons_are_told_at_once(tmp_path):
    with pytest.raises(Refusal) as caught:
        frozen(tmp_path, [member("mike-table", features=["odd"]), member("zulu-table", features=["unit_rows"])])
    assert [line.split(": ")[:2] for line in str(caught.value).splitlines()[1:]] == [
        ["  mike-table", "UNKNOWN_FEATURE"],
        ["  mike-table", "SINGLE_TABLE"],
        ["  zulu-table", "SINGLE_TABLE"],
    ]


def test_a_state_that_the_draft_accepts_may_be_in_a_reference(tmp_path):
    accepts = [{"header": "year", "state": "missing"}]
    assert frozen(tmp_path, [member("mike-table", accepts=accepts)], recipes={"mike-table": MISSING}).digest


def test_two_runs_that_differ_are_refused(tmp_path):
    for spoil in (lambda files: (files[0] + b"x", files[1]), lambda files: (files[0], files[1][::-1])):
        with pytest.raises(Refusal, match="NOT_DETERMINISTIC"):
            frozen(tmp_path, [member("mike-table")], spoil)


WORKBOOK = MEMBERS[2]["workbook"]
FILES = {
    "a licence that says nothing": ({"workbook": WORKBOOK | {"licence": " "}}, "licence"),
    "no workbook": ({"workbook": WORKBOOK | {"path": "none.xlsx"}}, "none.xlsx"),
    "no staged workbook": ({**BANK, "workbook": STAGED | {"staged": "none.xlsx"}}, "none.xlsx"),
    "no recipe": ({"recipe": "none.json"}, "none.json"),
    "two places of a workbook": ({"workbook": STAGED | {"path": "book.xlsx"}}, "exactly one"),
    "a workbook far away": ({"workbook": WORKBOOK | {"path": "../../../etc/passwd"}}, "near the draft"),
    "another workbook than meant": ({**BANK, "workbook": STAGED | {"sha256": "sha256:" + "1" * 64}}, "was meant"),
    "an unknown key": ({"note": 1}, "note"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_draft_whose_files_are_not_there_is_refused_and_leaves_nothing(tmp_path, name):
    changes, word = FILES[name]
    draft = write_draft(tmp_path / "draft", [member("mike-table", **changes)])
    with pytest.raises(Refusal, match=word):
        freeze_suite(draft, tmp_path / "suites", tmp_path / "staged")
    assert not (tmp_path / "suites").exists()


def test_a_member_twice_is_refused(tmp_path):
    draft = write_draft(tmp_path / "draft", [member("mike-table"), member("mike-table")])
    with pytest.raises(Refusal, match="twice"):
        freeze_suite(draft, tmp_path / "suites")


def test_a_reference_that_fails_in_its_own_process_is_refused(tmp_path):
    draft = write_draft(tmp_path / "draft", [member("mike-table")], recipes={"mike-table": {"version": 1}})
    with pytest.raises(Refusal, match="mike-table: .*SCHEMA"):
        freeze_suite(draft, tmp_path / "suites")
    assert not (tmp_path / "suites").exists()


FORMULAS = (
    '<row r="1"><c r="B1"><v>2023</v></c><c r="C1"><f>B1+1</f><v>2024</v></c></row>'
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><f>{}</f>{}</c><c r="C2"><v>2</v></c></row>'
)


@pytest.mark.parametrize(
    ("formula", "result", "word"),
    [
        ("1+1", "", "UNCACHED_FORMULA"),
        ("1+1", "<v/>", "UNCACHED_FORMULA"),
        ("INT( now ( ))", "<v>1</v>", "VOLATILE_FORMULA"),
        ("OFFSET(A1,1,1)", "<v>1</v>", "VOLATILE_FORMULA"),
        ("SUM(A1:A2)", "<v>1</v>", None),
    ],
)
def test_a_selected_formula_needs_a_stored_result_that_does_not_change(tmp_path, formula, result, word):
    book = packed(parts({"One": sheet_xml(FORMULAS.format(formula, result))}, "<si><t>North</t></si>"))
    if word is None:
        assert frozen(tmp_path, [member("mike-table")], book=book).digest
        return
    with pytest.raises(Refusal, match=rf"{word}: One!R2C2"):
        frozen(tmp_path, [member("mike-table")], book=book)


def test_a_formula_outside_the_selection_does_not_matter(tmp_path):
    rows = ROWS + '<row r="9"><c r="A9"><f>NOW()</f></c></row>'
    book = packed(parts({"One": sheet_xml(rows)}, "<si><t>North</t></si>"))
    assert frozen(tmp_path, [member("mike-table")], book=book).digest


def test_an_interrupted_freeze_leaves_no_suite(tmp_path, monkeypatch):
    """The manifest is written last: a disk that is full before it leaves files that nothing takes for a suite."""

    def write(path, data):
        if path.name == "manifest.json":
            raise OSError("no space left")
        write_bytes(path, data)

    draft = write_draft(tmp_path / "draft", [member("mike-table")])
    monkeypatch.setattr(freezing, "write_bytes", write)
    with pytest.raises(OSError):
        freeze_suite(draft, tmp_path / "suites")
    assert (tmp_path / "suites" / SUITE / "tables/mike-table.csv").is_file()
    with pytest.raises(Refusal):
        load_suite(tmp_path / "suites" / SUITE)
