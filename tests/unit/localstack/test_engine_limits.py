"""What a request holds and returns: every ceiling comes out of the models' figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from enginehelp import context, profile, with_model

from idpbench.localstack.engine import Profile

CONTROL = "us.anthropic.claude-sonnet-4-6"
SIMPLE, ADVANCED = "core-tt-simple-sep", "core-tt-adv-sep"


@pytest.mark.parametrize("name", ["scale_25", "med_narrow", "large_narrow"])
def test_simple_mode_returns_every_row_up_to_800(run: Callable[..., Any], name: str) -> None:
    assert run(SIMPLE, name).recall == 1.0


def test_simple_mode_loses_rows_without_a_word_from_1200_on(run: Callable[..., Any]) -> None:
    result = run(SIMPLE, "scale_1200")
    assert result.outcome.status == "COMPLETED"
    assert result.outcome.issues == []
    assert result.wrong_scalars == {}
    assert 0.5 < result.recall < 0.9
    kept = sorted(result.rows)
    assert kept == [f"SEQ{number:05d}" for number in range(len(kept))]


def test_advanced_mode_is_complete_where_simple_is_not(run: Callable[..., Any]) -> None:
    assert run(ADVANCED, "scale_1200").recall == 1.0


def test_the_largest_document_is_refused_in_simple_mode_and_sharded_in_advanced(run: Callable[..., Any]) -> None:
    refused = run(SIMPLE, "scale_3200")
    assert refused.outcome.status == "FAILED"
    assert "ValidationException: input is too long" in refused.outcome.error
    assert "700000 usable" in refused.outcome.error
    assert run(ADVANCED, "scale_3200").recall == 1.0


def test_the_cliff_moves_with_the_cap(run: Callable[..., Any]) -> None:
    def capped(cap: int) -> Callable[[Profile], Profile]:
        return lambda base: with_model(base, CONTROL, output_cap=cap)

    whole = run(SIMPLE, "small_narrow").used("Extraction", "outputTokens")
    lengths = [len(run(SIMPLE, "small_narrow", profile_of=capped(cap)).rows) for cap in (1000, 2000, 3000, whole)]
    assert lengths == sorted(set(lengths))
    assert lengths[-1] == 100
    assert abs(lengths[1] - 2 * lengths[0]) <= 3


def test_a_failed_extraction_keeps_the_metering_of_what_ran(run: Callable[..., Any]) -> None:
    result = run(SIMPLE, "large_narrow", extraction_model="sonnet5")
    assert result.outcome.status == "FAILED"
    assert result.outcome.sections == []
    phases = {key.split("/")[0] for key in result.outcome.metering}
    assert phases == {"OCR", "Classification"}


@pytest.mark.parametrize(
    ("model", "status"), [("sonnet5", "FAILED"), ("sonnet46", "COMPLETED"), ("astra", "COMPLETED")]
)
def test_seventeen_pages_fit_a_million_and_not_200_thousand(run: Callable[..., Any], model: str, status: str) -> None:
    assert run(SIMPLE, "large_narrow", extraction_model=model).outcome.status == status


def test_page_images_make_up_most_of_a_simple_request(run: Callable[..., Any]) -> None:
    sharp = run("core-tt-simple-sep", "small_narrow")
    coarse = run("core-tt-simple-sep", "small_narrow", ocr_dpi="150")
    assert sharp.used("Extraction", "inputTokens") - coarse.used("Extraction", "inputTokens") == 3 * (11_220 - 2_805)


def test_advanced_requests_hold_text_only(run: Callable[..., Any]) -> None:
    for sent in run(ADVANCED, "small_narrow").outcome.sections[0]["metadata"]["requests"]:
        if sent["phase"] == "Extraction":
            held = sent["inputTokens"] + sent["cacheReadInputTokens"] + sent["cacheWriteInputTokens"]
            assert held < 11_220


def test_integrated_confidence_loses_rows_at_four_guesses_and_not_at_one(run: Callable[..., Any]) -> None:
    four, one = (run("core-tt-simple-int", "longdesc_100", version) for version in ("0.6.5", "0.6.8"))
    assert four.outcome.status == "COMPLETED"
    assert four.recall < 0.95
    assert four.wrong_scalars == {}
    assert one.recall == 1.0
    assert run("core-tt-simple-int", "small_narrow", "0.6.5").recall == 1.0


def test_integrated_confidence_survives_four_guesses_in_advanced_mode(run: Callable[..., Any]) -> None:
    def never(base: Profile) -> Profile:
        return base.model_copy(update={"declined_table_tool": 0.0})

    assert run("core-tt-adv-int", "longdesc_100", "0.6.5", profile_of=never).recall == 1.0


def test_shards_hold_at_most_the_configured_pages(run: Callable[..., Any]) -> None:
    narrow = run(ADVANCED, "med_narrow").outcome.sections[0]["metadata"]["requests"]
    wide = run(ADVANCED, "med_narrow", shard_pages="wide25").outcome.sections[0]["metadata"]["requests"]

    def written(requests: list[dict[str, Any]]) -> int:
        return sum(1 for sent in requests if sent["phase"] == "Extraction" and sent["cacheWriteInputTokens"])

    conversations = profile("0.6.8").conversations_per_shard
    assert (written(narrow), written(wide)) == (2 * conversations, conversations)


def test_a_declined_table_tool_returns_the_list_as_null(run: Callable[..., Any]) -> None:
    outcomes = [run(ADVANCED, "tiny_form", "0.6.5", run_context=context("declined", number, 0)) for number in range(40)]
    declined = [one for one in outcomes if one.records[0]["Transactions"] is None]
    assert 4 <= len(declined) <= 18
    for one in declined:
        assert one.outcome.status == "COMPLETED"
        assert one.recall == 0.0
        assert one.wrong_scalars == {}
    for number in range(10):
        assert run(ADVANCED, "tiny_form", "0.6.8", run_context=context("declined", number, 0)).recall == 1.0


def test_a_model_that_cannot_run_the_agentic_path_fails(run: Callable[..., Any]) -> None:
    result = run(ADVANCED, "tiny_form", extraction_model="nova_lite")
    assert result.outcome.status == "FAILED"
    assert "us.amazon.nova-lite-v1:0" in result.outcome.error
