"""Repeats that a settling bought: config/settled/<backend>/<version>-<prev>/<grid>.yaml, kept for that A/B."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.files.errors import bad_input
from idpbench.settings.yamlfile import load_yaml


def settled_path(config: Path, backend: str, version: str, prev: str, grid: str) -> Path:
    """Where the settled repeats of one A/B lie; `grid` is `<suite>[__<slug>][~<series>]`."""
    return config / "settled" / backend / f"{version}-{prev}" / f"{grid}.yaml"


def load_settled(path: Path) -> dict[tuple[str, str], int]:
    """(cell, document) -> repeats a side; nothing where nobody has settled this A/B. A malformed file is a Refusal."""
    if not path.exists():
        return {}
    value = load_yaml(path)
    entries = value.get("settled") if isinstance(value, dict) else None
    if not isinstance(entries, list) or set(value) != {"settled"}:
        raise bad_input(path, "settled", "no such list", "a list of {cell, document, repeats}", "restore it from git")
    result: dict[tuple[str, str], int] = {}
    for index, entry in enumerate(entries):
        cell, document, repeats = _entry(path, index, entry)
        if (cell, document) in result:
            raise bad_input(path, f"settled[{index}]", f"{cell} on {document} again", "each once", "keep one of them")
        result[cell, document] = repeats
    return result


def settled_text(repeats: Mapping[tuple[str, str], int]) -> str:
    """The file's text for these repeats, sorted."""
    lines = [
        "# Repeats that `snakemake settle` bought for this comparison; they belong to it from then on.",
        "settled:" if repeats else "settled: []",
    ]
    for (cell, document), count in sorted(repeats.items()):
        lines.append(f"  - {{cell: {cell}, document: {document}, repeats: {count}}}")
    return "\n".join(lines) + "\n"


def _entry(path: Path, index: int, entry: Any) -> tuple[str, str, int]:
    if isinstance(entry, dict) and set(entry) == {"cell", "document", "repeats"}:
        cell, document, repeats = entry["cell"], entry["document"], entry["repeats"]
        if isinstance(cell, str) and isinstance(document, str) and type(repeats) is int and repeats >= 1:
            return cell, document, repeats
    raise bad_input(path, f"settled[{index}]", repr(entry), "{cell, document, repeats}", "restore it from git")
