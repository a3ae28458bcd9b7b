"""Run records of a grid that the original harness launched, from its runmap.json and the stack it ran on.

A runmap lists `runs`: {cell, resolved, doc, repeat, run_id or null, doc_name, truth, reference?, testset?, n_docs?},
and `resources`: {output_bucket, tracking_table, ...}. Nothing is launched, nothing on the stack is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from idpbench.files.canonical import read_json
from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.matrix.runkey import run_key
from idpbench.stack import contract, lookup
from idpbench.stack.client import Caller, why
from idpbench.stack.collect import document
from idpbench.stack.journal import utc_now
from idpbench.stack.shareable import shareable
from idpbench.stack.vault import SCHEMA

WORKERS = 8
# What a runmap says beside its runs, by its name in a plan
_SAID = {
    **{name: name for name in ("suite", "class", "overrides", "docs_unlaunchable", "config_upload_failed_versions")},
    "cells_skipped_config_upload": "cells_skipped_config_upload",
    "other_class": "docs_other_class",
}


@dataclass(frozen=True)
class Runmap:
    """A checked runmap: its runs as they stand there, where their results lie, and everything else as `meta`."""

    path: Path
    runs: tuple[Mapping[str, Any], ...]
    tracking_table: str
    output_bucket: str
    meta: Mapping[str, Any]


def read_runmap(path: Path) -> Runmap:
    """Read and check a runmap; whatever is missing or of another type is a Refusal that names it."""
    raw = read_json(path)
    if not isinstance(raw, dict):
        raise bad_input(path, "", type(raw).__name__, "a runmap (an object)", "pass the runmap.json of a run folder")
    resources = _typed(raw, "resources", dict, path)
    runs = _typed(raw, "runs", list, path)
    for number, run in enumerate(runs):
        where = f"runs[{number}]"
        if not isinstance(run, dict):
            raise bad_input(path, where, type(run).__name__, "an object", "restore the runmap")
        for key, kind in (("cell", str), ("doc", str), ("repeat", int), ("resolved", dict)):
            _typed(run, key, kind, path, where)
        run_id = run.get("run_id")
        if run_id is not None and not (isinstance(run_id, str) and contract.RUN_ID_PATTERN.fullmatch(run_id)):
            raise bad_input(path, f"{where}.run_id", repr(run_id), "a run id or null", "restore the runmap")
    names = {key: _typed(resources, key, str, path, "resources") for key in ("tracking_table", "output_bucket")}
    meta = {key: value for key, value in raw.items() if key not in ("runs", "resources")}
    return Runmap(path, tuple(runs), names["tracking_table"], names["output_bucket"], meta)


def collect_runs(client: Caller, runmap: Runmap) -> list[dict[str, Any]]:
    """A record for each run of the map that was launched, in the map's order; reads only."""
    launched = [run for run in runmap.runs if run.get("run_id") is not None]
    try:
        rows = {
            row["TestRunId"]: row
            for row in lookup.batch_get(
                client, runmap.tracking_table, [contract.test_run_key(run["run_id"]) for run in launched]
            )
            if row.get("TestRunId")
        }
        with ThreadPoolExecutor(max_workers=WORKERS) as pool:
            return list(
                pool.map(lambda run: shareable(_record(client, runmap, run, rows.get(run["run_id"]))), launched)
            )
    except (ClientError, BotoCoreError) as error:
        raise Refusal(f"{runmap.path}: the stack cannot be asked: {why(error)}", INCOMPLETE) from error


def adopted_key(runmap: Runmap, run: Mapping[str, Any]) -> str:
    """Key of a run of the map: launched elsewhere, so what decides it is not known; it names the run, no more."""
    return run_key(_identity(runmap, run))


def plan_of(runmap: Runmap) -> dict[str, Any]:
    """The map as a plan: what was meant to run, launched or not, for the summary's coverage."""
    return {
        "about": {name: runmap.meta.get(key) for name, key in _SAID.items()},
        "backend": "aws",
        "version": runmap.meta.get("stack_version"),
        "runs": [
            {
                "key": adopted_key(runmap, run),
                "cell": run["cell"],
                "document": run["doc"],
                "doc_class": run.get("class") or runmap.meta.get("class"),
                "repeat": run["repeat"],
                "config_digest": None,
                "reference": bool(run.get("reference")),
                "n_docs": run.get("n_docs"),
                "resolved": run["resolved"],
            }
            for run in runmap.runs
        ],
    }


