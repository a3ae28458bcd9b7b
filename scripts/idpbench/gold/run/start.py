"""`idpbench gold run`: from what was asked to a finished run, or to a refusal before the first call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from idpbench.files import locks
from idpbench.files.errors import INCOMPLETE, OK, Refusal, bad_input, nearest
from idpbench.gold.place import RUNS, checked, checked_member, open_suite
from idpbench.gold.result.document import slug
from idpbench.gold.result.schema import NO_RESPONSE, Limits, Result, SuiteName
from idpbench.gold.run import plan as plans
from idpbench.gold.run.clock import Clock, SystemClock, stamp
from idpbench.gold.run.loop import Tell, run
from idpbench.gold.run.plan import Plan
from idpbench.gold.run.preflight import public_invocation
from idpbench.gold.run.prompt import Mode
from idpbench.gold.run.state import Folder
from idpbench.gold.transport.base import About, Transport
from idpbench.gold.transport.choose import open_transport
from idpbench.settings.gold import GoldLimits, load_gold

_RUN_ID = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._:-]*")


@dataclass(frozen=True)
class Asked:
    """The command's words; None is not given. On resuming, what is not given is as it was."""

    suite: str | None = None
    model: str | None = None
    max_calls: int | None = None
    attempts: int | None = None
    pace_ms: int | None = None
    run_id: str | None = None
    resume: str | None = None
    members: tuple[str, ...] = ()
    mode: Mode | None = None
    replies: Path | None = None
    staged: Path | None = None


def start(
    asked: Asked,
    root: Path,
    *,
    environment: Mapping[str, str],
    argv: Sequence[str],
    clock: Clock | None = None,
    tell: Tell = lambda line: None,
    transport: Transport | None = None,
) -> tuple[Result, Folder]:
    """Run to the end. `argv` is recorded without secrets; `transport` takes the place of the one that is chosen."""
    clock = clock or SystemClock()
    settings = load_gold(root)
    kept = _kept(asked, root)
    model = asked.model or (kept.model if kept else None)
    if model is None or not _MODEL.fullmatch(model):
        raise bad_input("--model", "", repr(model), "a model as MAKER/NAME", "give --model local/heuristic-1, say")
    key = None
    if transport is None:
        transport, key = open_transport(model, asked.replies, settings, environment, argv)
    now = clock.now()
    run_id = asked.resume or asked.run_id or f"{slug(model)}-{now.strftime('%Y%m%d-%H%M%S')}"
    suite_id = asked.suite or (kept.suite.suite_id if kept else settings.suite)
    suite = open_suite(root, suite_id, asked.staged or root / settings.staged, RUNS / run_id / "references")
    manifest = suite.manifest
    names = [member.member_id for member in manifest.members]
    for name in asked.members:
        checked_member(suite, name)
    tell(f"suite {manifest.suite_id}: comparing every file with its digest")
    present = checked(suite)
    made = plans.make(
        run_id=run_id,
        started_at=kept.started_at if kept else stamp(now),
        suite=SuiteName(suite_id=manifest.suite_id, digest=manifest.digest),
        model=model,
        about=transport.about,
        mode=asked.mode or (kept.prompt.mode if kept else "contract"),
        limits=_limits(asked, settings.limits, transport.about, kept),
        members=[name for name in names if name in asked.members] or (kept.members if kept else names),
        present=present,
    )
    folder = Folder(root / RUNS / run_id)
    lock = locks.hold(folder.lock, wait_s=0.5)
    if lock is None:
        raise Refusal(f"process {locks.holder(folder.lock)} is working on run {run_id}; wait for it", INCOMPLETE)
    with lock:
        _settle(made, kept, folder)
        tell(f"run {run_id}: {len(made.members)} members, {len(present)} of {len(names)} workbooks present, {model}")
        invocation = public_invocation(argv, key)
        return run(suite, made, transport, folder, clock=clock, invocation=invocation, tell=tell), folder


def exit_code(result: Result) -> int:
    """3 where the cap kept a member from being asked, or no call got a reply; else 0."""
    capped = any(member.skip is not None and member.skip.code == "call_cap_reached" for member in result.members)
    endings = [attempt.outcome for member in result.members for attempt in member.attempts]
    unheard = bool(endings) and all(ending in NO_RESPONSE for ending in endings)
    return INCOMPLETE if capped or unheard else OK


def _kept(asked: Asked, root: Path) -> Plan | None:
    """The plan of the run that is resumed."""
    run_id = asked.resume or asked.run_id
    if run_id is not None and not _RUN_ID.fullmatch(run_id):
        expected = "small letters, digits, dots and hyphens"
        raise bad_input("--resume" if asked.resume else "--run-id", "", repr(run_id), expected, "choose another name")
    if asked.resume is None:
        return None
    path = Folder(root / RUNS / asked.resume).plan
    if not path.exists():
        known = [place.parent.name for place in sorted((root / RUNS).glob("*/plan.json"))]
        raise bad_input("--resume", "", repr(asked.resume), f"a run below {RUNS}", nearest(asked.resume, known))
    return plans.read(path)


def _limits(asked: Asked, settings: GoldLimits, about: About, kept: Plan | None) -> Limits:
    """As asked, else as they were, else as configured. A model that nobody waits for needs no pace and no revision."""
    before = kept.limits if kept else None
    local = about.kind == "local"
    attempts = asked.attempts or (before.attempts_per_member if before else None)
    pace = asked.pace_ms if asked.pace_ms is not None else (before.pace_ms if before else None)
    return Limits(
        call_cap=asked.max_calls or (before.call_cap if before else settings.call_cap),
        attempts_per_member=attempts or (1 if local else settings.attempts_per_member),
        pace_ms=pace if pace is not None else (settings.pace_ms if about.network else 0),
    )


def _settle(made: Plan, kept: Plan | None, folder: Folder) -> None:
    """Write the plan of a new run, or see that the plan of an old one is the same."""
    if kept is not None:
        plans.demand_equal(kept, made, folder.plan)
    elif folder.plan.exists():
        remedy = f"go on with it by --resume {made.run_id}, or choose another id"
        raise bad_input("--run-id", "", made.run_id, "an id that no run has", remedy)
    else:
        plans.write(made, folder.plan)
