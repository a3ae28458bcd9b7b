"""Confidence comes from evidence, and its shape is the contract's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from idpbench.corpus.content import Shape
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.statement import draw

SEPARATE, INTEGRATED, OFF = "core-tt-simple-sep", "core-tt-simple-int", "core-tt-simple-off"


def leaves(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and "confidence" in value:
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)


def test_explainability_has_the_shape_of_the_result(run: Callable[..., Any]) -> None:
    section = run(SEPARATE, "small_narrow").outcome.sections[0]
    explained = section["explainability_info"]
    assert len(explained) == 1
    assert explained[0].keys() == section["inference_result"].keys()
    rows, assessed = section["inference_result"]["Transactions"], explained[0]["Transactions"]
    assert len(rows) == len(assessed)
    assert all(row.keys() == leaf.keys() for row, leaf in zip(rows, assessed, strict=True))
    leaf = explained[0]["Account Number"]
    assert leaf["confidence_threshold"] == 0.8
    assert 0.9 < leaf["confidence"] <= 1.0
    assert leaf["geometry"][0]["page"] == 1
    assert all(0 < leaf["geometry"][0]["boundingBox"][side] < 1 for side in ("left", "top", "width", "height"))


def test_confidence_off_leaves_no_trace(run: Callable[..., Any]) -> None:
    result = run(OFF, "small_narrow")
    assert "explainability_info" not in result.outcome.sections[0]
    assert not any(key.startswith("Assessment/") for key in result.outcome.metering)


def test_integrated_confidence_is_paid_in_the_extraction(run: Callable[..., Any]) -> None:
    apart, within = run(SEPARATE, "small_narrow"), run(INTEGRATED, "small_narrow")
    assert not any(key.startswith("Assessment/") for key in within.outcome.metering)
    assert within.used("Extraction", "outputTokens") > 2 * apart.used("Extraction", "outputTokens")
    assert list(leaves(within.outcome.sections[0]["explainability_info"]))


def test_rows_are_judged_in_batches_of_the_configured_size(run: Callable[..., Any]) -> None:
    assert run(SEPARATE, "small_narrow").used("Assessment", "requests") == 1 + 4
    assert run(SEPARATE, "small_narrow", conf_batch="b8").used("Assessment", "requests") == 1 + 13
    assert run(SEPARATE, "small_narrow", conf_batch="b13").used("Assessment", "requests") == 1 + 8


def test_a_batch_that_outgrows_the_confidence_model_leaves_its_last_rows_unscored(run: Callable[..., Any]) -> None:
    def huge(configuration: dict[str, Any]) -> None:
        configuration["extraction"]["confidence"]["list_batch_size"] = "500"

    section = run(SEPARATE, "med_narrow", change=huge).outcome.sections[0]
    sure = [leaf["confidence"] for leaf in leaves(section["explainability_info"][0]["Transactions"])]
    assert len(sure) == 1200
    assert None in sure
    assert sure[0] is not None
    assert sure[-1] is None


def test_a_value_that_can_be_read_in_two_ways_is_less_sure(run: Callable[..., Any]) -> None:
    result = run(SEPARATE, "valuenoise_100")
    section = result.outcome.sections[0]
    wrong = {seq for seq, _, _, _ in result.wrong_cells}
    assessed = section["explainability_info"][0]["Transactions"]
    for row, leaf in zip(section["inference_result"]["Transactions"], assessed, strict=True):
        if row["Description"][:8] in wrong:
            assert leaf["Date"]["confidence"] < 0.6
        else:
            assert leaf["Date"]["confidence"] > 0.9


def test_a_value_of_the_wrong_kind_is_less_sure(run: Callable[..., Any]) -> None:
    pdf = write_pdf(draw(Shape(rows=5), CanvasMetrics()))
    amount = str(run(SEPARATE, "tiny_form").rows["SEQ00001"]["Amount"]).encode()
    assert pdf.count(amount) == 1
    result = run(SEPARATE, "tiny_form", pdf=pdf.replace(amount, b"x" * len(amount)))
    leaf = result.outcome.sections[0]["explainability_info"][0]["Transactions"][1]["Amount"]
    assert leaf["confidence"] <= 0.5
    assert isinstance(result.rows["SEQ00001"]["Amount"], str)


def test_columns_that_reach_into_each_other_are_less_sure(run: Callable[..., Any]) -> None:
    def mean(cell: str, name: str) -> float:
        found = [leaf["confidence"] for leaf in leaves(run(cell, name).outcome.sections[0]["explainability_info"])]
        return float(sum(found) / len(found))

    assert mean("core-tl-adv-sep", "wide_400") <= mean("core-tt-adv-sep", "wide_400")


def test_escalation_of_low_confidence_pays_for_a_second_reading(run: Callable[..., Any]) -> None:
    plain = run(SEPARATE, "valuenoise_100")
    escalated = run(SEPARATE, "valuenoise_100", escalation="on")
    stronger = "Assessment/bedrock/us.anthropic.claude-sonnet-5"
    assert stronger not in plain.outcome.metering
    assert escalated.outcome.metering[stronger]["requests"] == 1
    assert len(escalated.wrong_cells) < len(plain.wrong_cells)
    calm = run(SEPARATE, "small_narrow", escalation="on")
    assert stronger not in calm.outcome.metering


def test_boxes_from_the_model_cost_tokens_and_change_nothing_else(run: Callable[..., Any]) -> None:
    ours, theirs = run(SEPARATE, "tiny_form"), run(SEPARATE, "tiny_form", geometry="llm")
    assert theirs.used("Assessment", "outputTokens") > ours.used("Assessment", "outputTokens")
    assert ours.outcome.sections[0]["explainability_info"] == theirs.outcome.sections[0]["explainability_info"]
