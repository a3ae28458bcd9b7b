"""What changed runs again, and nothing else; only a new run key is ever launched."""

from __future__ import annotations

import os

from project import SMOKE, Project

SCORER = "scripts/idpbench/scoring/completeness.py"


def added(project: Project, before: dict[str, int]) -> set[str]:
    """Run keys launched since; a key launched twice fails the test."""
    now = project.invokes()
    assert set(now.values()) == {1}
    return set(now) - set(before)


def test_an_edited_metric_scores_every_cell_again_and_launches_nothing(smoke: Project) -> None:
    before = smoke.invokes()
    smoke.edit(SCORER, "from __future__", "# an edit\nfrom __future__")
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    for version in ("0.6.8", "0.6.9"):
        for cell in ("core-tt-simple-sep", "core-tt-adv-sep"):
            assert f"Scoring v{version}/smoke {cell}" in ended.text
    assert smoke.invokes() == before
    assert "Nothing to be done" in smoke.snakemake(*SMOKE).text


def test_files_outside_the_run_key_launch_nothing(smoke: Project) -> None:
    before = smoke.invokes()
    smoke.edit("scripts/idpbench/stack/land.py", "from __future__", "# an edit\nfrom __future__")
    smoke.edit("scripts/idpbench/localstack/server.py", "from __future__", "# an edit\nfrom __future__")
    smoke.edit("scripts/idpbench/gate/verdict.py", "from __future__", "# an edit\nfrom __future__")
    smoke.edit("rules/runs.smk", '"python $STEPS/landed.py', '"python  $STEPS/landed.py')
    for path in (smoke.folder / "scripts").rglob("*.py"):
        os.utime(path)
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert "Scoring" not in ended.text
    assert smoke.invokes() == before


def test_a_changed_cell_is_launched_alone_on_each_side_at_its_own_version(smoke: Project) -> None:
    before = smoke.invokes()
    smoke.edit("config/suites.yaml", "pairs: [[core-tt-adv-int, core-tt-adv-sep]]", "pairs: []")
    smoke.edit("config/cells.yaml", "core-tt-adv-sep: {", 'core-tt-adv-sep: {ocr_dpi: "150", ')
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    new = added(smoke, before)
    cells = smoke.keys("0.6.8") | smoke.keys("0.6.9")
    assert {cells[key] for key in new} == {"core-tt-adv-sep"}
    assert len(new) == 4
    for version in ("0.6.8", "0.6.9"):
        for record in smoke.records(version):
            assert record["launch"]["fingerprint"]["version"] == version
    assert "Scoring v0.6.9/smoke core-tt-simple-sep" not in ended.text


def test_more_repeats_launch_only_the_new_ones_and_fewer_launch_none(smoke: Project) -> None:
    before = smoke.invokes()
    more = smoke.snakemake(*SMOKE, "repeats=2")
    assert more.code == 0, more.text
    new = added(smoke, before)
    assert len(new) == 8
    repeats = {run["key"]: run["repeat"] for v in ("0.6.8", "0.6.9") for run in smoke.plan(v)["runs"]}
    assert {repeats[key] for key in new} == {1}
    fewer = smoke.snakemake(*SMOKE)
    assert fewer.code == 0, fewer.text
    assert set(smoke.invokes()) == set(before) | new
    assert len(smoke.json("work/local/v0.6.9/smoke/summary/summary.json")["rows"]) == 4


def test_a_cell_and_a_document_that_come_or_go_are_noticed_in_the_first_run(smoke: Project) -> None:
    before = smoke.invokes()
    smoke.edit("config/suites.yaml", "cells: [core-tt-simple-sep, core-tt-adv-sep]", "cells: [core-tt-simple-sep]")
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert smoke.invokes() == before
    assert list(smoke.json("work/local/v0.6.9/smoke/summary/summary.json")["cell_stats"]) == ["core-tt-simple-sep"]
    assert "core-tt-adv-sep" not in smoke.page()
    smoke.edit(
        "config/suites.yaml", "documents: [small_narrow, tiny_form]", "documents: [small_narrow, tiny_form, kv_form]"
    )
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    assert len(added(smoke, before)) == 2
    assert "kv_form" in smoke.page()
