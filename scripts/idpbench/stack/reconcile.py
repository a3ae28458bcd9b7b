"""Before anything is launched: what an earlier, perhaps killed, landing already launched.

The journal knows most of it. For the rest (an intent without outcome, a lost journal) the stack is asked by context.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from idpbench.stack import lookup
from idpbench.stack.client import Caller
from idpbench.stack.journal import Event, Journal
from idpbench.stack.model import SideRun

Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """A run on the stack that belongs to a key: `event` is the journal line (launched or adopted) that says so."""

    run: SideRun
    event: Event


def moment(text: str) -> datetime:
    """An ISO time; one without a zone is UTC."""
    value = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


def reconcile(
    missing: Collection[SideRun],
    client: Caller,
    table: str,
    journal: Journal,
    settle: Callable[[Event], None],
) -> tuple[list[Found], list[SideRun]]:
    """Split the missing runs into those under way on the stack and those to launch.

    `settle(intent)` waits until the call of that intent must have shown itself, if it happened. Intents whose run is
    not on the stack are closed as abandoned.
    """
    last = journal.last()
    under_way = [
        Found(run, last[run.key])
        for run in missing
        if run.key in last and last[run.key]["event"] in ("launched", "adopted")
    ]
    known = {found.run.key for found in under_way}
    unknown = [run for run in missing if run.key not in known]
    on_stack = find(unknown, client, table)
    intents = journal.open_intents()
    silent = [run for run in unknown if run.key in intents and run.key not in on_stack]
    if silent:
        settle(max((intents[run.key] for run in silent), key=lambda event: str(event["at"])))
        on_stack |= find(silent, client, table)
    to_launch: list[SideRun] = []
    for run in unknown:
        event = adopt(run, on_stack.get(run.key, []), journal)
        if event is not None:
            under_way.append(Found(run, event))
            continue
        if run.key in journal.open_intents():
            journal.append("abandoned", run.key, reason="no test run carries its context: the call never happened")
        to_launch.append(run)
    last = journal.last()
    given_up = [found.run for found in under_way if last[found.run.key]["event"] == "abandoned"]
    return [found for found in under_way if found.run not in given_up], to_launch + given_up


def find(runs: Collection[SideRun], client: Caller, table: str) -> dict[str, list[Row]]:
    """Rows of test runs on the stack by run key."""
    return lookup.runs_by_context(client, table, {run.key for run in runs}, {run.testset for run in runs})


def collide(key: str, run_id: str, journal: Journal) -> None:
    """Journal that a call for `key` got a run id that was another run's.

    The documents of both launches are one by then, so the other run is given up too, unless it has landed.
    """
    owner = journal.owner(run_id)
    if owner is not None and journal.events(owner)[-1]["event"] in ("launched", "adopted"):
        journal.append("abandoned", owner, run_id=run_id, reason=f"run {key} was given the same run id")
    journal.append("collision", key, run_id=run_id, of=owner)


def adopt(run: SideRun, rows: list[Row], journal: Journal) -> Event | None:
    """Take over the first usable run of these and journal it; None when none is usable.

    Not usable: one that was given up before, and one whose id is another run's (journalled as a collision). Whether
    the stack changed under a run is judged when it has ended.
    """
    for row in rows:
        run_id = str(row.get("TestRunId"))
        owner = journal.owner(run_id)
        if journal.spoilt(run_id):
            continue
        if owner is not None and owner != run.key:
            if run_id not in journal.collisions(run.key):
                collide(run.key, run_id, journal)
            continue
        intent = journal.intent_of(run.key)
        return journal.append(
            "adopted",
            run.key,
            run_id=run_id,
            created=row.get("CreatedAt"),
            fingerprint=intent["fingerprint"] if intent else None,
        )
    return None
