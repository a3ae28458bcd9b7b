"""What differs between two releases, and nothing else."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium
import pytest
from enginehelp import CONFIG, document, profile

from idpbench.localstack.engine import load_profile
from idpbench.localstack.engine.backends import read_document
from idpbench.localstack.engine.cache import Cache

COREFAST = ["tiny_form", "small_narrow", "longdesc_100"]
ADVANCED = ["core-tt-adv-sep", "core-tl-adv-sep", "core-bda-adv-sep", "restate-off"]
PRICES = {"inputTokens": 3.0, "outputTokens": 15.0, "cacheReadInputTokens": 0.3, "cacheWriteInputTokens": 3.75}


@pytest.fixture(scope="module")
def ratio(run: Callable[..., Any]) -> dict[str, float]:
    """0.6.9 over 0.6.8: units of extraction and its cost, over the advanced cells of corefast."""
    totals: dict[str, dict[str, float]] = {}
    for version in ("0.6.8", "0.6.9"):
        results = [run(cell, name, version, repeat) for cell in ADVANCED for name in COREFAST for repeat in range(3)]
        units = (*PRICES, "requests")
        total = {unit: float(sum(result.used("Extraction", unit) for result in results)) for unit in units}
        total["cost"] = sum(price * total[unit] for unit, price in PRICES.items())
        totals[version] = total
    return {unit: totals["0.6.9"][unit] / totals["0.6.8"][unit] for unit in totals["0.6.9"]}


def test_0_6_9_sends_fewer_and_larger_extraction_requests(ratio: dict[str, float]) -> None:
    assert 0.4 < ratio["requests"] < 0.6
    assert 0.9 < ratio["outputTokens"] <= 1.0


def test_0_6_9_writes_half_the_cache_and_costs_about_27_percent_less(ratio: dict[str, float]) -> None:
    assert ratio["cacheWriteInputTokens"] == pytest.approx(0.5)
    assert ratio["cost"] == pytest.approx(0.73, abs=0.05)


@pytest.mark.parametrize("cell", ["core-tt-simple-sep", "core-bda-simple-sep", "core-tl-simple-sep"])
def test_other_cells_are_the_same_in_both_releases(run: Callable[..., Any], cell: str) -> None:
    old, new = run(cell, "small_narrow", "0.6.8", run_context=""), run(cell, "small_narrow", "0.6.9", run_context="")
    for section in (old.outcome.sections[0], new.outcome.sections[0]):
        assert section["metadata"].pop("profile")
    assert old.outcome.sections == new.outcome.sections
    assert old.outcome.metering == new.outcome.metering


def first_page(name: str) -> bytes:
    """The first page alone: the scalars stand there, and reading one page is quick."""
    with pdfium.PdfDocument(document(name).pdf) as whole, pdfium.PdfDocument.new() as part:
        part.import_pages(whole, [0])
        stream = io.BytesIO()
        part.save(stream)
    return stream.getvalue()


def test_bold_labels_cost_one_scalar_of_corefast_and_only_where_a_model_reads_the_page(run: Callable[..., Any]) -> None:
    pages = {name: first_page(name) for name in COREFAST}
    lost: dict[str, int] = {}
    for version in ("0.6.8", "0.6.9"):
        results = [run("core-llm-simple-sep", name, version, pdf=pages[name]) for name in COREFAST]
        lost[version] = sum(len(result.wrong_scalars) for result in results)
        for result in results:
            assert all(str(value).startswith("** ") for value in result.wrong_scalars.values())
    assert lost == {"0.6.8": 0, "0.6.9": 1}


def test_the_slip_belongs_to_the_page_and_not_to_the_run(run: Callable[..., Any]) -> None:
    first, third = (run("core-llm-simple-sep", "tiny_form", "0.6.9", repeat) for repeat in (0, 2))
    assert first.scalars == third.scalars


def test_bold_labels_stand_on_model_read_pages_only(cache: Cache) -> None:
    made = document("tiny_form").pdf
    for kind in ("textract_tables", "textract_layout", "bda"):
        plain = read_document(made, "x.pdf", kind, image_dpi=300, scan_dpi=300, bold=False, cache=cache)
        assert "**" not in plain[0].text


def test_run_ids_became_conditional_with_0_6_8() -> None:
    assert [profile(version).run_id for version in ("0.6.5", "0.6.8", "0.6.9")] == [
        "unconditional",
        "conditional",
        "conditional",
    ]


def test_a_profile_is_loaded_once_while_its_files_stay_the_same() -> None:
    assert load_profile(CONFIG, "0.6.9") is load_profile(CONFIG, "0.6.9")
