"""Freezing a draft, loading the suite, verifying it: what is refused, and that no pinned byte can change unseen."""

import copy
import json
import shutil

import pytest
from gold_sheets import one_table
from gold_xlsx import packed, parts, sheet_xml

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import pretty
from idpbench.files.errors import Refusal
from idpbench.gold.execute import execute
from idpbench.gold.issues import Unusable
from idpbench.gold.metrics import score
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.suite import freeze as freezing
from idpbench.gold.suite import load as loading
from idpbench.gold.suite.draft import DraftMember, read_draft
from idpbench.gold.suite.freeze import Material, freeze, freeze_suite
from idpbench.gold.suite.load import load_suite
from idpbench.gold.suite.manifest import Summary, suite_digest, summarise
from idpbench.gold.suite.verify import verify_suite
from idpbench.gold.tidy import csv_bytes
from idpbench.gold.trace import trace_bytes
from idpbench.gold.workbook import read_workbook

SUITE = "gold-2026.01"
VOCABULARY = {"schema": "gold-vocabulary/1", "features": {"single_table": "one table", "unit_rows": "units in rows"}}
ROWS = (
    '<row r="1"><c r="B1"><v>2023</v></c><c r="C1"><v>2024</v></c></row>'
    '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><v>1</v></c><c r="C2"><v>2</v></c></row>'
)
BOOK = packed(parts({"One": sheet_xml(ROWS), "Two": sheet_xml(ROWS)}, "<si><t>North</t></si>"))
HEADERS = [
    {"name": "year", "direction": "above", "select": {"include": ["R1C2:R1C3"]}},
    {"name": "zone", "direction": "left", "select": {"include": ["R2C1"]}},
]
COLUMNS = [
    {"name": "year", "role": "header", "about": "the year"},
    {"name": "zone", "role": "header", "about": "the zone"},
    {"name": "value", "role": "value", "about": "the number"},
]


SHEETS = {"zulu-table": "Two", "alpha-staged": "One", "mike-table": "One"}


def member(name, **changes):
    plain = {
        "member_id": name,
        "title": f"Member {name}",
        "source_kind": "conformance",
        "difficulty": "easy",
        "publisher": "synthetic",
        "features": ["unit_rows", "single_table"],
        "published_in_bank": False,
        "workbook": {"path": "book.xlsx", "licence": "CC0", "attribution": "us", "source_note": "made here"},
        "task": {"sheet": SHEETS[name], "instruction": "Tidy the sheet.", "columns": COLUMNS},
        "recipe": f"{name}.json",
    }
    return plain | changes


STAGED = {"staged": "theirs.xlsx", "licence": "CC BY", "attribution": "them", "source_note": "a page of theirs"}
BANK = {"workbook": STAGED, "source_kind": "bank_asset", "published_in_bank": True, "publisher": "abs"}
MEMBERS = [member("zulu-table"), member("alpha-staged", **BANK), member("mike-table")]


def write_draft(folder, members=MEMBERS, book=BOOK, recipes=None, **changes):
    """A draft folder, and beside it the staged folder with a workbook of another's."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder.parent / "staged").mkdir(exist_ok=True)
    (folder.parent / "staged" / "theirs.xlsx").write_bytes(
        packed(parts({"One": sheet_xml(ROWS)}, "<si><t>South</t></si>"))
    )
    (folder / "vocabulary.json").write_text(pretty(VOCABULARY))
    (folder / "book.xlsx").write_bytes(book)
    for name, sheet in SHEETS.items():
        recipe = {"version": "gold-recipe/1", "tables": [one_table(HEADERS, ["R2C2:R2C3"], sheet=sheet)]}
        (folder / f"{name}.json").write_text(json.dumps((recipes or {}).get(name, recipe)))
    content = {
        "schema": "gold-draft/1",
        "suite_id": SUITE,
        "frozen_at": "2026-01-31T00:00:00Z",
        "vocabulary": "vocabulary.json",
        "members": members,
    }
    (folder / "draft.json").write_text(pretty(content | changes))
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a frozen suite in `suites` and the staged workbook in `staged`."""
    folder = tmp_path_factory.mktemp("gold")
    freeze_suite(write_draft(folder / "draft"), folder / "suites", folder / "staged")
    return folder


@pytest.fixture
def own(place, tmp_path):
    """A copy of that folder that a test may damage."""
    shutil.copytree(place, tmp_path, dirs_exist_ok=True)
    return tmp_path


def load(folder, **more):
    return load_suite(folder / "suites" / SUITE, folder / "staged", **more)


def rewrite(folder, change):
    """Change the manifest and give it the digest of what it is then, so that only the rules stand in the way."""
    path = folder / "suites" / SUITE / "manifest.json"
    content = json.loads(path.read_text())
    change(content)
    content["digest"] = suite_digest(content)
    path.write_text(pretty(content))


