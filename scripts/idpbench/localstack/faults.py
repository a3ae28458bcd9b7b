"""Faults that can be switched on, to see what a client makes of them.

All are deterministic: by count, or by a `share` of the events that `seed` and the count draw, the same every time.

`faults.json` in the server's folder holds a list of rules, read again whenever the file changes:

    {"fault": "throttle", "service": "dynamodb", "operation": "BatchGetItem", "after": 2, "every": 1, "times": 3}

`fault` is one of `FAULTS`. A rule looks at each event of its kind whose text matches `match` (a regular expression,
searched for) and, for requests, whose `service` and `operation` are equal where given; it lets the first `after` of
them pass, then strikes at each `every`-th (default each), or at a `share` of them, at most `times` times (default
without end).
"""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from idpbench.files.atomic import write_text
from idpbench.files.canonical import loads, pretty
from idpbench.files.errors import bad_input, nearest

# Fault -> what its `match` is searched in.
FAULTS = {
    "throttle": "request",  # the service's own throttling error, nothing done
    "error": "request",  # status 500 (or `status`), nothing done
    "reset": "request",  # connection reset; `when: after` does the work first and loses only the answer
    "slow": "request",  # answered after `seconds`
    "undecryptable": "object",  # GetObject: KMS.KMSInvalidStateException; text is `bucket/key`
    "duplicate_run_id": "launch",  # the run id is put without condition; text is `test set context`
    "copy_failure": "launch",  # the files are not copied: test run FAILED, no document row
    "config_edited": "launch",  # the configuration row is changed after the launch, before it is read
    "update": "document",  # the stack is updated to `version` while the document is processed; text is the object key
    "worker_crash": "document",  # the worker ends in the middle; the document is delivered again
    "lost_worker": "document",  # the worker is gone and the document is never delivered again: its row stays as it is
    "failed": "document",  # the execution fails without a result
    "aborted": "document",  # somebody stops the execution
    "expired_row": "document",  # the row is deleted as soon as the document has ended
}
_KEYS = frozenset(
    (
        *("fault", "service", "operation", "match", "after", "every", "share", "seed", "times"),
        *("when", "seconds", "status", "version"),
    )
)


@dataclass(slots=True)
class Rule:
    """One rule and how often it has looked and struck."""

    fault: str
    service: str | None = None
    operation: str | None = None
    match: str = ""
    after: int = 0
    every: int = 1
    share: float | None = None
    seed: int = 0
    times: int | None = None
    when: str = "before"
    seconds: float = 1.0
    status: int = 500
    version: str = ""
    seen: int = field(default=0, compare=False)
    struck: int = field(default=0, compare=False)

    def strikes(self, text: str, service: str | None, operation: str | None) -> bool:
        """Count an event of this rule's kind; True if the rule strikes at it."""
        if (self.service or service) != service or (self.operation or operation) != operation:
            return False
        if not re.search(self.match, text):
            return False
        self.seen += 1
        if self.share is None:
            due = self.seen > self.after and (self.seen - self.after - 1) % self.every == 0
        else:
            due = self.seen > self.after and random.Random(self.seed * 1_000_003 + self.seen).random() < self.share
        if not due or (self.times is not None and self.struck >= self.times):
            return False
        self.struck += 1
        return True


def parse_rules(value: Any, source: object) -> list[Rule]:
    """Rules from parsed JSON; anything unknown in them is a Refusal."""
    if not isinstance(value, list):
        raise bad_input(source, "", type(value).__name__, "a list of rules", "write [] for no faults")
    rules = []
    for number, one in enumerate(value):
        if not isinstance(one, dict) or one.get("fault") not in FAULTS:
            found = one.get("fault") if isinstance(one, dict) else one
            raise bad_input(source, f"[{number}].fault", repr(found), "a fault", nearest(str(found), FAULTS))
        for name in one:
            if name not in _KEYS:
                raise bad_input(source, f"[{number}].{name}", "an unknown key", "a rule's key", nearest(name, _KEYS))
        rules.append(Rule(**one))
    return rules


class Faults:
    """The rules in force, read from the control file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._rules: list[Rule] = []

    def replace(self, rules: Sequence[Mapping[str, Any]]) -> None:
        """Write new rules, checked; an empty list ends all faults."""
        parse_rules(list(rules), self.path)
        write_text(self.path, pretty(list(rules)))

    def find(self, fault: str, text: str, *, service: str | None = None, operation: str | None = None) -> Rule | None:
        """The first rule of that fault that strikes at this event, counted; None where all is well."""
        with self._lock:
            self._refresh()
            for rule in self._rules:
                if rule.fault == fault and rule.strikes(text, service, operation):
                    return rule
        return None

    def counts(self) -> list[dict[str, Any]]:
        """What each rule has seen and struck since it was read."""
        with self._lock:
            self._refresh()
            return [{"fault": rule.fault, "seen": rule.seen, "struck": rule.struck} for rule in self._rules]

    def _refresh(self) -> None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self._stamp, self._rules = None, []
            return
        stamp = (found.st_mtime_ns, found.st_ino)
        if stamp != self._stamp:
            self._rules = parse_rules(loads(self.path.read_bytes(), self.path), self.path)
            self._stamp = stamp


def example() -> str:
    """A control file that throttles three polls, for the help text."""
    return json.dumps([{"fault": "throttle", "service": "dynamodb", "operation": "BatchGetItem", "times": 3}])
