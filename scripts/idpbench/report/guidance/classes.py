"""The classification benchmark in the guidance: the newest release's pages, pooled by model, of each test set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from idpbench.report.classification import SAME_READER, named, reasons, table, what
from idpbench.report.ownership import version_key
from idpbench.report.shelf import Shelved, source


def benchmarks(sides: Iterable[Shelved]) -> list[Shelved]:
    """The published benchmarks, one of each test set as it was sampled: that of the newest release."""
    newest: dict[str, Shelved] = {}
    for item in sorted(sides, key=lambda one: version_key(one.version)):
        if item.classification is not None:
            newest[item.address.partition("/")[2]] = item
    return [newest[name] for name in sorted(newest)]


def measured(found: Iterable[Shelved]) -> set[str]:
    """Values of axis classification_model that a benchmark has pages of."""
    return {model["model"] for item in found for model in (item.classification or {})["models"]}


def sections(found: Sequence[Shelved], release: str) -> list[dict[str, Any]]:
    """What the page says of each benchmark: `source`, `what`, `table`, `reasons`, `page`, and `note` of the reader."""
    return [_section(item, release) for item in found]


def _section(item: Shelved, release: str) -> dict[str, Any]:
    about = item.classification or {}
    models = named(about["models"], item.side.backend)
    return {
        "source": source(item, release),
        "what": what(about),
        "table": table(models),
        "reasons": reasons(models),
        "page": f"../{item.address}/README.md",
        "note": SAME_READER if item.side.backend == "local" else "",
    }