def test_a_frozen_suite_loads_verifies_and_gives_references(place):
    suite = load(place)
    assert [one.member_id for one in suite.manifest.members] == ["alpha-staged", "mike-table", "zulu-table"]
    assert verify_suite(suite).issues == verify_suite(suite).absent == ()
    assert suite.manifest.summary == Summary(
        members=3,
        source_kind={"bank_asset": 1, "conformance": 2},
        difficulty={"easy": 3},
        publisher={"abs": 1, "synthetic": 2},
        feature={"single_table": 3, "unit_rows": 3},
        published_in_bank=1,
    )
    for one in suite.manifest.members:
        reference = suite.reference(one)
        zone = "South" if one.member_id == "alpha-staged" else "North"
        assert reference.table.rows == (("2023", zone, "1"), ("2024", zone, "2"))
        assert score(reference, reference).composite == 1_000_000


def test_what_is_derived_from_a_staged_workbook_is_in_no_file_of_the_suite(place):
    files = {
        path.relative_to(place / "suites" / SUITE).as_posix()
        for path in (place / "suites").rglob("*.*")
        if path.is_file()
    }
    assert files == {
        "manifest.json",
        "vocabulary/structure-features.json",
        "workbooks/book.xlsx",
        *(f"recipes/{name}.json" for name in SHEETS),
        *(f"tables/{name}.csv" for name in ("mike-table", "zulu-table")),
        *(f"traces/{name}.jsonl" for name in ("mike-table", "zulu-table")),
    }  # fmt: skip


def test_freezing_again_changes_nothing_and_another_suite_of_that_name_is_refused(own):
    before = {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}
    freeze_suite(write_draft(own / "draft"), own / "suites", own / "staged")
    assert before == {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}
    write_draft(own / "draft", [member("mike-table", title="Another")])
    with pytest.raises(Refusal, match="never changed"):
        freeze_suite(own / "draft", own / "suites", own / "staged")
    assert before == {path: path.read_bytes() for path in (own / "suites").rglob("*.*") if path.is_file()}


def pinned(folder):
    stored = sorted(path for path in (folder / "suites" / SUITE).rglob("*") if path.is_file())
    return [*stored, folder / "staged/theirs.xlsx"]


def refused(folder):
    """Is the suite refused, by loading or by verifying?"""
    try:
        found = verify_suite(load(folder))
    except Refusal:
        return True
    return bool(found.issues)


