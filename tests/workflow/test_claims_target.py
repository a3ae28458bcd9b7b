"""Target `claims`, as typed: claims are stated once, scored, put on a page and published."""

from __future__ import annotations

import json
from pathlib import Path

from project import Project

KEPT = ("reading-list-001.yaml", "notices-validity-001.yaml")


def moved(folder: Path, old: str, new: str) -> None:
    """Material lies where the configuration says."""
    (folder / old).rename(folder / new)
    settings = folder / "config/claims.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace(f": {old} ", f": {new} "), encoding="utf-8")


def test_a_changed_metric_scores_again_and_extracts_nothing(project: Project) -> None:
    for path in project.folder.glob("corpus/claims/*/*.yaml"):
        if path.parent.name != "fixtures" and path.name not in KEPT:
            path.unlink()
    moved(project.folder, "corpus/claims/fixtures", "corpus/claims/sources")
    moved(project.folder, "corpus/claims/authority.json", "corpus/claims/names.json")
    ended = project.snakemake("claims")
    assert ended.code == 0, ended.text
    page = project.folder / "results/claims/README.md"
    result = project.folder / "results/claims/reading-list-001/bibliography-1.json"
    assert "`reading-list-001`" in page.read_text(encoding="utf-8")
    published = json.loads(result.read_bytes())

    again = project.snakemake("claims")
    assert again.code == 0 and "Nothing to be done" in again.text, again.text

    metrics = project.folder / "scripts/idpbench/claims/metrics.py"
    metrics.write_text(metrics.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    rescored = project.snakemake("claims")
    assert rescored.code == 0, rescored.text
    assert "Scoring bibliography" in rescored.text and "reads the sources" not in rescored.text
    assert "Measuring validity" in rescored.text, "the harnesses stand on the same measures"
    scored = json.loads(result.read_bytes())
    assert scored["scorer"] != published["scorer"], "the result says which code scored it"
    assert scored["figures"] == published["figures"]
