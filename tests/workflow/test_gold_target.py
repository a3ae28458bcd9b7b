"""Target gold, as typed, on a small suite: what is asked again, what is only scored again, and what is published."""

from __future__ import annotations

import shutil
from pathlib import Path

from gold_small import MEMBERS, SUITE, make_repository
from project import Project

METRICS = "scripts/idpbench/gold/metrics.py"


def with_small_suite(project: Project, folder: Path) -> Project:
    """The project with the small suite in the place of its own, nothing published yet."""
    small = make_repository(folder)
    shutil.rmtree(project.folder / "corpus" / "gold")
    shutil.copytree(small / "corpus" / "gold", project.folder / "corpus" / "gold")
    shutil.copy(small / "config" / "gold.yaml", project.folder / "config" / "gold.yaml")
    return project


def journals(project: Project) -> dict[str, bytes]:
    return {name: project.tree("work/gold/members")[f"{name}/calls.jsonl"] for name in MEMBERS}


def test_a_changed_metric_scores_again_and_asks_nobody(project: Project, tmp_path: Path) -> None:
    with_small_suite(project, tmp_path / "small")
    ended = project.snakemake("gold")
    assert ended.code == 0, ended.text
    published = project.tree("results/gold")
    documents = [name for name in published if name.startswith(f"{SUITE}/local-heuristic-1--")]
    assert len(documents) == 1 and {"README.md", "feed.json", f"{SUITE}/README.md"} <= set(published)
    assert project.idpbench("gold", "validate", "--rescore").code == 0
    assert b"4 of 4 members present" in published["README.md"]

    asked = journals(project)
    project.edit(METRICS, "MILLION = 1_000_000", "MILLION = 10**6")
    (project.folder / "corpus/gold/staged/publisher_book.xlsx").unlink()
    again = project.snakemake("gold")
    assert again.code == 0, again.text
    assert "Asking about gamma-staged" in again.text and again.text.count("Asking about") == 1
    assert again.text.count("Scoring ") == len(MEMBERS)
    assert journals(project) == {**asked, "gamma-staged": b""}
    assert project.tree("results/gold") == published, "a run with fewer workbooks found nothing new"
