"""One run from its first member to its result: whatever is final already is left as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from idpbench.files.atomic import write_bytes
from idpbench.gold.result.document import assemble, stored
from idpbench.gold.result.schema import Member, Result
from idpbench.gold.run.attempts import Asking, answer
from idpbench.gold.run.calls import Calls
from idpbench.gold.run.clock import Clock, stamp
from idpbench.gold.run.plan import Plan
from idpbench.gold.run.score import NOT_SELECTED, NOT_STAGED, score_member, skipped
from idpbench.gold.run.state import Final, Folder, write_final
from idpbench.gold.suite.load import Suite
from idpbench.gold.suite.manifest import Member as Described
from idpbench.gold.transport.base import Transport
from idpbench.gold.workbook import Workbook, read_workbook

Tell = Callable[[str], None]


class Workbooks:
    """Workbooks of a suite, each read once and held only while a later member still needs it."""

    def __init__(self, suite: Suite, members: Sequence[Described]) -> None:
        self._suite = suite
        self._wanted = Counter(member.workbook.sha256 for member in members)
        self._held: dict[str, Workbook] = {}

    def take(self, member: Described) -> Workbook | None:
        """The workbook of a member, for the one time that it is asked; None where it is not staged."""
        digest = member.workbook.sha256
        self._wanted[digest] -= 1
        if digest not in self._held:
            data = self._suite.workbook(member)
            if data is None:
                return None
            self._held[digest] = read_workbook(data)
        return self._held[digest] if self._wanted[digest] > 0 else self._held.pop(digest)


def run(
    suite: Suite,
    plan: Plan,
    transport: Transport,
    folder: Folder,
    *,
    clock: Clock,
    invocation: Sequence[str],
    tell: Tell = lambda line: None,
) -> Result:
    """Ask and score every member that is not final yet, then write result.json. The caller holds the run's lock."""
    members = suite.manifest.members
    finals = folder.finals([member.member_id for member in members], plan.sha256)
    calls = Calls(folder.calls, plan.sha256)
    for intent in calls.close_interrupted(stamp(clock.now())):
        tell(f"{intent.member_id}: call {intent.call} was interrupted; it counts, and is not made again")
    asking = Asking(transport, calls, plan.limits, plan.prompt.mode, clock)
    to_ask = [member for member in members if member.member_id in plan.members and member.member_id not in finals]
    workbooks = Workbooks(suite, [member for member in to_ask if member.member_id in plan.present])
    for number, member in enumerate(members, start=1):
        name = member.member_id
        if name in finals:
            continue
        final = _member(suite, member, plan, asking, workbooks)
        write_final(folder.member(name), final, plan.sha256)
        finals[name] = final
        tell(f"[{number}/{len(members)}] {name}: {told(final.member)}; {len(calls)} of {plan.limits.call_cap} calls")
    result = assemble(
        plan,
        suite.manifest,
        [finals[member.member_id].member for member in members],
        returned_ids=[name for final in finals.values() for name in final.returned_ids],
        finished_at=calls.last_end or plan.started_at,
        invocation=invocation,
    )
    write_bytes(folder.result, stored(result), durable=True)
    return result


def _member(suite: Suite, member: Described, plan: Plan, asking: Asking, workbooks: Workbooks) -> Final:
    """Ask one member and, after its last attempt, score it."""
    name = member.member_id
    if name not in plan.members:
        return Final(skipped(name, NOT_SELECTED))
    workbook = workbooks.take(member) if name in plan.present else None
    if workbook is None:
        return Final(skipped(name, NOT_STAGED))
    answered = answer(name, workbook, member.task, asking)
    return Final(score_member(name, answered, lambda: suite.reference(member)), answered.returned_ids)


def told(member: Member) -> str:
    """How a member ended, in a few words."""
    reason = member.failure or member.skip
    if reason is not None:
        return f"{member.status} ({reason.code})"
    revisions = len(member.attempts) - 1
    return member.status + (f" after {revisions} revision{'s' * (revisions > 1)}" if revisions else "")
