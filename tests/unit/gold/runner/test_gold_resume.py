"""Stopping and going on: a kill at any moment neither repeats a call nor loses one, and the plan must be the same."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from pathlib import Path

import pytest
from gold_small import MEMBERS, FakeClock, Scripted, command, member_of, pointed_at, recipe, right, run_scripted
from scripted_server import Answer, Asked, completion, serving

from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.gold.run.start import Asked as Wanted
from idpbench.gold.run.start import start
from idpbench.gold.transport.base import TransportError


def test_kill_between_intent_and_outcome_repeats_no_call_and_loses_none(root: Path) -> None:
    held = threading.Event()

    def script(asked: Asked, number: int) -> Answer:
        answer = completion(recipe(member_of(asked)))
        return Answer(answer.body, hold=held) if number == 2 else answer

    with serving(script) as server:
        pointed_at(root, server)
        first = command(root, "--model", "maker/m", "--run-id", "killed")
        server.wait_for(2)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        lines = (root / "work/gold/runs/killed/calls.jsonl").read_text().splitlines()
        assert [json.loads(line)["event"] for line in lines] == ["intent", "outcome", "intent"]
        again = command(root, "--resume", "killed")
        text, _ = again.communicate(timeout=60)
        held.set()
        assert again.returncode == 0, text
        assert [member_of(asked) for asked in server.asked] == list(MEMBERS)
    result = json.loads((root / "work/gold/runs/killed/result.json").read_text())
    assert [member["status"] for member in result["members"]] == ["passed", "failed", "passed", "passed"]
    beta = result["members"][1]
    assert beta["failure"]["code"] == "interrupted" and beta["attempts"][0]["outcome"] == "interrupted"
    assert result["totals"]["calls"] == 4 and result["totals"]["cost"]["complete"] is False
    assert "beta-table: call 2 was interrupted" in text


@pytest.fixture(scope="module")
def whole(frozen_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a finished run: one revision, one transport error."""
    root = Path(shutil.copytree(frozen_once, tmp_path_factory.mktemp("whole") / "repository"))
    run_scripted(root, stumbling, FakeClock())
    return root


def stumbling(member: str, n: int) -> str | TransportError:
    """Says something unusable first about alpha; gives no reply about beta."""
    if member == "beta-table":
        return TransportError("HTTP_500", "down")
    return "no" if (member, n) == ("alpha-table", 1) else recipe(member)


def test_after_a_kill_at_any_line_of_the_journal_the_same_calls_are_made_in_all(whole: Path, tmp_path: Path) -> None:
    run = whole / "work/gold/runs/r1"
    lines = (run / "calls.jsonl").read_bytes().splitlines(keepends=True)
    everything = [("alpha-table", 1), ("alpha-table", 2), *((member, 1) for member in MEMBERS[1:])]
    for kept in range(len(lines) + 1):
        for torn in (b"", b'{"event":"ou'):
            root = Path(shutil.copytree(whole, tmp_path / f"{kept}-{len(torn)}"))
            place = root / "work/gold/runs/r1"
            (place / "result.json").unlink()
            (place / "calls.jsonl").write_bytes(b"".join(lines[:kept]) + torn)
            done = {json.loads(line)["member_id"] for line in lines[:kept] if b'"event":"intent"' in line}
            unfinished = sorted(done)[-1:] if kept < len(lines) else []
            for member in MEMBERS:
                if member not in done or member in unfinished:
                    (place / "members" / f"{member}.json").unlink(missing_ok=True)
            ran = run_scripted(root, stumbling, resume="r1")
            before = [json.loads(line) for line in lines[:kept]]
            made = [(entry["member_id"], entry["n"]) for entry in before if entry["event"] == "intent"]
            cut = len(before) % 2 == 1  # the last intent has no outcome: that member is over
            expected = [call for call in everything if call not in made and not (cut and call[0] == made[-1][0])]
            assert ran.calls == expected, (kept, torn)
            assert ran.result.totals.calls == len(made) + len(expected)
            if cut:
                assert ran.member(made[-1][0]).failure.code == "interrupted"


