"""A model never sees anything of a reference, and the runner does not open one while it asks."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gold_small import ROOT, SUITE, FakeClock, recipe, run_scripted
from shared_data import shared

from idpbench.gold.place import SUITES, suite_ids
from idpbench.gold.run.prompt import MODES, initial
from idpbench.gold.suite.load import Suite, load_suite
from idpbench.gold.workbook import Workbook

MOST_BYTES = 100_000  # of a workbook: the larger ones take seconds to read
OPENED: list[str] = []
_WATCHING: list[bool] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _WATCHING and event == "open":
        OPENED.append(str(arguments[0]))


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """Names of the files that this process opens; an audit hook stays for good, so it sleeps outside the test."""
    if not hasattr(sys, "_gold_leak_hook"):
        sys.addaudithook(_note)
        sys._gold_leak_hook = True  # type: ignore[attr-defined]
    OPENED.clear()
    _WATCHING.append(True)
    yield OPENED
    _WATCHING.clear()


def test_references_are_not_opened_between_a_members_first_call_and_its_last(root: Path, opened: list[str]) -> None:
    during: list[str] = []

    def says(member: str, n: int) -> str:
        if n == 1:
            opened.clear()
            return "no"
        if n == 2:
            return recipe(member, values="R9C9")
        during.extend(opened)
        return recipe(member)

    ran = run_scripted(root, says, FakeClock())
    assert [len(member.attempts) for member in ran.result.members] == [3] * 4
    assert during and not [name for name in during if SUITE in name or "/references/" in name]
    assert any("calls.jsonl" in name for name in during), "the hook sees what is opened"


def suites() -> list[str]:
    return suite_ids(ROOT)


@pytest.mark.parametrize("suite_id", suites())
def test_no_prompt_of_a_committed_member_holds_anything_of_its_reference(suite_id: str) -> None:
    assert look_for_leaks(load_suite(ROOT / SUITES / suite_id)) >= 25


@pytest.mark.slow
@pytest.mark.parametrize("suite_id", suites())
def test_no_prompt_of_a_staged_member_with_a_small_workbook_does_either(suite_id: str, tmp_path: Path) -> None:
    staged = shared("data/gold/workbooks")
    assert look_for_leaks(load_suite(ROOT / SUITES / suite_id, staged, tmp_path), "staged") >= 5


def look_for_leaks(suite: Suite, storage: str = "committed") -> int:
    """Assert that prompts hold no address list, row or digest of a reference; returns how many members were seen."""
    seen = 0
    for member in suite.manifest.members:
        wanted = member.workbook.storage == storage and member.workbook.bytes < MOST_BYTES
        workbook = suite.parsed(member) if wanted else None
        if workbook is None:
            continue
        seen += 1
        reference = json.loads(suite.recipe(member))
        rows = [",".join(row) for row in suite.reference(member).table.rows if len(row) > 1]
        selected = [select.get(key, []) for select in selections(reference) for key in ("include", "exclude")]
        for mode in MODES:
            text = "\n".join(message.content for message in initial(workbook, member.task, mode))
            for addresses in selected:
                assert not [spelt for spelt in spellings(addresses) if spelt in text], member.member_id
            assert not [row for row in rows[:200] if row in text], member.member_id
            assert not re.search(r"[0-9a-f]{64}", text), member.member_id
    return seen


@pytest.mark.parametrize("suite_id", suites())
def test_blind_mode_says_no_output_name(suite_id: str) -> None:
    """Names with an underscore cannot be everyday words, so they must not stand anywhere but in the sheet itself."""
    suite = load_suite(ROOT / SUITES / suite_id)
    for member in suite.manifest.members:
        asked = initial(Workbook(()), member.task, "blind")[1].content
        for column in member.task.columns:
            assert "_" not in column.name or column.name not in asked, (member.member_id, column.name)
            assert f"`{column.name}`" not in asked and f"- {column.name} (" not in asked, member.member_id


def selections(value: Any) -> Iterator[dict[str, Any]]:
    """Every selection of a recipe."""
    if isinstance(value, dict):
        if "include" in value:
            yield value
        for inner in value.values():
            yield from selections(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from selections(inner)


def spellings(addresses: list[str]) -> list[str]:
    """A list of addresses in the forms it could be told in. A lone merged range stands in every prompt of its sheet."""
    if not addresses:
        return []
    found = [json.dumps(addresses), json.dumps(addresses, separators=(",", ":"))]
    if len(addresses) > 1:
        found += [", ".join(addresses), ",".join(addresses), "\n".join(addresses)]
    return found


def test_a_revision_holds_the_models_own_words_and_issues_only(root: Path) -> None:
    replies = ["no", recipe("alpha-table", values="R9C9"), recipe("alpha-table", sheet="Elsewhere")]
    ran = run_scripted(root, lambda member, n: replies[n - 1], FakeClock(), members=("alpha-table",))
    first, *revisions = ran.transport.asked
    for before, revised in zip(replies, revisions, strict=False):
        assert revised.messages[:2] == first.messages
        assert revised.messages[2].content == before
        added = revised.messages[3].content
        lines = [line for line in added.splitlines() if line.startswith("- ")]
        assert lines and all(re.fullmatch(r"- \$[^:]*: [A-Z_]+: .+", line) for line in lines)
        for secret in ("1011", "1022", "North", "R2C2", "sha256", "rows 4", "4 rows", "score"):
            assert secret not in added
