"""results/<backend>/releases/README.md: one line a release, newest version first, made from the release.json files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.files.tables import markdown
from idpbench.report import spelling
from idpbench.report.headline import LOCAL_NOTE
from idpbench.report.promote import releases
from idpbench.report.templating import fill

HEADERS = ("release", "against", "verdict", "scalar accuracy", "cost per run", "notable", "date")


def render(results: Path, backend: str) -> str:
    """The index of all releases published below `results` (results/<backend>)."""
    return fill(
        "index",
        backend=backend,
        note=LOCAL_NOTE if backend == "local" else None,
        table=markdown(HEADERS, [line(entry) for entry in releases(results)]),
        any_release=bool(releases(results)),
    )


def line(entry: dict[str, Any]) -> list[str]:
    """One release as the index shows it."""
    pair, accuracy, cost = entry["pair"], entry["accuracy"], entry["cost"]
    change = spelling.difference(cost["base"], cost["new"])
    return [
        f"[{pair['version']}](v{pair['version']}.md)",
        pair["prev"],
        entry["verdict"] + (", exploratory" if entry["exploratory"] else ""),
        spelling.pair("scalar_accuracy", accuracy["base"], accuracy["new"]),
        f"{spelling.pair('cost', cost['base'], cost['new'])} ({change})",
        entry["notable"],
        entry["date"] or "not recorded",
    ]
