"""Runs that passed our deadline, or failed for no fault of the release, are asked for again when somebody says so."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fakes import FakeStack, make_side, prepared

from idpbench.cli import main
from idpbench.files.canonical import write_json
from idpbench.files.errors import Refusal
from idpbench.files.locks import try_lock
from idpbench.stack.again import again, side_at
from idpbench.stack.contract import ABORTED, NO_FINDING
from idpbench.stack.invocation import Invocation
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launcher import Options, Tally
from idpbench.stack.model import Side
from idpbench.stack.records import adopt_committed, joined
from idpbench.stack.vault import Vault

OPTIONS = Options(max_inflight=4, deadline=60.0, interval=1.0, settle=4.0, workers=1)


def vault_of(root: Path) -> Vault:
    return Vault(root / "work" / "vault" / "aws")


def go(root: Path, side: Side, stack: FakeStack) -> Tally:
    journal = Journal(root / "work" / "journal" / "aws.jsonl", stack.clock().now)
    files = ("d.pdf",)
    return land(
        side, stack.target(), vault_of(root), journal, OPTIONS, files=lambda run: files, clock=stack.clock()
    )  # fmt: skip


def statuses(root: Path, side: Side) -> list[str]:
    return [vault_of(root).get(run.key)["status"] for run in side.runs]


@pytest.fixture
def timed_out(tmp_path: Path) -> tuple[Side, FakeStack]:
    """Three runs that take longer than our deadline."""
    side = make_side(3)
    stack = prepared(side, duration=90.0)
    go(tmp_path, side, stack)
    assert statuses(tmp_path, side) == ["TIMED_OUT"] * 3
    return side, stack


def test_a_run_that_was_only_late_is_found_on_the_stack_and_not_paid_again(
    tmp_path: Path, timed_out: tuple[Side, FakeStack]
) -> None:
    side, stack = timed_out
    done = again(tmp_path, side, NO_FINDING, relaunch=False)
    assert (set(done.looked_for), done.launched) == (set(side.keys), ())
    assert vault_of(tmp_path).keys() == set()
    go(tmp_path, side, stack)
    assert statuses(tmp_path, side) == ["COMPLETED"] * 3
    assert sorted(stack.billed) == sorted(side.keys), "nothing was launched again"


def test_a_run_that_is_still_under_way_gets_the_deadline_anew(tmp_path: Path) -> None:
    side = make_side(1)
    stack = prepared(side, duration=1e9)
    for _ in range(2):
        began = stack.time
        go(tmp_path, side, stack)
        assert 60 <= stack.time - began < 90 and statuses(tmp_path, side) == ["TIMED_OUT"]
        again(tmp_path, side, NO_FINDING, relaunch=False)
    assert len(stack.billed) == 1


def test_given_up_when_asked_to_and_launched_anew(tmp_path: Path, timed_out: tuple[Side, FakeStack]) -> None:
    side, stack = timed_out
    stack.duration = 1.0
    first = {vault_of(tmp_path).get(key)["launch"]["run_id"] for key in side.keys}
    done = again(tmp_path, side, NO_FINDING, relaunch=True)
    assert set(done.launched) == side.keys
    go(tmp_path, side, stack)
    assert statuses(tmp_path, side) == ["COMPLETED"] * 3 and len(stack.billed) == 6
    assert first.isdisjoint(vault_of(tmp_path).get(key)["launch"]["run_id"] for key in side.keys)


@pytest.mark.parametrize("asked", [NO_FINDING, frozenset({ABORTED})])
def test_only_the_statuses_asked_for(tmp_path: Path, asked: frozenset[str]) -> None:
    side = make_side(2)
    stack = prepared(side)
    stack.statuses[side.runs[1].key] = "ABORTED"
    go(tmp_path, side, stack)
    done = again(tmp_path, side, asked, relaunch=False)
    assert done.launched == ((side.runs[1].key,) if ABORTED in asked else ())
    assert vault_of(tmp_path).holds(side.runs[0].key)
    stack.statuses.clear()
    go(tmp_path, side, stack)
    assert statuses(tmp_path, side)[1] == ("COMPLETED" if ABORTED in asked else "ABORTED")


def test_the_record_is_kept_and_never_taken_back(tmp_path: Path, timed_out: tuple[Side, FakeStack]) -> None:
    side, _ = timed_out
    records = [vault_of(tmp_path).get(key) for key in sorted(side.keys)]
    published = tmp_path / "runs.jsonl.gz"
    published.write_bytes(joined(records))
    again(tmp_path, side, NO_FINDING, relaunch=False)
    assert len(list((tmp_path / "work" / "vault" / "aws" / "aside").iterdir())) == 3
    assert adopt_committed(side, published, vault_of(tmp_path)) == 0
    later = [{**record, "launch": {**record["launch"], "run_id": "another"}} for record in records]
    published.write_bytes(joined(later))
    assert adopt_committed(side, published, vault_of(tmp_path)) == 3, "another run of the key is taken"


def test_nothing_is_set_aside_while_a_landing_is_at_work(tmp_path: Path, timed_out: tuple[Side, FakeStack]) -> None:
    side, _ = timed_out
    held: Any = try_lock(tmp_path / "work" / "locks" / "aws.lock")
    with held, pytest.raises(Refusal, match="is landing runs"):
        again(tmp_path, side, NO_FINDING, relaunch=False)
    assert vault_of(tmp_path).keys() == side.keys


def test_the_command_says_what_comes_next(
    tmp_path: Path, timed_out: tuple[Side, FakeStack], capsys: pytest.CaptureFixture[str]
) -> None:
    side, _ = timed_out
    write_json(tmp_path / "work" / side.address / "plan.json", side.to_json())
    assert main(["retry", side.address, "--root", str(tmp_path)]) == 0
    assert "3 runs that passed our deadline are looked for on the stack first" in capsys.readouterr().out
    assert main(["retry", side.address, "--root", str(tmp_path)]) == 0
    assert "no run of this side ended so" in capsys.readouterr().out
    assert main(["retry", "aws/v0.6.8/corefast", "--root", str(tmp_path)]) == 2
    assert f"expected one of {side.address}" in capsys.readouterr().err
    assert side_at(tmp_path, side.address).keys == side.keys


def test_the_same_run_gone_twice_triggers_twice(tmp_path: Path) -> None:
    """Snakemake runs a job again where a parameter differs from the last run's: the digest of a loss is its own."""
    side = make_side(1)
    stamp = tmp_path / "work" / side.address / "landed.json"
    cells = {"core-a": {"keys": sorted(side.keys), "records": "here"}}
    (tmp_path / "here").touch()
    empty: Any = SimpleNamespace(root=tmp_path, held=set())
    whole: Any = SimpleNamespace(root=tmp_path, held=set(side.keys))
    seen = set()
    for landed in (1, 2):
        write_json(stamp, {"cells": cells})
        os.utime(stamp, ns=(landed, landed))
        assert Invocation.lost(whole, side) == ""
        assert Invocation.lost(empty, side) == Invocation.lost(empty, side)
        seen.add(Invocation.lost(empty, side))
    assert len(seen) == 2 and "" not in seen
