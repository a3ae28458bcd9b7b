"""Pages made from all published sides: they show what the same command publishes, and a release renews them."""

from __future__ import annotations

import json
import shutil

from project import Project

MODELS = "results/local/models.md"
GRID = "    cells: [core]\n    documents: [corefast]\n    repeats: 3 "
SMALL = "    cells: [core-tt-simple-sep]\n    documents: [tiny_form]\n    repeats: 1 "


def text(project: Project, name: str) -> str:
    return (project.folder / name).read_text(encoding="utf-8")


def test_a_page_is_made_after_the_suite_that_the_same_command_publishes(smoke: Project) -> None:
    command = ("models", "suite", "--config", "suite=smoke", "version=0.6.9")  # the page is named before its suite
    launched = smoke.invokes()
    ended = smoke.snakemake(*command)
    assert ended.code == 0, ended.text
    assert "0.6.9 (4 runs, 0 failed)" in text(smoke, MODELS)
    assert smoke.invokes() == launched
    again = smoke.snakemake(*command)
    assert again.code == 0 and "Nothing to be done" in again.text, again.text


def test_a_release_renews_the_pages_and_a_side_that_came_from_elsewhere_is_noticed(smoke: Project) -> None:
    smoke.edit("config/suites.yaml", GRID, SMALL)
    release = ("release", "--config", "version=0.6.9", "prev=0.6.8")
    ended = smoke.snakemake(*release)
    assert ended.code == 0, ended.text
    assert "0.6.9 (1 run, 0 failed)" in text(smoke, MODELS)
    assert "0.6.9, corefast: 1 run, 0 failed" in text(smoke, "results/local/guidance/README.md")
    for page in ("local/models.md", "local/guidance/README.md", "local/studies/README.md"):
        assert f"({page})" in text(smoke, "results/README.md")
    assert "Nothing to be done" in smoke.snakemake(*release).text

    source, pulled = (smoke.folder / f"results/local/v0.6.9/{name}" for name in ("corefast", "coresynth"))
    shutil.copytree(source, pulled)
    for name in ("summary.json", "meta.json"):
        (pulled / name).write_text(json.dumps(renamed(json.loads((source / name).read_text()))))
    ended = smoke.snakemake("models")
    assert ended.code == 0, ended.text
    assert "corefast (1, 0), coresynth (1, 0)" in text(smoke, MODELS)


def renamed(content: dict[str, object]) -> dict[str, object]:
    """A side's summary or meta as another suite's."""
    if isinstance(meta := content.get("meta"), dict):
        return {**content, "meta": renamed(meta)}
    return {**content, "suite": "coresynth", "pair": None}
