"""Printed amounts and dates say what is true."""

from __future__ import annotations

import re
from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from idpbench.corpus.content import Shape, statements
from idpbench.corpus.page import wrap
from idpbench.corpus.pdf import CanvasMetrics
from idpbench.corpus.values import AMOUNT_FORMS, mix, plain_amount, spell_amount, spell_date

cents = st.integers(-99_999_999, 99_999_999)


@given(cents, st.sampled_from(AMOUNT_FORMS))
def test_an_amount_keeps_its_digits_and_sign_in_every_spelling(amount: int, form: str) -> None:
    text = spell_amount(amount, form)
    assert int(re.sub(r"\D", "", text)) == abs(amount)
    assert text.startswith(("-", "(")) == (amount < 0)
    assert re.search(r"[.,]\d\d\)?$", text)


@given(cents)
def test_a_plain_amount_is_the_number(amount: int) -> None:
    assert float(plain_amount(amount)) == amount / 100


@given(st.dates(date(1950, 1, 1)))
def test_a_date_is_the_same_day_in_every_spelling(day: date) -> None:
    forms = {
        "iso": "%Y-%m-%d",
        "day_month": "%d %b %Y",
        "month_day": "%b %d, %Y",
        "slash": "%m/%d/%Y",
        "long": "%d %B %Y",
    }
    for form, pattern in forms.items():
        assert datetime.strptime(spell_date(day, form), pattern).date() == day


@given(st.lists(st.text("abc", min_size=1, max_size=12), min_size=1, max_size=30), st.floats(30, 300))
def test_wrapping_loses_nothing_and_fits(words: list[str], room: float) -> None:
    metrics = CanvasMetrics()
    lines = wrap(" ".join(words), room, 9.0, metrics)
    assert " ".join(lines) == " ".join(words)
    assert all(metrics.width(line, 9.0) <= room or " " not in line for line in lines)


def test_mixing_is_spread_and_fixed() -> None:
    assert mix(1, 2) == mix(1, 2) != mix(2, 1)
    assert len({mix(number) % 100 for number in range(1000)}) == 100


@given(st.integers(1, 300), st.sampled_from([3, 8]), st.integers(1, 8), st.booleans(), st.integers(60, 300))
def test_every_statement_has_all_its_rows_in_order_and_descriptions_within_their_length(
    rows: int, cols: int, lists: int, interleave: bool, longest: int
) -> None:
    shape = Shape(rows, cols, lists, interleave and lists > 1, longest)
    (statement,) = statements(shape)
    entries = statement.entries
    assert [entry.seq for entry in entries] == [f"SEQ{number:05d}" for number in range(rows)]
    assert all(len(entry.typed) == cols for entry in entries)
    assert all(len(entry.typed["Description"]) <= longest for entry in entries)
    assert [entry.typed["Date"] for entry in entries] == sorted(entry.typed["Date"] for entry in entries)
