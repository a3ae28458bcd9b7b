"""Canonical texts of values, canonical JSON, canonical CSV."""

import datetime as dt
import json
import math
import struct

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from idpbench.gold.jcs import jcs
from idpbench.gold.scalars import ErrorCode, es_number, kind_of, number_text, text_of
from idpbench.gold.tidy import Table, csv_bytes, read_csv
from idpbench.gold.trace import HeaderTrace, TraceRow, as_json, read_trace, trace_bytes

any_double = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0])
doubles = any_double.filter(math.isfinite)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | doubles | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(doubles)
@example(5e-324)
@example(1.7976931348623157e308)
@example(1e21)
@example(999999999999999900000.0)
@example(1e-7)
@example(-0.0)
def test_numbers_are_laid_out_like_rfc8785(value):
    assert es_number(value).encode() == rfc8785.dumps(value)


@given(values)
def test_canonical_json_is_that_of_rfc8785(value):
    assert jcs(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 2**53, {1: "a"}, {"a": {1, 2}}, "\ud800", b"a"])
def test_what_is_no_canonical_json_is_an_error(value):
    with pytest.raises(ValueError):
        jcs(value)


def test_keys_are_ordered_by_utf16_units():
    assert jcs({"\U0001f600": 1, "\ufb33": 2}) == '{"\U0001f600":1,"\ufb33":2}'.encode()


@given(doubles)
def test_a_number_has_at_most_fifteen_significant_digits_and_reads_back_as_nearly_the_same(value):
    text = number_text(value)
    digits = text.lower().split("e")[0].replace("-", "").replace(".", "").lstrip("0")
    assert len(digits.rstrip("0")) <= 15
    if abs(value) > 1e-300 and abs(value) < 1e300:
        assert math.isclose(float(text), value, rel_tol=1e-14)


@given(doubles)
def test_the_text_of_a_number_is_its_own_text(value):
    text = number_text(value)
    if math.isfinite(float(text)):
        assert number_text(float(text)) == text


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 10**400])
def test_a_number_that_no_double_holds_has_no_text(value):
    with pytest.raises(OverflowError):
        text_of(value)


@pytest.mark.parametrize(
    ("value", "text", "kind"),
    [
        ("  a\u00a0b\u3000", "a\u00a0b", "text"),
        ("e\u0301", "\u00e9", "text"),
        ("a\r\nb\rc\n", "a\nb\nc", "text"),
        ("", "", "blank"),
        (" \n\t\u00a0", "", "blank"),
        (None, "", "blank"),
        (True, "true", "boolean"),
        (False, "false", "boolean"),
        (0.017, "0.017", "number"),
        (12, "12", "number"),
        (ErrorCode("#DIV/0!"), "#DIV/0!", "error"),
        (dt.date(99, 1, 2), "0099-01-02", "date"),
        (dt.datetime(2020, 1, 1, 23, 59, 59, 500_000), "2020-01-02", "date"),
        (dt.datetime(9999, 12, 31, 23, 59, 59, 999_999), "9999-12-31T23:59:59", "date"),
        (dt.time(0, 0, 0, 500_000), "00:00:01", "date"),
        (dt.timedelta(milliseconds=-400), "00:00:00", "date"),
        (dt.timedelta(milliseconds=-500), "-00:00:01", "date"),
        (dt.timedelta(hours=100, seconds=1), "100:00:01", "date"),
    ],
)
def test_text_and_kind_of_a_value(value, text, kind):
    assert (text_of(value), kind_of(value)) == (text, kind)


tables = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        st.tuples(*[texts] * width),
        st.lists(st.tuples(*[texts] * width), max_size=5).map(tuple),
    )
)


@given(tables)
@example(Table(("",), (("",), ("",))))
@example(Table(("a", "b"), (("", ""), ("\r", '"\n'))))
def test_csv_is_read_back_as_the_same_table(table):
    assert read_csv(csv_bytes(table)) == table


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"a,b\n1\n",
        b"a\r\n1\r\n",
        b"a\n1",
        b'a\n"1"\n',
        b"a\n\n",
        b'a\n"1\n',
        b"\xef\xbb\xbf\n" + b"\x80",
    ],
)
def test_csv_in_another_form_is_refused(data):
    with pytest.raises(ValueError):
        read_csv(data)


headers = st.builds(HeaderTrace, texts, texts, st.none() | texts, st.none() | texts, texts)
rows = st.lists(st.builds(TraceRow, texts, st.lists(headers, max_size=3).map(tuple)), max_size=4).map(tuple)


@given(rows)
def test_a_trace_is_one_canonical_object_per_line_and_is_read_back(trace):
    data = trace_bytes(trace)
    assert data == b"".join(rfc8785.dumps(as_json(row)) + b"\n" for row in trace)
    assert read_trace(data) == trace


@pytest.mark.parametrize(
    "line",
    [
        {"source": "S!R1C1"},
        {"source": 1, "headers": []},
        {"source": "S!R1C1", "headers": [{"name": "a"}]},
        {"source": "S!R1C1", "headers": [], "more": 1},
        {"source": "S!R1C1", "headers": [dict.fromkeys(HeaderTrace._fields)]},
        [],
    ],
)
def test_a_trace_of_another_form_is_refused(line):
    with pytest.raises(ValueError):
        read_trace(json.dumps(line, separators=(",", ":"), sort_keys=True).encode() + b"\n")


def test_a_trace_without_a_last_line_end_is_refused():
    with pytest.raises(ValueError):
        read_trace(trace_bytes([TraceRow("S!R1C1", ())])[:-1])
