"""What the engine returns is what the page says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from idpbench.corpus.content import Shape
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.scan import ScanMetrics, write_scan
from idpbench.corpus.statement import draw
from idpbench.reading.ocr import OcrUnavailable

COREFAST = ["tiny_form", "small_narrow", "longdesc_100"]
SAME_WORDS = ["core-tt-simple-sep", "core-tt-adv-sep", "core-tl-simple-sep", "core-bda-simple-sep"]


@pytest.mark.parametrize("name", COREFAST)
@pytest.mark.parametrize("cell", SAME_WORDS)
def test_a_clean_statement_is_read_whole(run: Callable[..., Any], cell: str, name: str) -> None:
    result = run(cell, name)
    assert result.outcome.status == "COMPLETED"
    assert result.recall == 1.0
    assert result.wrong_scalars == {}
    assert result.wrong_cells == []
    assert len(result.outcome.sections) == 1


@pytest.mark.parametrize("name", ["wide_400", "manylists_400"])
def test_eight_columns_and_eight_lists_are_read_whole(run: Callable[..., Any], name: str) -> None:
    result = run("core-tt-adv-sep", name)
    assert result.recall == 1.0
    assert result.wrong_cells == []
    assert len(result.records[0]["Transactions"]) == 400


def test_a_form_gives_every_field_typed(run: Callable[..., Any]) -> None:
    result = run("core-tt-simple-sep", "kv_form")
    record = result.records[0]
    assert {name: record[name] for name in result.truth["fields_typed"]} == result.truth["fields_typed"]


def test_without_enforcement_a_form_comes_back_as_printed(run: Callable[..., Any]) -> None:
    record = run("enforce-off", "kv_form").records[0]
    assert record["Daily Rate"].startswith("$")
    assert record["Tax Exempt"] in {"Yes", "No"}


def test_a_blanked_character_in_the_pdf_is_lost(run: Callable[..., Any]) -> None:
    sheets = draw(Shape(rows=5), CanvasMetrics())
    pdf = write_pdf(sheets)
    assert b"SEQ00003" in pdf
    result = run("core-tt-simple-sep", "tiny_form", pdf=pdf.replace(b"SEQ00003", b"SEQ 0003"))
    assert result.recall == 0.8
    account = result.truth["fields"]["Account Number"].encode()
    result = run("core-tt-simple-sep", "tiny_form", pdf=pdf.replace(account, account[:-1] + b" "))
    assert "Account Number" in result.wrong_scalars


def test_a_row_whose_date_is_blank_stays_a_row_of_its_own(run: Callable[..., Any]) -> None:
    sheets = draw(Shape(rows=5), CanvasMetrics())
    pdf = write_pdf(sheets)
    third = run("core-tt-simple-sep", "tiny_form").rows["SEQ00002"]["Date"].encode()
    blank = pdf.replace(third, b" " * len(third), 1)
    result = run("core-tt-simple-sep", "tiny_form", pdf=blank)
    assert result.recall == 1.0
    dates = [row["Date"] for row in result.rows.values()]
    assert dates.count(None) == 1
    leaf = result.outcome.sections[0]["explainability_info"][0]["Transactions"][dates.index(None)]["Date"]
    assert leaf["confidence"] < 0.5


def test_backends_hand_on_the_same_page_in_other_forms(run: Callable[..., Any]) -> None:
    cells = [*SAME_WORDS, "core-llm-simple-sep"]
    texts = {cell: run(cell, "tiny_form", "0.6.9").outcome.pages[0].text for cell in cells}
    assert texts["core-tt-simple-sep"] == texts["core-tt-adv-sep"]
    assert len({texts[cell] for cell in texts if "adv" not in cell}) == 4
    assert "| Date | Description | Amount |" in texts["core-tt-simple-sep"]
    assert "|" not in texts["core-tl-simple-sep"]
    assert "| --- | --- | --- |" in texts["core-bda-simple-sep"]
    assert "**Account Number:**" in texts["core-llm-simple-sep"]


def test_a_model_that_reads_a_coarse_image_finds_other_words(run: Callable[..., Any]) -> None:
    def coarse(configuration: dict[str, Any]) -> None:
        configuration["ocr"]["image"]["dpi"] = 80

    read = run("core-llm-simple-sep", "tiny_form", change=coarse).outcome.pages[0]
    stated = run("core-tt-simple-sep", "tiny_form").outcome.pages[0]
    assert set(re.findall(r"\w+", read.text)) != set(re.findall(r"\w+", stated.text))
    assert read.text_confidence["mean_confidence"] < stated.text_confidence["mean_confidence"]


def test_a_scan_is_read_by_ocr_with_confidences_of_its_own(run: Callable[..., Any]) -> None:
    noise = 0.15
    pdf = write_scan(draw(Shape(rows=5, ocr_noise=noise), ScanMetrics()), noise)
    result = run("core-tt-simple-sep", "tiny_form", pdf=pdf)
    assert result.outcome.pages[0].text_confidence["source"] == "ocr"
    assert result.recall >= 0.8
    leaves = result.outcome.sections[0]["explainability_info"][0]["Transactions"]
    sure = [leaf["confidence"] for row in leaves for leaf in row.values()]
    assert len(set(sure)) > 3
    assert max(sure) < 0.995


def test_bytes_that_are_no_pdf_fail_with_the_reason(run: Callable[..., Any]) -> None:
    result = run("core-tt-simple-sep", "tiny_form", pdf=b"not a document")
    assert result.outcome.status == "FAILED"
    assert "tiny_form.pdf" in result.outcome.error
    assert result.outcome.metering == {}


def test_without_ocr_data_a_scan_fails_and_a_text_layer_does_not(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> None:
        raise OcrUnavailable("OCR: found no eng.traineddata")

    monkeypatch.setattr("idpbench.reading.ocr.tessdata_folder", absent)
    scan = write_scan(draw(Shape(rows=6, ocr_noise=0.15), ScanMetrics()), 0.15)
    result = run("core-tt-simple-sep", "tiny_form", pdf=scan)
    assert result.outcome.status == "FAILED"
    assert "no eng.traineddata" in result.outcome.error
    assert run("core-tt-simple-sep", "tiny_form").recall == 1.0


def test_the_same_job_gives_the_same_outcome(run: Callable[..., Any]) -> None:
    one, other = run("core-tt-adv-sep", "small_narrow"), run("core-tt-adv-sep", "small_narrow")
    assert json.dumps(one.outcome.sections) == json.dumps(other.outcome.sections)
    assert one.outcome.metering == other.outcome.metering
