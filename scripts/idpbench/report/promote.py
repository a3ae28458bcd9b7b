"""baseline.json: PREV's summary, with the place it was copied from and its digest inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.files.canonical import bytes_digest, loads, read_json
from idpbench.files.errors import bad_input
from idpbench.report.ownership import version_key


def baseline(summary: bytes, source: str) -> dict[str, Any]:
    """The summary as a baseline: `baseline: {source, sha256}` added, `source` being its path below results/."""
    content = loads(summary, source)
    if not isinstance(content, dict) or "rows" not in content:
        raise bad_input(source, "rows", "none", "a summary with rows", "run the step that summarizes this side")
    return content | {"schema": "idpbench/baseline/1", "baseline": {"source": source, "sha256": bytes_digest(summary)}}


def releases(results: Path) -> list[dict[str, Any]]:
    """The release entries (releases/v*/release.json) below results/<backend>/, newest version first."""
    paths = sorted((results / "releases").glob("v*/release.json"))
    entries = [read_json(path, "release") for path in paths if path.parent.with_name(f"{path.parent.name}.md").exists()]
    return sorted(entries, key=lambda entry: version_key(entry["pair"]["version"]), reverse=True)


def promoted(results: Path, backend: str) -> dict[str, Any] | None:
    """The baseline of the newest release in results/<backend>/ that was promoted; None where there is none."""
    for entry in releases(results):
        if entry["promotion"]["promoted"]:
            source = f"{entry['addresses']['base']}/summary.json"
            path = results / source
            if not path.exists():
                remedy = f"restore it from git, or run release {entry['pair']['name']} again"
                raise bad_input(path, "", "no such file", "the summary that was promoted", remedy)
            return baseline(path.read_bytes(), f"{backend}/{source}")
    return None