def _identity(runmap: Runmap, run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "adopted": True,
        "stack": runmap.meta.get("stack"),
        "cell": run["cell"],
        "document": run["doc"],
        "repeat": run["repeat"],
        "run_id": run.get("run_id"),
        "document_digest": run.get("document_digest"),
    }


def _record(client: Caller, runmap: Runmap, run: Mapping[str, Any], row: Mapping[str, Any] | None) -> dict[str, Any]:
    """The record of one run: of its one document by name, or of every document that the run has a trace of."""
    reference = bool(run.get("reference"))
    places = (runmap.tracking_table, runmap.output_bucket)
    run_id = str(run["run_id"])
    copied = row is not None and row.get("Status") == contract.FAILED
    if reference:
        names = _documents_of(client, runmap.output_bucket, run_id, row)
        documents = [document(client, places, run_id, name, name) for name in names]
    else:
        documents = [document(client, places, run_id, str(run.get("doc_name") or f"{run['doc']}.pdf"))]
        if copied and documents[0]["tracking"]["state"] == "absent":
            documents = []
    statuses = [_status(entry) for entry in documents]
    reasons = [entry["tracking"]["row"].get("Error") for entry in documents if entry["tracking"]["row"]]
    return {
        "schema": SCHEMA,
        "key": adopted_key(runmap, run),
        "identity": _identity(runmap, run),
        "backend": "aws",
        "cell": run["cell"],
        "document": run["doc"],
        "class": run.get("class") or runmap.meta.get("class"),
        "repeat": run["repeat"],
        "reference": reference,
        "n_docs": run.get("n_docs") if reference else None,
        "config_name": row.get("ConfigVersion") if row else None,
        "config_digest": None,
        "resolved": dict(run["resolved"]),
        "status": contract.worst(statuses),
        "status_reason": "; ".join(str(reason) for reason in reasons if reason) or (row or {}).get("Error"),
        "stack": {
            "name": runmap.meta.get("stack"),
            "region": client.region,
            "account": None,
            "template_digest": None,
        },
        "launch": {
            "at": (row or {}).get("CreatedAt"),
            "run_id": run_id,
            "testset": (row or {}).get("TestSetId") or run.get("testset"),
            "context": (row or {}).get("Context"),
            "collisions": [],
            "fingerprint": None,
            "note": "launched by the original harness; the stack's version at launch is not recorded",
        },
        "completion": {"at": utc_now(), "fingerprint": None, "note": "collected when it was adopted"},
        "documents": documents,
    }


def _documents_of(client: Caller, bucket: str, run_id: str, row: Mapping[str, Any] | None) -> list[str]:
    """Names of a run's documents: folders in the output bucket, and those that the run's row says were copied."""
    names: set[str] = set()
    files = (row or {}).get("Files")
    if isinstance(files, list):
        names.update(name for name in files if isinstance(name, str))
    token: dict[str, Any] = {}
    while True:
        answer = client.call("s3", "list_objects_v2", Bucket=bucket, Prefix=f"{run_id}/", Delimiter="/", **token)
        for entry in answer.get("CommonPrefixes", ()):
            names.add(entry["Prefix"].removeprefix(f"{run_id}/").rstrip("/"))
        if not answer.get("NextContinuationToken"):
            return sorted(names)
        token = {"ContinuationToken": answer["NextContinuationToken"]}


def _status(entry: Mapping[str, Any]) -> str:
    """A document's status; `?` where it has no row, which is worse than any the stack gives."""
    row = entry["tracking"]["row"]
    return str(row.get("ObjectStatus") or "?") if isinstance(row, dict) else "?"


def _typed(value: Mapping[str, Any], key: str, kind: type, path: Path, where: str = "") -> Any:
    found = value.get(key)
    if not isinstance(found, kind) or isinstance(found, bool):
        place = f"{where}.{key}" if where else key
        shown = "nothing" if key not in value else repr(found)[:60]
        raise bad_input(
            path, place, shown, f"a value of type {kind.__name__}", "pass the runmap of the original harness"
        )
    return found
