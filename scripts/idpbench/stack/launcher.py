"""Launches in order: under one cap, one a second per test set, each with its fingerprint and its journal lines."""

from __future__ import annotations

import random
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.stack import contract, fingerprint, upload
from idpbench.stack.client import Caller, InDoubt
from idpbench.stack.discover import Resources
from idpbench.stack.fingerprint import Fingerprint
from idpbench.stack.journal import Event, Journal, utc_now
from idpbench.stack.launch import Failed, Order, Rejected, invoke
from idpbench.stack.model import SideRun
from idpbench.stack.reconcile import Found, adopt, collide, find
from idpbench.stack.window import Window


@dataclass(frozen=True)
class Options:
    """Limits of a landing; times in seconds.

    `settle`: how long a lost call may take to show on the stack. `rounds`: launches of one run that may be lost, and
    `collisions`: that may get another run's id, before it counts as rejected. `rejections`: in a row, end it all.
    `failure_budget`: a cell whose first so many runs all failed is launched no further. `pair`: the comparison that the
    launches are made for; `commit`: of the program that makes them (both are written into the intents).
    """

    max_inflight: int = 20
    deadline: float = 3600.0
    interval: float = 5.0
    settle: float = 30.0
    workers: int = 4
    rounds: int = 3
    collisions: int = 5
    rejections: int = 3
    failure_budget: int | None = None
    pair: str | None = None
    commit: str | None = None


@dataclass(frozen=True)
class Clock:
    """The time and chance (0 to 1), so that tests have their own."""

    now: Callable[[], str] = utc_now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random

    def pause(self, seconds: float) -> None:
        """Sleep for about so long, a fifth more or less, so that several clients do not ask in step."""
        self.sleep(seconds * (0.8 + 0.4 * self.chance()))


@dataclass
class Tally:
    """What a landing has done so far.

    `relaunched`: second calls after a proven collision of run ids; `ends`: runs that did not complete, by
    status; `window`: how many may be in flight now, `narrowed` whether that was ever fewer than asked.
    """

    planned: int = 0
    held: int = 0
    adopted: int = 0
    launched: int = 0
    relaunched: int = 0
    landed: int = 0
    failed: int = 0
    spoilt: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    window: int = 0
    narrowed: bool = False
    rejected: dict[str, str] = field(default_factory=dict)
    stopped: Counter[str] = field(default_factory=Counter)
    completed_by_cell: Counter[str] = field(default_factory=Counter)
    failed_by_cell: Counter[str] = field(default_factory=Counter)
    on_record: Callable[[dict[str, Any]], None] = lambda record: None

    def count(self, record: dict[str, Any]) -> None:
        """A record was kept."""
        self.landed += 1
        good = record["status"] == contract.COMPLETED
        self.failed += not good
        if not good:
            self.ends[record["status"]] += 1
        if record["status"] != contract.INFRA:  # which says nothing of the cell
            (self.completed_by_cell if good else self.failed_by_cell)[record["cell"]] += 1
        self.on_record(record)


