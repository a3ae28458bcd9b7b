"""models.md: what was measured of each model, and that nothing else was."""

from __future__ import annotations

from pathlib import Path

import pytest
from published import broken, line, publish_side, repeats, settings, sides

from idpbench.report.models import measured, render, sweeps_of

SIMPLE = "core-tt-simple-sep"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "aws"


def entry(text: str, model: str) -> str:
    """The line of a model in the first table."""
    return next(line for line in text.splitlines() if line.startswith(f"| {model} "))


def test_a_model_without_a_run_is_not_yet_measured_and_says_since_when(results: Path) -> None:
    publish_side(results, "0.6.9", "corefast", [line(SIMPLE, "tiny_form")])
    text = render(settings(), sides(results), "aws")
    assert "not yet measured (in the matrix since 2026-09-23)" in entry(text, "Claude Opus 5.5")
    assert "not yet measured (in the matrix, day not recorded)" in entry(text, "Claude Opus 5")


def test_a_measured_model_has_release_runs_failures_and_day(results: Path) -> None:
    publish_side(results, "0.6.9", "corefast", [*repeats(2, SIMPLE, "tiny_form"), broken(SIMPLE, "small_narrow")])
    text = render(settings(), sides(results), "aws")
    assert "extraction: 2026-11-10, 0.6.9 (3 runs, 1 failed)" in entry(text, "Claude Sonnet 4.6")
    assert "corefast (3, 1)" in text[text.index("## Runs") :]


def test_a_model_of_an_older_release_is_said_not_to_be_measured_again(results: Path) -> None:
    publish_side(results, "0.6.8", "corefast", [line(SIMPLE, "tiny_form", axes={"extraction_model": "sonnet5"})])
    publish_side(results, "0.6.9", "corefast", [line(SIMPLE, "tiny_form")])
    text = render(settings(), sides(results), "aws")
    assert "0.6.8 (1 run, 0 failed), not measured again on 0.6.9" in entry(text, "Claude Sonnet 5")


def test_a_confidence_model_counts_only_where_it_was_asked(results: Path) -> None:
    rows = [line("core-tt-simple-int", "tiny_form"), line("core-tt-simple-off", "tiny_form"), line(SIMPLE, "tiny_form")]
    publish_side(results, "0.6.9", "corefast", rows)
    found = measured(settings().models["nova_lite"], settings(), sides(results))
    assert [(one.role, one.evidence.runs) for one in found] == [("confidence", 1)]


def test_a_run_that_did_not_meter_the_model_of_its_role_is_no_run_of_it(results: Path) -> None:
    publish_side(results, "0.6.9", "corefast", [line(SIMPLE, "tiny_form", tokens_by_model={"another": {}})])
    assert measured(settings().models["nova_2_lite"], settings(), sides(results)) == []


def test_the_matrix_says_where_each_model_is() -> None:
    known = settings()
    assert sweeps_of(known.models["sonnet46"], known)[0] == "extraction: the default, held as the control"
    assert "extraction: in the sweep (`sweep-extraction-model-opus55`)" in sweeps_of(known.models["opus55"], known)
    assert "extraction: 2 cells of opus55value" in sweeps_of(known.models["opus55"], known)
    assert sweeps_of(known.models["astra_global"], known) == ["extraction: 1 cell of astravalue"]


def test_every_caveat_of_the_registry_is_on_the_page(results: Path) -> None:
    text = render(settings(), sides(results), "aws")
    for model in settings().models.values():
        for note in model.notes:
            assert note in text


def test_the_local_page_names_configuration_values_and_says_who_stood_in(tmp_path: Path) -> None:
    results = tmp_path / "results" / "local"
    publish_side(results, "0.6.9", "corefast", [line(SIMPLE, "tiny_form")])
    text = render(settings(), sides(results), "local")
    tables = text[: text.index("## Caveats")]
    assert not [model.label for model in settings().models.values() if model.label in tables]
    assert "extraction: stand-in ran 2026-11-10, 0.6.9 (1 run, 0 failed)" in entry(text, "`sonnet46`")
    assert "***Self-test" in text


def test_a_date_of_entry_changes_no_run() -> None:
    model = settings().models["opus55"]
    assert model.since is not None
    assert model.identity() == model.model_copy(update={"since": None}).identity()