def test_a_changed_byte_of_any_pinned_file_is_refused(own):
    """Three bytes of every file and a few hundred of the manifest, each changed in one bit and to white space."""
    for path in pinned(own):
        data = path.read_bytes()
        step = max(1, len(data) // (150 if path.name == "manifest.json" else 3))
        for index in range(0, len(data), step):
            for byte in {data[index] ^ 1, 0x20 if data[index] == 0x0A else 0x0A}:
                path.write_bytes(data[:index] + bytes([byte]) + data[index + 1 :])
                assert refused(own), (path.name, index, byte)
        path.write_bytes(data)
    assert not refused(own)


def test_a_shortened_lengthened_or_absent_file_is_refused(own):
    for path in pinned(own):
        data = path.read_bytes()
        for other in (data[:-1], data + b"\n", b""):
            path.write_bytes(other)
            assert refused(own), path.name
        path.unlink()
        assert refused(own) is (path.name != "theirs.xlsx")
        path.write_bytes(data)


def test_an_absent_staged_workbook_is_reported_and_its_reference_needs_it(own):
    (own / "staged/theirs.xlsx").unlink()
    suite = load(own)
    found = verify_suite(suite)
    assert (found.issues, found.absent) == ((), ("alpha-staged",))
    one = suite.manifest.member("alpha-staged")
    assert suite.workbook(one) is None
    with pytest.raises(Refusal, match="not staged") as caught:
        suite.reference(one)
    assert caught.value.exit_code == 3
    assert load_suite(own / "suites" / SUITE).workbook(one) is None


def test_a_derived_reference_is_kept_and_used_only_where_it_is_the_pinned_one(own, monkeypatch):
    suite = load(own, cache=own / "kept")
    one = suite.manifest.member("alpha-staged")
    reference = suite.reference(one)
    kept = sorted((own / "kept").iterdir())
    assert [path.read_bytes() for path in kept] == [
        data for _, data in sorted(
            (pin.sha256, data)
            for pin, data in (
                (one.reference.table, csv_bytes(reference.table)), (one.reference.trace, trace_bytes(reference.trace)),
            )
        )
    ]  # fmt: skip
    (own / "staged/theirs.xlsx").rename(own / "staged/aside.xlsx")
    assert load(own, cache=own / "kept").reference(one) == reference
    kept[0].write_bytes(b"changed")
    with pytest.raises(Refusal):
        load(own, cache=own / "kept").reference(one)
    (own / "staged/aside.xlsx").rename(own / "staged/theirs.xlsx")
    assert load(own, cache=own / "kept").reference(one) == reference


def test_a_workbook_is_read_once_for_all_its_members(place, monkeypatch):
    reads = []

    def read(data):
        reads.append(len(data))
        return read_workbook(data)

    read_workbook = loading.read_workbook
    monkeypatch.setattr(loading, "read_workbook", read)
    suite = load(place)
    for _ in range(2):
        for one in suite.manifest.members:
            suite.parsed(one)
    assert len(reads) == 2


CHANGES = {
    "a bank asset that is not published": lambda m: m["members"][0].update(published_in_bank=False),
    "members out of order": lambda m: m["members"].reverse(),
    "a member twice": lambda m: m["members"].append(copy.deepcopy(m["members"][-1])),
    "the same workbook, sheet and table twice": lambda m: m["members"][2].update(
        {**copy.deepcopy(m["members"][1]), "member_id": "zulu-table"}
    ),
    "a wrong summary": lambda m: m["summary"].update(published_in_bank=2),
    "features out of order": lambda m: m["members"][1]["features"].reverse(),
    "a feature twice": lambda m: m["members"][1].update(features=["single_table", "single_table"]),
    "rows and value cells that differ": lambda m: m["members"][1]["reference"]["table"].update(rows=3),
    "a stored table of a staged workbook": lambda m: m["members"][0]["reference"]["table"].update(path="tables/a.csv"),
    "a path that leaves the folder": lambda m: m["members"][1]["workbook"].update(path="../book.xlsx"),
    "an absolute path": lambda m: m["vocabulary"].update(path="/etc/passwd"),
    "an unknown key": lambda m: m.update(note="x"),
    "an unknown contract": lambda m: m["contracts"].update(csv="tidy-csv/2"),
    "another name": lambda m: m.update(suite_id="gold-2026.02"),
    "a suite name of another form": lambda m: m.update(suite_id="gold-2026.13"),
    "no members": lambda m: m.update(members=[]),
    "an empty licence": lambda m: m["members"][0]["workbook"].update(licence=" "),
    "a feature outside the vocabulary": lambda m: (
        m["members"][1]["features"].append("zzz"), m["summary"]["feature"].update(zzz=1)),
    "a tag that the recipe contradicts": lambda m: (
        m["members"][1].update(features=["unit_rows"]), m["summary"]["feature"].update(single_table=2)),
    "columns that the recipe does not make": lambda m: m["members"][1]["task"]["columns"].pop(),
    "a number of bytes that is not the file's": lambda m: m["members"][1]["workbook"].update(bytes=1),
    "another digest of a table": lambda m: m["members"][0]["reference"]["table"].update(sha256="sha256:" + "0" * 64),
    "another digest of a trace": lambda m: m["members"][0]["reference"]["trace"].update(sha256="sha256:" + "0" * 64),
    "another number of columns": lambda m: m["members"][1]["reference"]["table"].update(columns=4),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_manifest_that_is_bound_but_breaks_a_rule_is_refused(own, name):
    rewrite(own, CHANGES[name])
    assert refused(own)


def test_a_manifest_that_is_not_bound_is_refused(own):
    path = own / "suites" / SUITE / "manifest.json"
    content = json.loads(path.read_text())
    content["members"][0]["title"] = "Another title"
    path.write_text(pretty(content))
    with pytest.raises(Refusal, match="digest"):
        load(own)
    path.unlink()
    with pytest.raises(Refusal, match=r"manifest\.json"):
        load(own)


def test_a_message_names_file_key_and_remedy(own):
    rewrite(own, lambda m: m["members"][1]["task"].update(sheet=7))
    with pytest.raises(Refusal, match=r"manifest\.json: members\[1\]\.task\.sheet: found .*; restore it from git"):
        load(own)


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


def test_an_interrupted_freeze_leaves_no_suite(place, tmp_path, monkeypatch):
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


def test_the_summary_of_the_published_composition():
    """Thirty members: 12 bank assets and 18 conformance, 14 published, 7 easy, 16 medium, 7 hard."""
    levels = ["easy"] * 7 + ["medium"] * 16 + ["hard"] * 7
    members = [
        member(
            "mike-table",
            difficulty=level,
            source_kind="bank_asset" if number < 12 else "conformance",
            published_in_bank=number < 14,
            features=["single_table"] * (number < 27) + ["unit_rows"] * (number >= 26),
        )
        for number, level in enumerate(levels)
    ]
    summary = summarise(map(DraftMember.model_validate, members))
    assert (summary.members, summary.published_in_bank) == (30, 14)
    assert summary.source_kind == {"bank_asset": 12, "conformance": 18}
    assert summary.difficulty == {"easy": 7, "medium": 16, "hard": 7}
    assert summary.feature == {"single_table": 27, "unit_rows": 4}


def test_problems_name_the_member(own):
    (own / "suites" / SUITE / "tables/zulu-table.csv").write_text("x\n")
    found = verify_suite(load(own)).issues
    assert [issue[:2] for issue in found] == [("FILE", "zulu-table")]
    assert "tables/zulu-table.csv" in found[0].message
