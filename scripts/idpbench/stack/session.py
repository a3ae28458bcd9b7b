"""One side from plan to records: everything the checkpoint `landed` does, given a way to reach a stack."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json
from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.matrix.configs import models_used
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack.deployment import Deployment
from idpbench.stack.engine_identity import engine_digest, profile_values
from idpbench.stack.ensure import Patience, landing_lock
from idpbench.stack.journal import Journal
from idpbench.stack.launcher import Options, Tally
from idpbench.stack.model import Side, SideRun
from idpbench.stack.progress import Progress
from idpbench.stack.records import adopt_committed, committed_files, write_cells
from idpbench.stack.reuse import refuse_silent_reuse
from idpbench.stack.vault import Vault

SCHEMA = "idpbench/landed/1"


@dataclass(frozen=True)
class Connection:
    """How to reach a stack. `endpoint`: address of the local stack, started if need be; None for AWS.

    `deployment(version)`: how that release gets onto it; None where the stack is not ours to change.
    """

    endpoint: Callable[[], str] | None = None
    profile: str | None = None
    deployment: Callable[[str], Deployment | None] = lambda version: None


@dataclass(frozen=True)
class Task:
    """What one landing is asked: its limits, and checks to pass before the first paid call.

    `pair`: name of the comparison; `base`: this is its earlier side; `check(missing)`: budget, raised as a Refusal;
    `disposable`: the stack is to be deleted in the end, so that it must be one of ours; `teardown`: this side is the
    last, delete it (aws) once every run of the side has landed.
    """

    options: Options = field(default_factory=Options)
    patience: Patience = field(default_factory=Patience)
    pair: str = ""
    base: bool = False
    reuse: bool = False
    teardown: bool = False
    disposable: bool = False
    check: Callable[[list[SideRun]], None] = lambda missing: None
    cost: Callable[[dict[str, Any]], float | None] | None = None


def defaults(backend: str, max_inflight: int) -> tuple[Options, Patience]:
    """Limits that suit a backend: the local stack answers at once and finishes in seconds."""
    if backend == "local":
        # generous: a queue before two busy workers is no hang, and a run that timed out is kept as its result
        options = Options(max_inflight, deadline=7200.0, interval=1.0, settle=2.0, workers=2)
        return options, Patience(change=120.0, drain=900.0, interval=0.2, foreign=5.0)
    return Options(max_inflight, deadline=7200.0, failure_budget=9), Patience()


def land_side(side: Side, root: Path, records: Path, connection: Connection, task: Task) -> dict[str, Any]:
    """Land what is missing of `side` and write its records; landed.json's content.

    The stack is reached, and started, only when a run is missing in the vault and in the committed results.
    """
    work = root / "work"
    vault = Vault(work / "vault" / side.backend)
    progress = Progress(side.address, task.cost)
    tally = Tally(on_record=progress.on_record)
    with landing_lock(work / "locks" / f"{side.backend}.lock", task.patience.other, progress.say):
        for path in committed_files(root / "results", side):
            if adopted := adopt_committed(side, path, vault):
                progress.say(f"{adopted} runs taken from {path}: not launched again")
        journal = Journal(work / "journal" / f"{side.backend}.jsonl")
        held = vault.keys()
        if task.base and not task.reuse:
            refuse_silent_reuse(side, held, journal, task.pair, _meta(root / "results" / side.address))
        missing = [run for run in side.runs if run.key not in held]
        if missing:
            _launch(side, root, missing, connection, task, vault, journal, progress, tally)
        result = landed(side, vault, records, tally)
        if task.teardown and side.backend == "aws" and side.keys <= vault.keys():
            _tear_down(side, connection, task, journal, progress)
        return result


def _tear_down(side: Side, connection: Connection, task: Task, journal: Journal, progress: Progress) -> None:
    from idpbench.stack.client import Client
    from idpbench.stack.ensure import tear_down
    from idpbench.stack.prepare import in_flight

    client = Client(side.where.region, profile=connection.profile, endpoint=connection.endpoint)
    tear_down(client, side.stack, lambda: in_flight(client, side.stack, journal), task.patience, progress.say)


def _launch(
    side: Side,
    root: Path,
    missing: list[SideRun],
    connection: Connection,
    task: Task,
    vault: Vault,
    journal: Journal,
    progress: Progress,
    tally: Tally,
) -> None:
    from idpbench.stack.client import Client  # boto3 and pdfium only where something is launched
    from idpbench.stack.discover import Resources
    from idpbench.stack.ensure import refuse_foreign
    from idpbench.stack.land import land
    from idpbench.stack.prepare import Material, prepare
    from idpbench.stack.reference import load_sets, open_all
    from idpbench.stack.schemas import check_schema

    settings = load(root)
    refuse_stale_engine(side, settings)
    under_way = journal.in_flight()
    task.check([run for run in missing if run.key not in under_way])
    sets = load_sets(root / side.reference, settings) if side.reference is not None else {}
    used = {run.document for run in missing if run.reference}
    open_all(one for name, one in sets.items() if name in used)
    client = Client(side.where.region, profile=connection.profile, endpoint=connection.endpoint)
    if task.disposable:
        refuse_foreign(client, side.stack)
    material = Material(root, sets)
    paths = {path for axis in settings.axes.values() for path in axis.paths()}

    def check(resources: Resources) -> None:
        if side.backend == "aws":
            check_schema(client, resources.config_table, root, side.version, paths)

    target = prepare(
        side, missing, client, vault, journal, material, connection.deployment, task.patience, progress.say, check
    )
    land(
        side,
        target,
        vault,
        journal,
        replace(task.options, commit=commit_of(root)),
        files=material.files,
        evaluates=material.evaluates,
        progress=progress,
        tally=tally,
    )
    progress.say(progress.line(tally))


def commit_of(root: Path) -> str | None:
    """The commit that is checked out at `root`, with `-dirty` after it where files differ from it; None without git.

    What was measured before says nothing about the code: results/, which a command publishes into, does not count.
    """
    commit = _git(root, "rev-parse", "HEAD")
    if not commit:
        return None
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)results")
    return f"{commit}-dirty" if changed else commit


def _git(root: Path, *words: str) -> str | None:
    """What git says, or None where there is none, or no repository."""
    try:
        result = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def refuse_stale_engine(side: Side, settings: Settings) -> None:
    """Refuse to launch a local plan whose keys name another engine than the one that would run: it was edited since."""
    if side.backend != "local":
        return
    profile = profile_values(settings.config, side.version)
    planned = {run.config_name: run.identity["engine"] for run in side.runs}
    for name, engine in planned.items():
        if engine_digest(profile, models_used(settings, side.configurations[name])) != engine:
            raise Refusal(
                f"{side.address}: the plan was made for another build of the local engine (configuration {name});"
                " nothing was launched; run the same command again, which plans anew",
                INCOMPLETE,
            )


def landed(side: Side, vault: Vault, records: Path, tally: Tally) -> dict[str, Any]:
    """landed.json: the records of each cell, and when all of it was launched and ended."""
    cells = write_cells(side, vault, records)
    windows = [cell.pop("window") for cell in cells.values()]
    return {
        "schema": SCHEMA,
        "address": side.address,
        "cells": cells,
        "window": _together(windows),
        "stopped": {
            cell: f"{count} runs not launched: its first runs all failed"
            for cell, count in sorted(tally.stopped.items())
        },
    }


def _together(windows: list[Mapping[str, Any]]) -> dict[str, Any]:
    fingerprints: dict[str, int] = {}
    for one in windows:
        for mark, count in one["fingerprints"].items():
            fingerprints[mark] = fingerprints.get(mark, 0) + count
    return {
        "first_launch": min((one["first_launch"] for one in windows if one["first_launch"]), default=None),
        "last_launch": max((one["last_launch"] for one in windows if one["last_launch"]), default=None),
        "last_completion": max((one["last_completion"] for one in windows if one["last_completion"]), default=None),
        "fingerprints": dict(sorted(fingerprints.items())),
    }


def _meta(committed: Path) -> dict[str, Any]:
    path = committed / "meta.json"
    return dict(read_json(path)) if path.exists() else {}


def record_cost(record: Mapping[str, Any], price: Callable[[Mapping[str, Any], Any], float | None]) -> float | None:
    """Dollars of a run by `price(metering, requests)`; None where any of its documents has no price."""
    total = 0.0
    for document in record["documents"]:
        if document["metering"]["state"] != "present":
            return None
        requests = [
            request
            for section in document["sections"]
            if section["state"] == "present"
            for request in (section["value"].get("metadata") or {}).get("requests") or ()
        ]
        dollars = price(document["metering"]["value"], requests or None)
        if dollars is None:
            return None
        total += dollars
    return total if record["documents"] else None
