"""The run loop: calls, revisions, cap, pace, and which recipe counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gold_small import MEMBERS, FakeClock, recipe, right, run_scripted

from idpbench.files.errors import INCOMPLETE, OK, Refusal
from idpbench.gold.result.document import stored
from idpbench.gold.run.start import exit_code
from idpbench.gold.transport.base import Reply, TransportError

FENCED = f"```json\n{recipe('alpha-table')}\n```"
EMPTY = recipe("alpha-table", values="R9C9")


def only_alpha(*replies: Any) -> Any:
    """A model that says these things about alpha, attempt by attempt, and is right about the others."""
    return lambda member, n: replies[n - 1] if member == "alpha-table" else recipe(member)


def test_a_model_that_is_right_passes_every_member_by_one_call_each(root: Path) -> None:
    ran = run_scripted(root)
    assert ran.calls == [(member, 1) for member in MEMBERS]
    assert [member.status for member in ran.result.members] == ["passed"] * 4
    assert ran.result.composite == 1.0 and ran.result.totals.calls == 4 and exit_code(ran.result) == OK
    assert ran.result.model.returned_ids == ["maker/m-dated"]
    assert ran.result.totals.cost.model_dump() == {"currency": "USD", "total": 0.04, "complete": True}
    assert ran.folder.result.read_bytes() == stored(ran.result)
    assert ran.told[2:4] == ["[1/4] alpha-table: asking", "[1/4] alpha-table: passed; 1 of 150 calls"]


@pytest.mark.parametrize(
    ("reply", "outcome", "code"),
    [
        (FENCED, "invalid_json", "JSON"),
        ("Here it is: " + recipe("alpha-table"), "invalid_json", "JSON"),
        (recipe("alpha-table") + " Done.", "invalid_json", "JSON"),
        ("\ufeff" + recipe("alpha-table"), "invalid_json", "JSON"),
        ("", "invalid_json", "JSON"),
        ('{"version": "gold-recipe/1", "version": "gold-recipe/1"}', "invalid_json", "JSON"),
        ("[]", "invalid_recipe", "SCHEMA"),
        (recipe("alpha-table", note="x"), "invalid_recipe", "SCHEMA"),
        (recipe("alpha-table", sheet="Nowhere"), "execution_error", "SHEET_NOT_FOUND"),
        (EMPTY, "empty_output", "EMPTY_OUTPUT"),
    ],
)
def test_a_reply_that_is_no_usable_recipe_is_told_so_and_revised(
    root: Path, reply: str, outcome: str, code: str
) -> None:
    ran = run_scripted(root, only_alpha(reply, recipe("alpha-table")))
    alpha = ran.member("alpha-table")
    assert [(a.kind, a.outcome) for a in alpha.attempts] == [("initial", outcome), ("revision", "executed")]
    assert alpha.attempts[0].issues[0].code == code and alpha.status == "passed"
    first, second = ran.transport.asked[:2]
    assert second.messages[:2] == first.messages
    assert second.messages[2].content == (reply or "(an empty reply)") and f": {code}: " in second.messages[3].content


def test_white_space_around_a_recipe_is_allowed(root: Path) -> None:
    ran = run_scripted(root, only_alpha(f" \n{recipe('alpha-table')}\n\n"))
    assert ran.member("alpha-table").status == "passed"


def test_a_reply_cut_at_its_limit_is_no_json_unless_it_parses(root: Path) -> None:
    def cut(text: str) -> Reply:
        return Reply(text, "sha256:" + "0" * 64, None, "length", None, 0.5)

    ran = run_scripted(root, only_alpha(cut(recipe("alpha-table")[:50]), cut(recipe("alpha-table"))))
    first, second = ran.member("alpha-table").attempts
    assert (first.outcome, second.outcome) == ("invalid_json", "executed")
    assert [issue.code for issue in first.issues] == ["LENGTH", "JSON"] and first.finish_reason == "length"


def test_a_recipe_that_no_result_could_hold_is_refused(root: Path) -> None:
    long = json.loads(recipe("alpha-table"))
    long["tables"][0]["headers"].append({"name": "note_q7", "constant": "x" * 66_000})
    ran = run_scripted(root, only_alpha(json.dumps(long), recipe("alpha-table")))
    first = ran.member("alpha-table").attempts[0]
    assert first.outcome == "invalid_recipe" and first.issues[0].code == "TOO_LARGE"


def test_after_the_last_attempt_the_member_fails_with_the_code_of_that_attempt(root: Path) -> None:
    ran = run_scripted(root, only_alpha("no", "[]", recipe("alpha-table", sheet="X")))
    alpha = ran.member("alpha-table")
    assert (alpha.status, alpha.failure.code, len(alpha.attempts)) == ("failed", "execution_error", 3)
    assert set(alpha.metrics.model_dump().values()) == {0.0} and alpha.counts is None and alpha.recipe is None


def test_the_last_executable_recipe_counts_even_if_it_gave_no_rows(root: Path) -> None:
    ran = run_scripted(root, only_alpha("no", EMPTY, "no"))
    alpha = ran.member("alpha-table")
    assert (alpha.status, alpha.produced.rows) == ("partial", 0)
    assert alpha.metrics.deterministic_pass_rate == 1.0 and alpha.warnings["EMPTY_VALUE_SELECTION"] == 1


def test_another_table_is_partial_and_shows_where_it_differs(root: Path) -> None:
    ran = run_scripted(root, only_alpha(recipe("alpha-table", years="R1C2")))
    alpha = ran.member("alpha-table")
    assert alpha.status == "partial" and alpha.mismatches.mismatch_total == 2
    assert 0 < alpha.metrics.cell_match_rate < 1 and alpha.warnings["MISSING_ASSIGNMENT"] == 2


def test_a_transport_error_ends_the_member_at_once(root: Path) -> None:
    ran = run_scripted(root, only_alpha("no", TransportError("HTTP_503", "busy"), recipe("alpha-table")))
    alpha = ran.member("alpha-table")
    assert (alpha.status, alpha.failure.code) == ("failed", "transport_error")
    assert alpha.failure.message == "HTTP_503: busy"
    assert ran.calls[:3] == [("alpha-table", 1), ("alpha-table", 2), ("beta-table", 1)]
    assert not ran.result.totals.cost.complete and exit_code(ran.result) == OK


def test_a_call_that_never_left_cannot_have_cost_anything(root: Path) -> None:
    ran = run_scripted(root, only_alpha(TransportError("UNREACHABLE", "no route")))
    assert ran.result.totals.cost.complete


def test_no_reply_at_all_is_an_incomplete_run(root: Path) -> None:
    ran = run_scripted(root, lambda member, n: TransportError("HTTP_401", "no"))
    assert exit_code(ran.result) == INCOMPLETE and ran.result.totals.calls == 4


def test_the_cap_stops_revisions_and_then_skips_members(root: Path) -> None:
    ran = run_scripted(root, lambda member, n: "no", max_calls=4)
    assert ran.calls == [("alpha-table", 1), ("alpha-table", 2), ("alpha-table", 3), ("beta-table", 1)]
    assert [member.status for member in ran.result.members] == ["failed", "failed", "skipped", "skipped"]
    assert ran.member("omega-table").skip.code == "call_cap_reached"
    assert len(ran.member("beta-table").attempts) == 1 and exit_code(ran.result) == INCOMPLETE
    assert [line.split()[1] for line in ran.told if line.endswith(": asking")] == ["alpha-table:", "beta-table:"]


def test_calls_start_at_least_a_pace_apart(root: Path) -> None:
    ran = run_scripted(root, only_alpha("no", "no", "no"), pace_ms=2000)
    gaps = [(b - a).total_seconds() for a, b in zip(ran.transport.starts, ran.transport.starts[1:], strict=False)]
    assert gaps == [2.0] * 5 and ran.clock.slept == [1.5] * 5


def test_no_time_is_waited_where_a_call_took_longer_than_the_pace(root: Path) -> None:
    assert run_scripted(root, pace_ms=300).clock.slept == []


def test_a_clock_that_was_set_back_never_makes_a_wait_longer_than_the_pace(root: Path) -> None:
    clock = FakeClock()
    run_scripted(root, right, clock, members=("alpha-table",), pace_ms=2000)
    early = FakeClock()
    (root / "work/gold/runs/r1/members/alpha-table.json").unlink()
    journal = root / "work/gold/runs/r1/calls.jsonl"
    journal.write_text(journal.read_text().replace("2026-11-30T12", "2026-11-30T23").replace("alpha", "omega"))
    plan = root / "work/gold/runs/r1/plan.json"
    assert plan.exists()
    ran = run_scripted(root, right, early, resume="r1")
    assert ran.clock.slept == [2.0]


def test_an_absent_workbook_skips_its_members_and_a_wrong_one_stops_the_run(root: Path) -> None:
    staged = root / "corpus/gold/staged/publisher_book.xlsx"
    data = staged.read_bytes()
    staged.write_bytes(data[:-1] + b"x")
    with pytest.raises(Refusal, match=r"publisher_book.xlsx"):
        run_scripted(root)
    assert not (root / "work/gold/runs/r1/plan.json").exists()
    staged.unlink()
    ran = run_scripted(root)
    gamma = ran.member("gamma-staged")
    assert (gamma.status, gamma.skip.code) == ("skipped", "workbook_not_staged")
    assert ran.result.metrics.exact_output_match == 0.75 and exit_code(ran.result) == OK


def test_a_workbook_that_two_members_share_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    from idpbench.gold.suite import load

    whole = load.read_workbook
    monkeypatch.setattr(load, "read_workbook", lambda data: read.append(len(data)) or whole(data))
    run_scripted(root)
    assert len(read) == 3  # two.xlsx, one.xlsx and the staged one, for four members


def test_one_member_alone_can_be_asked_and_the_others_say_so(root: Path) -> None:
    ran = run_scripted(root, members=("beta-table",))
    assert ran.calls == [("beta-table", 1)]
    assert ran.member("alpha-table").skip.code == "not_selected"


def test_blind_mode_is_recorded_and_shows_no_output_name(root: Path) -> None:
    ran = run_scripted(root, mode="blind")
    assert ran.result.prompt.mode == "blind"
    texts = [message.content for request in ran.transport.asked for message in request.messages]
    assert not any("_q7" in text for text in texts)


def test_a_run_writes_nowhere_but_into_its_folder(root: Path) -> None:
    before = {path for path in root.rglob("*") if path.is_file()}
    run_scripted(root)
    new = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()} - {
        path.relative_to(root).as_posix() for path in before
    }
    assert {name.rsplit("/", 1)[0] for name in new} == {
        "work/gold/runs/r1",
        "work/gold/runs/r1/members",
        "work/gold/runs/r1/references",
    }
    assert {name for name in new if name.count("/") == 4} == {
        f"work/gold/runs/r1/{name}" for name in ("plan.json", "calls.jsonl", "lock", "result.json")
    }
