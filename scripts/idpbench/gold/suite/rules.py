"""What must hold in a suite beyond the shape of its documents. Pure functions from what is at hand to issues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from idpbench.gold.execute import Production
from idpbench.gold.execute.run import output_columns
from idpbench.gold.execute.selection import Selector, find_sheet
from idpbench.gold.issues import Issue
from idpbench.gold.recipe.address import read_cell
from idpbench.gold.recipe.schema import CellHeader, Recipe, RecipeTable, SelectHeader
from idpbench.gold.suite.draft import Accepted
from idpbench.gold.suite.manifest import Described, Manifest, summarise
from idpbench.gold.workbook import Address, Formula, Sheet, Workbook

VOLATILE = ("NOW(", "TODAY(", "RAND(", "RANDBETWEEN(", "RANDARRAY(", "OFFSET(", "INDIRECT(", "INFO(", "CELL(")
"""Functions whose result changes without a change of the workbook."""


def manifest_issues(manifest: Manifest) -> Iterator[Issue]:
    """Order, uniqueness and summary of a manifest."""
    names = [member.member_id for member in manifest.members]
    if names != sorted(set(names)):
        yield Issue("MEMBER_ORDER", "members", "expected member ids in order, each once")
    yield from _described_issues(manifest.members)
    seen: Counter[tuple[str, str | None, str]] = Counter()
    for member in manifest.members:
        key = member.workbook.sha256, member.task.sheet, member.reference.table.sha256
        if seen[key]:
            yield Issue("MEMBER_TWICE", member.member_id, "another member has this workbook, sheet and reference table")
        seen[key] += 1
        if list(member.features) != sorted(set(member.features)):
            yield Issue("FEATURES", member.member_id, "expected features in order, each once")
        if member.reference.table.rows != member.reference.trace.value_cells:
            yield Issue("COUNTS", member.member_id, "as many rows in the table as value cells in the trace expected")
        stored = member.workbook.storage == "committed"
        if (member.reference.table.path is not None, member.reference.trace.path is not None) != (stored, stored):
            yield Issue("STORAGE", member.member_id, "table and trace are stored where the workbook is, and only there")
    if manifest.summary != summarise(manifest.members):
        yield Issue("SUMMARY", "summary", "not the counts of the members")


def _described_issues(members: Iterable[Described]) -> Iterator[Issue]:
    for member in members:
        if member.source_kind == "bank_asset" and not member.published_in_bank:
            yield Issue("NOT_PUBLISHED", member.member_id, "a bank asset is published in the bank")


def member_issues(member: Described, recipe: Recipe, tags: Collection[str]) -> Iterator[Issue]:
    """What a member says of itself against its reference recipe and the vocabulary."""
    for tag in member.features:
        if tag not in tags:
            yield Issue("UNKNOWN_FEATURE", member.member_id, f"{tag} is not in the vocabulary")
    single = len(recipe.tables) == 1
    if ("single_table" in member.features) is not single:
        words = "one logical table" if single else f"{len(recipe.tables)} logical tables"
        yield Issue("SINGLE_TABLE", member.member_id, f"the recipe emits {words}; tag single_table says otherwise")
    values = {table.values.name for table in recipe.tables}
    expected = {(name, "value" if name in values else "header") for name in output_columns(recipe)}
    told = [(column.name, column.role) for column in member.task.columns]
    if set(told) != expected or len(told) != len(expected):
        yield Issue("TASK_COLUMNS", member.member_id, f"expected the columns of the reference, {sorted(expected)}")


def state_issues(member_id: str, production: Production, accepts: Sequence[Accepted]) -> Iterator[Issue]:
    """Headers of a reference that are missing or ambiguous somewhere and not accepted as such."""
    accepted = {(one.header, one.state) for one in accepts}
    found = Counter((header.name, header.state) for row in production.trace for header in row.headers)
    for (name, state), number in sorted(found.items()):
        if state in ("missing", "ambiguous") and (name, state) not in accepted:
            yield Issue("REFERENCE_STATE", member_id, f"header {name} is {state} for {number} value cells")


def formula_issues(member_id: str, recipe: Recipe, workbook: Workbook) -> Iterator[Issue]:
    """Selected cells whose formula has no stored result, or one that changes by itself."""
    selector = Selector()
    for index, table in enumerate(recipe.tables):
        sheet = find_sheet(workbook, table.sheet, f"$.tables[{index}].sheet")
        if not sheet.formulas:
            continue
        spread = [formula for formula in sheet.formulas.values() if formula.area[:2] != formula.area[2:]]
        for address in _selected(selector, sheet, table):
            formula = sheet.formulas.get(address) or _filling(spread, address)
            if formula is None:
                continue
            place = f"{sheet.title}!R{address[0]}C{address[1]}"
            if not formula.cached and address in sheet.formulas:
                yield Issue("UNCACHED_FORMULA", member_id, f"{place} holds a formula without a stored result")
            if any(name in formula.text.upper().replace(" ", "") for name in VOLATILE):
                yield Issue("VOLATILE_FORMULA", member_id, f"{place} holds a formula whose result changes by itself")


def _selected(selector: Selector, sheet: Sheet, table: RecipeTable) -> Iterator[Address]:
    yield from selector.cells(sheet, table.values.select, "$")
    for header in table.headers:
        if isinstance(header, SelectHeader):
            yield from selector.cells(sheet, header.select, "$")
        elif isinstance(header, CellHeader):
            yield read_cell(header.cell)


def _filling(spread: Sequence[Formula], address: Address) -> Formula | None:
    row, column = address
    for formula in spread:
        top, left, bottom, right = formula.area
        if top <= row <= bottom and left <= column <= right:
            return formula
    return None