def test_resuming_a_finished_run_makes_no_call_and_the_same_document(whole: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "repository"))
    before = (root / "work/gold/runs/r1/result.json").read_bytes()
    ran = run_scripted(root, stumbling, resume="r1")
    assert ran.calls == [] and ran.folder.result.read_bytes() == before
    assert ran.member("beta-table").failure.code == "transport_error"  # not tried again


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"max_calls": 9}, "limits"),
        ({"pace_ms": 5}, "limits"),
        ({"mode": "blind"}, "prompt"),
        ({"members": ("alpha-table",)}, "members"),
        ({"model": "maker/other"}, "model"),
    ],
)
def test_a_run_is_not_resumed_with_another_plan(whole: Path, change: dict[str, object], named: str) -> None:
    with pytest.raises(Refusal, match=rf"plan.json: {named}: found"):
        run_scripted(whole, stumbling, resume="r1", **change)


def test_a_workbook_that_came_or_went_is_another_plan(whole: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "repository"))
    (root / "corpus/gold/staged/publisher_book.xlsx").unlink()
    with pytest.raises(Refusal, match=r"plan.json: present"):
        run_scripted(root, stumbling, resume="r1")


def test_other_code_is_another_plan(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idpbench.gold.run.plan.source_digest", lambda *modules: "0" * 64)
    with pytest.raises(Refusal, match=r"plan.json: components"):
        run_scripted(whole, stumbling, resume="r1")


def test_an_id_is_used_once_and_an_unknown_one_is_not_resumed(whole: Path) -> None:
    with pytest.raises(Refusal, match=r"go on with it by --resume r1"):
        run_scripted(whole, stumbling)
    with pytest.raises(Refusal, match=r"--resume: found 'r2', expected a run .* did you mean r1\?"):
        run_scripted(whole, stumbling, resume="r2")
    with pytest.raises(Refusal, match=r"--run-id: found '../x'"):
        run_scripted(whole, stumbling, run_id="../x")


def test_a_plan_that_was_edited_no_longer_fits_its_journal(whole: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "repository"))
    plan = root / "work/gold/runs/r1/plan.json"
    plan.write_text(plan.read_text().replace('"call_cap": 150', '"call_cap": 151'))
    with pytest.raises(Refusal):
        run_scripted(root, stumbling, resume="r1", max_calls=151)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("plan.json", '"call_cap": 150', '"call_cap": "150"', r"plan.json: limits.call_cap: found '150'"),
        ("plan.json", "idpbench/gold-plan/1", "idpbench/gold-plan/2", r"plan.json: schema"),
        ("members/omega-table.json", '"status": "passed"', '"status": "excellent"', r"omega-table.json: member.status"),
        ("members/omega-table.json", '"plan": "sha256:', '"plan": "sha256:0', r"omega-table.json: plan"),
    ],
)
def test_a_damaged_file_of_a_run_is_refused_by_its_name(
    whole: Path, tmp_path: Path, name: str, old: str, new: str, told: str
) -> None:
    root = Path(shutil.copytree(whole, tmp_path / "repository"))
    path = root / "work/gold/runs/r1" / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(Refusal, match=told):
        run_scripted(root, stumbling, resume="r1")


def test_two_processes_do_not_work_on_one_run(root: Path) -> None:
    clock = FakeClock()
    problems: list[Refusal] = []

    def intruding(member: str, n: int) -> str:
        if not problems:
            with pytest.raises(Refusal) as refused:
                words = Wanted(model="maker/model-1", run_id="r1")
                start(words, root, environment={}, argv=[], clock=clock, transport=Scripted(right, clock))
            problems.append(refused.value)
        return recipe(member)

    run_scripted(root, intruding, clock)
    assert problems[0].exit_code == INCOMPLETE and f"process {os.getpid()} is working" in str(problems[0])


def test_an_interrupt_says_how_to_go_on(root: Path) -> None:
    held = threading.Event()
    with serving(lambda asked, number: Answer(b"", hold=held)) as server:
        run = command(pointed_at(root, server), "--model", "maker/m", "--run-id", "stopped")
        server.wait_for(1)
        os.kill(run.pid, signal.SIGINT)
        text, _ = run.communicate(timeout=60)
        held.set()
    assert run.returncode == INCOMPLETE
    assert text.splitlines()[-1] == "idpbench gold: stopped; go on with: idpbench gold run --resume stopped"
