"""Killed at any step and called again, a landing neither loses a run nor pays for one twice."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack, Killed, lose_answers, make_side, prepared
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launch import Order, payload
from idpbench.stack.launcher import Options, Tally
from idpbench.stack.model import Side, SideRun
from idpbench.stack.vault import Vault

OPTIONS = Options(max_inflight=3, deadline=600.0, interval=1.0, settle=4.0, workers=1)


class Steps:
    """Counts every step of a landing (calls, journal lines, vault writes) and kills at the chosen one."""

    def __init__(self) -> None:
        self.count = 0
        self.deadly: int | None = None

    def arm(self, after: int | None) -> None:
        self.count, self.deadly = 0, after

    def __call__(self, name: str) -> None:
        self.count += 1
        if self.count == self.deadly:
            raise Killed(name)


class MortalJournal(Journal):
    """A journal whose process may die before a line, within it, and after it."""

    steps: Steps

    def append(self, event: str, key: str, **details: Any) -> dict[str, Any]:
        self.steps(f"before journal {event}")
        line = super().append(event, key, **details)
        try:
            self.steps(f"torn journal {event}")
        except Killed:
            data = self.path.read_bytes()
            self.path.write_bytes(data[: len(data) - 7])
            raise
        self.steps(f"after journal {event}")
        return line


class MortalVault(Vault):
    """A vault whose process may die before and after a record is kept."""

    steps: Steps

    def put(self, record: dict[str, Any]) -> None:
        self.steps("before vault")
        super().put(record)
        self.steps("after vault")


class World:
    """A side, a stack and a work folder that outlive the process."""

    def __init__(self, folder: Path, side: Side, stack: FakeStack) -> None:
        self.folder, self.side, self.stack, self.steps = folder, side, stack, Steps()
        self.lost: Callable[[str], None] = lambda name: None
        stack.step = self._step

    def _step(self, name: str) -> None:
        self.steps(name)
        self.lost(name)

    def land(self) -> Tally:
        journal = MortalJournal(self.folder / "journal.jsonl", self.stack.clock().now)
        vault = MortalVault(self.folder / "vault")
        journal.steps = vault.steps = self.steps
        return land(
            self.side,
            self.stack.target(),
            vault,
            journal,
            OPTIONS,
            files=lambda run: ("d.pdf",),
            clock=self.stack.clock(),
        )

    def land_killed_at(self, *steps: int) -> None:
        for step in steps:
            self.steps.arm(step)
            try:
                self.land()
            except Killed:
                self.stack.time += 0.5
        self.steps.arm(None)
        self.land()

    def check(self) -> None:
        vault = Vault(self.folder / "vault")
        assert vault.keys() == self.side.keys, "a run was lost"
        assert {key: n for key, n in Counter(self.stack.billed).items() if n > 1} == {}, "a run was paid for twice"
        for key in sorted(vault.keys()):
            record = vault.get(key)
            assert record["status"] == "COMPLETED"
            assert record["documents"][0]["sections"][0]["state"] == "present"
        assert Journal(self.folder / "journal.jsonl").in_flight() == {}


def steps_of_a_landing(folder: Path, runs: int) -> int:
    world = World(folder, make_side(runs), prepared(make_side(runs)))
    world.steps.arm(None)
    world.land()
    world.check()
    return world.steps.count


def test_a_kill_at_every_single_step_of_two_runs(tmp_path: Path) -> None:
    total = steps_of_a_landing(tmp_path / "whole", 2)
    assert total > 40
    for step in range(1, total + 1):
        side = make_side(2)
        world = World(tmp_path / f"{step}", side, prepared(side))
        world.land_killed_at(step)
        world.check()


@settings(max_examples=40, deadline=None)
@given(data=st.data(), runs=st.integers(1, 5), duration=st.sampled_from([0.0, 2.0, 30.0]))
def test_kills_at_any_steps_one_after_the_other(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, runs: int, duration: float
) -> None:
    side = make_side(runs)
    world = World(tmp_path_factory.mktemp("world"), side, prepared(side, duration=duration))
    world.land_killed_at(*data.draw(st.lists(st.integers(1, 120), max_size=6)))
    world.check()


@settings(max_examples=25, deadline=None)
@given(lost=st.integers(1, 3), kill=st.integers(1, 120))
def test_a_lost_answer_is_found_on_the_stack(tmp_path_factory: pytest.TempPathFactory, lost: int, kill: int) -> None:
    side = make_side(3)
    world = World(tmp_path_factory.mktemp("world"), side, prepared(side))
    world.lost = lose_answers(lost)
    world.land_killed_at(kill)
    world.check()


def test_a_lost_question_is_asked_again(tmp_path: Path) -> None:
    side = make_side(2)
    world = World(tmp_path, side, prepared(side))
    left = [1]

    def lose_question(name: str) -> None:
        if name == "before lambda.invoke" and left[0]:
            left[0] -= 1
            from idpbench.stack.client import InDoubt

            raise InDoubt("connection reset")

    world.lost = lose_question
    world.land()
    world.check()


def test_a_lost_journal_costs_nothing(tmp_path: Path) -> None:
    side = make_side(3)
    world = World(tmp_path, side, prepared(side, duration=50.0))
    world.steps.arm(45)
    with pytest.raises(Killed):
        world.land()
    (tmp_path / "journal.jsonl").unlink()
    world.steps.arm(None)
    world.land()
    world.check()


@settings(max_examples=40, deadline=None)
@given(kills=st.lists(st.integers(1, 150), max_size=4))
def test_run_ids_that_collide_are_told_apart(tmp_path_factory: pytest.TempPathFactory, kills: list[int]) -> None:
    """Repeats of one test set on a release that gives two launches of a second the same id."""
    side = make_side(3, testset="bench-one")
    stack = prepared(side, conditional=False, duration=20.0, tick=0.001)
    world = World(tmp_path_factory.mktemp("world"), side, stack)
    world.land_killed_at(*kills)
    vault = Vault(world.folder / "vault")
    ids = [vault.get(key)["launch"]["run_id"] for key in sorted(vault.keys())]
    assert vault.keys() == side.keys
    assert len(set(ids)) == len(ids), "two runs share the documents of one"
    journal = Journal(world.folder / "journal.jsonl")
    for key, bills in Counter(stack.billed).items():
        given_up = [event for event in journal.events(key) if event["event"] == "abandoned" and event.get("run_id")]
        assert bills <= 1 + len(journal.collisions(key)) + len(given_up), "paid twice without a proven collision"


def test_a_collision_is_relaunched_a_second_later_and_said(tmp_path: Path) -> None:
    """Another client launched the same test set within the second, and the journal knows that run."""
    side = make_side(1)
    stack = prepared(side, conditional=False)
    taken = f"{side.runs[0].testset}-20261001-120000"
    journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
    journal.append("launched", "f" * 40, run_id=taken, fingerprint=None)
    tally = land(
        side,
        stack.target(),
        Vault(tmp_path / "vault"),
        journal,
        OPTIONS,
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
    )
    record = Vault(tmp_path / "vault").get(side.runs[0].key)
    assert record["launch"]["collisions"] == [taken]
    assert record["launch"]["run_id"] != taken
    assert (tally.launched, tally.relaunched) == (1, 1)


def test_a_run_whose_id_another_launch_got_too_is_not_used_either(tmp_path: Path) -> None:
    """The runner gives the second launch the id of the first, still in flight: their documents are one."""
    side = make_side(2, testset="bench-one")
    stack = prepared(side, duration=20.0)
    answers: list[dict[str, Any]] = []

    def twice(**parameters: Any) -> dict[str, Any]:
        answer = stack._invoke(**parameters)
        answers.append(json.loads(answer["Payload"].getvalue()))
        first = json.dumps(answers[0]).encode()
        return {"Payload": io.BytesIO(first)} if len(answers) == 2 else answer

    stack.steps["lambda.invoke"] = twice
    journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
    tally = land(
        side,
        stack.target(),
        Vault(tmp_path / "vault"),
        journal,
        OPTIONS,
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
    )
    shared = answers[0]["testRunId"]
    used = {Vault(tmp_path / "vault").get(key)["launch"]["run_id"] for key in side.keys}
    assert len(used) == 2 and shared not in used
    assert (len(stack.billed), tally.spoilt, tally.landed) == (4, 1, 2)


def test_a_shared_run_id_that_comes_to_light_after_a_crash_gives_up_both(tmp_path: Path) -> None:
    """Killed before it could journal the second launch, whose row took the place of the first's on the stack."""
    side = make_side(2, testset="bench-one")
    stack = prepared(side, conditional=False, duration=20.0)
    journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
    mark = stack.target().seen.as_dict()
    first, second = side.runs
    for run in side.runs:
        stack._invoke(Payload=payload_of(run))
        journal.append("intent", run.key, fingerprint=mark)
        if run is first:
            journal.append("launched", run.key, run_id="bench-one-20261001-120000", fingerprint=mark)
    stack.time += 5
    land(
        side,
        stack.target(),
        Vault(tmp_path / "vault"),
        Journal(tmp_path / "journal.jsonl", stack.clock().now),
        OPTIONS,
        files=lambda run: ("d.pdf",),
        clock=stack.clock(),
    )
    ids = {Vault(tmp_path / "vault").get(run.key)["launch"]["run_id"] for run in (first, second)}
    assert len(ids) == 2 and "bench-one-20261001-120000" not in ids


def payload_of(run: SideRun) -> bytes:
    return json.dumps(payload(Order(run.key, run.repeat, run.testset, run.config_name, 1))).encode()
