"""Metering: keys and units of the contract, sums of the requests, cache by repeat, no clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from enginehelp import context, profile
from hypothesis import given
from hypothesis import strategies as st

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.context import draw, draw_count, parse_context

UNITS = {
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheWriteInputTokens",
    "totalTokens",
    "requests",
}


@pytest.mark.parametrize(
    ("cell", "key", "units"),
    [
        ("core-tt-simple-sep", "OCR/textract/analyze_document-Tables", {"pages": 1}),
        ("core-tl-simple-sep", "OCR/textract/analyze_document-Layout", {"pages": 1}),
        ("core-bda-simple-sep", "OCR/bda/documents-standard", {"pages": 1}),
    ],
)
def test_pages_are_metered_by_service(run: Callable[..., Any], cell: str, key: str, units: dict[str, int]) -> None:
    assert run(cell, "tiny_form").outcome.metering[key] == units


def test_models_are_metered_under_the_contract_s_units(run: Callable[..., Any]) -> None:
    metering = run("core-tt-simple-sep", "tiny_form").outcome.metering
    models = {key: units for key, units in metering.items() if "/bedrock/" in key}
    assert {key.split("/")[0] for key in models} == {"Classification", "Extraction", "Assessment"}
    for units in models.values():
        assert units.keys() == UNITS
        assert units["totalTokens"] == sum(units[name] for name in UNITS - {"totalTokens", "requests"})


def test_the_requests_of_the_sections_add_up_to_the_metering(run: Callable[..., Any]) -> None:
    result = run("core-tt-adv-sep", "med_narrow")
    requests = [sent for section in result.outcome.sections for sent in section["metadata"]["requests"]]
    for phase in ("Extraction", "Assessment"):
        for unit in ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"):
            assert sum(sent[unit] for sent in requests if sent["phase"] == phase) == result.used(phase, unit)


def test_functions_are_metered_as_constants_a_page(run: Callable[..., Any]) -> None:
    one, three = (run("core-tt-simple-sep", name).outcome.metering for name in ("tiny_form", "small_narrow"))
    assert one["Extraction/lambda/requests"] == {"invocations": 1}
    seconds = one["Extraction/lambda/duration"]["gb_seconds"]
    assert three["Extraction/lambda/duration"]["gb_seconds"] == pytest.approx(3 * seconds)


def test_the_first_repeat_writes_the_cache_and_later_ones_read_it(run: Callable[..., Any]) -> None:
    first, second = (run("core-tt-simple-sep", "tiny_form", repeat=repeat) for repeat in (0, 1))
    written = first.used("Extraction", "cacheWriteInputTokens")
    assert written >= 1024
    assert first.used("Extraction", "cacheReadInputTokens") == 0
    assert second.used("Extraction", "cacheReadInputTokens") == written
    assert second.used("Extraction", "cacheWriteInputTokens") == 0
    assert first.used("Extraction", "inputTokens") == second.used("Extraction", "inputTokens")


def test_a_prefix_below_the_model_s_minimum_is_never_cached(run: Callable[..., Any]) -> None:
    def short(configuration: dict[str, Any]) -> None:
        configuration["extraction"]["system_prompt"] = "Read."

    for repeat in (0, 1):
        result = run("core-tt-simple-sep", "tiny_form", repeat=repeat, change=short)
        assert result.used("Extraction", "cacheReadInputTokens") == 0
        assert result.used("Extraction", "cacheWriteInputTokens") == 0


def test_implicit_caching_reads_the_whole_request_from_the_second_repeat_on(run: Callable[..., Any]) -> None:
    first, second = (run("astra-simple-sep", "tiny_form", repeat=repeat) for repeat in (0, 1))
    assert first.used("Extraction", "cacheWriteInputTokens") == 0
    assert first.used("Extraction", "inputTokens") == second.used("Extraction", "cacheReadInputTokens")
    assert second.used("Extraction", "inputTokens") == 0


def test_the_schema_is_sent_once_more_when_it_is_restated_or_forced(run: Callable[..., Any]) -> None:
    def prefix(cell: str) -> int:
        first = run(cell, "tiny_form").outcome.sections[0]["metadata"]["requests"][0]
        return int(first["cacheWriteInputTokens"])

    assert prefix("restate-on") - prefix("restate-off") == prefix("force-on") - prefix("force-off") > 400


def test_repeats_differ_in_turns_and_never_in_results(run: Callable[..., Any]) -> None:
    runs = [run("core-tt-adv-sep", "small_narrow", run_context=context("spread", n, 0)) for n in range(12)]
    turns = [one.used("Extraction", "requests") for one in runs]
    least, most = profile("0.6.8").turns.least, profile("0.6.8").turns.most
    conversations = profile("0.6.8").conversations_per_shard
    assert len(set(turns)) > 3
    assert all(conversations * least <= count <= conversations * most for count in turns)
    assert all(one.records == runs[0].records for one in runs)


def test_more_effort_means_more_output_and_the_model_s_default_counts(run: Callable[..., Any]) -> None:
    used = {effort: run("core-tt-simple-sep", "tiny_form", reasoning_effort=effort) for effort in ("low", "high")}
    assert used["low"].used("Extraction", "outputTokens") < used["high"].used("Extraction", "outputTokens")
    default = profile("0.6.8").models["us.anthropic.claude-sonnet-4-6"].effort.default
    unset = run("core-tt-simple-sep", "tiny_form").used("Extraction", "outputTokens")
    assert default in used
    assert unset == used[default].used("Extraction", "outputTokens")


def test_an_effort_that_the_model_does_not_take_is_refused(run: Callable[..., Any]) -> None:
    result = run("core-tt-simple-sep", "tiny_form", extraction_model="nova_lite", reasoning_effort="high")
    assert result.outcome.status == "FAILED"
    assert "reasoning_effort" in result.outcome.error


def test_a_run_context_is_read_by_key_and_repeat() -> None:
    assert parse_context("idpbench:0123456789abcdef repeat=2", "x") == parse_context(
        "grid: idpbench:0123456789abcdef repeat=2 (local)", "y"
    )
    assert parse_context("some other harness, repeat=2", "seed").seed == "seed"
    assert parse_context("some other harness, repeat=2", "seed").repeat == 0


@given(st.text(max_size=20), st.integers(0, 50), st.integers(0, 50))
def test_draws_stay_within_their_bounds_and_repeat(seed: str, least: int, more: int) -> None:
    assert 0 <= draw(seed, "a") < 1
    assert draw(seed, "a") == draw(seed, "a")
    assert least <= draw_count(seed, least, least + more, "b") <= least + more


def test_long_texts_are_counted_line_by_line_without_loss() -> None:
    line = "2024-01-05 SEQ00042 Card payment Corner Grocery -123.45\n"
    assert tokens.count(line * 5000) == pytest.approx(5000 * tokens.count(line), rel=0.01)
    assert tokens.count("x" * 300_000) > 0
