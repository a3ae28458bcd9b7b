"""What a configuration may say, how wrong values are refused, and what profiles hold."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from enginehelp import CONFIG, document, profile, settings

from idpbench.files.errors import Refusal
from idpbench.localstack.engine import Job, load_profile, process
from idpbench.localstack.engine.cache import Cache
from idpbench.localstack.engine.options import parse_options
from idpbench.localstack.engine.schema import read_classes
from idpbench.matrix.configs import resolve_configuration

CELL = "core-tt-simple-sep"


def configuration() -> dict[str, Any]:
    return dict(resolve_configuration(settings(), CELL, "bank_statement", {}))


def put(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(config: dict[str, Any]) -> None:
        *groups, last = path.split(".")
        for name in groups:
            config = config.setdefault(name, {})
        config[last] = value

    return change


@pytest.mark.parametrize(
    ("path", "value", "nearest"),
    [
        ("ocr.backend", "texttract", "textract"),
        ("extraction.mode", "simpel", "simple"),
        ("extraction.confidence.mode", "seperate", "separate"),
        ("extraction.geometry.mode", "llm_ground", "llm_grounded"),
        ("extraction.validation.fail_action", "escalade", "escalate"),
        ("extraction.reasoning_effort", "hig", "high"),
        ("classification.sectionSplitting", "pages", "page"),
        ("classification.confidence.mode", "topn", "topk"),
    ],
)
def test_an_unknown_value_of_an_axis_fails_the_job_and_names_the_nearest(
    run: Callable[..., Any], path: str, value: str, nearest: str
) -> None:
    outcome = run(CELL, "tiny_form", change=put(path, value)).outcome
    assert outcome.status == "FAILED"
    assert outcome.error.startswith("ValidationException: ")
    for word in (path, value, nearest):
        assert word in outcome.error
    assert outcome.metering == {}


@pytest.mark.parametrize("path", ["extraction.model", "classification.model", "extraction.confidence.model"])
def test_an_unknown_model_fails_before_anything_is_metered(run: Callable[..., Any], path: str) -> None:
    outcome = run(CELL, "tiny_form", change=put(path, "us.example.model-1")).outcome
    assert (outcome.error or "").startswith(f"ValidationException: configuration {path}: found 'us.example.model-1'")
    assert outcome.metering == {}


def test_blocks_that_are_not_read_are_ignored_and_listed(run: Callable[..., Any]) -> None:
    plain = run(CELL, "tiny_form", run_context="")
    full = run(CELL, "tiny_form", run_context="", change=put("rule_validation.enabled", True))
    assert "rule_validation" in full.outcome.ignored_blocks
    assert "rule_validation" not in plain.outcome.ignored_blocks
    assert full.outcome.sections == plain.outcome.sections


def test_numbers_and_switches_may_be_stored_as_text(run: Callable[..., Any]) -> None:
    def as_text(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: as_text(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [as_text(inner) for inner in value]
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    config = configuration()
    jobs = [
        Job(document("tiny_form").pdf, "tiny_form.pdf", one, profile("0.6.8"), "idpbench:0123456789abcdef repeat=0")
        for one in (config, as_text(config))
    ]
    one, other = (process(job, Cache()) for job in jobs)
    assert one.status == other.status == "COMPLETED"
    assert one.sections == other.sections


def test_the_minimal_configuration_is_a_class() -> None:
    classes = configuration()["classes"]
    outcome = process(Job(document("tiny_form").pdf, "tiny_form.pdf", {"classes": classes}, profile("0.6.8")))
    assert outcome.status == "COMPLETED"
    assert len(outcome.sections[0]["inference_result"]["Transactions"]) == 5


@pytest.mark.parametrize("classes", [None, [], "Bank Statement", [42], [{"type": "object"}]])
def test_a_configuration_without_a_usable_class_is_refused(classes: Any) -> None:
    outcome = process(Job(document("tiny_form").pdf, "tiny_form.pdf", {"classes": classes}, profile("0.6.8")))
    assert outcome.status == "FAILED"
    assert outcome.error and "classes" in outcome.error


def test_earlier_spellings_of_mode_and_assessment_are_understood() -> None:
    old = parse_options({"extraction": {"agentic": {"enabled": "true"}}, "assessment": {"enabled": False}})
    assert old.extraction.mode == "advanced"
    assert old.extraction.confidence.mode == "off"
    new = parse_options({"extraction": {"mode": "simple", "agentic": {"enabled": True}}})
    assert new.extraction.mode == "simple"


def test_the_older_list_of_attributes_is_a_class_too() -> None:
    old = {
        "name": "Bank Statement",
        "description": "a statement",
        "attributes": [
            {"name": "Account Number", "description": "number"},
            {
                "name": "Transactions",
                "attributeType": "list",
                "listItemTemplate": {"itemAttributes": [{"name": "Date"}, {"name": "Description"}, {"name": "Amount"}]},
            },
            {"name": "Holder", "attributeType": "group", "groupAttributes": [{"name": "Account Holder"}]},
        ],
    }
    (one,) = read_classes({"classes": [old]})
    assert [item.path for item in one.scalars] == [("Account Number",), ("Holder", "Account Holder")]
    assert [item.name for item in one.lists[0].items] == ["Date", "Description", "Amount"]
    outcome = process(Job(document("tiny_form").pdf, "tiny_form.pdf", {"classes": [old]}, profile("0.6.8")))
    record = outcome.sections[0]["inference_result"]
    assert record["Holder"] == {"Account Holder": "Northfield Supply LLC"}
    assert len(record["Transactions"]) == 5
    assert outcome.sections[0]["explainability_info"][0]["Holder"]["Account Holder"]["confidence"] > 0.9


def test_references_within_a_schema_are_followed_and_cycles_are_cut() -> None:
    schema = {
        "$id": "Node",
        "type": "object",
        "properties": {"head": {"$ref": "#/$defs/part"}},
        "$defs": {
            "part": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/part"}}}
        },
    }
    (one,) = read_classes({"classes": [schema]})
    assert ("head", "name") in [item.path for item in one.scalars]


def test_an_empty_class_is_skipped_and_an_excluded_one_leaves_a_stub() -> None:
    empty = {"$id": "Letter", "type": "object", "properties": {}}
    left_out = {**configuration()["classes"][0], "x-aws-idp-exclude": "true"}
    made = document("tiny_form").pdf
    skipped = process(Job(made, "x.pdf", {"classes": [empty]}, profile("0.6.8"))).sections[0]
    stub = process(Job(made, "x.pdf", {"classes": [left_out]}, profile("0.6.8"))).sections[0]
    assert skipped["inference_result"] == {}
    assert skipped["metadata"]["skipped_due_to_empty_attributes"] is True
    assert stub["status"] == "skipped_excluded_class"
    assert "inference_result" not in stub


def test_an_unknown_release_is_refused_with_those_that_exist() -> None:
    with pytest.raises(Refusal) as refusal:
        load_profile(CONFIG, "0.6.10")
    assert all(version in str(refusal.value) for version in ("0.6.5", "0.6.8", "0.6.9"))


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("engine.yaml", "image_dpi: 300", "image_dpy: 300", ["image_dp"]),
        ("engine.yaml", "image_dpi: 300", "image_dpi: 3", ["image_dpi", "3"]),
        ("0.6.9.yaml", "  bold_labels:", "  bold_lables:", ["bold_lables", "bold_labels"]),
        ("0.6.9.yaml", "run_id: conditional", "run_id: sometimes", ["run_id", "sometimes"]),
        ("0.6.9.yaml", 'version: "0.6.9"', 'version: "0.6.8"', ["version", "0.6.8"]),
    ],
)
def test_a_wrong_option_is_refused_by_file_and_key(
    tmp_path: Path, name: str, old: str, new: str, words: list[str]
) -> None:
    root = tmp_path / "config"
    shutil.copytree(CONFIG, root)
    file = root / "localstack" / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Refusal) as refusal:
        load_profile(root, "0.6.9")
    assert all(word in str(refusal.value) for word in words)


def test_every_behaviour_of_a_release_names_its_source(tmp_path: Path) -> None:
    root = tmp_path / "config"
    shutil.copytree(CONFIG, root)
    file = root / "localstack" / "0.6.8.yaml"
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if "source:" not in line]
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(Refusal, match="where that behaviour is documented"):
        load_profile(root, "0.6.8")


def test_a_record_is_plain_json(run: Callable[..., Any]) -> None:
    outcome = run("core-tt-adv-sep", "kv_form").outcome
    assert json.loads(json.dumps(outcome.sections)) == outcome.sections
    assert json.loads(json.dumps(outcome.metering)) == outcome.metering
