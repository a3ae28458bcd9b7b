"""Target classification, as typed: packets in, a page out; labelled sets that nobody gave are said."""

from __future__ import annotations

from project import Project

SMALL = ("classification", "--config", "testset=docsplit", "models=haiku45,haiku55", "sample=2")
ADDRESS = "local/v0.6.9/classification__packets.sample-2"


def test_packets_become_a_page_and_the_second_time_nothing_runs(project: Project) -> None:
    ended = project.snakemake(*SMALL)
    assert ended.code == 0, ended.text
    summary = project.json(f"results/{ADDRESS}/summary.json")
    models = summary["classification"]["models"]
    assert [model["model"] for model in models] == ["haiku45", "haiku55"]
    for model in models:
        assert (model["documents"], model["pages_evaluated"], model["pages_scored"]) == (2, 7, 7)
        assert 0 < model["class_accuracy"] < 1 and model["class_calibration_separation"] is not None
        assert model["cost"] > 0
    assert models[0]["cost"] > models[1]["cost"]
    launched = [event["at"] for event in project.journal() if event["event"] == "launched"]
    landed = [event["at"] for event in project.journal() if event["event"] == "landed"]
    assert launched[0] < landed[0] < launched[1] < landed[1], "models run one after the other"
    assert "Self-test" in (project.folder / f"results/{ADDRESS}/README.md").read_text(encoding="utf-8")

    again = project.snakemake(*SMALL)
    assert again.code == 0 and "Nothing to be done" in again.text, again.text
    assert len(project.invokes()) == 2 and set(project.invokes().values()) == {1}


def test_a_model_it_does_not_list_stops_it(project: Project) -> None:
    ended = project.snakemake("classification", "--config", "models=haiku45,sonnet46")
    assert ended.code == 2
    assert "found 'sonnet46', expected a model that config/classification.yaml lists" in ended.text


def test_a_suite_without_its_labelled_sets_says_so_and_keeps_it_in_meta(project: Project) -> None:
    project.edit(
        "config/suites.yaml", "    documents: [small_narrow, tiny_form]", "    documents: [tiny_form, realkie]"
    )
    words = ("suite", "--config", "suite=smoke", "version=0.6.9")
    told = "realkie: labelled set realkie was not found: put its 20 documents into FOLDER/realkie/input/"
    dry = project.snakemake("-n", *words)
    assert dry.code == 0 and told in dry.text, dry.text
    ended = project.snakemake(*words)
    assert ended.code == 0 and told in ended.text, ended.text
    for place in ("work/local/v0.6.9/smoke/plan.json", "results/local/v0.6.9/smoke/meta.json"):
        content = project.json(place)
        entries = content.get("about", content)["docs_unlaunchable"]
        assert [entry["document"] for entry in entries] == ["realkie"], place
        assert entries[0]["reason"].startswith("labelled set realkie was not found"), place
