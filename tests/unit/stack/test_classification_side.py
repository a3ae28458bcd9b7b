"""The side of the classification benchmark: which runs, on which test set, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from idpbench.files.errors import Refusal
from idpbench.settings.classification import load_classification
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack.classification import ClassificationRequest, classification_side, corpus_of
from idpbench.stack.invocation import Invocation
from idpbench.stack.model import Where, side_from_json
from idpbench.stack.prepare import Material
from idpbench.stack.reference import load_sets
from idpbench.stack.request import side_named
from idpbench.stack.testfolder import copy_own, empty, stamp

ROOT = Path(__file__).resolve().parents[3]
LOCAL = Where("local", "0.6.9", stack="idpbench-classification")
AWS = replace(LOCAL, backend="aws", account="123456789012", build="b1")
USUAL = ClassificationRequest(LOCAL, "docsplit", ("haiku45", "haiku55"))


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load(ROOT)


def own_folder(place: Path, labelled: bool = True) -> Path:
    """Two documents of one page each, of the class of packets."""
    for name in ("a.pdf", "b.pdf"):
        (place / "input").mkdir(parents=True, exist_ok=True)
        canvas = Canvas(str(place / "input" / name), invariant=1)
        canvas.drawString(72, 720, name)
        canvas.save()
        section = place / "baseline" / name / "sections" / "1" / "result.json"
        section.parent.mkdir(parents=True)
        section.write_text(
            json.dumps({"document_class": {"type": "Memorandum"}, "split_document": {"page_indices": [0]}})
        )
    if not labelled:
        (place / "baseline" / "b.pdf" / "sections" / "1" / "result.json").unlink()
    (place / "classes.yaml").write_text('"*": packets\n')
    return place


def test_each_model_is_a_cell_and_the_set_is_one_run(settings: Settings) -> None:
    side = classification_side(settings, ROOT, USUAL)
    assert side.address == "local/v0.6.9/classification__packets"
    assert [(run.cell, run.document, run.n_docs, run.reference) for run in side.runs] == [
        ("cls-haiku45-topk", "packets", 20, True),
        ("cls-haiku55-topk", "packets", 20, True),
    ]
    models = [side.configurations[run.config_name]["classification"]["model"] for run in side.runs]
    assert models == [settings.models[name].model_id for name in ("haiku45", "haiku55")]


def test_only_the_classifier_differs_between_the_cells(settings: Settings) -> None:
    side = classification_side(settings, ROOT, USUAL)
    one, other = (json.loads(json.dumps(side.configurations[run.config_name])) for run in side.runs)
    assert one.pop("classification").pop("model") != other.pop("classification").pop("model")
    assert one == other


def test_locally_the_packets_stand_for_the_stack_s_own_set_and_it_says_so(settings: Settings) -> None:
    about = classification_side(settings, ROOT, USUAL).about["classification"]
    assert (about["asked"], about["testset"], about["kind"]) == ("docsplit", "packets", "generated")
    assert "docsplit is a set of deployed stacks" in about["note"]
    by_name = classification_side(settings, ROOT, replace(USUAL, testset="packets"))
    assert by_name.keys == classification_side(settings, ROOT, USUAL).keys
    assert by_name.about["classification"]["note"] is None


def test_on_aws_the_stack_s_own_set_is_used_as_it_is(settings: Settings) -> None:
    side = classification_side(settings, ROOT, replace(USUAL, where=AWS))
    assert {run.testset for run in side.runs} == {"docsplit"}
    assert side.reference is None and side.runs[0].doc_class == "docsplit"
    material = Material(ROOT, {})
    run = side.runs[0]
    assert material.on_stack(run) and material.files(run) == () and material.evaluates(run)
    with pytest.raises(Refusal, match="sample"):
        classification_side(settings, ROOT, replace(USUAL, where=AWS, sample=None))


def test_another_sample_mode_or_override_is_another_measurement(settings: Settings) -> None:
    usual = classification_side(settings, ROOT, USUAL)
    for change, slug in (
        ({"sample": 3}, "packets.sample-3"),
        ({"mode": "off"}, "packets.mode-off"),
        ({"overrides": (("ocr", "bda"),)}, "packets.ocr-bda"),
    ):
        other = classification_side(settings, ROOT, replace(USUAL, **change))  # type: ignore[arg-type]
        assert other.slug == slug and usual.keys.isdisjoint(other.keys)


def test_a_side_survives_its_plan_and_its_request(settings: Settings) -> None:
    side = classification_side(settings, ROOT, USUAL)
    assert side_from_json(json.loads(json.dumps(side.to_json())), "plan").digest == side.digest
    again = side_named(settings, ROOT, json.loads(json.dumps(USUAL.to_json())))
    assert again.digest == side.digest


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"models": ("sonnet46",)}, r"models: found 'sonnet46'.*config/classification\.yaml.*add it to that list"),
        ({"models": ("opus5",)}, r"add it to axis classification_model \(config/axes\.yaml\)"),
        ({"models": ()}, "choose from nova_2_lite"),
        ({"testset": "docspilt"}, "did you mean docsplit"),
        ({"overrides": (("classification_model", "haiku45"),)}, "use models="),
        ({"overrides": (("assessment", "separate"),)}, r"pins of config/classification\.yaml"),
    ],
)
def test_what_it_cannot_do_is_refused_by_name(settings: Settings, change: dict[str, object], word: str) -> None:
    with pytest.raises(Refusal, match=word):
        classification_side(settings, ROOT, replace(USUAL, **change))  # type: ignore[arg-type]


def test_a_folder_of_one_s_own_is_a_test_set(settings: Settings, tmp_path: Path) -> None:
    folder = own_folder(tmp_path / "My Mail")
    request = replace(USUAL, testset=str(folder), sample=1)
    side = classification_side(settings, ROOT, request)
    assert side.slug == "my_mail.sample-1" and side.reference == "work/testsets/1/my_mail"
    assert [(run.document, run.n_docs, run.doc_class) for run in side.runs] == [("my_mail", 1, "packets")] * 2
    corpus = corpus_of(settings, ROOT, request)
    assert f"--source '{folder}'" in corpus.flags

    place = tmp_path / "work" / "my_mail"
    copy_own(folder, place, settings, 1)
    stamp(place / "testset.json")
    (one,) = load_sets(place, settings).values()
    assert [document.name for document in one.documents] == ["a.pdf"]
    assert one.digest == corpus.sets[0][3]
    empty(place)
    assert not (place / "input").exists() and (place / "testset.json").exists()


def test_a_document_without_page_truth_is_named(settings: Settings, tmp_path: Path) -> None:
    folder = own_folder(tmp_path / "mail", labelled=False)
    with pytest.raises(Refusal, match=r"no labels of b\.pdf"):
        classification_side(settings, ROOT, replace(USUAL, testset=str(folder)))
    assert classification_side(settings, ROOT, replace(USUAL, testset=str(folder), sample=1)).runs


def test_the_command_finds_the_side_by_its_address_and_asks_one_model_at_a_time() -> None:
    command = Invocation(ROOT, {})
    side = command.side("local/v0.6.9/classification__packets")
    assert command.document_files(side) == ["work/testsets/20/packets/testset.json"]
    assert command.document_files(side, "cls-haiku45-topk", ".truth.json") == []
    assert "--max-inflight 1" in command.launch_flags(side)
    assert command.testset("work/testsets/20/packets").sets[0][2] == 20
    with pytest.raises(Refusal, match="other options"):
        command.side("local/v0.6.9/classification__packets.mode-off")


def test_sets_that_a_suite_names_and_nobody_gave_are_said_with_their_folder() -> None:
    command = Invocation(ROOT, {"suite": "core"})
    side = command.side("local/v0.6.9/core")
    assert not any(run.reference for run in side.runs)
    told = command.left_out()
    assert "NOT MEASURED" in told
    for name in ("realkie", "ocr_bench"):
        assert f"{name}: labelled set {name} was not found: put its 20 documents into FOLDER/{name}/input/" in told
    assert [entry["document"] for entry in side.to_json()["about"]["docs_unlaunchable"]] == ["realkie", "ocr_bench"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("models: [haiku46]", "did you mean"),
        ("pins: {assesment: off}", "did you mean assessment"),
        ("pins: {classification_model: haiku45}", "not measured here"),
        ("testsets: {x: {class: packet, packets: all, note: n}}", "did you mean packets"),
        ("testsets: {x: {class: packets, note: n}}", "one of them"),
        ("testsets: {x: {class: packets, on_stack: x, local: y, note: n}}", "generated test set"),
    ],
)
def test_a_wrong_classification_file_is_explained(settings: Settings, tmp_path: Path, text: str, word: str) -> None:
    lines = {"models": "models: [haiku45]", "pins": "pins: {}", "testsets": "testsets: {}"}
    lines[text.split(":")[0]] = text
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "classification.yaml").write_text("\n".join(lines.values()) + "\n")
    with pytest.raises(Refusal, match=word):
        load_classification(settings.model_copy(update={"root": tmp_path}))


def test_a_command_that_asked_for_no_side_says_that_it_runs_no_documents() -> None:
    assert Invocation(ROOT, {}).projection() == "Nothing to launch: no run of documents belongs to this command."
