"""The time of a run; tests put a clock of their own in its place."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol

LAYOUT = "%Y-%m-%dT%H:%M:%S"


class Clock(Protocol):
    """What the loop asks of time."""

    def now(self) -> datetime:
        """The present moment, UTC."""

    def monotonic(self) -> float:
        """Seconds since some start, never backwards."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The computer's own."""

    def now(self) -> datetime:
        """The present moment, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some start, never backwards."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def stamp(moment: datetime) -> str:
    """`2026-11-30T12:00:00.123Z`: UTC, whole milliseconds, cut."""
    return f"{moment.astimezone(UTC).strftime(LAYOUT)}.{moment.microsecond // 1000:03d}Z"


def read_stamp(text: str) -> datetime:
    """The moment of a stamp; ValueError where it is none."""
    moment = datetime.strptime(text, f"{LAYOUT}.%fZ").replace(tzinfo=UTC)
    if stamp(moment) != text:
        raise ValueError(f"{text!r} is not a moment in milliseconds, UTC")
    return moment
