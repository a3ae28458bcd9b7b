"""A line on the screen while runs are under way: `launched 57/171, landed 40, failed 0, $1.23 projected`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

from idpbench.files.tables import money
from idpbench.stack.contract import NO_FINDING
from idpbench.stack.launcher import Tally

EVERY = 10.0  # seconds between lines where the screen is no terminal


class Progress:
    """Called with the tally after each cycle; says something when there is news, not more often than `every` seconds.

    `cost(record)`: dollars of one record, or None where it has no price; a sum that misses any is said to be a part.
    """

    def __init__(
        self,
        label: str,
        cost: Callable[[dict[str, Any]], float | None] | None = None,
        every: float = EVERY,
        stream: TextIO | None = None,
    ) -> None:
        self._label = label
        self._cost = cost
        self._every = every
        self._stream = stream or sys.stderr
        self._said = ""
        self._at = float("-inf")
        self._dollars = 0.0
        self._unpriced = 0

    def on_record(self, record: dict[str, Any]) -> None:
        """Add a landed record's cost."""
        dollars = self._cost(record) if self._cost is not None else None
        if dollars is None:
            self._unpriced += 1
        else:
            self._dollars += dollars

    def __call__(self, tally: Tally) -> None:
        done = tally.held + tally.landed == tally.planned
        if not done and time.monotonic() - self._at < self._every:
            return
        self.say(self.line(tally))

    def line(self, tally: Tally) -> str:
        """The line for a tally."""
        missing = tally.planned - tally.held
        parts = [
            f"launched {tally.launched + tally.adopted}/{missing}",
            f"landed {tally.landed}",
            f"failed {tally.failed}",
        ]
        if tally.ends:
            parts[-1] += f" ({', '.join(f'{count} {status}' for status, count in sorted(tally.ends.items()))})"
        if again := sum(count for status, count in tally.ends.items() if status in NO_FINDING):
            parts.append(f"idpbench retry {self._label} asks again for {again}")
        if tally.narrowed and tally.window:
            parts.append(f"throttled: at most {tally.window} in flight")
        if tally.relaunched:
            parts.append(f"relaunched {tally.relaunched}")
        if tally.spoilt:
            parts.append(f"{tally.spoilt} given up")
        if tally.held:
            parts.append(f"{tally.held} kept from before")
        if self._cost is not None and tally.landed:
            part = f" without {self._unpriced} runs that have no price" if self._unpriced else ""
            parts.append(f"{money(self._dollars, 2)} projected{part}")
        return ", ".join(parts)

    def say(self, text: str) -> None:
        """Print a line, unless it is the one printed last."""
        if text != self._said:
            print(f"{self._label}: {text}", file=self._stream, flush=True)
        self._said, self._at = text, time.monotonic()
