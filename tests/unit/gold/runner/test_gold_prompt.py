"""What a model is told: the sheet line by line, the task, and on a revision its own reply and what is wrong with it."""

from __future__ import annotations

import json

from gold_sheets import book, sheet
from hypothesis import given
from hypothesis import strategies as st

from idpbench.gold.issues import Issue
from idpbench.gold.recipe.parse import parse_recipe
from idpbench.gold.run.context import MOST_CHARACTERS, context
from idpbench.gold.run.prompt import MOST_REPLY, cut, initial, prompt_digest, revision
from idpbench.gold.run.template import RULES
from idpbench.gold.suite.manifest import Task, TaskColumn
from idpbench.gold.workbook import Cell, Workbook

MERGES = ["R1C2:R1C3"]
BOOK = book(
    {
        "Data": {"cells": {"R1C2": "Two\nlines", "R2C1": 'say "x"', "R2C2": 14.5, "R3C2": True}, "merges": MERGES},
        "Notes": {"cells": {"R1C1": "a note"}},
    }
)  # fmt: skip
COLUMNS = (
    TaskColumn(name="zone_q7", role="header", about="the zone"),
    TaskColumn(name="sum_q7", role="value", about="the sum"),
)
TASK = Task(sheet="Data", instruction="One row per number.", columns=COLUMNS)


def test_a_cell_stands_on_a_line_with_type_text_indent_and_bold() -> None:
    found = sheet({"R2C1": "x"})
    cells = {(2, 1): Cell("Total", "text", "Total", indent=2, bold=True), (2, 2): Cell(3.0, "number", "3", bold=True)}
    shown = Workbook((type(found)("S", 0, cells, (), 2, 2),))
    lines = context(shown, "S").splitlines()
    assert 'R2C1 text "Total" indent=2 bold' in lines and "R2C2 number 3 bold" in lines


def test_the_named_sheet_is_shown_with_its_merges_and_the_titles_of_all() -> None:
    text = context(BOOK, "Data")
    assert 'sheets, in this order: "Data", "Notes"' in text and "a note" not in text
    assert "Used: 3 rows, 2 columns, 4 cells that are not blank\nMerged: R1C2:R1C3\n" in text
    assert 'R1C2 text "Two\\nlines"\nR2C1 text "say \\"x\\""\nR2C2 number 14.5\nR3C2 boolean true\n' in text


def test_every_sheet_is_shown_where_the_task_names_none() -> None:
    assert all(f'Sheet "{title}"' in context(BOOK, None) for title in ("Data", "Notes"))


def test_a_long_sheet_is_cut_after_a_whole_line_and_says_so() -> None:
    long = book({"S": {"cells": {f"R{row}C1": row for row in range(1, 1001)}}})
    text = context(long, "S", most=5000)
    *lines, last = text.splitlines()
    shown = sum(line.startswith("R") and "C1 number" in line for line in lines)
    assert last == f"(cut here: the sheet has 1000 cells, {shown} are shown)"
    assert lines[-1] == f"R{shown}C1 number {shown}" and 4500 < len(text) < 5100
    assert len(context(long, "S")) < MOST_CHARACTERS


def test_contract_names_the_columns_and_blind_names_none() -> None:
    contract = "".join(message.content for message in initial(BOOK, TASK, "contract"))
    assert "- zone_q7 (header): the zone\n- sum_q7 (value): the sum" in contract
    blind = "".join(message.content for message in initial(BOOK, TASK, "blind"))
    assert "q7" not in blind and "One row per number." in blind


def test_the_rules_name_every_form_and_their_example_is_a_recipe() -> None:
    example = next(line for line in RULES.splitlines() if line.startswith('{"version"'))
    assert parse_recipe(example).tables[0].values.name == "baskets"
    for word in ("left-nearest", "merge", "default", "bands", "nearest", "spans", "overrides", "keep_blank"):
        assert f'"{word}"' in RULES or f" {word}" in RULES, word
    sentences = RULES[RULES.index("How a value cell finds its header") : RULES.index("Example.")]
    for word in ("overrides", "spans", "bands", "default", "keep_blank", "where", "merge", "backward", "closest"):
        assert f'"{word}"' in sentences or f"fill {word}" in sentences, f"{word} is named and not explained"


def test_a_revision_is_the_same_start_the_reply_and_the_issues_only() -> None:
    start = initial(BOOK, TASK, "contract")
    issues = [Issue("SCHEMA", "$.tables", "too few"), Issue("JSON", "$", "line 1 column 2: no")]
    messages = revision(start, "my reply", issues)
    assert messages[:2] == start and [message.role for message in messages[2:]] == ["assistant", "user"]
    assert messages[2].content == "my reply"
    assert "- $.tables: SCHEMA: too few\n- $: JSON: line 1 column 2: no\n" in messages[3].content


def test_a_revision_names_at_most_25_issues_and_never_sends_an_empty_turn() -> None:
    messages = revision((), "", [Issue("SCHEMA", f"$.k{n}", "no") for n in range(40)])
    assert messages[0].content == "(an empty reply)" and messages[1].content.count("SCHEMA") == 25


@given(st.text(max_size=40).map(lambda text: text * 1000))
def test_a_reply_is_shown_again_up_to_16_kib_in_whole_characters(reply: str) -> None:
    shown = cut(reply)
    assert len(shown.encode("utf-8")) <= max(MOST_REPLY, 20) and (reply.startswith(shown) or not reply)
    assert len(reply.encode("utf-8")) > MOST_REPLY or shown == (reply or "(an empty reply)")


def test_the_digest_of_a_prompt_changes_with_any_word() -> None:
    first, other = initial(BOOK, TASK, "contract"), initial(BOOK, TASK, "blind")
    assert prompt_digest(first) == prompt_digest(list(first)) != prompt_digest(other)
    json.dumps([message.content for message in first])
