"""The attempts of one member: a call, at most two revisions, and which recipe counts in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from idpbench.gold.issues import Issue
from idpbench.gold.result.schema import MOST_ISSUES, MOST_TEXT, Attempt, IssueFields, Limits, Reason, UsageFields
from idpbench.gold.run.calls import INTERRUPTED, Call, Calls, Outcome
from idpbench.gold.run.clock import Clock, read_stamp, stamp
from idpbench.gold.run.judge import Judged, judge
from idpbench.gold.run.prompt import Mode, initial, prompt_digest, revision
from idpbench.gold.suite.manifest import Task
from idpbench.gold.transport.base import Message, Reply, Request, Transport, TransportError
from idpbench.gold.workbook import Workbook

CALL_CAP = Reason(code="call_cap_reached", message="the run had made all the calls that it was allowed")


@dataclass(frozen=True)
class Answered:
    """A member after its attempts: the execution that counts, or why there is none."""

    attempts: tuple[Attempt, ...] = ()
    accepted: Judged | None = None
    failure: Reason | None = None
    skip: Reason | None = None
    returned_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asking:
    """What all members of a run share."""

    transport: Transport
    calls: Calls
    limits: Limits
    mode: Mode
    clock: Clock


@dataclass
class _Progress:
    attempts: list[Attempt] = field(default_factory=list)
    returned: set[str] = field(default_factory=set)
    usable: Judged | None = None
    last: Judged | None = None


def answer(member_id: str, workbook: Workbook, task: Task, asking: Asking) -> Answered:
    """Ask until a recipe gives rows, the attempts are used up, or the transport fails.

    A call that the journal already holds is not made again: its recorded outcome is taken.
    """
    start = initial(workbook, task, asking.mode)
    messages: Sequence[Message] = start
    so_far = _Progress()
    for n in range(1, asking.limits.attempts_per_member + 1):
        call = asking.calls.recorded(member_id, n)
        if call is None:
            if len(asking.calls) >= asking.limits.call_cap:
                if n == 1:
                    return Answered(skip=CALL_CAP)
                break
            call = send_once(Request(member_id, n, tuple(messages), workbook, task), asking)
        reply = _reply(call)
        if reply is None:
            so_far.attempts.append(_without_reply(call))
            return _ended(so_far, _transport_failure(call))
        judged = judge(reply.text, reply.finish_reason, workbook)
        so_far.attempts.append(_attempt(call, reply, judged))
        so_far.returned |= {reply.returned_id} if reply.returned_id else set()
        so_far.last = judged
        if judged.production is not None:
            so_far.usable = judged
        if judged.ending == "executed":
            break
        messages = revision(start, reply.text, judged.issues)
    return _ended(so_far, None)


def send_once(request: Request, asking: Asking) -> Call:
    """Wait for the pace, write the intent, send once, write the outcome."""
    clock, calls = asking.clock, asking.calls
    if calls.last_start is not None:
        since = (clock.now() - read_stamp(calls.last_start)).total_seconds()
        pace = asking.limits.pace_ms / 1000
        if (wait := min(pace, pace - since)) > 0:  # never longer than the pace, even where the clock was set back
            clock.sleep(wait)
    intent = calls.begin(request.member_id, request.n, stamp(clock.now()), prompt_digest(request.messages))
    began = clock.monotonic()
    reply: Reply | None = None
    code = message = None
    try:
        reply = asking.transport.send(request)
    except TransportError as error:
        code, message = error.code, error.message
    duration = max(0, round((clock.monotonic() - began) * 1000))
    outcome = Outcome(intent.call, stamp(clock.now()), duration, reply, code, message)
    calls.end(intent, outcome)
    return Call(intent, outcome)


def _reply(call: Call) -> Reply | None:
    return None if call.outcome is None else call.outcome.reply


def _attempt(call: Call, reply: Reply, judged: Judged) -> Attempt:
    usage = reply.usage
    return Attempt(
        n=call.intent.n,
        kind="initial" if call.intent.n == 1 else "revision",
        outcome=judged.ending,
        issues=[_issue(issue) for issue in judged.issues[:MOST_ISSUES]],
        response_sha256=reply.response_sha256,
        finish_reason=reply.finish_reason or None,
        usage=UsageFields(prompt=usage.prompt, completion=usage.completion, total=usage.total) if usage else None,
        cost=reply.cost,
        started_at=call.intent.at,
        duration_ms=call.outcome.duration_ms if call.outcome else None,
    )


def _without_reply(call: Call) -> Attempt:
    code, message = _why(call)
    return Attempt(
        n=call.intent.n,
        kind="initial" if call.intent.n == 1 else "revision",
        outcome="interrupted" if code == INTERRUPTED else "transport_error",
        issues=[_issue(Issue(code, "$", message))],
        response_sha256=None,
        finish_reason=None,
        usage=None,
        cost=None,
        started_at=call.intent.at,
        duration_ms=call.outcome.duration_ms if call.outcome else None,
    )


def _why(call: Call) -> tuple[str, str]:
    if call.outcome is None:
        return INTERRUPTED, "the call has no outcome"
    return call.outcome.code or INTERRUPTED, call.outcome.message or ""


def _transport_failure(call: Call) -> Reason:
    code, message = _why(call)
    if code == INTERRUPTED:
        return Reason(code="interrupted", message=message[:MOST_TEXT])
    return Reason(code="transport_error", message=f"{code}: {message}"[:MOST_TEXT])


def _ended(so_far: _Progress, failure: Reason | None) -> Answered:
    """The last executable recipe counts, unless the transport failed; without one, the last attempt says why."""
    accepted = so_far.usable if failure is None else None
    if accepted is None and failure is None and so_far.last is not None:
        told = "; ".join(f"{issue.path}: {issue.code}: {issue.message}" for issue in so_far.last.issues)
        failure = Reason(code=so_far.last.ending, message=told[:MOST_TEXT])
    return Answered(tuple(so_far.attempts), accepted, failure, None, tuple(sorted(so_far.returned)))


def _issue(issue: Issue) -> IssueFields:
    return IssueFields(code=issue.code, path=issue.path[:MOST_TEXT], message=issue.message[:MOST_TEXT])