class Launcher:
    """The queue of runs to launch. `fill` launches as many as the cap and the test sets' seconds allow."""

    def __init__(
        self,
        client: Caller,
        resources: Resources,
        configurations: Mapping[str, Mapping[str, Any]],
        journal: Journal,
        options: Options,
        clock: Clock,
        tally: Tally,
        seen: Fingerprint,
        window: Window,
        guard: Callable[[], None],
    ) -> None:
        self._client = client
        self._resources = resources
        self._configurations = configurations
        self._journal = journal
        self._options = options
        self._clock = clock
        self._tally = tally
        self._seen = seen
        self._window = window
        self._guard = guard  # raises where this landing may launch no longer
        self._queue: deque[SideRun] = deque()
        self._free_at: dict[str, float] = {}
        self._lost: Counter[str] = Counter()
        self._collided: Counter[str] = Counter()
        self._in_a_row = 0
        self.changed: str | None = None

    @property
    def waiting(self) -> bool:
        """Whether runs are still to be launched."""
        return bool(self._queue) and self.changed is None

    def queue(self, runs: Collection[SideRun]) -> None:
        """Put runs at the end of the queue."""
        self._queue.extend(runs)

    def fill(self, in_flight: int) -> list[Found]:
        """Launch what there is room for; the runs now under way. Nothing is launched with an edited configuration."""
        batch = self._batch(self._window.room(in_flight))
        if not batch:
            return []
        upload.verify(
            self._client,
            self._resources.config_table,
            {run.config_name: self._configurations[run.config_name] for run in batch},
        )
        under_way: list[Found] = []
        before = self._client.throttled
        for number, run in enumerate(batch):
            told = self._look()
            busy = number > 0 and self._client.throttled > before  # the rest of the batch waits for a quieter cycle
            if self.changed is not None or busy:
                self._queue.extendleft(reversed(batch[number:]))
                break
            self._guard()
            event = self._launch(run, told)
            if event is not None:
                under_way.append(Found(run, event))
            if self._in_a_row >= self._options.rejections:
                self._reject_rest(batch[number + 1 :])
                break
        return under_way

    def _batch(self, room: int) -> list[SideRun]:
        """The next runs whose test set is free; runs of a cell that spent its failure budget leave the queue."""
        now = self._clock.monotonic()
        batch: list[SideRun] = []
        later: deque[SideRun] = deque()
        taken: set[str] = set()
        while self._queue and len(batch) < room:
            run = self._queue.popleft()
            if self._spent(run.cell):
                self._tally.stopped[run.cell] += 1
            elif run.testset in taken or self._free_at.get(run.testset, now) > now:
                later.append(run)
            else:
                taken.add(run.testset)
                batch.append(run)
        self._queue.extendleft(reversed(later))
        return batch

    def _spent(self, cell: str) -> bool:
        budget = self._options.failure_budget
        return (
            budget is not None
            and self._tally.failed_by_cell[cell] >= budget
            and not self._tally.completed_by_cell[cell]
        )

    def _look(self) -> dict[str, Any]:
        """The stack's fingerprint for the journal; `changed` is set where it is no longer the one of this landing."""
        seen = fingerprint.look(self._client, self._resources.stack)
        if isinstance(seen, str):
            return {
                **self._seen.as_dict(),
                "note": f"as of the start of this landing; the stack could not be asked: {seen}",
            }
        if seen != self._seen:
            self.changed = f"to {seen.status} (version {seen.version}, updated {seen.updated or 'never'})"
        return seen.as_dict()

    def _launch(self, run: SideRun, told: dict[str, Any]) -> Event | None:
        """One paid call between its journal lines; the event that puts the run under way, or None."""
        journal, key = self._journal, run.key
        self._tally.relaunched += bool(journal.collisions(key))
        journal.append(
            "intent",
            key,
            testset=run.testset,
            config=run.config_name,
            fingerprint=told,
            pair=self._options.pair,
            commit=self._options.commit,
        )
        order = Order(key, run.repeat, run.testset, run.config_name, run.n_docs)
        try:
            run_id = invoke(self._client, self._resources.test_runner, order)
        except Rejected as error:
            self._reject(run, str(error))
            if error.busy and self._in_a_row < self._options.rejections:
                del self._tally.rejected[key]
                self._queue.append(run)
            return None
        except InDoubt as error:
            return self._find(run, str(error), again=not isinstance(error, Failed))
        finally:
            self._free_at[run.testset] = self._clock.monotonic() + 1.0
        if journal.owner(run_id) is not None or journal.spoilt(run_id):
            collide(key, run_id, journal)
            self._collided[key] += 1
            if self._collided[key] >= self._options.collisions:
                self._reject(run, f"{self._collided[key]} launches in a row got the run id of another run ({run_id})")
            else:
                self._queue.append(run)
            return None
        self._in_a_row = 0
        self._tally.launched += 1
        return journal.append("launched", key, run_id=run_id, fingerprint=told)

    def _find(self, run: SideRun, reason: str, again: bool) -> Event | None:
        """After a call without a run id: the run on the stack, or, when it never shows, back into the queue.

        Without `again` (the runner answered, with an error) the run counts as rejected, after a short look.
        """
        patience = self._options.settle if again else min(self._options.settle, 4.0)
        waited = 0.0
        while True:
            rows = find([run], self._client, self._resources.tracking_table).get(run.key, [])
            event = adopt(run, rows, self._journal)
            if event is not None:
                self._in_a_row = 0
                self._tally.launched += 1
                return event
            if waited >= patience:
                break
            step = min(2.0, patience - waited)
            self._clock.sleep(step)
            waited += step
        self._lost[run.key] += 1
        if not again or self._lost[run.key] >= self._options.rounds:
            self._reject(run, reason)
        else:
            self._journal.append("abandoned", run.key, reason=f"never reached the stack: {reason}")
            self._queue.append(run)
        return None

    def _reject(self, run: SideRun, reason: str) -> None:
        self._journal.append("abandoned", run.key, reason=f"rejected: {reason}")
        self._tally.rejected[run.key] = reason
        self._in_a_row += 1

    def _reject_rest(self, batch: list[SideRun]) -> None:
        """Several rejections in a row: whatever is wrong is wrong for all, so nothing more is tried."""
        reason = next(reversed(self._tally.rejected.values()))
        for run in [*batch, *self._queue]:
            self._tally.rejected[run.key] = f"not tried after {self._in_a_row} rejections in a row: {reason}"
        self._queue.clear()
