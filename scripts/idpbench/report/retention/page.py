"""results/RETENTION.md: the rules, the sets that the releases keep, and how to have a dropped one back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json
from idpbench.files.tables import MISSING, markdown
from idpbench.report.ownership import OWNING_SUITE, version_key
from idpbench.report.templating import fill

NAME = "RETENTION.md"
HEADERS = ("backend", "release", "set", "scored / planned runs", "release page")


def render(results: Path, backends: tuple[str, ...]) -> str:
    """The page, from what lies in `results`; it lists the one set that each release keeps, and no other."""
    lines = [line for backend in backends for line in _lines(results, backend)]
    return fill("retention", grid=OWNING_SUITE, lines=lines, headers=HEADERS, md=markdown) + "\n"


def _lines(results: Path, backend: str) -> list[list[str]]:
    found = (results / backend).glob(f"v*/{OWNING_SUITE}/meta.json")
    newest_first = sorted(found, key=lambda path: version_key(path.parts[-3]), reverse=True)
    return [_line(results, backend, path) for path in newest_first]


def _line(results: Path, backend: str, path: Path) -> list[str]:
    release = path.parts[-3]
    meta: dict[str, Any] = read_json(path)
    counts = [meta.get(name) for name in ("scored", "planned")]
    known = all(isinstance(count, int) for count in counts)
    partial = " PARTIAL" if meta.get("partial") or (known and counts[0] != counts[1]) else ""
    page = f"{backend}/releases/{release}.md"
    return [
        backend,
        release.removeprefix("v"),
        f"[{release}/{OWNING_SUITE}]({backend}/{release}/{OWNING_SUITE}/summary.json)",
        (f"{counts[0]} / {counts[1]}" if known else MISSING) + partial,
        f"[{release}]({page})" if (results / page).exists() else "none of its own",
    ]
