"""Present, absent, failed: what each stored form reads as."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.files.canonical import canonical
from idpbench.stack import decode

METERING = {"OCR/textract/analyze_document-Tables": {"pages": 3}}
NATIVE = {"M": {"OCR/textract/analyze_document-Tables": {"M": {"pages": {"N": "3"}}}}}


@pytest.mark.parametrize(
    ("item", "state", "value"),
    [
        (None, "absent", None),
        ({}, "absent", None),
        ({"Metering": {"S": json.dumps(METERING)}}, "present", METERING),
        ({"Metering": NATIVE}, "present", METERING),
        ({"Metering": {"S": "{}"}}, "present", {}),
        ({"Metering": {"S": ""}}, "failed", None),
        ({"Metering": {"S": "[1]"}}, "failed", None),
        ({"Metering": {"S": "null"}}, "failed", None),
        ({"Metering": {"S": '{"a": 1'}}, "failed", None),
        ({"Metering": {"L": []}}, "failed", None),
        ({"Metering": {"N": "3"}}, "failed", None),
        ({"Metering": {"BOOL": True}}, "failed", None),
        ({"Metering": {"NULL": True}}, "failed", None),
        ({"Metering": {"B": b"{}"}}, "failed", None),
        ({"Metering": {"M": {"a": {"B": b"x"}}}}, "failed", None),
    ],
)
def test_metering_is_in_one_of_three_states(item: Any, state: str, value: Any) -> None:
    reading = decode.metering(item)
    assert (reading.state, reading.value) == (state, value)
    assert (reading.reason is None) == (state == "present")


def test_a_count_that_is_no_number_is_handed_on_for_pricing_to_judge() -> None:
    text = '{"a/b": {"pages": true, "n": null, "x": "3", "y": NaN}, "c/d": 4}'
    reading = decode.metering({"Metering": {"S": text}})
    assert reading.value == {"a/b": {"pages": True, "n": None, "x": "3", "y": None}, "c/d": 4}
    assert reading.reason == "1 numbers that are not finite read as null"


@pytest.mark.parametrize(
    ("stored", "value"),
    [
        ({"S": "x"}, "x"),
        ({"N": "3"}, 3),
        ({"N": "3.0"}, 3),
        ({"N": "-0.5"}, -0.5),
        ({"N": "12345678901234567890"}, 12345678901234567890),
        ({"BOOL": False}, False),
        ({"NULL": True}, None),
        ({"L": [{"N": "1"}, {"S": "a"}]}, [1, "a"]),
        ({"SS": ["b", "a"]}, ["a", "b"]),
        ({"NS": ["2", "1"]}, [1, 2]),
    ],
)
def test_attributes_become_plain_json(stored: Any, value: Any) -> None:
    assert decode.attribute(stored) == value
    assert type(decode.attribute(stored)) is type(value)


@pytest.mark.parametrize("stored", [{"B": b"x"}, {"Z": 1}, {}, {"S": "a", "N": "1"}, {"N": "x"}, {"N": "1e400"}])
def test_what_has_no_plain_form_is_not_guessed(stored: Any) -> None:
    with pytest.raises(decode.Undecodable):
        decode.attribute(stored)


def test_one_bad_attribute_does_not_hide_the_rest_of_a_row() -> None:
    reading = decode.row({"ObjectStatus": {"S": "COMPLETED"}, "Odd": {"B": b"x"}})
    assert reading.value == {"ObjectStatus": "COMPLETED", "Odd": None}
    assert reading.reason == "read as null: Odd: type B"


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"3", b"\xff{}", b'"x"', b"null", b"[" * 100_000])
def test_an_object_that_cannot_be_read_is_failed(data: bytes) -> None:
    assert decode.json_object(data, "section 1").state == "failed"


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: json.dumps({"a": text}).encode()))
def test_whatever_a_stack_stores_ends_in_a_record_that_can_be_written(data: bytes) -> None:
    canonical(decode.json_object(data, "x").as_dict())


def test_lone_surrogates_and_overflowing_numbers_can_be_written() -> None:
    reading = decode.json_object(rb'{"a": "\ud800", "b": 1e999, "c": -Infinity}', "x")
    assert reading.value == {"a": "?", "b": None, "c": None}
    canonical(reading.as_dict())
