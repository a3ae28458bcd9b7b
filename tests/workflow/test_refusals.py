"""Wrong input ends with a message that helps and its exit code; nothing is launched and nothing half-written."""

from __future__ import annotations

import pytest
from project import SMOKE, Project

PAIR = ("version=0.6.9", "prev=0.6.8")


@pytest.fixture(scope="module")
def idle(smoke_module: Project) -> Project:
    """A copy in which only refusals happen, shared by the tests of this file."""
    return smoke_module


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("release", "--config", "verison=0.6.9"), "did you mean version"),
        (("release", "--config", "version=0.10", "prev=0.6.8"), "three parts"),
        (("release", "--config", "version=0.7.1", "prev=0.6.8"), "0.6.5, 0.6.8, 0.6.9"),
        (("release", "--config", "version=0.6.9", "prev=0.6.9"), "series=b"),
        (("release", "--config", *PAIR, "suite=corfast"), "did you mean corefast"),
        (("release", "--config", *PAIR, "set=ocrr=bda"), "did you mean ocr"),
        (("release", "--config", *PAIR, "set=ocr=bdaa"), "did you mean bda"),
        (("release", "--config", *PAIR, "set=extraction_model=sonet5"), "did you mean"),
        (("release", "--config", *PAIR, "repeats=0"), "at least 1"),
        (("release", "--config", *PAIR, "backend=gcp"), "local or aws"),
        (("suite", "--config", "version=0.6.9", "suite=smoke", "reference=nowhere"), "no such folder"),
    ],
)
def test_a_wrong_option_is_refused(idle: Project, words: tuple[str, ...], says: str) -> None:
    before = idle.invokes()
    ended = idle.snakemake(*words)
    assert ended.code == 2, ended.text
    assert says in ended.text
    assert "Traceback" not in ended.text
    assert idle.invokes() == before


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "config/suites.yaml",
            "cells: [core-tt-simple-sep, core-tt-adv-sep]",
            "cells: [core-tt-simple-sepp]",
            "core-tt-simple-sep",
        ),
        ("config/suites.yaml", "documents: [small_narrow, tiny_form]", "documents: [small_narow]", "small_narrow"),
        ("config/cells.yaml", "core-tt-adv-sep: {", "core-tt-adv-sep: {orc: bda, ", "orc"),
        ("config/axes.yaml", "extraction.mode", "extraction.moode", "extraction.moode"),
        ("config/config.yaml", "suite: corefast", "suite: [corefast", "config/config.yaml"),
        ("config/gate.yaml", "waivers:", "waiverss:", "waivers"),
    ],
)
def test_a_wrong_configuration_is_refused_by_file_and_key(
    smoke: Project, file: str, old: str, new: str, says: str
) -> None:
    before = smoke.invokes()
    smoke.edit(file, old, new)
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 2, ended.text
    assert file in ended.text and says in ended.text
    assert "Traceback" not in ended.text
    assert smoke.invokes() == before


def test_a_document_that_is_not_the_manifest_s_is_refused_before_anything_is_planned(project: Project) -> None:
    entry = project.json("corpus/manifest.json")["documents"]["tiny_form"]["sha256"]
    project.edit("corpus/manifest.json", f'"sha256": "{entry}"', f'"sha256": "{entry[::-1]}"')
    ended = project.snakemake("smoke", "--config", *PAIR, "suite=smoke")
    assert ended.code == 2, ended.text
    assert "manifest.json" in ended.text
    assert not (project.folder / "work/local/v0.6.8").exists()
    assert not project.invokes()


@pytest.mark.parametrize("content", [None, "{not json"])
def test_a_truth_file_that_is_missing_or_broken_stops_the_scoring(smoke: Project, content: str | None) -> None:
    truth = smoke.folder / "corpus/docs/tiny_form.truth.json"
    before = smoke.invokes()
    truth.write_text(content or "")
    smoke.edit("scripts/idpbench/scoring/completeness.py", "from __future__", "# an edit\nfrom __future__")
    ended = smoke.snakemake(*SMOKE)
    assert ended.code == 2, ended.text
    assert "tiny_form.truth.json" in ended.text
    assert smoke.invokes() == before


def test_a_budget_that_would_not_hold_is_refused_before_anything_opens(project: Project) -> None:
    ended = project.snakemake(*SMOKE, "budget_usd=0.10")
    assert ended.code == 5, ended.text
    assert "nothing was launched" in ended.text
    assert not (project.folder / "work" / "localstack").exists()


def test_a_configuration_edited_on_the_stack_stops_the_command(smoke: Project) -> None:
    smoke.edit_stack_configuration("core-tt-adv-sep")
    before = smoke.invokes()
    ended = smoke.snakemake(*SMOKE, "repeats=2")
    assert ended.code == 3, ended.text
    assert "Config#bench-core-tt-adv-sep" in ended.text and "nothing was launched" in ended.text
    assert smoke.invokes() == before
