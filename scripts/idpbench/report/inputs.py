"""What a page is made from: two side folders and comparison.json, read once and reduced to what is printed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from idpbench.files.canonical import canonical, file_digest, read_gzip_lines, read_json
from idpbench.files.errors import bad_input

COMPLETED = "COMPLETED"
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Run:
    """The provenance of one run record; `line` is its line in runs.jsonl.gz (the first is 1), times are ISO texts."""

    line: int
    key: str
    cell: str
    document: str
    doc_class: str
    repeat: int
    status: str
    reason: str | None
    config_digest: str
    document_digest: str | None
    launched: str | None
    completed: str | None
    at_launch: Mapping[str, Any]
    at_completion: Mapping[str, Any]
    stack: Mapping[str, Any]
    identity: Mapping[str, Any]

    @property
    def error_class(self) -> str:
        """The class named at the start of the reason (`ValidationException`), else the status itself."""
        match = re.match(r"\s*([A-Za-z][A-Za-z0-9_.]*(?:Exception|Error|Fault|Timeout))\b", self.reason or "")
        return match[1] if match else self.status


@dataclass(frozen=True)
class Side:
    """One side of the comparison as its folder holds it; `unpacked` is the digest of its run records as lines."""

    folder: Path
    meta: Mapping[str, Any]
    rows: tuple[dict[str, Any], ...]
    cell_stats: Mapping[str, Any]
    runs: tuple[Run, ...]
    summary_sha256: str
    unpacked: str

    @property
    def version(self) -> str:
        """The release as configured, without a leading v."""
        return str(self.meta.get("version") or self.meta.get("stack_version") or NOT_RECORDED).removeprefix("v")

    @property
    def backend(self) -> str:
        """`local` or `aws`."""
        return str(self.meta.get("backend", "aws"))

    @property
    def planned(self) -> int | None:
        """Planned runs, None where the summary does not say."""
        value = self.meta.get("planned")
        return value if isinstance(value, int) else None

    @property
    def partial(self) -> bool:
        """True where fewer runs finished or were scored than were planned, or the summary says so itself."""
        if self.meta.get("partial"):
            return True
        counts = [self.meta[name] for name in ("planned", "launched", "finished", "scored") if name in self.meta]
        return len(set(counts)) > 1

    def successes(self) -> Iterator[dict[str, Any]]:
        """The rows that completed: the only ones that quality and cost means are made of."""
        return (row for row in self.rows if row.get("success"))


@dataclass(frozen=True)
class Inputs:
    """Everything a page or a figure is made from."""

    new: Side
    base: Side
    comparison: Mapping[str, Any]
    comparison_sha256: str
    certificate: Mapping[str, Any] | None = None

    @property
    def sides(self) -> tuple[Side, Side]:
        """PREV first, VERSION second: the order of every table."""
        return self.base, self.new


def load(new: Path, base: Path, comparison: Path, certificate: Path | None = None, *, with_runs: bool = True) -> Inputs:
    """Read both sides, the verdict and its A/A certificate; a missing or damaged file is a Refusal.

    Figures are drawn from rows alone: `with_runs=False` leaves the run records, most of the reading, unread.
    """
    return Inputs(
        new=load_side(new, with_runs=with_runs),
        base=load_side(base, with_runs=with_runs),
        comparison=read_json(comparison, "comparison"),
        comparison_sha256=file_digest(comparison),
        certificate=read_json(certificate, "certificate") if certificate else None,
    )


def load_side(folder: Path, *, with_runs: bool = True) -> Side:
    """Read one side folder: summary.json, meta.json and, if asked for, the run records."""
    summary = read_json(folder / "summary.json")
    for name in ("rows", "cell_stats"):
        if not isinstance(summary, dict) or name not in summary:
            remedy = "run the step that summarizes this side"
            raise bad_input(folder / "summary.json", name, "none", "a summary with rows and cell_stats", remedy)
    meta = {**summary.get("meta", {}), **read_json(folder / "meta.json")}
    runs, unpacked = _runs(folder / "runs.jsonl.gz") if with_runs else ((), "")
    return Side(
        folder=folder,
        meta=meta,
        rows=tuple(summary["rows"]),
        cell_stats=summary["cell_stats"],
        runs=runs,
        summary_sha256=file_digest(folder / "summary.json"),
        unpacked=unpacked,
    )


def records(side: Side, keys: set[str]) -> Iterator[dict[str, Any]]:
    """The full run records of some keys, read again from the side's folder."""
    return (record for record in read_gzip_lines(side.folder / "runs.jsonl.gz") if record["key"] in keys)


def moment(text: str) -> datetime:
    """An ISO time; one without a zone is UTC."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def utc(text: str | None) -> str:
    """`2026-11-30 15:04:05`, or `not recorded`."""
    return moment(text).strftime("%Y-%m-%d %H:%M:%S") if text else NOT_RECORDED


def document_of(row: Mapping[str, Any]) -> str:
    """A row's document without `.pdf`, with its part of a labelled set where it has one."""
    name = str(row["doc"]).removesuffix(".pdf")
    return f"{name}|{row['sub_doc']}" if row.get("sub_doc") else name


def _runs(path: Path) -> tuple[tuple[Run, ...], str]:
    found: list[Run] = []
    hasher = hashlib.sha256()
    for line, record in enumerate(read_gzip_lines(path), start=1):
        hasher.update(canonical(record) + b"\n")
        launch, completion = record.get("launch") or {}, record.get("completion") or {}
        identity = record.get("identity") or {}
        found.append(
            Run(
                line=line,
                key=record["key"],
                cell=record["cell"],
                document=str(record["document"]).removesuffix(".pdf"),
                doc_class=str(record.get("class", "")),
                repeat=int(record["repeat"]),
                status=record["status"],
                reason=record.get("status_reason"),
                config_digest=str(record.get("config_digest", "")),
                document_digest=identity.get("document_digest"),
                launched=launch.get("at"),
                completed=completion.get("at"),
                at_launch=launch.get("fingerprint") or {},
                at_completion=completion.get("fingerprint") or {},
                stack=record.get("stack") or {},
                identity=identity,
            )
        )
    return tuple(found), hasher.hexdigest()
