"""What the workflow's stamps claim and the disk lost is noticed and made good without a launch."""

from __future__ import annotations

import shutil

import pytest
from project import SMOKE, Project


def repaired(project: Project, before: dict[str, bytes]) -> str:
    """Run the command again; the results must be as before, nothing launched, and the run after that idle."""
    launched = project.invokes()
    ended = project.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert project.tree("results") == before
    assert project.invokes() == launched
    project.snakemake(*SMOKE)  # a repair may be followed by one more run without effect
    assert "Nothing to be done" in project.snakemake(*SMOKE).text
    return ended.text


def test_a_lost_vault_is_filled_from_the_published_records(smoke: Project) -> None:
    before = smoke.tree("results")
    shutil.rmtree(smoke.folder / "work" / "vault")
    repaired(smoke, before)
    assert len(list((smoke.folder / "work" / "vault").rglob("*.json"))) == 8


def test_lost_records_come_back_from_the_vault(smoke: Project) -> None:
    before = smoke.tree("results")
    shutil.rmtree(smoke.folder / "work/local/v0.6.9/smoke/records")
    (smoke.folder / "work/local/v0.6.8/smoke/records/core-tt-adv-sep.jsonl").unlink()
    repaired(smoke, before)


def test_lost_records_are_not_scored_around(smoke: Project) -> None:
    """A missing source file and an edited scorer at once: Snakemake alone would skip that cell in silence."""
    (smoke.folder / "work/local/v0.6.9/smoke/records/core-tt-adv-sep.jsonl").unlink()
    smoke.edit("scripts/idpbench/scoring/completeness.py", "from __future__", "# an edit\nfrom __future__")
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert "Scoring v0.6.9/smoke core-tt-adv-sep" in ended.text


def test_lost_results_are_published_again(smoke: Project) -> None:
    before = smoke.tree("results")
    shutil.rmtree(smoke.folder / "results")
    repaired(smoke, before)


def test_everything_but_the_vault_may_go(smoke: Project) -> None:
    before = smoke.tree("results")
    for name in ("local", "logs"):
        shutil.rmtree(smoke.folder / "work" / name)
    shutil.rmtree(smoke.folder / ".snakemake")
    repaired(smoke, before)


def test_results_that_somebody_else_changed_are_refused_by_name_and_kept(smoke: Project) -> None:
    name = "results/local/releases/other/0.6.9-0.6.8-smoke/v0.6.9/smoke/summary.csv"
    path = smoke.folder / name
    path.write_text("a colleague's numbers\n")
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 2
    assert name in ended.text
    assert path.read_text() == "a colleague's numbers\n"


@pytest.mark.parametrize("damage", ["cut", "edited"])
def test_damaged_published_records_stop_the_command_before_anything_is_launched(
    fresh_clone: Project, damage: str
) -> None:
    path = fresh_clone.folder / "results/local/releases/other/0.6.9-0.6.8-smoke/v0.6.8/smoke/runs.jsonl.gz"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] if damage == "cut" else b"no gzip" + data)
    ended = fresh_clone.snakemake(*SMOKE)
    assert ended.code != 0
    assert "runs.jsonl.gz" in ended.text
    assert not fresh_clone.invokes()
