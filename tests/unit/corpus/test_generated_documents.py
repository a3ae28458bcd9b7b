"""Generated documents: the manifest's bytes on every machine, the declared pages, and truth that the page says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from idpbench.corpus.build import build
from idpbench.corpus.content import Shape
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.scan import ScanMetrics, write_scan
from idpbench.corpus.statement import draw
from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal
from idpbench.files.schema import check
from idpbench.reading.document import open_pdf
from idpbench.settings.grid import Document

PAGES = {
    "tiny_form": 1, "scale_25": 1, "small_narrow": 3, "scale_100": 3, "longdesc_100": 4, "med_narrow": 9,
    "scale_400": 9, "wide_400": 9, "manylists_400": 9, "noisy_400": 9, "valuenoise_100": 3, "valuenoise_400": 9,
    "large_narrow": 17, "scale_800": 17, "scale_1200": 25, "dense_250": 26, "scale_1600": 33, "xl_narrow": 33,
    "scale_3200": 66, "twodocs_2x20": 2, "paginated_3pg": 3, "repeathdr_3pg": 3, "kv_form": 1,
}  # fmt: skip


def document(**changes: Any) -> Document:
    fields: dict[str, Any] = {"id": "mine", "class": "bank_statement", "pages": 1, "rows": 5, "note": "a test"}
    return Document.model_validate({**fields, "parameters": {"rows": 5}, **changes})


@pytest.mark.parametrize("name", PAGES)
def test_a_document_is_what_the_manifest_says(
    name: str, documents: Mapping[str, Document], manifest: Mapping[str, Any]
) -> None:
    made = build(documents[name])
    entry = manifest[name]
    assert bytes_digest(made.pdf) == entry["sha256"]
    assert bytes_digest(made.truth_bytes) == entry["truth_sha256"]
    assert (entry["pages"], entry["rows"]) == (PAGES[name], made.truth["rows"])
    with open_pdf(made.pdf, name) as opened:
        assert opened.page_count == PAGES[name]
    check(made.truth, "truth", name)


def test_the_manifest_holds_every_document_and_no_other(
    documents: Mapping[str, Document], manifest: Mapping[str, Any]
) -> None:
    assert set(manifest) == set(documents) == set(PAGES)


def test_every_document_was_read_back(manifest: Mapping[str, Any]) -> None:
    for name, entry in manifest.items():
        result = entry["self_check"]
        least = 0.99 if entry["parameters"].get("ocr_noise") else 1.0
        assert result["method"] == ("text" if least == 1.0 else "ocr"), name
        assert result["values"] - len(result["misses"]) == result["read"] >= least * result["values"], name


def test_hash_seed_time_zone_and_locale_decide_nothing() -> None:
    code = (
        "import hashlib; from idpbench.corpus.content import Shape; from idpbench.corpus.statement import draw\n"
        "from idpbench.corpus.pdf import CanvasMetrics, write_pdf; from idpbench.corpus.scan import *\n"
        "from idpbench.corpus import form\n"
        "wide = Shape(30, 8, lists=2, interleave=True, desc_len=90, value_noise=True)\n"
        "parts = [write_pdf(draw(wide, CanvasMetrics())), write_pdf(form.draw()),\n"
        "         write_scan(draw(Shape(12, ocr_noise=0.15), ScanMetrics()), 0.15)]\n"
        "print(hashlib.sha256(b''.join(parts)).hexdigest())"
    )
    digests = set()
    for seed, zone in (("1", "Asia/Tokyo"), ("999", "America/St_Johns")):
        surroundings = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        done = subprocess.run(
            [sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout)
    assert len(digests) == 1


def test_documents_of_one_content_are_the_same_bytes(manifest: Mapping[str, Any]) -> None:
    assert manifest["small_narrow"]["sha256"] == manifest["scale_100"]["sha256"]


def test_no_compressor_has_a_say_in_the_bytes() -> None:
    shape = Shape(12, ocr_noise=0.15)
    scan = write_scan(draw(shape, ScanMetrics()), shape.ocr_noise)
    text = write_pdf(draw(Shape(12), CanvasMetrics()))
    assert b"CCITTFaxDecode" in scan
    assert b"FlateDecode" not in scan + text


def test_noise_is_on_the_page_and_not_in_the_truth_that_is_judged() -> None:
    made = build(document(parameters={"rows": 40, "ocr_noise": 0.15}, rows=40, pages=2, scan=True))
    printed, typed = made.truth["rows_rendered"], made.truth["rows_typed"]
    assert made.truth["exempt"] == ["Description"]
    assert all("Description" not in cells for cells in typed.values())
    original = build(document(parameters={"rows": 40}, rows=40, pages=2)).truth["rows_rendered"]
    closed = [seq for seq, cells in printed.items() if cells["Description"] != original[seq]["Description"]]
    assert 5 < len(closed) < 40
    assert all(printed[seq] | {"Description": ""} == original[seq] | {"Description": ""} for seq in closed)
    clean, noisy = (write_scan(draw(Shape(12), ScanMetrics()), noise) for noise in (0.0, 0.15))
    assert len(noisy) > 3 * len(clean)


def test_a_clean_document_prints_its_truth_and_value_noise_prints_what_people_write() -> None:
    clean = build(document()).truth
    for seq, cells in clean["rows_typed"].items():
        assert clean["rows_rendered"][seq]["Date"] == cells["Date"]
        assert clean["rows_rendered"][seq]["Description"] == cells["Description"]
        assert float(clean["rows_rendered"][seq]["Amount"]) == cells["Amount"]
        assert seq in cells["Description"]
    noisy = build(document(parameters={"rows": 100, "value_noise": True}, rows=100, pages=3)).truth
    amounts = " ".join(cells["Amount"] for cells in noisy["rows_rendered"].values())
    dates = " ".join(cells["Date"] for cells in noisy["rows_rendered"].values())
    assert all(mark in amounts for mark in ("$", "(", "'", ",")), amounts
    assert all(mark in dates for mark in ("-", "/", "Jan")), dates
    assert noisy["rows_typed"] == build(document(parameters={"rows": 100}, rows=100, pages=3)).truth["rows_typed"]


def test_two_statements_in_one_file_count_their_tags_on() -> None:
    truth = build(document(parameters={"rows": 20, "documents": 2}, rows=40, pages=2, sections=2)).truth
    assert truth["seq_ids"] == [f"SEQ{number:05d}" for number in range(40)]
    assert truth["expected_sections"] == 2


def test_interleaved_lists_take_turns() -> None:
    lists = build(document(parameters={"rows": 40, "lists": 2}, rows=40, pages=2)).truth
    turns = build(document(parameters={"rows": 40, "lists": 2, "interleave": True}, rows=40, pages=2)).truth
    assert lists["per_list"] == turns["per_list"] == [20, 20]
    assert lists["seq_ids"] == turns["seq_ids"]
    kinds = ["Card payment" in cells["Description"] for cells in turns["rows_rendered"].values()]
    assert kinds == ([True] * 5 + [False] * 5) * 4


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"parameters": {"rows": 5, "colls": 3}}, "parameters.colls.*did you mean cols"),
        ({"parameters": {"cols": 3}}, "parameters.rows.*add it"),
        ({"parameters": {"rows": 5, "cols": 4}}, "3 or 8"),
        ({"parameters": {"rows": 0}}, "from 1 to"),
        ({"parameters": {"rows": 5, "ocr_noise": 0.9}}, "from 0.0 to 0.3"),
        ({"parameters": {"rows": 5, "paginate": 1}}, "true or false"),
        ({"parameters": {"rows": 5, "interleave": True}}, "several lists"),
        ({"generator": "bank_statment"}, "did you mean bank_statement"),
        ({"generator": "kv_form"}, "takes none"),
        ({"pages": 2}, "documents.mine.pages: found 2, expected 1"),
        ({"rows": 6}, "write rows: 5"),
        ({"scan": True}, "write scan: false"),
        ({"sections": 2}, "sections"),
    ],
)
def test_a_wrong_entry_is_refused_by_file_and_key(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        build(document(**changes))
    assert str(refusal.value).startswith("config/documents.yaml: documents.mine.")
