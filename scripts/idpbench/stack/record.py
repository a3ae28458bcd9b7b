"""The run record: everything one run produced, as it was read. Written once, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.stack import contract
from idpbench.stack.model import SideRun
from idpbench.stack.poll import Flight
from idpbench.stack.vault import SCHEMA


@dataclass(frozen=True)
class Launch:
    """How a run came about: `note` says what is not known first hand (a run adopted after a crash)."""

    at: str
    run_id: str
    collisions: tuple[str, ...]
    fingerprint: Mapping[str, Any] | None
    note: str | None = None
    commit: str | None = None


def build(
    run: SideRun,
    backend: str,
    flight: Flight,
    launch: Launch,
    stack: Mapping[str, Any],
    completion: Mapping[str, Any],
    documents: list[dict[str, Any]],
) -> dict[str, Any]:
    """The record of a run that has come to its end. `completion`: `{at, fingerprint, note?}`.

    A run that failed because a service was asked too often has the status INFRA: it is no finding about the release.
    """
    told = reason(flight, documents)
    infra = flight.status == contract.FAILED and contract.throttled(told)
    return {
        "schema": SCHEMA,
        "key": run.key,
        "identity": dict(run.identity),
        "backend": backend,
        "cell": run.cell,
        "document": run.document,
        "class": run.doc_class,
        "repeat": run.repeat,
        "reference": run.reference,
        "n_docs": run.n_docs if run.reference else None,
        "config_name": run.config_name,
        "config_digest": run.config_digest,
        "resolved": dict(run.resolved),
        "status": contract.INFRA if infra else flight.status,
        "status_reason": told,
        "stack": dict(stack),
        "launch": {
            "at": launch.at,
            "run_id": launch.run_id,
            "testset": run.testset,
            "context": contract.context_of(run.key, run.repeat),
            "collisions": list(launch.collisions),
            "fingerprint": dict(launch.fingerprint) if launch.fingerprint is not None else None,
            "note": launch.note,
            "commit": launch.commit,
        },
        "completion": dict(completion),
        "documents": documents,
    }


def reason(flight: Flight, documents: list[dict[str, Any]]) -> str | None:
    """Why the run ended as it did: ours, and the errors that the stack wrote into the documents' rows."""
    told = [flight.reason] if flight.reason else []
    for entry in documents:
        row = entry["tracking"]["row"]
        if isinstance(row, dict) and row.get("ObjectStatus") != contract.COMPLETED and row.get("Error"):
            told.append(str(row["Error"]))
    return "; ".join(dict.fromkeys(told)) or None
