"""A draft of three members, one of them on a staged workbook, in which a test may change anything."""

from __future__ import annotations

import json

from gold_sheets import one_table
from gold_xlsx import packed, parts, sheet_xml

from idpbench.files.canonical import pretty

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
