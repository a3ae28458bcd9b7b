"""The launch journal: one line per event, on the disk before and after each paid call.

An event is `{"event", "key", "at", ...}`. For one key they come in this order, possibly several rounds of it:

    intent      about to call the test runner (test set, configuration, fingerprint of the stack)
    launched    the call answered with a run id
    collision   the call answered with a run id that was another run's: it starts a new round
    adopted     a run found on the stack by its context, after a crash
    abandoned   given up with a reason: never begun, or spoilt by a change of the stack; it starts a new round
    landed      its record is in the vault
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from idpbench.files.atomic import append_line, sync_folder
from idpbench.files.canonical import canonical
from idpbench.files.errors import bad_input

EVENTS = ("intent", "launched", "collision", "adopted", "abandoned", "landed")
_HAS_RUN = ("launched", "adopted")
Event = dict[str, Any]


def utc_now() -> str:
    """The present time, UTC, `2026-10-01T12:00:00.000000+00:00`."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Journal:
    """Append-only; one writer at a time (the landing lock), any number of readers."""

    def __init__(self, path: Path, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self._now = now
        self._by_key: dict[str, list[Event]] = {}
        self._owners: dict[str, str] = {}
        self._spoilt: set[str] = set()
        self._landed: set[str] = set()
        self._ready = False
        for event in read_events(path):
            self._index(event)

    def append(self, event: str, key: str, **details: Any) -> Event:
        """Write one event and have it on the disk before returning."""
        if event not in EVENTS:
            raise ValueError(f"no journal event is called {event}")
        line: Event = {**details, "event": event, "key": key, "at": self._now()}
        if not self._ready:
            self._make_ready()
        self._ready = False  # a write that fails may leave half a line, which the next one must cut off
        append_line(self.path, canonical(line))
        self._ready = True
        self._index(line)
        return line

    def events(self, key: str) -> list[Event]:
        """All events of a key, oldest first."""
        return list(self._by_key.get(key, ()))

    def last(self) -> dict[str, Event]:
        """The latest event of each key."""
        return {key: events[-1] for key, events in self._by_key.items()}

    def open_intents(self) -> dict[str, Event]:
        """Intents without an outcome: the call may or may not have happened."""
        return {key: event for key, event in self.last().items() if event["event"] == "intent"}

    def in_flight(self) -> dict[str, Event]:
        """Launched or adopted, and not landed: key -> that event, with its `run_id`."""
        return {key: event for key, event in self.last().items() if event["event"] in _HAS_RUN}

    def owner(self, run_id: str) -> str | None:
        """Key of the run that had this run id first, of all that were launched or adopted."""
        return self._owners.get(run_id)

    def spoilt(self, run_id: str) -> bool:
        """Whether the run was given up, so that it must never be adopted."""
        return run_id in self._spoilt

    def ended(self, run_id: str) -> bool:
        """Whether the run was landed or given up: nobody waits for it any more."""
        return run_id in self._landed or run_id in self._spoilt

    def collisions(self, key: str) -> list[str]:
        """Run ids that calls for this key got although they were another run's."""
        return [event["run_id"] for event in self._by_key.get(key, ()) if event["event"] == "collision"]

    def intent_of(self, key: str) -> Event | None:
        """The latest intent of a key, whatever came after it."""
        return next((e for e in reversed(self._by_key.get(key, ())) if e["event"] == "intent"), None)

    def _index(self, event: Event) -> None:
        self._by_key.setdefault(event["key"], []).append(event)
        if event["event"] in _HAS_RUN:
            self._owners.setdefault(event["run_id"], event["key"])
        elif event["event"] == "abandoned" and event.get("run_id"):
            self._spoilt.add(event["run_id"])
        elif event["event"] == "landed" and event.get("run_id"):
            self._landed.add(event["run_id"])

    def _make_ready(self) -> None:
        """Cut off a torn last line (its writer died before it returned) and make the file's name durable."""
        if self.path.exists():
            data = self.path.read_bytes()
            whole = data.rfind(b"\n") + 1
            if whole != len(data):
                with self.path.open("r+b") as stream:
                    stream.truncate(whole)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
            sync_folder(self.path.parent)
        self._ready = True


def read_events(path: Path) -> list[Event]:
    """Read a journal; a last line without its end is passed over, any other damage is a Refusal."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    whole = data[: data.rfind(b"\n") + 1]
    events: list[Event] = []
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            event = json.loads(line)  # canonical lines of our own: no key stands in them twice
        except ValueError as error:
            remedy = "restore the journal"
            raise bad_input(f"{path} line {number}", "", str(error), "a JSON event", remedy) from None
        if not isinstance(event, dict) or event.get("event") not in EVENTS or not isinstance(event.get("key"), str):
            raise bad_input(
                f"{path} line {number}", "event", repr(event)[:80], f"one of {', '.join(EVENTS)}", "restore the journal"
            )
        events.append(event)
    return events
