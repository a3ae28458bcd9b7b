"""A release against itself, end to end: a series of its own is run, and the gate lets it pass."""

from __future__ import annotations

from project import Project


def test_an_unchanged_release_passes_the_gate(project: Project) -> None:
    """With a cell that a model reads by OCR, which the in-process test of the whole grid leaves out."""
    project.edit(
        "config/suites.yaml",
        "    cells: [core-tt-simple-sep, core-tt-adv-sep]\n    documents: [small_narrow, tiny_form]",
        "    cells: [core-llm-simple-sep, core-tt-adv-sep]\n    documents: [tiny_form]",
    )
    ended = project.snakemake("gate", "--config", "version=0.6.9", "prev=0.6.9", "series=b", "suite=smoke", "repeats=3")
    assert ended.code == 0, ended.text
    assert len(project.invokes()) == 12 and set(project.invokes().values()) == {1}, "no run is shared by the two series"
    verdict = project.json("work/local/pairs/0.6.9-0.6.9-smoke~b/comparison.json")
    assert (verdict["verdict"], verdict["exit_code"]) == ("pass", 0)
    assert (verdict["sides"]["base"]["series"], verdict["sides"]["new"]["series"]) == ("a", "b")
    costs = {test["key"]: test["effect"] for test in verdict["tests"] if test["metric"] == "cost"}
    assert costs["core-tt-adv-sep|tiny_form.pdf"] != 0, "the two series are other runs"
    page = (project.folder / "results/local/releases/other/0.6.9-0.6.9-smoke~b/README.md").read_text(encoding="utf-8")
    assert "core-llm-simple-sep" in page
