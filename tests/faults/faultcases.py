"""The faults of the suite: how each is injected, and what a person then does, which is what the messages ask for.

A case gets a fresh `World`, lands its grid until it is done, and leaves in `world.injected` how often it struck.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from faultworld import ROOT, Ended, World, wait_for
from project import copy_of

from idpbench.stack.again import again
from idpbench.stack.contract import NO_FINDING


@dataclass(frozen=True)
class Case:
    """`name`: its row in the table; `cheap`: part of every test run; `same`: the summary must be the quiet one's.

    `says`: a pattern that something said to the user must match; it is shown in the table as it was said.
    """

    name: str
    act: Callable[[World], Any]
    says: str
    cheap: bool = False
    same: bool = True


def rules(*faults: dict[str, Any], **options: Any) -> Callable[[World], Any]:
    """A case that switches faults on for the whole of it and lands until it is done."""

    def act(world: World) -> None:
        world.faults(*faults)
        world.until_done(**options)
        world.faults_end()

    return act


def in_a_landing(*faults: dict[str, Any], **options: Any) -> Callable[[World], Any]:
    """The same with the stack deployed before, so that the faults strike at runs."""

    def act(world: World) -> None:
        deploy(world)
        rules(*faults, **options)(world)

    return act


def deploy(world: World) -> None:
    """Bring up the case's stack, without a run."""
    client = world.client()
    template = "https://local.invalid/idp-main_0.6.9.yaml"
    client.call("cloudformation", "create_stack", StackName=world.name, TemplateURL=template)


# -- something that the stack does


def configuration_edited(world: World) -> None:
    world.faults({"fault": "config_edited", "after": 3, "times": 1})
    world.until_done(mend=lambda ended: world.delete_edited())
    world.faults_end()


def lost_answers(world: World) -> None:
    deploy(world)
    world.faults(
        {"fault": "reset", "when": "after", "every": 4, "service": "dynamodb"},
        {"fault": "reset", "when": "after", "every": 2, "times": 4, "service": "lambda"},
    )
    world.until_done()
    world.faults_end()


def slow_launches(world: World) -> None:
    """The answer comes after the client has given up waiting for it."""
    from idpbench.stack import client

    deploy(world)
    before, client.READ_TIMEOUT = client.READ_TIMEOUT, 1
    try:
        world.faults({"fault": "slow", "service": "lambda", "seconds": 1.6, "every": 3, "times": 3})
        world.until_done(settle=4.0)
        world.faults_end()
    finally:
        client.READ_TIMEOUT = before


# -- processes that die


def kill_servers(world: World) -> None:
    deploy(world)
    process = world.start()
    for lines in (3, 9, 15, 21):
        wait_for(lambda n=lines: len(world.journal()) >= n or process.poll() is not None)
        world.kill_server()
    if world.wait(process).code:
        world.until_done()


def kill_workers(world: World) -> None:
    deploy(world)
    process = world.start()
    wait_for(lambda: len(world.journal()) >= 2)
    for _ in range(4):
        world.kill_worker()
        time.sleep(0.4)
    if world.wait(process).code:
        world.until_done()


def kill_at_every_line(world: World) -> None:
    """A grid for every line that a quiet journal has: its client is killed as soon as the line is there."""
    for line in range(1, 3 * len(world.side.runs) + 1):
        part = world.part()
        deploy(part)
        process = part.start()
        wait_for(lambda n=line, w=part, p=process: len(w.journal()) >= n or p.poll() is not None)
        part.injected = int(process.poll() is None)
        process.kill()
        process.communicate()
        part.until_done()


def kill_in_writes(world: World) -> None:
    """The client is killed halfway through a write, a few writes after it was started again, until it is done."""
    deploy(world)
    for number in range(1, 10_000):
        ended = world.wait(world.start("--kill-at", str(number % 5 + 2)))
        if ended.code == 0:
            return
        world.injected += ended.code == -9


def disk_full(world: World) -> None:
    """So many bytes may be written before the disk is full; each time it is given some more."""
    deploy(world)
    for room in (0, 120, 700, 1_900, 3_100, 9_000, 30_000):
        ended = world.wait(world.start("--room", str(room)))
        world.injected += ended.code != 0
    world.until_done()


# -- others


def two_landings(world: World) -> None:
    deploy(world)
    process = world.start()
    wait_for(lambda: len(world.journal()) >= 1)
    while process.poll() is None and world.injected < 3:
        world.injected += world.land().code == 3
        time.sleep(0.1)
    world.wait(process)
    world.until_done()


def two_clones(world: World) -> None:
    """Another working folder on the same stack, with a vault and a journal of its own."""
    deploy(world)
    clone = World(world.ground, world.name, world.ground.clone(f"{world.name}-clone"))
    process = world.start()
    wait_for(lambda: len(world.journal()) >= 1)
    while process.poll() is None and world.injected < 3:
        world.injected += world.keep(clone.land()).code == 3
        time.sleep(0.1)
    world.wait(process)
    world.until_done()
    ended = clone.until_done()
    assert ended.code == 0 and clone.lost() == 0 and clone.same(), ended.text


