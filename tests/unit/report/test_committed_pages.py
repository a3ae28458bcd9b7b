"""The pages committed in results/ are those that the code makes of the committed sides: `make results` renews them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from published import ROOT, settings, sides

from idpbench.report import index, landing
from idpbench.report.guidance.page import render as guidance
from idpbench.report.models import render as models
from idpbench.report.retention import page as retention
from idpbench.report.shelf import Shelved
from idpbench.report.studies.definition import load_missing, load_studies
from idpbench.report.studies.page import write as write_studies

RESULTS = ROOT / "results"
BACKENDS = sorted(path.parent.name for path in RESULTS.glob("*/models.md"))


@cache
def shelved(backend: str) -> list[Shelved]:
    return sides(RESULTS / backend)


def same(name: str, made: str) -> None:
    assert made == (RESULTS / name).read_text(encoding="utf-8"), (
        f"results/{name} is not what the code makes of results/"
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_models_guidance_and_index_are_made_from_what_is_committed(backend: str) -> None:
    same(f"{backend}/models.md", models(settings(), shelved(backend), backend))
    same(f"{backend}/guidance/README.md", guidance(settings(), shelved(backend), backend))
    same(f"{backend}/releases/README.md", index.render(RESULTS / backend, backend))


@pytest.mark.parametrize("backend", BACKENDS)
def test_studies_are_made_from_what_is_committed(backend: str, tmp_path: Path) -> None:
    write_studies(
        settings(), load_studies(settings()), load_missing(settings()), shelved(backend), backend, tmp_path / "made"
    )
    made = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "made").glob("*.md")}
    assert set(made) == {path.name for path in (RESULTS / backend / "studies").glob("*.md")}
    for name, text in made.items():
        same(f"{backend}/studies/{name}", text)


def test_landing_page_and_retention_are_made_from_what_is_committed() -> None:
    same("README.md", landing.render(RESULTS))
    same(retention.NAME, retention.render(RESULTS, landing.BACKENDS))


def linked(page: Path) -> Iterator[str]:
    for part in page.read_text(encoding="utf-8").split("](")[1:]:
        yield part.partition(")")[0].partition("#")[0]


def test_every_link_of_a_committed_page_leads_somewhere() -> None:
    pages = sorted(RESULTS.rglob("*.md"))
    broken = [
        f"{page.relative_to(RESULTS)}: {target}"
        for page in pages
        for target in linked(page)
        if target and "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []
