"""The committed suite: what the generators make today is what was frozen."""

from __future__ import annotations

from pathlib import Path

from idpbench.gold.members.catalogue import MEMBERS, SUITE_ID, write_draft
from idpbench.gold.members.draft import Staged
from idpbench.gold.suite.load import load_suite
from idpbench.gold.suite.manifest import CommittedWorkbook

ROOT = Path(__file__).resolve().parents[3]
SUITE = load_suite(ROOT / "corpus" / "gold" / SUITE_ID)


def test_generators_still_make_the_pinned_bytes(tmp_path: Path) -> None:
    vocabulary = (ROOT / "corpus" / "gold" / "vocabulary" / "structure-features.json").read_bytes()
    folder = write_draft(tmp_path, vocabulary).parent
    for member in SUITE.manifest.members:
        assert (folder / "recipes" / f"{member.member_id}.json").read_bytes() == SUITE.recipe(member)
        if isinstance(member.workbook, CommittedWorkbook):
            assert (folder / "workbooks" / f"{member.member_id}.xlsx").read_bytes() == SUITE.workbook(member)


def test_staged_workbooks_are_pinned_as_their_authors_saw_them() -> None:
    own = {member.member_id: member.workbook for member in MEMBERS if isinstance(member.workbook, Staged)}
    pinned = {m.member_id: m.workbook for m in SUITE.manifest.members if m.workbook.storage == "staged"}
    assert set(own) == set(pinned)
    for member_id, workbook in own.items():
        assert (pinned[member_id].sha256, pinned[member_id].bytes) == (f"sha256:{workbook.sha256}", workbook.size)


def test_the_suite_has_the_shape_that_a_board_needs() -> None:
    summary = SUITE.manifest.summary
    assert summary.members >= 30
    assert min(summary.difficulty.values()) >= 7
    assert len(summary.feature) == 12
    assert summary.published_in_bank == summary.source_kind["bank_asset"]


def test_no_table_of_a_staged_workbook_is_in_the_repository() -> None:
    for member in SUITE.manifest.members:
        if member.workbook.storage == "staged":
            assert member.reference.table.path is None and member.reference.trace.path is None
