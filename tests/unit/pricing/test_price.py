"""Pricing: exact names, exact units, pinned rounding, and no number where a rate is not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.cli import main
from idpbench.pricing.card import Band, Rate, RateCard
from idpbench.pricing.price import price

FIVE = {"inputTokens": 5.0, "outputTokens": 5.0, "cacheReadInputTokens": 5.0, "cacheWriteInputTokens": 5.0}
PRICES = {"inputTokens": 1e-6, "outputTokens": 2e-6, "cacheReadInputTokens": 1e-7, "cacheWriteInputTokens": 1.25e-6}
CARD = RateCard(
    {
        "bedrock/plain": (Rate("bedrock/plain", "", PRICES),),
        "bedrock/plain:1m": (Rate("bedrock/plain:1m", "", {"inputTokens": 9e-6}),),
        "bedrock/banded": (Rate("bedrock/banded", "", PRICES, bands=(Band(100_000, FIVE), Band(500_000, {}))),),
        "bedrock/assumed": (Rate("bedrock/assumed", "", PRICES, frozenset({"cacheReadInputTokens"}), note="a guess"),),
        "textract/pages": (Rate("textract/pages", "", {"pages": 0.000006}),),
        "hook": (Rate("hook", "", {"pages": 0.004}),),
    }
)


def cost_of(entry: dict[str, Any], model: str = "plain") -> float | None:
    return price({f"Extraction/bedrock/{model}": entry}, CARD).cost


def test_every_unit_has_its_own_price() -> None:
    assert cost_of({"inputTokens": 10**6}) == 1.0
    assert cost_of({"cacheReadInputTokens": 10**6}) == 0.1  # not the input price, ten times as much
    assert cost_of({"cacheWriteInputTokens": 10**6}) == 1.25
    assert cost_of({"inputTokens": 10**6}, "plain:1m") == 9.0


def test_units_declared_free_cost_nothing_and_no_others() -> None:
    assert cost_of({"inputTokens": 10**6, "totalTokens": 10**6, "requests": 3}) == 1.0
    assert price({"OCR/hook": {"pages": 2, "requests": 2}}, CARD).cost == 0.008
    assert price({"OCR/textract/pages": {"requests": 2}}, CARD).cost is None


@pytest.mark.parametrize(
    ("metering", "says"),
    [
        ({"Extraction/bedrock/unheard": {"inputTokens": 1}}, "Extraction/bedrock/unheard: no rate"),
        ({"Extraction/bedrock/plain-v2": {"inputTokens": 1}}, "no rate"),
        ({"Extraction/bedrock/plain": {"reasoningTokens": 1}}, "no rate of bedrock/plain for reasoningTokens"),
        ({"Extraction/bedrock/plain:1m": {"cacheReadInputTokens": 1}}, "for cacheReadInputTokens"),
        ({"Extraction/bedrock/plain": {"inputTokens": True}}, "inputTokens is bool 'True', not a number"),
        ({"Extraction/bedrock/plain": {"inputTokens": "7"}}, "inputTokens is str '7', not a number"),
        ({"Extraction/bedrock/plain": {"inputTokens": None}}, "inputTokens is null, not a number"),
        ({"Extraction/bedrock/plain": {"inputTokens": float("nan")}}, "not a number"),
        ({"Extraction/bedrock/plain": {"inputTokens": -1}}, "below 0"),
        ({"Extraction/bedrock/plain": 7}, "int '7' instead of units"),
        ({"Extraction/bedrock/plain": None}, "null instead of units"),
        ([], "the metering is list"),
    ],
)
def test_one_entry_without_a_price_leaves_no_cost_at_all(metering: Any, says: str) -> None:
    if isinstance(metering, dict):
        metering = {"OCR/hook": {"pages": 1}, **metering}
    priced = price(metering, CARD)
    assert (priced.cost, priced.by_phase, priced.by_key) == (None, None, None)
    assert says in str(priced.reason)


def test_every_entry_without_a_price_is_named() -> None:
    priced = price({"A/x": {"n": 1}, "B/y": {"n": 1}}, CARD)
    assert priced.reason == "2 unpriceable metering entries: A/x: no rate; B/y: no rate"


def test_a_count_of_zero_is_free_at_any_rate() -> None:
    priced = price({"OCR/converted/conversion": {"pages": 0}, "X/bedrock/plain": {"unheard": 0}}, CARD)
    assert (priced.cost, priced.reason) == (0.0, None)
    assert priced.by_phase == {"OCR": 0.0, "X": 0.0}


def test_nothing_metered_costs_nothing() -> None:
    assert price({}, CARD).cost == 0.0


def test_a_phase_is_rounded_after_each_addition_and_the_total_once() -> None:
    # 0.000006 three times: 0.00001, 0.00002, 0.00003 step by step, though the sum 0.000018 rounds to 0.00002
    metering = {f"OCR/{n}/textract/pages": {"pages": 1} for n in "abc"}
    priced = price(metering, CARD)
    assert priced.by_phase == {"OCR": 0.00003} and priced.by_key == {"textract/pages": 0.00003}
    assert priced.cost == 0.0


def test_assumed_rates_and_notes_are_said_where_they_were_used() -> None:
    assert price({"E/bedrock/assumed": {"inputTokens": 5}}, CARD).notes == ("bedrock/assumed: a guess",)
    priced = price({"E/bedrock/assumed": {"cacheReadInputTokens": 5}, "F/bedrock/plain": {"inputTokens": 1}}, CARD)
    assert priced.notes == ("bedrock/assumed: the rate of cacheReadInputTokens is assumed", "bedrock/assumed: a guess")


@pytest.mark.parametrize(
    ("entry", "cost"),
    [
        ({"inputTokens": 100_000}, 0.1),  # the sum is at the threshold: every request is below
        ({"inputTokens": 60_000, "cacheReadInputTokens": 40_000, "requests": 1}, 0.064),
        ({"inputTokens": 60_000, "cacheReadInputTokens": 40_001, "requests": 1}, 0.32),
        ({"inputTokens": 300_000, "requests": 2}, 1.5),  # 150,000 a request
        ({"inputTokens": 300_000, "outputTokens": 10**6, "requests": 2}, 11.5),
        ({"inputTokens": 300_000, "requests": 3}, None),
        ({"inputTokens": 300_000}, None),
        ({"inputTokens": 600_000, "requests": 1}, 0.6),  # the second band charges flat again
        ({"inputTokens": 600_000, "requests": 2}, None),  # 300,000 a request, or one of them above 500,000
    ],
)
def test_a_band_is_judged_from_sums_only_where_they_settle_it(entry: dict[str, int], cost: float | None) -> None:
    priced = price({"Extraction/bedrock/banded": entry}, CARD)
    assert priced.cost == cost
    assert (cost is not None) or "band not known" in str(priced.reason)


def requests_of(*prompts: int, phase: str = "Extraction", model: str = "banded") -> list[dict[str, Any]]:
    return [{"phase": phase, "model": model, "inputTokens": prompt, "outputTokens": 0} for prompt in prompts]


def test_single_requests_settle_every_band() -> None:
    metering = {"Extraction/bedrock/banded": {"inputTokens": 300_000, "requests": 3}}
    priced = price(metering, CARD, requests_of(50_000, 50_000, 200_000))
    assert priced.cost == 1.1
    assert priced.notes == ("bedrock/banded: 1 of 3 requests above the band of 100000 prompt tokens",)


@pytest.mark.parametrize(
    "requests", [requests_of(50_000), requests_of(300_000, phase="Other"), requests_of(300_000, model="plain")]
)
def test_requests_that_do_not_add_up_to_the_entry_settle_nothing(requests: list[dict[str, Any]]) -> None:
    assert price({"Extraction/bedrock/banded": {"inputTokens": 300_000}}, CARD, requests).cost is None


counts = st.integers(0, 90_000)
entries = st.fixed_dictionaries({}, optional=dict.fromkeys(PRICES, counts))


@given(entries, entries)
def test_cost_is_additive_over_entries(a: dict[str, int], b: dict[str, int]) -> None:
    both = price({"A/bedrock/plain": a, "B/bedrock/plain": b}, CARD).cost
    apart = [price({"A/bedrock/plain": part}, CARD).cost for part in (a, b)]
    assert both == pytest.approx(sum(cost or 0.0 for cost in apart), abs=1.1e-4)


@given(st.lists(st.integers(0, 400_000), min_size=1, max_size=5))
def test_known_requests_cost_what_they_cost_one_by_one(prompts: list[int]) -> None:
    metering = {"E/bedrock/banded": {"inputTokens": sum(prompts), "requests": len(prompts)}}
    together = price(metering, CARD, requests_of(*prompts, phase="E")).cost
    single = sum(prompt * 1e-6 * (5 if prompt > 100_000 else 1) for prompt in prompts)
    assert together == pytest.approx(single, abs=1e-4)


def command(folder: Path, metering: Any, *more: str) -> tuple[int, Path]:
    path = folder / "metering.json"
    path.write_text(json.dumps(metering), encoding="utf-8")
    return main(["price", str(path), *more]), path


def test_the_command_prints_the_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = command(tmp_path, {"OCR/textract/analyze_document-Tables": {"pages": 2}}, "--at", "2026-11-30")
    answer = json.loads(capsys.readouterr().out)
    assert code == 0 and answer["cost"] == 0.03 and answer["by_phase"] == {"OCR": 0.03}
    assert answer["schema"] == "idpbench/price/1" and answer["at"] == "2026-11-30"


def test_the_command_ends_with_3_where_the_cost_is_not_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _ = command(tmp_path, {"OCR/unheard/of": {"pages": 2}})
    answer = json.loads(capsys.readouterr().out)
    assert (code, answer["cost"]) == (3, None) and "no rate" in answer["reason"]


@pytest.mark.parametrize(
    ("metering", "more", "says"),
    [([1], (), "a map"), ({}, ("--at", "soon"), "a date"), ({}, ("--pricing", "nowhere.yaml"), "nowhere.yaml")],
)
def test_the_command_refuses_wrong_input_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], metering: Any, more: tuple[str, ...], says: str
) -> None:
    code, _ = command(tmp_path, metering, *more)
    assert code == 2 and says in capsys.readouterr().err
