"""The self-check notices what a reader could not read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idpbench.corpus import selfcheck
from idpbench.corpus.build import Made, build
from idpbench.corpus.content import Shape
from idpbench.corpus.page import Sheet, Text
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.selfcheck import check_document, self_check
from idpbench.corpus.statement import draw
from idpbench.corpus.truth import statement_truth
from idpbench.files.errors import Refusal
from idpbench.settings.grid import Document

SHAPE = Shape(30, value_noise=True)
TRUTH = statement_truth("mine", "bank_statement", SHAPE)


def sheets() -> list[Sheet]:
    return draw(SHAPE, CanvasMetrics())


def test_a_good_document_passes() -> None:
    check = self_check(write_pdf(sheets()), TRUTH, "mine")
    assert check.passed
    assert (check.method, check.values, check.read, check.tags) == ("text", 92, 92, 30)


@pytest.mark.parametrize("glyphs", [b"SEQ00003", b"4471-2093-8856"])
def test_one_blank_glyph_is_noticed(glyphs: bytes) -> None:
    pdf = write_pdf(sheets())
    assert pdf.count(glyphs) == 1
    with pytest.raises(Refusal, match="of 92 truth values"):
        check_document(pdf.replace(glyphs, glyphs[:6] + b" " + glyphs[7:]), TRUTH, "mine")


def test_a_blank_glyph_of_an_amount_names_the_cell() -> None:
    seq = TRUTH["seq_ids"][4]
    amount = TRUTH["rows_rendered"][seq]["Amount"]
    drawn = sheets()
    drawn[0].texts = [
        Text(t.x, t.y, t.text[:-1], t.size, t.bold, t.align) if t.text == amount else t for t in drawn[0].texts
    ]
    check = self_check(write_pdf(drawn), TRUTH, "mine")
    assert check.misses == (f"{seq} Amount: expected {amount!r}, read {amount[:-1]!r}",)


def test_text_printed_over_text_is_noticed_although_both_are_in_the_file() -> None:
    drawn = sheets()
    victim = next(text for text in drawn[0].texts if text.text.startswith("SEQ00007"))
    drawn[0].texts.append(Text(victim.x + 2, victim.y + 1, "PAID"))
    assert any("printed over each other" in fault for fault in self_check(write_pdf(drawn), TRUTH, "mine").faults)


def test_text_beyond_the_page_is_noticed() -> None:
    drawn = sheets()
    drawn[0].texts.append(Text(600, 400, "cut off"))
    assert any("beyond the page" in fault for fault in self_check(write_pdf(drawn), TRUTH, "mine").faults)


def test_a_row_too_many_is_noticed() -> None:
    drawn = sheets()
    last = max(text.y for text in drawn[0].texts if text.text.startswith("SEQ"))
    drawn[0].texts += [Text(54, last + 13.2, "2024-03-31"), Text(200, last + 13.2, "SEQ00099 Card payment")]
    assert any("31 rows" in fault for fault in self_check(write_pdf(drawn), TRUTH, "mine").faults)


def test_results_are_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = write_pdf(sheets())
    first = check_document(pdf, TRUTH, "mine", work=tmp_path)
    monkeypatch.setattr(selfcheck, "self_check", lambda *given: pytest.fail("checked twice"))
    assert check_document(pdf, TRUTH, "mine", work=tmp_path) == first
    next(tmp_path.rglob("*.json")).write_text("{")
    with pytest.raises(pytest.fail.Exception):
        check_document(pdf, TRUTH, "mine", work=tmp_path)


@pytest.fixture(scope="module")
def scan() -> Made:
    fields: dict[str, Any] = {"id": "scan", "class": "bank_statement", "pages": 1, "rows": 12, "note": "a test"}
    return build(Document.model_validate({**fields, "scan": True, "parameters": {"rows": 12, "ocr_noise": 0.15}}))


def test_a_scan_is_read_by_ocr_and_descriptions_are_exempt(scan: Made) -> None:
    check = self_check(scan.pdf, scan.truth, "scan")
    assert (check.method, check.values) == ("ocr", 26)
    assert check.read >= 25
    wrong = {**scan.truth, "fields": {**scan.truth["fields"], "Account Number": "1111"}}
    assert any(miss.startswith("Account Number") for miss in self_check(scan.pdf, wrong, "scan").misses)
