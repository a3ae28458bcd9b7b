"""Runs whose end says nothing of the release, asked for again: our deadline, throttling, a lost row, a failed copy.

A record is never changed. It is set aside under the vault, and the run is missing from then on: the next command looks
for it on the stack, where a run that was only late has ended by now, and launches anew what was given up for good.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from idpbench.files.canonical import read_json
from idpbench.files.errors import bad_input
from idpbench.stack import contract
from idpbench.stack.ensure import landing_lock
from idpbench.stack.journal import Journal
from idpbench.stack.model import Side, side_from_json
from idpbench.stack.vault import Vault


@dataclass(frozen=True)
class Again:
    """What was done: run keys to be looked for on the stack first, and those to be launched anew."""

    looked_for: tuple[str, ...]
    launched: tuple[str, ...]


def side_at(root: Path, address: str) -> Side:
    """The side planned at `<backend>/v<version>/<grid>`; no such plan is a Refusal that lists those there are."""
    path = root / "work" / address / "plan.json"
    if not path.is_file():
        plans = (root / "work").glob("*/v*/*/plan.json")
        known = sorted(str(found.parent.relative_to(root / "work")) for found in plans)
        raise bad_input(path, "", "no such plan", f"one of {', '.join(known) or 'none: nothing has run'}", "correct it")
    return side_from_json(read_json(path), path)


def again(root: Path, side: Side, statuses: Collection[str], relaunch: bool) -> Again:
    """Set aside the records of these statuses. With `relaunch` a run that timed out is given up, not looked for.

    A run that the stack itself ended has nothing more to give, so it is given up in any case. While a landing is at
    work in this folder, a Refusal.
    """
    with landing_lock(root / "work" / "locks" / f"{side.backend}.lock", wait_s=0.0):
        vault = Vault(root / "work" / "vault" / side.backend)
        journal = Journal(root / "work" / "journal" / f"{side.backend}.jsonl")
        looked_for: list[str] = []
        launched: list[str] = []
        for key in sorted(side.keys & vault.keys()):
            record = vault.get(key)
            if record["status"] not in statuses:
                continue
            run_id = record["launch"]["run_id"]
            wait = record["status"] == contract.TIMED_OUT and not relaunch
            if not wait and not journal.spoilt(run_id):
                reason = f"asked for again: it ended as {record['status']}"
                journal.append("abandoned", key, run_id=run_id, reason=reason)
            vault.set_aside(key)
            (looked_for if wait else launched).append(key)
    return Again(tuple(looked_for), tuple(launched))
