"""Writing the corpus: skipped when it is there, refused when it differs from the manifest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from idpbench.corpus.generate import generate
from idpbench.corpus.manifest import load_manifest, write_manifest
from idpbench.corpus.update import check_written, update_manifest
from idpbench.files.canonical import read_json
from idpbench.files.errors import Refusal
from idpbench.settings.grid import Document

NAMES = ["tiny_form", "kv_form"]


@pytest.fixture
def place(tmp_path: Path, manifest: Mapping[str, Any]) -> Path:
    """A folder with a manifest of two documents."""
    write_manifest(tmp_path / "manifest.json", {name: manifest[name] for name in NAMES})
    return tmp_path


def test_documents_are_written_once_and_again_only_when_spoilt(place: Path, documents: Mapping[str, Document]) -> None:
    docs = place / "docs"

    def run() -> list[str]:
        return generate(documents, docs, place / "manifest.json", NAMES)

    assert run() == NAMES
    assert sorted(path.name for path in docs.iterdir()) == [
        "kv_form.pdf",
        "kv_form.truth.json",
        "tiny_form.pdf",
        "tiny_form.truth.json",
    ]
    assert run() == []
    (docs / "kv_form.truth.json").write_text("{}")
    assert run() == ["kv_form"]


def test_bytes_that_differ_from_the_manifest_are_refused_and_not_written(
    place: Path, documents: Mapping[str, Document]
) -> None:
    entries = load_manifest(place / "manifest.json")
    entries["tiny_form"]["sha256"] = "0" * 64
    write_manifest(place / "manifest.json", entries)
    with pytest.raises(Refusal, match=r"documents\.tiny_form\.sha256.*reportlab.*--update-manifest"):
        generate(documents, place / "docs", place / "manifest.json", ["tiny_form"])
    assert not (place / "docs").exists()


def test_a_document_outside_the_manifest_and_one_outside_the_configuration_are_refused(
    place: Path, documents: Mapping[str, Document]
) -> None:
    with pytest.raises(Refusal, match=r"documents\.scale_25: found no entry.*--update-manifest"):
        generate(documents, place / "docs", place / "manifest.json", ["scale_25"])
    with pytest.raises(Refusal, match="did you mean tiny_form"):
        generate(documents, place / "docs", place / "manifest.json", ["tinyform"])


def test_updating_enters_what_was_made_and_read_back(place: Path, documents: Mapping[str, Document]) -> None:
    manifest = place / "manifest.json"
    before = manifest.read_bytes()
    update_manifest(documents, place / "docs", manifest, place / "work", NAMES)
    assert manifest.read_bytes() == before
    update_manifest(documents, place / "docs", manifest, place / "work", ["scale_25"])
    assert set(load_manifest(manifest)) == {*NAMES, "scale_25"}
    check_written(["scale_25"], place / "docs", place / "work")


def test_truth_files_name_their_schema(place: Path, documents: Mapping[str, Document]) -> None:
    generate(documents, place / "docs", place / "manifest.json", ["kv_form"])
    truth = read_json(place / "docs" / "kv_form.truth.json", "truth")
    assert truth["fields"]["Daily Rate"] == "$240.00"
    assert truth["fields_typed"]["Daily Rate"] == 240.0
    assert truth["fields_typed"]["Tax Exempt"] is False
    assert len(truth["fields"]) == 25
