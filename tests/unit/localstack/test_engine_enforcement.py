"""Printed values to types: what is converted, what is refused, and what a second reading mends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.localstack.engine.values import coerce, date_order, literal, looks_like


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1234.56", 1234.56),
        ("$1,234.56", 1234.56),
        ("(1,234.56)", -1234.56),
        ("1.234,56", 1234.56),
        ("1'234.56", 1234.56),
        ("-$45.20", -45.2),
        ("$-45.20", -45.2),
        ("45.20-", -45.2),
        ("€ 1 234,50", 1234.5),
        ("12.5 %", 12.5),
        ("3", 3),
        ("120.00 DR", -120),
    ],
)
def test_numbers_as_statements_print_them(text: str, value: float) -> None:
    assert coerce(text, "number").value == value


@pytest.mark.parametrize("text", ["n/a", "12-34", "1.2.3", "4471-2093-8856", "", "1,23,4"])
def test_what_is_no_number_stays_text(text: str) -> None:
    assert coerce(text, "number").state == "refused"
    assert coerce(text, "number").value == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-03-14", "2024-03-14"),
        ("14 Mar 2024", "2024-03-14"),
        ("Mar 14, 2024", "2024-03-14"),
        ("14 March 2024", "2024-03-14"),
        ("03/14/2024", "2024-03-14"),
        ("14.03.2024", "2024-03-14"),
        ("04/04/2024", "2024-04-04"),
    ],
)
def test_dates_as_statements_print_them(text: str, value: str) -> None:
    assert coerce(text, "date").value == value


@pytest.mark.parametrize("text", ["03/04/2024", "31/02/2024", "2024-13-01", "05/26", "soon"])
def test_a_date_that_can_be_read_in_two_ways_or_in_none_is_refused(text: str) -> None:
    assert coerce(text, "date").state == "refused"


def test_evidence_of_the_column_settles_an_ambiguous_date() -> None:
    assert date_order(["03/04/2024", "03/14/2024"]) == "month"
    assert date_order(["03/04/2024", "14/03/2024"]) == "day"
    assert date_order(["03/14/2024", "14/03/2024"]) == ""
    assert coerce("03/04/2024", "date", "month").value == "2024-03-04"
    assert coerce("03/04/2024", "date", "day").value == "2024-04-03"


@given(st.dates(date(1980, 1, 1), date(2060, 1, 1)))
def test_iso_dates_are_left_alone(day: date) -> None:
    assert coerce(day.isoformat(), "date").state == "same"


@given(st.integers(-(10**9), 10**9))
def test_grouped_and_bracketed_amounts_keep_their_value(cents: int) -> None:
    printed = f"{abs(cents) / 100:,.2f}"
    text = f"({printed})" if cents < 0 else f"${printed}"
    assert coerce(text, "number").value == pytest.approx(cents / 100)
    assert looks_like(text, "number")


@given(st.floats(-1e6, 1e6).map(lambda x: round(x, 2)))
def test_a_plain_numeral_is_a_number_at_once(value: float) -> None:
    text = f"{value:.2f}"
    assert literal(text, "number") == pytest.approx(float(text))
    assert literal(text, "string") == text


def test_value_noise_is_coerced_and_ambiguous_dates_are_refused_and_counted(run: Callable[..., Any]) -> None:
    result = run("enforce-warn", "valuenoise_100")
    metadata = result.outcome.sections[0]["metadata"]
    refused = metadata["coercion"]["refusal_count"]
    assert metadata["coercion"]["coercion_count"] > 80
    assert refused > 0
    assert len(result.wrong_cells) == refused
    assert {name for _, name, _, _ in result.wrong_cells} == {"Date"}
    assert metadata["validation"]["valid"] is False
    assert metadata["validation"]["failed_fields"] == ["Transactions"]
    assert metadata["validation"]["error_count"] == refused


def test_without_enforcement_values_stay_as_printed_and_nothing_is_claimed(run: Callable[..., Any]) -> None:
    result = run("enforce-off", "valuenoise_100")
    assert len(result.wrong_cells) > 80
    assert not {"coercion", "validation"} & result.outcome.sections[0]["metadata"].keys()


def test_escalation_mends_what_was_refused_and_pays_for_it(run: Callable[..., Any]) -> None:
    warned, escalated = run("enforce-warn", "valuenoise_100"), run("enforce-escalate", "valuenoise_100")
    assert len(escalated.wrong_cells) < len(warned.wrong_cells)
    assert escalated.used("Extraction", "requests") == warned.used("Extraction", "requests") + 1
    assert escalated.used("Extraction", "inputTokens") > warned.used("Extraction", "inputTokens")


def test_escalation_costs_nothing_where_nothing_fails(run: Callable[..., Any]) -> None:
    warned, escalated = run("enforce-warn", "small_narrow"), run("enforce-escalate", "small_narrow")
    assert escalated.outcome.metering == warned.outcome.metering


def test_a_clean_statement_needs_no_coercion(run: Callable[..., Any]) -> None:
    metadata = run("enforce-warn", "small_narrow").outcome.sections[0]["metadata"]
    assert metadata["coercion"] == {"coercion_count": 0, "refusal_count": 0}
    assert metadata["validation"]["valid"] is True


def test_forcing_is_honoured_or_skipped_with_the_reason(run: Callable[..., Any]) -> None:
    honoured = run("force-on", "tiny_form").outcome.sections[0]["metadata"]["forced_tool"]
    assert honoured == {"requested": True, "honored": True}
    skipped = run("force-on", "tiny_form", extraction_model="opus55").outcome.sections[0]["metadata"]["forced_tool"]
    assert skipped["honored"] is False
    assert "us.anthropic.claude-opus-5-5" in skipped["skipped"]
    plain = run("force-off", "tiny_form").outcome.sections[0]["metadata"]["forced_tool"]
    assert plain["requested"] is False
