"""Earlier runs, from the committed summaries, for projections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json
from idpbench.files.errors import bad_input
from idpbench.matrix.estimate import Observation
from idpbench.settings.versions import is_version, version_order


def read_priors(results: Path, backend: str, version: str | None = None) -> list[Observation]:
    """Finished documents of `<results>/<backend>/v*/*/summary.json`.

    Where several releases ran a cell on a document, the newest counts (with `version`, the newest up to that one): an
    old release's price is not this one's. Failed runs are left out. No folder, no observations; a summary that cannot
    be read is a Refusal.
    """
    found: dict[tuple[str, str], list[Observation]] = {}
    for release in _newest_first(results / backend):
        if version is not None and version_order(release.name.removeprefix("v")) > version_order(version):
            continue
        here: dict[tuple[str, str], list[Observation]] = {}
        for path in sorted(release.glob("*/summary.json")):
            for seen in observations(read_json(path), path):
                here.setdefault((seen.cell, seen.document), []).append(seen)
        for key, seen_here in here.items():
            found.setdefault(key, seen_here)
    return [seen for group in found.values() for seen in group]


def observations(summary: Any, source: object) -> list[Observation]:
    """Finished documents of one summary (ours or the accelerator's)."""
    rows = summary.get("rows") if isinstance(summary, dict) else None
    if not isinstance(rows, list):
        raise bad_input(source, "rows", "no list", "a list of result rows", "restore the file, or remove it")
    return [_observation(row) for row in rows if isinstance(row, dict) and row.get("success") and row.get("cell")]


def _observation(row: dict[str, Any]) -> Observation:
    pages = row.get("page_count")
    return Observation(
        cell=str(row["cell"]),
        document=str(row.get("doc", "")).removesuffix(".pdf"),
        pages=round(pages) if isinstance(pages, int | float) else None,
        cost=_number(row.get("cost")),
        seconds=_number(row.get("wall_s")),
        resolved={str(axis): str(value) for axis, value in (row.get("resolved") or {}).items()},
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _newest_first(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    releases = [path for path in folder.iterdir() if is_version(path.name.removeprefix("v"))]
    return sorted(releases, key=lambda path: version_order(path.name.removeprefix("v")), reverse=True)
