"""The published sides of a backend, and how a page states what it rests on: release, runs, failures, days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json
from idpbench.files.errors import bad_input
from idpbench.report.inputs import NOT_RECORDED, Side
from idpbench.report.ownership import OWNING_SERIES, version_key
from idpbench.report.spelling import counted, listed

Row = Mapping[str, Any]
NEVER_RAN = frozenset({"NOT_LAUNCHED", "NOT_COPIED", "COPY_FAILED"})


@dataclass(frozen=True)
class Shelved:
    """A side as it lies in results/<backend>/; `address` is its folder there, `v0.6.9/scaling`.

    `classification`: the pooled pages, where the side is one of the classification benchmark.
    """

    address: str
    side: Side
    classification: Mapping[str, Any] | None = None

    @property
    def version(self) -> str:
        """The release, without a leading v."""
        return self.side.version

    @property
    def suite(self) -> str:
        """The suite that was run."""
        return str(self.side.meta.get("suite") or "")

    @property
    def slug(self) -> str:
        """Name of the overrides, empty without any."""
        return str(self.side.meta.get("slug") or "")

    @property
    def plain(self) -> bool:
        """True without overrides and in the first series: what a section compares across releases."""
        return not self.slug and str(self.side.meta.get("series") or OWNING_SERIES) == OWNING_SERIES

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """Rows of its summary."""
        return self.side.rows

    @property
    def controls(self) -> list[Row]:
        """The suite's controls as the summary judged them; none where it has none, or is older than controls."""
        return list(self.side.meta.get("controls") or [])

    @property
    def broken(self) -> list[str]:
        """What is said of the controls that do not hold: such a suite does not measure what it is for."""
        return [str(control["text"]) for control in self.controls if control["holds"] is False]

    def summary(self, rows: Iterable[Row] | None = None) -> dict[str, Any]:
        """The content of its summary.json, or the part of it that `rows` are: what the gate reads."""
        kept = self.rows if rows is None else rows
        return {"schema": "idpbench/summary/1", "meta": dict(self.side.meta), "rows": list(kept), "cell_stats": {}}


@dataclass(frozen=True)
class Evidence:
    """What stands behind a number: runs that were launched, those that did not complete, where, and when."""

    runs: int
    failed: int
    addresses: tuple[str, ...]
    versions: tuple[str, ...]
    first: str | None
    last: str | None
    partial: bool = False

    @property
    def days(self) -> str:
        """`2026-11-30`, `2026-11-29 to 2026-11-30`, or `not recorded`."""
        if not self.first or not self.last:
            return NOT_RECORDED
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    def line(self) -> str:
        """`0.6.9, scaling: 14 runs, 1 failed, 2026-11-30`."""
        suites = listed([address.partition("/")[2] for address in self.addresses])
        partial = ", PARTIAL" if self.partial else ""
        runs = counted(self.runs, "run")
        return f"{listed(self.versions)}, {suites}: {runs}, {self.failed} failed, {self.days}{partial}"


def shelf(results: Path) -> list[Shelved]:
    """Every side below `results` (results/<backend>), oldest release first; run records are not read."""
    found = [_shelved(results, path.parent) for path in sorted(results.glob("v*/**/summary.json"))]
    return sorted(found, key=lambda item: (version_key(item.version), item.address))


def newest(sides: Iterable[Shelved]) -> str | None:
    """The newest release of which anything was published."""
    versions = sorted({item.version for item in sides}, key=version_key)
    return versions[-1] if versions else None


def pick(sides: Iterable[Shelved], suites: Sequence[str], version: str | None = None) -> Shelved | None:
    """The plain side of the newest release (or of `version`) that ran one of `suites`, the first of them preferred."""
    found = [item for item in sides if item.plain and item.suite in suites and version in (None, item.version)]
    return max(found, key=lambda item: (version_key(item.version), -suites.index(item.suite)), default=None)


def each_release(sides: Iterable[Shelved], suite: str) -> list[Shelved]:
    """The plain sides of a suite, newest release first."""
    found = [item for item in sides if item.plain and item.suite == suite]
    return sorted(found, key=lambda item: version_key(item.version), reverse=True)


def evidence(parts: Iterable[tuple[Shelved, Iterable[Row]]]) -> Evidence:
    """Evidence of rows and the sides they come from; a run of a labelled set counts once, whatever it held."""
    runs = failed = 0
    addresses: dict[str, None] = {}
    versions: set[str] = set()
    days: set[str] = set()
    partial = False
    for item, rows in parts:
        every = by_run(rows)
        if not every:
            continue
        runs += len(every)
        failed += sum(not all(row.get("success") for row in run) for run in every)
        addresses.setdefault(item.address)
        versions.add(item.version)
        partial = partial or item.side.partial
        stated = str(item.side.meta.get("date") or "")
        days |= {day for run in every if (day := str(run[0].get("launched_at") or stated)[:10])}
    first, last = (min(days), max(days)) if days else (None, None)
    ordered = tuple(sorted(versions, key=version_key))
    return Evidence(runs, failed, tuple(addresses), ordered, first, last, partial)


def evidence_of(item: Shelved, keep: Callable[[Row], bool] = lambda row: True) -> Evidence:
    """Evidence of the rows of one side that `keep` keeps."""
    return evidence([(item, [row for row in item.rows if keep(row)])])


def source(item: Shelved, release: str) -> str:
    """What a section of the page on `release` rests on, and whether that is older than the page."""
    older = "" if item.version == release else f" **Older than {release}**: not measured on it."
    return f"Evidence: {evidence_of(item).line()}. Source: `{item.address}/summary.json`.{older}"


def by_run(rows: Iterable[Row]) -> list[list[Row]]:
    """Rows grouped by the run they belong to; runs that never began are left out."""
    runs: dict[tuple[str, str, int], list[Row]] = defaultdict(list)
    for row in rows:
        if row.get("status") not in NEVER_RAN:
            runs[str(row["cell"]), str(row["doc"]), int(row.get("repeat") or 0)].append(row)
    return list(runs.values())


def _shelved(results: Path, folder: Path) -> Shelved:
    path = folder / "summary.json"
    summary = read_json(path)
    if not isinstance(summary, dict) or not {"rows", "cell_stats"} <= set(summary):
        raise bad_input(path, "rows", "none", "a summary with rows and cell_stats", "restore it from git")
    meta_path = folder / "meta.json"
    meta = {**(summary.get("meta") or {}), **(read_json(meta_path) if meta_path.exists() else {})}
    address = folder.relative_to(results).as_posix()
    meta.setdefault("version", address.split("/")[0].removeprefix("v"))
    side = Side(folder, meta, tuple(summary["rows"]), summary["cell_stats"], runs=(), summary_sha256="", unpacked="")
    return Shelved(address, side, summary.get("classification"))