def two_workflows(world: World) -> None:
    """The whole command, twice at once in one folder."""
    project = copy_of(ROOT, world.root / "project", work=False)
    words = ("suite", "--config", "suite=smoke", "version=0.6.9", "repeats=2")
    first = project.start(*words)
    lock = project.folder / "work" / "workflow.lock"
    wait_for(lambda: lock.exists() and lock.read_text().strip())
    while first.poll() is None and world.injected < 2:
        ended = project.snakemake(*words)
        world.injected += ended.code == 3
        world.keep(Ended(ended.code, ended.text))
    first.communicate()
    world.keep(Ended(first.returncode, ""))
    world.root, world.name, world.own_stack = project.folder, "idpbench-smoke", project.stack
    project.stop_stack()


def document_never_ends(world: World) -> None:
    """Its worker is gone for good: our deadline ends the wait, and `idpbench retry` asks for the run again."""
    deploy(world)
    world.faults({"fault": "lost_worker", "times": 2})
    world.until_done(deadline=10.0)
    world.faults_end()
    again(world.root, world.side, NO_FINDING, relaunch=True)
    world.until_done()


STORM = {"every": 4, "times": 16}
NOTHING = "nothing: the same command goes on where it was"  # the process that could say something is dead
QUIET = r"landed 8, failed 0"  # nothing to be done, and nothing is said of it
CASES = (
    Case(
        "429: asked too often", rules({"fault": "throttle", **STORM}), r"throttled: at most \d+ in flight", cheap=True
    ),
    Case("5xx: broken for the moment", rules({"fault": "error", **STORM}), QUIET),
    Case(
        "503 as the answer to a launch",
        in_a_landing({"fault": "error", "service": "lambda", "status": 503, "every": 2, "times": 4}),
        QUIET,
    ),
    Case("connection reset before the request was carried out", rules({"fault": "reset", **STORM}), QUIET),
    Case("connection reset after it was, launches too", lost_answers, QUIET, cheap=True),
    Case("slow answers", rules({"fault": "slow", "seconds": 0.7, **STORM}), QUIET),
    Case("launch answered after the client gave up waiting", slow_launches, QUIET),
    Case("worker ends in the middle of a document", in_a_landing({"fault": "worker_crash", "every": 3}), QUIET),
    Case("worker killed (signal 9)", kill_workers, QUIET),
    Case("worker gone, its document never delivered again", document_never_ends, r"TIMED_OUT.*asks again"),
    Case("server killed (signal 9) and started again", kill_servers, QUIET),
    Case(
        "result cannot be decrypted (KMS invalid state)",
        in_a_landing({"fault": "undecryptable", "match": "/sections/1/", "times": 2}),
        r"KMS.KMSInvalidStateException",
        cheap=True,
        same=False,
    ),
    Case(
        "tracking row expired",
        in_a_landing({"fault": "expired_row", "times": 2}),
        r"ROW_DELETED: ",
        cheap=True,
        same=False,
    ),
    Case(
        "execution aborted",
        in_a_landing({"fault": "aborted", "times": 2}),
        r"failed 2 \(2 ABORTED\)",
        same=False,
    ),
    Case("execution failed", in_a_landing({"fault": "failed", "times": 2}), r"FAILED: States", same=False),
    Case(
        "files not copied",
        in_a_landing({"fault": "copy_failure", "times": 2}),
        r"COPY_FAILED: ",
        cheap=True,
        same=False,
    ),
    Case(
        "run id that another run has",
        in_a_landing({"fault": "duplicate_run_id", "after": 4, "times": 2}),
        r"relaunched \d",
        cheap=True,
    ),
    Case("configuration edited on the stack", configuration_edited, r"configuration Config", cheap=True),
    Case(
        "stack updated while runs are in flight",
        in_a_landing({"fault": "update", "version": "0.6.8", "after": 3, "times": 1}),
        r"it changed ",
        cheap=True,
    ),
    Case("disk full while writing", disk_full, r"No space left"),
    Case("client killed (signal 9) at every journal line", kill_at_every_line, NOTHING),
    Case("client killed (signal 9) in the middle of a write", kill_in_writes, NOTHING),
    Case("two landings in one folder", two_landings, r"is landing runs"),
    Case("two workflows in one folder", two_workflows, r"is working in this folder"),
    Case("two clones on one stack", two_clones, r"another folder is launching"),
)


def told(world: World, pattern: str) -> str | None:
    """The line that matches, of what the commands said or of the reasons in the records, with what changes left out."""
    if pattern == NOTHING:
        return NOTHING
    lines = [line for ended in reversed(world.said) for line in reversed(ended.text.splitlines())]
    reasons = [": ".join(filter(None, (r["status"], r["status_reason"]))) for r in world.records]
    unread = [
        f"{document['name']}: {section['reason']}"
        for record in world.records
        for document in record["documents"]
        for section in document["sections"]
        if section["reason"]
    ]
    found = next((line for line in [*reasons, *unread, *lines] if re.search(pattern, line)), None)
    return None if found is None else _steady(found, world)


def _steady(line: str, world: World) -> str:
    line = line.replace(f"{world.root}/", "").replace(world.name, "STACK")
    for old, new in (
        (r"^(landed|local/v[^:]*): |^Refusal: ", ""),
        (r"\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)?", "<time>"),
        (r"bench-[a-z0-9_-]+__[a-z_]+__[0-9a-f]{8}", "bench-<cell>"),
        (r"process \d+", "process <pid>"),
        (r"\d+ minutes", "<n> minutes"),
        (r"machine [^,]+,", "machine <name>,"),
        (r"\b[0-9a-f]{40}\b", "<key>"),
        (r", \$[0-9.]+ projected", ""),
    ):
        line = re.sub(old, new, line)
    return line
