"""The suite's own members: generated from code, the same bytes each time, with references that hold."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from idpbench.gold.execute.run import execute
from idpbench.gold.heuristic import write_recipe
from idpbench.gold.members.book import Leaf, workbook_bytes
from idpbench.gold.members.catalogue import MEMBERS
from idpbench.gold.members.draft import Member, Staged
from idpbench.gold.metrics import score
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.workbook import Workbook, read_workbook

OWN = [member for member in MEMBERS if not isinstance(member.workbook, Staged)]


def workbook_of(member: Member) -> Workbook:
    assert not isinstance(member.workbook, Staged)
    return read_workbook(workbook_bytes(member.workbook()))


def test_a_workbook_is_the_same_bytes_each_time_and_holds_no_date_of_making() -> None:
    leaves = [Leaf("Sheet", [["a", 1], [None, 2.5]], merges=[(1, 1, 2, 1)], indents={(1, 1): 2}, bold=[(1, 2)])]
    first = workbook_bytes(leaves)
    assert first == workbook_bytes(leaves)
    with zipfile.ZipFile(io.BytesIO(first)) as parts:
        assert {entry.date_time for entry in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.compress_type for entry in parts.infolist()} == {zipfile.ZIP_STORED}
    cell = read_workbook(first).sheets[0].cells[1, 1]
    assert (cell.text, cell.indent) == ("a", 2)


def test_there_are_members_for_every_difficulty_kind_and_feature() -> None:
    assert len(MEMBERS) >= 30
    assert len({member.member_id for member in MEMBERS}) == len(MEMBERS)
    assert {member.difficulty for member in MEMBERS} == {"easy", "medium", "hard"}
    assert {member.source_kind for member in MEMBERS} == {"conformance", "bank_asset"}
    assert len({tag for member in MEMBERS for tag in member.features}) == 12


@pytest.mark.parametrize("member", OWN, ids=lambda member: member.member_id)
def test_a_reference_names_every_figure_and_exactly_the_asked_columns(member: Member) -> None:
    produced = execute(parse_recipe(json.dumps(member.recipe)), workbook_of(member))
    assert produced.table.rows
    assert set(produced.table.columns) == {column.name for column in member.columns}
    assert {header.state for row in produced.trace for header in row.headers} <= {"resolved", "default"}


@pytest.mark.parametrize("member", OWN, ids=lambda member: member.member_id)
def test_the_heuristic_writes_an_executable_recipe_and_the_same_one_each_time(member: Member) -> None:
    workbook = workbook_of(member)
    written = write_recipe(workbook, member)
    assert written == write_recipe(workbook, member)
    assert execute(parse_recipe(written), workbook).table.rows


def test_the_heuristic_solves_some_members_and_fails_others() -> None:
    """It has to come out honestly: a reader of sheets that solved all of them would have seen the references."""
    exact = []
    for member in OWN:
        workbook = workbook_of(member)
        reference = execute(parse_recipe(json.dumps(member.recipe)), workbook).scored
        exact.append(score(reference, execute(parse_recipe(write_recipe(workbook, member)), workbook).scored).status)
    assert {"passed", "partial"} == set(exact)


def test_the_heuristic_asks_for_nothing_where_a_sheet_holds_no_figures() -> None:
    workbook = read_workbook(workbook_bytes([Leaf("Words", [["only"], ["words"]])]))
    recipe = parse_recipe(write_recipe(workbook, MEMBERS[0]))
    assert [header.name for header in recipe.tables[0].headers] == ["station", "year"]
