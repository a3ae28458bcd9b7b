"""calls.jsonl: a line on the disk before each call and one after, so that a kill neither repeats a call nor loses one.

    intent    about to send: number of the call, member, attempt, digest of the messages
    outcome   what came back: the reply as received, or the code of a transport error

An intent without an outcome may or may not have reached the provider. It counts as a call, is never sent again, and the
next start closes it with the code INTERRUPTED.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from idpbench.files.atomic import append_line, sync_folder
from idpbench.files.canonical import canonical
from idpbench.files.errors import Refusal, bad_input
from idpbench.gold.transport.base import Reply, Usage

INTERRUPTED = "INTERRUPTED"


@dataclass(frozen=True)
class Intent:
    """A call about to be made; `at` is a stamp (UTC, milliseconds)."""

    call: int
    member_id: str
    n: int
    at: str
    prompt_sha256: str


@dataclass(frozen=True)
class Outcome:
    """What became of a call: a reply, or `code` and `message` of the transport error. `duration_ms` None: not known."""

    call: int
    at: str
    duration_ms: int | None
    reply: Reply | None = None
    code: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class Call:
    """A call with what is known of its end."""

    intent: Intent
    outcome: Outcome | None


class Calls:
    """The journal of one run: one writer at a time, which the run's lock sees to."""

    def __init__(self, path: Path, plan_sha256: str) -> None:
        self._path = path
        self._plan = plan_sha256
        self._calls: dict[tuple[str, int], Call] = {}
        self.last_start: str | None = None
        self.last_end: str | None = None
        data = path.read_bytes() if path.exists() else b""
        for call in read_calls(data, path, plan_sha256):
            self._keep(call)
        self._make_ready(data)

    def __len__(self) -> int:
        """Calls begun, whatever came of them."""
        return len(self._calls)

    def recorded(self, member_id: str, n: int) -> Call | None:
        """The call of a member's attempt, if it was begun in this run or before a restart of it."""
        return self._calls.get((member_id, n))

    def begin(self, member_id: str, n: int, at: str, prompt_sha256: str) -> Intent:
        """Write the intent; when this returns it is on the disk. ValueError for a call that was begun already."""
        if (member_id, n) in self._calls:
            raise ValueError(f"{member_id}, attempt {n}: this call was begun already")
        intent = Intent(len(self) + 1, member_id, n, at, prompt_sha256)
        self._write({"event": "intent", **asdict(intent)})
        self._keep(Call(intent, None))
        return intent

    def end(self, intent: Intent, outcome: Outcome) -> None:
        """Write what came back."""
        self._write({"event": "outcome", **asdict(outcome)})
        self._keep(Call(intent, outcome))

    def close_interrupted(self, at: str) -> list[Intent]:
        """Close every intent without an outcome: the process that made it is gone. Returns them."""
        open_ones = [call.intent for call in self._calls.values() if call.outcome is None]
        for intent in open_ones:
            told = "the run ended before the reply was on the disk; the call may have been made, and is not repeated"
            self.end(intent, Outcome(intent.call, at, None, None, INTERRUPTED, told))
        return open_ones

    def _keep(self, call: Call) -> None:
        self._calls[call.intent.member_id, call.intent.n] = call
        self.last_start = max(self.last_start or "", call.intent.at)
        if call.outcome is not None:
            self.last_end = max(self.last_end or "", call.outcome.at)

    def _write(self, line: Mapping[str, Any]) -> None:
        append_line(self._path, canonical({**line, "plan": self._plan}))

    def _make_ready(self, data: bytes) -> None:
        """Cut off a line that has no end (its writer died within it), and make the file's name durable."""
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            with self._path.open("r+b") as stream:
                stream.truncate(whole)
        elif not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch()
            sync_folder(self._path.parent)


def read_calls(data: bytes, source: object, plan_sha256: str | None = None) -> list[Call]:
    """The calls of a journal's bytes, in order. A last line without its end is passed over; other damage is a Refusal.

    With `plan_sha256` every line must carry it.
    """
    calls: dict[int, Call] = {}
    whole = data[: data.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            entry = json.loads(line)  # canonical lines of our own
            if plan_sha256 is not None and entry["plan"] != plan_sha256:
                raise bad_input(
                    f"{source} line {number}", "plan", str(entry["plan"])[:80], plan_sha256, "start a new run"
                )
            _take(entry, calls)
        except (ValueError, KeyError, TypeError) as error:
            raise _damaged(source, number, error) from None
    return list(calls.values())


def _take(entry: Mapping[str, Any], calls: dict[int, Call]) -> None:
    if entry["event"] == "intent":
        intent = Intent(*(entry[name] for name in Intent.__dataclass_fields__))
        if intent.call != len(calls) + 1:
            raise ValueError(f"call {intent.call} where call {len(calls) + 1} was to come")
        calls[intent.call] = Call(intent, None)
    elif entry["event"] == "outcome":
        known = calls[entry["call"]]
        if known.outcome is not None:
            raise ValueError(f"call {entry['call']} ends twice")
        calls[entry["call"]] = Call(known.intent, _outcome(entry))
    else:
        raise ValueError(f"no event is called {entry['event']!r}")


def _outcome(entry: Mapping[str, Any]) -> Outcome:
    reply = entry["reply"]
    if reply is not None:
        usage = Usage(**reply["usage"]) if reply["usage"] is not None else None
        reply = Reply(**{**reply, "usage": usage})
    return Outcome(entry["call"], entry["at"], entry["duration_ms"], reply, entry["code"], entry["message"])


def _damaged(source: object, number: int, error: Exception) -> Refusal:
    remedy = "restore the file, or start a new run"
    return bad_input(f"{source} line {number}", "", f"damage ({error})", "a line of the journal of calls", remedy)
