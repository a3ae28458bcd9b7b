"""The classification benchmark on the pages that are made from results/: guidance, models, landing page, retention."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from published import line, publish_side, settings, sides

from idpbench.files.atomic import write_text
from idpbench.files.canonical import read_json, write_json
from idpbench.report import landing
from idpbench.report.guidance.page import render
from idpbench.report.models import measured
from idpbench.report.retention.uses import made_from

SUITE = "classification"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "local"


def pooled(model: str, **changes: Any) -> dict[str, Any]:
    """The pages of one model."""
    return {
        "model": model, "label": settings().models[model].label, "pages_evaluated": 86, "class_accuracy": 0.721,
        "class_calibration_separation": 0.174, "cost": 0.27, "cost_per_page": 0.00315, "output_tokens_per_page": 64.4,
        "separation_reason": None, "cost_reason": None, "documents_unread": 0, "documents": 20, **changes,
    }  # fmt: skip


def benchmark(results: Path, version: str, *models: dict[str, Any], testset: str = "packets") -> None:
    """A side of the benchmark: everything but the classifier pinned at what is cheap."""
    axes = {"extraction_model": "nova_lite", "assessment": "off"}
    rows = [
        line(f"cls-{one['model']}-topk", testset, axes=axes | {"classification_model": one["model"]}) for one in models
    ]
    folder = publish_side(results, version, SUITE, rows, slug=testset)
    about = {"testset": testset, "kind": "generated", "sample": 20, "note": "", "mode": "topk", "models": list(models)}
    path = folder / "summary.json"
    write_json(path, {**read_json(path), "classification": about})
    write_text(folder / "README.md", "the page")


def section(results: Path, backend: str = "local") -> str:
    text = render(settings(), sides(results), backend)
    return text[text.index("## 8.") : text.index("## 9.")]


def test_the_guidance_shows_the_newest_benchmark_and_links_its_page(results: Path) -> None:
    benchmark(results, "0.6.8", pooled("haiku45", class_accuracy=0.5))
    benchmark(results, "0.6.9", pooled("haiku45"), pooled("haiku55", cost=None, cost_reason="no rate"))
    publish_side(results, "0.6.9", "corefast", [line("core-tt-simple-sep", "tiny_form")])
    text = section(results)
    assert "Evidence: 0.6.9, classification__packets: 2 runs, 0 failed, 2026-11-10." in text
    assert "| `haiku45` |      86 |      0.721 |       +0.174 |" in text and "0.500" not in text
    assert "- `haiku55`: no cost (no rate)." in text
    assert "(../v0.6.9/classification__packets/README.md)" in text
    assert not [model.label for model in settings().models.values() if model.label in text]


def test_a_model_of_the_benchmark_is_not_among_those_without_a_figure(results: Path) -> None:
    publish_side(results, "0.6.9", "corefast", [line("core-tt-simple-sep", "tiny_form")])
    assert "`haiku45`" in section(results) and "Not yet measured." in section(results)
    benchmark(results, "0.6.9", pooled("haiku45"))
    missing = next(row for row in section(results).splitlines() if row.startswith("No run, so no figure"))
    assert "`haiku45`" not in missing and "`haiku55`" in missing


def test_a_benchmark_of_an_older_release_says_so_and_each_test_set_has_its_own(results: Path) -> None:
    benchmark(results, "0.6.8", pooled("haiku45"))
    benchmark(results, "0.6.9", pooled("haiku45"), testset="mine")
    text = section(results)
    assert text.count("Evidence: ") == 2
    assert "`v0.6.8/classification__packets/summary.json`. **Older than 0.6.9**" in text


def test_what_the_benchmark_pins_is_no_measurement_of_the_pinned_model(results: Path) -> None:
    benchmark(results, "0.6.9", pooled("haiku45"))
    assert measured(settings().models["nova_lite"], settings(), sides(results)) == []
    assert [one.role for one in measured(settings().models["haiku45"], settings(), sides(results))] == [
        "classification"
    ]
    text = render(settings(), sides(results), "local")
    assert "`nova_lite` |" not in text[text.index("## 2.") : text.index("## 8.")]


def test_the_landing_page_links_every_benchmark_newest_first(results: Path) -> None:
    benchmark(results, "0.6.8", pooled("haiku45"))
    benchmark(results, "0.6.10", pooled("haiku45"))
    text = landing.render(results.parent)
    pages = [f"local/v{version}/classification__packets/README.md" for version in ("0.6.10", "0.6.8")]
    assert 0 < text.index(f"({pages[0]})") < text.index(f"({pages[1]})")
    assert text.count(landing.CLASSES) == 2


def test_a_benchmark_is_kept_while_the_guidance_shows_it(results: Path) -> None:
    benchmark(results, "0.6.8", pooled("haiku45"))
    publish_side(results, "0.6.9", "corefast", [line("core-tt-simple-sep", "tiny_form")])
    why = made_from(results, settings(), [], sides(results))["v0.6.8/classification__packets"]
    assert any("guidance/README.md has the pages" in reason for reason in why)
