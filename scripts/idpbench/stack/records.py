"""Run records on their way: out of committed results into the vault, out of the vault into one file per cell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from idpbench.files.atomic import write_if_changed
from idpbench.files.canonical import canonical, gzip_lines, read_gzip_lines
from idpbench.files.errors import bad_input
from idpbench.stack.contract import COMPLETED
from idpbench.stack.model import Side
from idpbench.stack.shareable import shareable
from idpbench.stack.vault import Vault, check_record

COMMITTED = "runs.jsonl.gz"


def adopt_committed(side: Side, path: Path, vault: Vault) -> int:
    """Put committed records of this side that the vault lacks into it; how many. No such file is none.

    The whole file is read and checked before the first record is kept; a damaged one is a Refusal.
    """
    wanted = side.keys - vault.keys()
    if not wanted or not path.exists():
        return 0
    found = []
    for record in read_gzip_lines(path):
        check_record(record, path)
        if record["key"] in wanted and stands(record, vault):
            found.append(record)
    for record in found:
        vault.put(record)
    return len(found)


def stands(record: Mapping[str, Any], vault: Vault) -> bool:
    """Whether a committed record may be taken: not where that very run was set aside to be asked for again."""
    return record["launch"]["run_id"] not in vault.runs_set_aside(record["key"])


def committed_files(results: Path, side: Side) -> list[Path]:
    """Published run records that may hold runs of a side: its own first, then others of the version.

    A record is known by its key, so it does not matter which pair or suite published it.
    """
    own = results / side.address / COMMITTED
    version = f"v{side.version}"
    below = results / side.backend
    others = [*below.glob(f"{version}/*/{COMMITTED}"), *below.glob(f"releases/other/*/{version}/*/{COMMITTED}")]
    return [path for path in (own, *sorted(set(others) - {own})) if path.exists()]


def write_cells(side: Side, vault: Vault, folder: Path) -> dict[str, dict[str, Any]]:
    """Write `<folder>/<cell>.jsonl` (records sorted by key) where its bytes differ; what landed.json says of each cell.

    The records are written as they may be shared, and all that is scored and published is made of these files.
    Files of cells that the side no longer has are removed. `runs` is the number planned, `keys` those with a record.
    """
    held = vault.keys()
    planned: dict[str, list[str]] = {}
    for run in side.runs:
        planned.setdefault(run.cell, []).append(run.key)
    cells: dict[str, dict[str, Any]] = {}
    for cell, keys in planned.items():
        here = sorted(key for key in keys if key in held)
        path = folder / f"{cell}.jsonl"
        lines: list[bytes] = []
        records: list[dict[str, Any]] = []
        for key in here:
            record = shareable(_checked(vault.read(key), vault.path(key)))
            lines.append(canonical(record) + b"\n")
            records.append({name: record[name] for name in ("status", "launch", "completion")})
        write_if_changed(path, b"".join(lines))
        cells[cell] = {
            "records": path.as_posix(),
            "keys": here,
            "runs": len(keys),
            "completed": sum(record["status"] == COMPLETED for record in records),
            "window": window(records),
        }
    for path in folder.glob("*.jsonl"):
        if path.stem not in cells:
            path.unlink()
    return cells


def _checked(line: bytes, source: Path) -> dict[str, Any]:
    """A stored record."""
    try:
        record: dict[str, Any] = json.loads(line)
    except ValueError:
        raise bad_input(
            source, "", "damaged JSON", "a run record", "restore it, or delete it to run it again"
        ) from None
    check_record(record, source)
    return record


def window(records: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """When these runs were launched and ended, and what the stack said of itself: the proof of their order."""
    launched: list[str] = []
    completed: list[str] = []
    seen: Counter[str] = Counter()
    for record in records:
        launched.append(record["launch"]["at"])
        completed.append(record["completion"]["at"])
        mark = record["launch"]["fingerprint"] or {}
        seen[canonical({name: mark.get(name) for name in ("version", "status", "updated")}).decode()] += 1
    return {
        "first_launch": min(launched, default=None),
        "last_launch": max(launched, default=None),
        "last_completion": max(completed, default=None),
        "fingerprints": dict(sorted(seen.items())),
    }


def joined(records: Iterable[Mapping[str, Any]]) -> bytes:
    """runs.jsonl.gz: all records, sorted by key; the same records are the same bytes."""
    return gzip_lines(sorted(records, key=lambda record: str(record["key"])))
