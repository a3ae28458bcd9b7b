"""The loop that does all paid work of a side: take over what is under way, launch the rest, poll, collect, keep.

Per run: vault? -> on the stack by its context? -> journal intent -> Invoke -> journal launched -> poll -> collect ->
vault -> journal landed. Killed at any point, the same call goes on without losing a run or launching one twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.stack import collect, contract, fingerprint, upload
from idpbench.stack.client import Caller, why
from idpbench.stack.discover import Resources
from idpbench.stack.fingerprint import Fingerprint
from idpbench.stack.journal import Event, Journal
from idpbench.stack.launcher import Clock, Launcher, Options, Tally
from idpbench.stack.lease import Lease
from idpbench.stack.model import Side, SideRun
from idpbench.stack.poll import Flight, Poll
from idpbench.stack.reconcile import Found, moment, reconcile
from idpbench.stack.record import Launch, build
from idpbench.stack.vault import Vault
from idpbench.stack.window import Window

TURNS = 4  # questions about a run before its deadline ends it
LOOKS = 4  # at what a finished run left, before a part that cannot be read is recorded as unreadable
FilesOf = Callable[[SideRun], tuple[str, ...]]


@dataclass(frozen=True)
class Target:
    """A stack at rest at the side's version. `identity`: name, region, account, template digest as it states them.

    `lease`: the right to launch on it, given up when the landing ends.
    """

    client: Caller
    resources: Resources
    identity: Mapping[str, Any]
    seen: Fingerprint
    lease: Lease | None = None


@dataclass
class Landing:
    """One landing in progress."""

    side: Side
    target: Target
    vault: Vault
    journal: Journal
    options: Options
    clock: Clock
    progress: Callable[[Tally], None]
    files: FilesOf
    evaluates: Callable[[SideRun], bool]
    tally: Tally
    window: Window
    runs: dict[str, SideRun] = field(default_factory=dict)
    later: list[Flight] = field(default_factory=list)  # ended, and not readable yet
    looks: Counter[str] = field(default_factory=Counter)
    events: dict[str, Event] = field(default_factory=dict)

    def run(self) -> Tally:
        """Land every missing run of the side."""
        held = self.vault.keys()
        for key in self.journal.in_flight().keys() & held:  # killed between vault and journal
            self.journal.append("landed", key, run_id=self.journal.last()[key]["run_id"])
        missing = [run for run in self.side.runs if run.key not in held]
        self.tally.planned, self.tally.held = len(self.side.runs), len(self.side.runs) - len(missing)
        if not missing:
            return self.tally
        self.runs = {run.key: run for run in missing}
        client, resources = self.target.client, self.target.resources
        window, heard = self.window, client.throttled
        poll = Poll(client, resources.tracking_table)
        under_way, to_launch = reconcile(missing, client, resources.tracking_table, self.journal, self._settle)
        launcher = Launcher(
            client,
            resources,
            self.side.configurations,
            self.journal,
            self.options,
            self.clock,
            self.tally,
            self.target.seen,
            window,
            self.target.lease.check if self.target.lease is not None else lambda: None,
        )
        launcher.queue(to_launch)
        for found in under_way:
            self.tally.adopted += 1
            poll.add(self._flight(found))
        while launcher.waiting or len(poll) or self.later:
            for found in launcher.fill(len(poll) + len(self.later)):
                poll.add(self._flight(found))
            self._give_up_shared(poll, launcher)
            ended, self.later = [*self.later, *poll.cycle(), *self._overdue(poll)], []
            if ended:
                self._land(ended, poll, launcher)
            elif changed := launcher.changed:
                self._give_up(poll, changed)
            if client.throttled > heard:
                window.throttled()
            heard = client.throttled
            window.cycle()
            self.tally.window, self.tally.narrowed = window.size, window.smallest < window.most
            self.progress(self.tally)
            if self.later or (not ended and (launcher.waiting or len(poll))):
                self.clock.pause(self.options.interval)
        self._report(launcher)
        return self.tally

    def _flight(self, found: Found) -> Flight:
        self.events[found.run.key] = found.event
        return Flight(
            key=found.run.key,
            run_id=found.event["run_id"],
            launched_at=found.event["at"],
            evaluates=self.evaluates(found.run),
            expected=self.files(found.run),
        )

    def _settle(self, intent: Event) -> None:
        age = (moment(self.clock.now()) - moment(intent["at"])).total_seconds()
        self.clock.sleep(max(0.0, self.options.settle - age))

    def _overdue(self, poll: Poll) -> list[Flight]:
        """Flights past their deadline: a status like any other."""
        now = moment(self.clock.now())
        overdue = [
            flight
            for flight in poll.pending()
            if (now - moment(flight.launched_at)).total_seconds() > self.options.deadline
            and flight.turn >= TURNS  # one taken over late is asked for its files, and for each of them, first
        ]
        for flight in overdue:
            last = ", ".join(f"{entry.name}: {entry.seen or 'no tracking row'}" for entry in flight.documents)
            flight.end(contract.TIMED_OUT, f"not finished after {self.options.deadline:.0f} s ({last})")
            poll.drop(flight.key)
        return overdue

    def _land(self, ended: list[Flight], poll: Poll, launcher: Launcher) -> None:
        """Collect the ended flights and keep their records; those that the stack changed under are given up."""
        seen = fingerprint.look(self.target.client, self.side.stack)
        edited = self._edited(ended)
        good: list[Flight] = []
        for flight in ended:
            trouble = edited.get(flight.key) or spoilt(flight, self.events[flight.key], seen)
            if trouble is None:
                good.append(flight)
            else:
                self._abandon(flight, trouble)
                launcher.queue([self.runs[flight.key]])
        with ThreadPoolExecutor(max_workers=self.options.workers) as pool:
            collected = pool.map(self._documents, good) if self.options.workers > 1 else map(self._documents, good)
            for flight, documents in zip(good, collected, strict=True):
                if documents is None:
                    self.later.append(flight)
                else:
                    self._keep(flight, documents, seen)
        if edited:
            self._give_up_edited(poll, launcher)
        if isinstance(seen, Fingerprint) and seen != self.target.seen:
            self._give_up(poll, f"from {_spoken(self.target.seen)} to {_spoken(seen)}")

    def _edited(self, flights: Collection[Flight]) -> dict[str, str]:
        """Key -> trouble of the runs whose configuration is no longer what it was: which one they had is not known."""
        names = {flight.key: self.runs[flight.key].config_name for flight in flights}
        used = {name: self.side.configurations[name] for name in names.values()}
        troubles = upload.altered(self.target.client, self.target.resources.config_table, used)
        return {key: f"its configuration: {troubles[name]}" for key, name in names.items() if name in troubles}

    def _give_up_shared(self, poll: Poll, launcher: Launcher) -> None:
        """Launch those again that were given up since another run got their run id (`reconcile.collide`)."""
        flights = [*poll.pending(), *self.later]
        shared = {flight.key for flight in flights if self.journal.events(flight.key)[-1]["event"] == "abandoned"}
        for key in shared:
            poll.drop(key)
        self.later = [flight for flight in self.later if flight.key not in shared]
        self.tally.spoilt += len(shared)
        launcher.queue([self.runs[key] for key in sorted(shared)])

    def _give_up_edited(self, poll: Poll, launcher: Launcher) -> None:
        """A configuration was edited under its runs: give up those in flight too, and end unless it is right again."""
        troubles = self._edited(poll.pending())
        for flight in poll.pending():
            if flight.key in troubles:
                self._abandon(flight, troubles[flight.key])
                poll.drop(flight.key)
                launcher.queue([self.runs[flight.key]])
        needed = {run.config_name: self.side.configurations[run.config_name] for run in self.runs.values()}
        troubles = upload.altered(self.target.client, self.target.resources.config_table, needed)
        outcome = f"{self.tally.spoilt} runs that may have had it are not used, {self.tally.landed} others landed"
        upload.refuse(troubles, outcome)

    def _documents(self, flight: Flight) -> list[dict[str, Any]] | None:
        """What the run left; None where a service is busy, so that another look is worth while, a few times."""
        if flight.status == contract.COPY_FAILED:
            return []
        self.looks[flight.key] += 1
        try:
            return self._read(flight, patient=self.looks[flight.key] < LOOKS)
        except collect.NotNow:
            return None

    def _read(self, flight: Flight, patient: bool) -> list[dict[str, Any]]:
        places = (self.target.resources.tracking_table, self.target.resources.output_bucket)
        many = self.runs[flight.key].reference
        return [
            collect.document(
                self.target.client,
                places,
                flight.run_id,
                watched.name,
                watched.name if many else None,
                lambda: self.clock.sleep(1.0),
                patient,
            )
            for watched in flight.documents
        ]

    def _keep(self, flight: Flight, documents: list[dict[str, Any]], seen: Fingerprint | str) -> None:
        event, run = self.events[flight.key], self.runs[flight.key]
        note = None
        if event["event"] == "adopted":
            note = "found on the stack by its context after an interrupted landing"
        launch = Launch(
            at=event.get("created") or event["at"],
            run_id=flight.run_id,
            collisions=tuple(self.journal.collisions(flight.key)),
            fingerprint=event.get("fingerprint"),
            note=note,
            commit=(self.journal.intent_of(flight.key) or {}).get("commit"),
        )
        completion: dict[str, Any] = {"at": self.clock.now(), "fingerprint": None, "note": None}
        if isinstance(seen, str):
            completion["note"] = f"the stack could not be asked: {seen}"
        elif event.get("fingerprint") is not None and fingerprint.from_dict(event["fingerprint"]) != seen:
            completion |= {"fingerprint": event["fingerprint"], "note": "it ended before the stack's next update began"}
        else:
            completion["fingerprint"] = seen.as_dict()
        record = build(run, self.side.backend, flight, launch, self.target.identity, completion, documents)
        if record["status"] == contract.INFRA:
            self.window.throttled()
        self.vault.put(record)
        self.journal.append("landed", flight.key, run_id=flight.run_id, status=record["status"])
        self.tally.count(record)

    def _abandon(self, flight: Flight, reason: str) -> None:
        self.journal.append("abandoned", flight.key, run_id=flight.run_id, reason=reason)
        self.tally.spoilt += 1

    def _give_up(self, poll: Poll, change: str) -> None:
        """The stack changed under the runs in flight: nothing of them is used, and nothing more is launched."""
        for flight in poll.pending():
            self._abandon(flight, f"the stack changed {change}")
        raise Refusal(
            f"stack {self.side.stack}: it changed {change} while runs were in flight; {self.tally.spoilt} of them are"
            f" not used, {self.tally.landed} landed; run the same command again when nobody else updates it",
            INCOMPLETE,
        )

    def _report(self, launcher: Launcher) -> None:
        if self.tally.rejected:
            first = next(iter(self.tally.rejected.values()))
            raise Refusal(
                f"stack {self.side.stack}: {len(self.tally.rejected)} launches were rejected ({first});"
                f" {self.tally.landed} runs landed; run the same command again to launch the rest",
                INCOMPLETE,
            )


def land(
    side: Side,
    target: Target,
    vault: Vault,
    journal: Journal,
    options: Options,
    *,
    files: FilesOf,
    evaluates: Callable[[SideRun], bool] = lambda run: run.reference,
    progress: Callable[[Tally], None] = lambda tally: None,
    clock: Clock | None = None,
    tally: Tally | None = None,
) -> Tally:
    """Launch, poll and collect what the vault lacks of `side`; every record is in the vault when this returns.

    `files(run)`: names of the documents of a run. A run that fails or times out is a record like any other; rejected
    launches, a changed stack or an edited configuration end in a Refusal after what was finished has been kept.
    """
    landing = Landing(
        side,
        target,
        vault,
        journal,
        options,
        clock or Clock(),
        progress,
        files,
        evaluates,
        tally or Tally(),
        Window(options.max_inflight),
    )
    try:
        return landing.run()
    except (ClientError, BotoCoreError) as error:
        raise Refusal(
            f"stack {side.stack}: it cannot be asked: {why(error)}; nothing is lost, run the same command again",
            INCOMPLETE,
        ) from error
    finally:
        if target.lease is not None:
            target.lease.release()


def spoilt(flight: Flight, event: Event, seen: Fingerprint | str) -> str | None:
    """Why the stack's changes make a run useless, None where they do not.

    Unchanged since its launch, or ended before the last update began, a run stands. A look that failed proves nothing.
    """
    if isinstance(seen, str):
        return None
    known = event.get("fingerprint")
    if known is not None and fingerprint.from_dict(known) == seen:
        return None
    if seen.updated is None and known is None:
        return None  # never updated since it was created
    updated = moment(seen.updated) if seen.updated is not None else None
    began = event.get("created") or event["at"]
    if known is None and updated is not None and moment(began) > updated:
        return None
    ends = [document.completed for document in flight.documents]
    if updated is not None and ends and all(end and moment(end) < updated for end in ends):
        return None
    return f"the stack changed to {_spoken(seen)} between its launch and its end"


def _spoken(seen: Fingerprint) -> str:
    return f"{seen.status} (version {seen.version}, updated {seen.updated or 'never'})"
