"""Before the first call: build servers, keys, suites; and where the key must never be."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from gold_small import KEY, START, SUITE, command, member_of, pointed_at, recipe, run_scripted
from scripted_server import Answer, Asked, completion, serving

from idpbench.files.errors import USAGE, Refusal
from idpbench.gold.result.document import file_name, stored
from idpbench.gold.result.validate.document import read_result
from idpbench.gold.run.calls import Calls
from idpbench.gold.run.clock import stamp
from idpbench.gold.run.preflight import CI_MARKERS, key_from, public_invocation, refuse_ci
from idpbench.gold.run.start import Asked as Wanted
from idpbench.gold.run.start import start
from idpbench.gold.secrets import Key, suspicious
from idpbench.gold.suite.load import load_suite


@pytest.mark.parametrize("marker", CI_MARKERS)
def test_a_build_server_is_refused_before_anything_is_read(root: Path, marker: str) -> None:
    with pytest.raises(Refusal) as refused:
        start(Wanted(model="maker/m"), root, environment={marker: "true", "OPENROUTER_API_KEY": KEY}, argv=[])
    assert refused.value.exit_code == USAGE and marker in str(refused.value)
    assert not (root / "work").exists()


def test_a_marker_that_says_no_is_no_marker() -> None:
    refuse_ci({"CI": "false", "BUILDKITE": "", "TF_BUILD": "0"})


def test_a_local_model_and_a_replay_run_on_a_build_server(root: Path) -> None:
    run_scripted(root)
    replies = root / "work/gold/runs/r1/calls.jsonl"
    environment = {"CI": "true"}
    result, _ = start(Wanted(model="maker/m", replies=replies, run_id="r2"), root, environment=environment, argv=[])
    assert result.composite == 1.0 and result.runner.transport.kind == "replay"
    assert result.request.model_dump() == dict.fromkeys(result.request.model_dump())
    result, _ = start(Wanted(model="local/heuristic-1", run_id="r3"), root, environment=environment, argv=[])
    assert result.runner.transport.kind == "local" and result.totals.calls == 4
    assert result.totals.cost.model_dump() == {"currency": "USD", "total": 0.0, "complete": True}


def test_what_was_not_recorded_fails_and_is_not_asked(root: Path) -> None:
    run_scripted(root, members=("alpha-table",))
    replies = root / "work/gold/runs/r1/calls.jsonl"
    result, _ = start(Wanted(model="maker/m", replies=replies, run_id="r2"), root, environment={}, argv=[])
    assert [member.status for member in result.members] == ["passed", "failed", "failed", "failed"]
    assert result.members[1].failure is not None and "NOT_RECORDED" in result.members[1].failure.message


def test_an_interrupted_call_of_a_recording_has_no_reply_to_give(root: Path) -> None:
    recorded = run_scripted(root).folder.calls
    lines = recorded.read_bytes().splitlines(keepends=True)
    recorded.write_bytes(b"".join(lines[:3]))
    plan = json.loads(lines[0])["plan"]
    assert len(Calls(recorded, plan).close_interrupted(stamp(START))) == 1
    result, _ = start(Wanted(model="maker/m", replies=recorded, run_id="r2"), root, environment={}, argv=[])
    assert result.members[1].attempts[0].outcome == "transport_error"
    manifests = {SUITE: load_suite(root / "corpus/gold" / SUITE).manifest}
    assert read_result(stored(result), file_name(result), manifests)[1] == []


def test_a_key_is_needed_and_only_the_environment_gives_it() -> None:
    for environment in ({}, {"K": ""}, {"K": "short"}, {"K": "with space in it"}, {"K": "line\nbreak-in-it"}):
        with pytest.raises(Refusal) as refused:
            key_from(environment, "K", [])
        assert "environment variable K" in str(refused.value)
        assert not environment.get("K") or environment["K"] not in str(refused.value)
    with pytest.raises(Refusal) as refused:
        key_from({"K": KEY}, "K", ["idpbench", f"--model={KEY}"])
    assert KEY not in str(refused.value)


def test_the_recorded_command_line_has_no_secret_and_no_place_of_somebodys_machine() -> None:
    words = [
        "/usr/bin/x/idpbench",
        "gold",
        f"--a={KEY}",
        "--staged",
        "/home/me/books/",
        "--root=/home/me",
        "https://u:p@h/",
    ]
    shown = public_invocation(words, Key(KEY))
    assert shown == ["idpbench", "gold", "--a=[hidden]", "--staged", "books", "--root=me", "[hidden]"]
    assert not list(suspicious(json.dumps(shown)))


def test_a_secret_among_the_fields_that_are_sent_would_be_recorded_and_is_refused(root: Path) -> None:
    path = root / "config" / "gold.yaml"
    path.write_text(path.read_text().replace("    plugins:", f"    upstream: {{api_key: {KEY}}}\n    plugins:"))
    with pytest.raises(Refusal, match="request.provider_options: found what looks like a key") as refused:
        start(Wanted(model="maker/m"), root, environment={"OPENROUTER_API_KEY": "another-key-1"}, argv=[])
    assert KEY not in str(refused.value) and not (root / "work").exists()


def test_a_model_or_member_that_is_not_there_is_named(root: Path) -> None:
    for words, told in (
        (Wanted(model="local/heuristic-2"), r"did you mean local/heuristic-1\?"),
        (Wanted(model="nonsense"), r"--model: found 'nonsense', expected a model as MAKER/NAME"),
        (Wanted(), r"--model: found None"),
        (Wanted(model="local/heuristic-1", members=("alpha",)), r"did you mean alpha-table\?"),
        (Wanted(model="local/heuristic-1", suite="gold-2026.02"), r"did you mean gold-2026.01\?"),
        (Wanted(model="a/b", replies=root / "none.jsonl"), r"none.jsonl: found No such file"),
    ):
        with pytest.raises(Refusal, match=told):
            start(words, root, environment={}, argv=[])


@pytest.mark.parametrize("place", ["recipes/omega-table.json", "tables/omega-table.csv", "traces/omega-table.jsonl"])
def test_a_changed_reference_stops_the_run_before_its_first_call(root: Path, place: str) -> None:
    path = next((root / "corpus/gold/gold-2026.01").glob(place))
    path.write_bytes(path.read_bytes().replace(b"South", b"Sooth").replace(b"R3C1", b"R2C1"))
    with pytest.raises(Refusal, match=path.name):
        run_scripted(root)
    assert not (root / "work/gold/runs/r1/calls.jsonl").exists()


def test_the_key_is_in_no_file_no_argument_no_output_and_no_error(root: Path) -> None:
    """Everything that a run writes and prints, with a server that quotes the key wherever it can."""

    def script(asked: Asked, number: int) -> Answer:
        held = asked.headers["Authorization"]
        if member_of(asked) == "beta-table":
            return Answer(json.dumps({"error": {"message": f"bad {held}"}}).encode(), 400)
        if member_of(asked) == "omega-table":
            return Answer(f"<html>{held}</html>".encode(), 403)
        if number == 1:
            return completion(json.dumps({KEY: held}), model=KEY, finish=held)
        return completion(recipe(member_of(asked)), model=KEY)

    with serving(script) as server:
        pointed_at(root, server)
        run = command(root, "--model", "maker/m", "--run-id", "keyed")
        arguments = Path(f"/proc/{run.pid}/cmdline").read_bytes()
        printed, _ = run.communicate(timeout=60)
    assert run.returncode == 0 and len(server.asked) == 5, printed
    result = json.loads((root / "work/gold/runs/keyed/result.json").read_text())
    assert [member["status"] for member in result["members"]] == ["passed", "failed", "passed", "failed"]
    everything = {"argv": arguments, "printed": printed.encode()}
    everything |= {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert any("calls.jsonl" in name for name in everything)
    for name, data in everything.items():
        assert KEY.encode() not in data and KEY[:20].encode() not in data, name


def test_without_a_key_nothing_starts(root: Path) -> None:
    run = command(root, "--model", "maker/m", key=None)
    printed, _ = run.communicate(timeout=60)
    assert run.returncode == USAGE
    assert "environment variable OPENROUTER_API_KEY: found nothing, expected the key" in printed


def test_every_help_text_opens_quickly_and_names_the_exit_codes() -> None:
    from idpbench.cli.gold import COMMANDS

    for name in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "idpbench", "gold", name, "--help"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 and "exit codes: 0" in done.stdout, done.stderr
