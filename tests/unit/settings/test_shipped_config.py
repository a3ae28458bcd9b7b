"""The shipped configuration keeps what other parts rely on."""

from __future__ import annotations

import json
import subprocess
import sys

import bpe_openai
import pytest
from jsonschema import Draft202012Validator

from idpbench.files.canonical import read_json
from idpbench.pricing.card import load_rate_card
from idpbench.settings.model import Settings
from idpbench.settings.settled import load_settled, settled_path, settled_text
from idpbench.settings.versions import version_order

COLUMNS = ["Date", "Value Date", "Description", "Reference", "Branch", "Type", "Amount", "Balance"]
CLASSES = ["bank_real", "bank_statement", "docsplit", "generic", "invoice", "kv_form", "packets", "w2"]


def test_every_document_class_has_a_base_configuration(settings: Settings) -> None:
    assert sorted(settings.classes) == CLASSES


@pytest.mark.parametrize("name", CLASSES)
def test_the_prefix_of_a_simple_request_is_long_enough_to_be_cached(settings: Settings, name: str) -> None:
    """System prompt and schema together reach the 1,024 tokens below which no prefix is cached."""
    config = settings.classes[name]
    prefix = config["extraction"]["system_prompt"] + json.dumps(config["classes"], separators=(",", ":"))
    assert len(bpe_openai.get_encoding("o200k_base").encode(prefix)) >= 1024


@pytest.mark.parametrize("name", CLASSES)
def test_class_schemas_are_json_schemas_of_described_properties(settings: Settings, name: str) -> None:
    for entry in settings.classes[name]["classes"]:
        Draft202012Validator.check_schema(entry)
        assert entry["x-aws-idp-multi-instance"] is False
        assert set(entry["required"]) <= set(entry["properties"])
        assert all(prop.get("description") for prop in entry["properties"].values())


def test_a_bank_statement_has_two_scalars_and_one_list(settings: Settings) -> None:
    properties = settings.classes["bank_statement"]["classes"][0]["properties"]
    assert list(properties) == ["Account Number", "Statement Period", "Transactions"]
    items = properties["Transactions"]["items"]
    assert sorted(items["properties"]) == sorted(COLUMNS)
    assert items["required"] == ["Date", "Description", "Amount"]


def test_a_form_has_25_fields(settings: Settings) -> None:
    properties = settings.classes["kv_form"]["classes"][0]["properties"]
    kinds = sorted(p.get("format", p["type"]) for p in properties.values())
    assert len(properties) == 25
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"string": 12, "date": 4, "number": 6, "boolean": 3}


def test_boundary_prompts_differ_and_have_the_pages(settings: Settings) -> None:
    texts = [writes["classification.task_prompt"] for writes in settings.axes["boundary_prompt"].values.values()]
    assert len(set(texts)) == 3
    assert all("{DOCUMENT_TEXT}" in text for text in texts)


def test_the_rate_card_prices_every_model_of_the_matrix(settings: Settings) -> None:
    card = load_rate_card(settings.pricing)
    assert card.missing(f"Extraction/bedrock/{model.model_id}" for model in settings.models.values()) == []


def test_calls_of_functions_have_one_price_under_both_names(settings: Settings) -> None:
    prices = load_rate_card(settings.pricing).rates["lambda/requests"][0].prices
    assert prices["invocations"] == prices["requests"] > 0


def test_a_models_identity_has_no_names_notes_or_prices(settings: Settings) -> None:
    identity = settings.models["haiku55"].identity()
    assert {"id", "label", "notes", "assumed"}.isdisjoint(identity)
    assert identity["image_tokens"] == {"divisor": 750, "cap": 4770}


def test_assumed_figures_name_keys_that_exist(settings: Settings) -> None:
    for model in settings.models.values():
        for path in model.assumed:
            value = model
            for step in path.split("."):
                value = getattr(value, step)


def test_page_counts_are_those_of_the_size_series(settings: Settings) -> None:
    pages = {name: settings.documents[name].pages for name in settings.groups["scaling_series"]}
    assert list(pages.values()) == [1, 3, 9, 17, 25, 33, 66]
    for short, series in (
        ("small_narrow", "scale_100"),
        ("med_narrow", "scale_400"),
        ("large_narrow", "scale_800"),
        ("xl_narrow", "scale_1600"),
    ):
        assert settings.documents[short].parameters == settings.documents[series].parameters
    for document in settings.documents.values():
        rows = document.parameters.get("rows", 0)
        assert document.rows == rows * document.parameters.get("documents", 1)
        assert document.sections == document.parameters.get("documents", 1)
        assert document.scan == (document.parameters.get("ocr_noise", 0) > 0)


def test_documents_are_as_the_manifest_says_they_were_made(settings: Settings) -> None:
    manifest = settings.root / "corpus" / "manifest.json"
    if not manifest.exists():
        pytest.skip("no corpus manifest yet")
    made = read_json(manifest, "manifest")["documents"]
    assert set(made) == set(settings.documents)
    for name, document in settings.documents.items():
        stated = (document.pages, document.rows, document.generator, document.doc_class)
        assert stated == tuple(made[name][key] for key in ("pages", "rows", "generator", "class")), name


def test_the_snakefiles_part_of_the_library_imports_nothing_heavy() -> None:
    code = (
        "import sys; import idpbench.settings.load, idpbench.settings.options, idpbench.matrix.plan,"
        " idpbench.matrix.words, idpbench.stack.priors, idpbench.pricing.price;"
        " print(sorted({name.split('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("pandas", "numpy", "boto3", "botocore", "moto", "scipy", "matplotlib", "jsonschema", "reportlab"):
        assert f"'{heavy}'" not in loaded


def test_versions_sort_as_numbers_and_prereleases_before_releases() -> None:
    words = ["0.10.0", "0.6.9", "0.6.9-rc.2", "0.6.9-rc.10", "0.6.10"]
    assert sorted(words, key=version_order) == ["0.6.9-rc.2", "0.6.9-rc.10", "0.6.9", "0.6.10", "0.10.0"]


def test_settled_repeats_are_read_back(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = settled_path(tmp_path, "local", "0.6.9", "0.6.8", "corefast")
    assert path.relative_to(tmp_path).as_posix() == "settled/local/0.6.9-0.6.8/corefast.yaml"
    assert load_settled(path) == {}
    path.parent.mkdir(parents=True)
    bought = {("core-tt-adv-sep", "tiny_form"): 9, ("force-on", "longdesc_100"): 5}
    path.write_text(settled_text(bought))
    assert load_settled(path) == bought
