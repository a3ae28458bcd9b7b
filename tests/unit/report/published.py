"""A results/ folder of synthetic sides, for the tests of pages that are made from what is published."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from sides import failed, row, write_side

from idpbench.report.shelf import Shelved, shelf
from idpbench.settings.load import load
from idpbench.settings.model import Settings

ROOT = Path(__file__).resolve().parents[3]


@cache
def settings() -> Settings:
    """The project's own configuration."""
    return load(ROOT)


def line(cell: str, doc: str, repeat: int = 0, **more: Any) -> dict[str, Any]:
    """A completed row whose axes are those of a cell of config/cells.yaml; `axes` moves some of them."""
    return _dressed(row(cell, doc, repeat), cell, doc, more)


def broken(cell: str, doc: str, repeat: int = 0, **more: Any) -> dict[str, Any]:
    """A row that failed."""
    reason = "ValidationException: input is too long"
    return _dressed(failed(cell, doc, repeat, reason), cell, doc, {"error_class": "ValidationException", **more})


def repeats(count: int, cell: str, doc: str, **more: Any) -> list[dict[str, Any]]:
    """The same row `count` times; a list of values gives each repeat its own."""
    return [
        line(cell, doc, n, **{key: value[n] if isinstance(value, list) else value for key, value in more.items()})
        for n in range(count)
    ]


def publish_side(
    results: Path, version: str, suite: str, rows: Iterable[dict[str, Any]], *, slug: str = "", **meta: Any
) -> Path:
    """Lay a side into results/<backend>/v<version>/<suite>; each version has a day of its own."""
    start = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(days=int(version.rsplit(".", 1)[1]))
    folder = results / f"v{version}" / (suite + (f"__{slug}" if slug else ""))
    about = {"suite": suite, "slug": slug, **meta}
    return write_side(folder, version, list(rows), backend=results.name, meta=about, start=start)


def sides(results: Path) -> list[Shelved]:
    """The published sides."""
    return shelf(results)


def _dressed(made: dict[str, Any], cell: str, doc: str, more: dict[str, Any]) -> dict[str, Any]:
    known = settings()
    pins = known.cells[cell].pins if cell in known.cells else {}
    axes = {name: pins.get(name, axis.default) for name, axis in known.axes.items()} | more.pop("axes", {})
    called = [known.models[axes["extraction_model"]].model_id, known.models[axes["classification_model"]].model_id]
    if axes["assessment"] == "separate":
        called.append(known.models[axes["confidence_model"]].model_id)
    return made | {"resolved": axes, "tokens_by_model": {name: {"inputTokens": 1} for name in called}, **more}
