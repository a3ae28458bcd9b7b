"""A run in pieces, for a workflow: one member's reply, that member's score, the result of all. Local models only.

The reply is kept as its journal, so that a score can be made again from it without the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from idpbench.files.errors import bad_input
from idpbench.gold.place import checked_member
from idpbench.gold.result.document import assemble
from idpbench.gold.result.schema import Limits, Result, SuiteName
from idpbench.gold.run import plan as plans
from idpbench.gold.run.attempts import Asking, answer, send_once
from idpbench.gold.run.calls import Calls
from idpbench.gold.run.clock import Clock, SystemClock, read_stamp, stamp
from idpbench.gold.run.prompt import Mode, initial
from idpbench.gold.run.score import NOT_STAGED, score_member, skipped
from idpbench.gold.run.state import Final
from idpbench.gold.suite.load import Suite
from idpbench.gold.transport.base import Reply, Request, Transport, TransportError

MODE: Mode = "contract"
ONE = Limits(call_cap=1, attempts_per_member=1, pace_ms=0)


class Closed:
    """In the place of a transport where nothing may be asked."""

    def __init__(self, transport: Transport) -> None:
        self.about = transport.about

    def send(self, request: Request) -> Reply:
        """Never anything."""
        raise TransportError("NOT_RECORDED", f"{request.member_id} was not asked")


def ask_member(suite: Suite, member_id: str, transport: Transport, journal: Path, clock: Clock | None = None) -> None:
    """Ask once, and leave the journal of that call; an absent workbook leaves an empty one."""
    member = checked_member(suite, member_id)
    journal.unlink(missing_ok=True)
    calls = Calls(journal, suite.manifest.digest)
    workbook = suite.parsed(member)
    if workbook is not None:
        messages = initial(workbook, member.task, MODE)
        asking = Asking(transport, calls, ONE, MODE, clock or SystemClock())
        send_once(Request(member_id, 1, messages, workbook, member.task), asking)


def score_recorded(suite: Suite, member_id: str, transport: Transport, journal: Path) -> Final:
    """The member by its recorded reply; nothing is asked."""
    member = checked_member(suite, member_id)
    calls = Calls(journal, suite.manifest.digest)
    workbook = suite.parsed(member)
    if workbook is None:
        return Final(skipped(member_id, NOT_STAGED))
    if not len(calls):
        raise bad_input(journal, "", "no call", f"the reply about {member_id}", "remove the file, and ask again")
    asking = Asking(Closed(transport), calls, ONE, MODE, SystemClock())
    answered = answer(member_id, workbook, member.task, asking)
    return Final(score_member(member_id, answered, lambda: suite.reference(member)), answered.returned_ids)


def result_of(
    suite: Suite, finals: Sequence[Final], model: str, transport: Transport, invocation: Sequence[str]
) -> Result:
    """The document of all members; it began with the first call and ended with the last."""
    manifest = suite.manifest
    attempts = [attempt for final in finals for attempt in final.member.attempts]
    starts = [read_stamp(attempt.started_at) for attempt in attempts] or [SystemClock().now()]
    ends = [
        read_stamp(attempt.started_at) + timedelta(milliseconds=attempt.duration_ms or 0) for attempt in attempts
    ] or starts
    names = [member.member_id for member in manifest.members]
    plan = plans.make(
        run_id="workflow",
        started_at=stamp(min(starts)),
        suite=SuiteName(suite_id=manifest.suite_id, digest=manifest.digest),
        model=model,
        about=transport.about,
        mode=MODE,
        limits=Limits(call_cap=len(names), attempts_per_member=1, pace_ms=0),
        members=names,
        present=[final.member.member_id for final in finals if final.member.skip is None],
    )
    by_id = {final.member.member_id: final for final in finals}
    if missing := [name for name in names if name not in by_id]:
        raise bad_input("--scores", "", f"no score of {', '.join(missing)}", "one of each member", "give all of them")
    return assemble(
        plan,
        manifest,
        [by_id[name].member for name in names],
        returned_ids=[name for final in finals for name in final.returned_ids],
        finished_at=stamp(max(ends)),
        invocation=invocation,
    )
