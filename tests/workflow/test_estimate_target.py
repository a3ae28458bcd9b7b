"""Target `estimate`: the projection of a dry run, printed without launching anything, held against the budget."""

from __future__ import annotations

from project import Project

SIDES = ("--config", "version=0.6.9", "prev=0.6.8", "suite=smoke")


def projection(text: str) -> list[str]:
    """The lines of a projection in what a command printed."""
    lines = text.splitlines()
    start = lines.index("local/v0.6.8/smoke")
    end = next(number for number, line in enumerate(lines) if line.startswith("total: "))
    return lines[start : end + 1]


def test_it_prints_what_a_dry_run_of_the_release_prints_and_launches_nothing(project: Project) -> None:
    ended, dry = project.snakemake("estimate", *SIDES), project.snakemake("-n", "release", *SIDES)
    assert (ended.code, dry.code) == (0, 0), ended.text
    assert projection(ended.text) == projection(dry.text)
    assert projection(ended.text)[-1].startswith("total: 8 runs to launch")
    assert "0 of 4 launches (0%) rest on earlier runs; rate card " in ended.text
    assert not (project.folder / "work" / "localstack").exists() and not project.invokes()


def test_above_the_budget_it_prints_the_projection_and_ends_with_5(project: Project) -> None:
    ended = project.snakemake("estimate", *SIDES, "budget_usd=0.01")
    assert ended.code == 5, ended.text
    assert "is above $0.01; nothing was launched" in ended.text
    assert projection(ended.text)[-1].startswith("total: 8 runs to launch")
