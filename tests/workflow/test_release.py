"""From nothing to a page, and then: nothing."""

from __future__ import annotations

import re

from project import SMOKE, Project


def test_the_pair_is_run_and_every_run_is_asked_for_once(smoke_once: Project) -> None:
    planned = smoke_once.keys("0.6.8") | smoke_once.keys("0.6.9")
    assert len(planned) == 8
    assert smoke_once.invokes() == dict.fromkeys(planned, 1)


def test_the_page_and_its_data_are_published(smoke_once: Project) -> None:
    published = smoke_once.tree("results/local/releases/other/0.6.9-0.6.8-smoke")
    for name in (
        "README.md",
        "comparison.json",
        "cost_per_cell.png",
        "cost_per_cell.csv",
        "v0.6.9/smoke/runs.jsonl.gz",
    ):
        assert published[name], name
    page = published["README.md"].decode()
    assert "nothing was billed" in page
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        assert target in published, f"the page links {target}, which is not beside it"


def test_every_launch_of_the_new_release_comes_after_the_last_of_the_old(smoke_once: Project) -> None:
    new = smoke_once.keys("0.6.9")
    sides = [event["key"] in new for event in smoke_once.journal()]
    assert sides == sorted(sides)
    assert set(sides) == {False, True}


def test_each_run_was_launched_and_completed_on_its_own_version(smoke_once: Project) -> None:
    for version in ("0.6.8", "0.6.9"):
        for record in smoke_once.records(version):
            for moment in ("launch", "completion"):
                assert record[moment]["fingerprint"]["version"] == version


def test_the_same_again_does_nothing(smoke: Project) -> None:
    before = smoke.tree("results")
    again = smoke.snakemake(*SMOKE)
    assert again.code == 0 and "Nothing to be done" in again.text
    assert smoke.tree("results") == before


def test_a_fresh_clone_with_the_results_launches_nothing_and_makes_the_same_bytes(fresh_clone: Project) -> None:
    before = fresh_clone.tree("results")
    ended = fresh_clone.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert fresh_clone.tree("results") == before
    assert not (fresh_clone.folder / "work" / "localstack").exists(), "a stack was started although no run was missing"
