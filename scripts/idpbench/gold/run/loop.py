"""One run from its first member to its result: whatever is final already is left as it is."""

from __future__ import annotations

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

Tell = Callable[[str], None]


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
    for number, member in enumerate(members, start=1):
        name = member.member_id
        if name in finals:
            continue
        waited_for = plan.transport.kind == "openrouter" and name in plan.members and name in plan.present
        if waited_for and len(calls) < plan.limits.call_cap:
            tell(f"[{number}/{len(members)}] {name}: asking")
        final = _member(suite, member, plan, asking)
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


def _member(suite: Suite, member: Described, plan: Plan, asking: Asking) -> Final:
    """Ask one member and, after its last attempt, score it."""
    name = member.member_id
    if name not in plan.members:
        return Final(skipped(name, NOT_SELECTED))
    workbook = suite.parsed(member) if name in plan.present else None
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
