"""The journal says what happened, whatever happened to the journal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.files.errors import Refusal
from idpbench.stack.journal import Journal, read_events

A, B = "a" * 40, "b" * 40


def test_an_intent_without_outcome_is_open(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    for key in (A, B):
        journal.append("intent", key)
    journal.append("launched", B, run_id="run-1")
    again = Journal(tmp_path / "j.jsonl")
    assert set(again.open_intents()) == {A}
    assert {key: event["run_id"] for key, event in again.in_flight().items()} == {B: "run-1"}
    assert again.owner("run-1") == B and again.owner("run-2") is None


@pytest.mark.parametrize("event", ["collision", "abandoned", "landed"])
def test_what_ended_is_neither_open_nor_in_flight(tmp_path: Path, event: str) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.append("intent", A)
    journal.append("launched", A, run_id="run-1")
    journal.append(event, A, run_id="run-1")
    assert not journal.open_intents() and not journal.in_flight()


def test_a_run_that_was_given_up_is_known(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.append("abandoned", A, run_id="run-1", reason="the stack changed")
    assert Journal(journal.path).spoilt("run-1") and Journal(journal.path).ended("run-1")
    assert not journal.spoilt("run-2")


@settings(deadline=None)
@given(cut=st.integers(1, 400))
def test_a_torn_last_line_is_passed_over_and_cut_off(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("journal") / "j.jsonl"
    journal = Journal(path, lambda: "2026-10-01T00:00:00+00:00")
    for number in range(3):
        journal.append("intent", f"{number}" * 40)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    kept = len(read_events(path))
    assert kept == whole[:-cut].count(b"\n")
    Journal(path).append("intent", A)
    assert [event["key"] for event in read_events(path)][kept:] == [A]


def test_damage_in_the_middle_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"event": "intent", "key": "x"}\n{"event": \n{"event": "intent", "key": "x"}\n')
    with pytest.raises(Refusal, match="line 2"):
        Journal(path)


def test_an_event_that_nobody_knows_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lauched"):
        Journal(tmp_path / "j.jsonl").append("lauched", A)
