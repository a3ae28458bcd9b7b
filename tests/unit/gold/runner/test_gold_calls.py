"""The journal of calls: on the disk before and after, forgiving about its torn end and about nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.gold.run.calls import INTERRUPTED, Calls, Outcome, read_calls
from idpbench.gold.transport.base import Reply, Usage

AT, LATER = "2026-11-30T12:00:00.000Z", "2026-11-30T12:00:01.500Z"
PLAN = "sha256:" + "1" * 64
REPLY = Reply("two\nlines\u2028and \U0001f600", "sha256:" + "2" * 64, "m", "stop", Usage(1, 2, 3), 0.1)


def two_calls(path: Path) -> Calls:
    """One call with a reply, one without an outcome."""
    calls = Calls(path, PLAN)
    first = calls.begin("aaa", 1, AT, "sha256:x")
    calls.end(first, Outcome(first.call, LATER, 1500, REPLY))
    calls.begin("aaa", 2, LATER, "sha256:y")
    return calls


def test_what_was_written_is_read_again_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    written = two_calls(path)
    read = Calls(path, PLAN)
    assert len(read) == 2
    assert [read.recorded("aaa", n) for n in (1, 2)] == [written.recorded("aaa", n) for n in (1, 2)]
    first = read.recorded("aaa", 1)
    assert first is not None and first.outcome is not None and first.outcome.reply == REPLY
    assert (read.last_start, read.last_end) == (LATER, LATER)


def test_every_prefix_of_the_file_reads_as_the_lines_that_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    two_calls(path)
    data = path.read_bytes()
    for length in range(len(data) + 1):
        torn = tmp_path / "torn.jsonl"
        torn.write_bytes(data[:length])
        whole = data[:length].count(b"\n")
        calls = Calls(torn, PLAN)
        assert len(calls) == (whole + 1) // 2
        assert torn.read_bytes() == data[: data.rfind(b"\n", 0, length) + 1]


def test_a_call_is_begun_once(tmp_path: Path) -> None:
    calls = two_calls(tmp_path / "calls.jsonl")
    with pytest.raises(ValueError, match="begun already"):
        calls.begin("aaa", 2, LATER, "sha256:z")


def test_an_intent_without_an_outcome_is_closed_once_and_for_all(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    two_calls(path)
    calls = Calls(path, PLAN)
    assert [intent.call for intent in calls.close_interrupted(LATER)] == [2]
    again = Calls(path, PLAN)
    assert again.close_interrupted(LATER) == []
    closed = again.recorded("aaa", 2)
    assert closed is not None and closed.outcome is not None and closed.outcome.code == INTERRUPTED
    assert closed.outcome.duration_ms is None and closed.outcome.reply is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"event":"intent"', b'"event":"other"'),
        (b'"call":2', b'"call":3'),
        (b'"plan":"sha256:1', b'"plan":"sha256:9'),
        (b'{"at"', b'{"at'),
        (b'"usage":{', b'"usage":{"more":1,'),
    ],
)
def test_other_damage_is_refused_with_its_line(tmp_path: Path, old: bytes, new: bytes) -> None:
    path = tmp_path / "calls.jsonl"
    two_calls(path)
    data = path.read_bytes()
    assert old in data
    with pytest.raises(Refusal, match=r"line [123]"):
        read_calls(data.replace(old, new, 1), path, PLAN)
