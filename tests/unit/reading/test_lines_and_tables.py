"""Words to lines to rows, on pages made of boxes alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.reading.labels import label_values
from idpbench.reading.layout import match_header, read_tables
from idpbench.reading.lines import estimate_slope, page_lines, straighten, without_doubles
from idpbench.reading.words import Page, Word

NAMES = ("Date", "Value Date", "Description", "Amount")
LEFT = {"Date": 40.0, "Value Date": 110.0, "Description": 180.0, "Amount": 560.0}
WIDTH = 5.0  # of a character


def words_at(x: float, y: float, text: str, *, right: bool = False) -> list[Word]:
    x -= WIDTH * len(text) if right else 0.0
    words = []
    for part in text.split(" "):
        words.append(Word(part, x, y - 7.0, x + WIDTH * len(part), y))
        x += WIDTH * (len(part) + 0.5)
    return words


def printed(rows: list[dict[str, list[str]]], top: float = 100.0, heading: str = "Transactions") -> list[Word]:
    """A table as a page shows it: heading, header, rows 13 points apart, wrapped lines 10 points apart."""
    words = words_at(40.0, top - 34.0, heading) if heading else []
    for name in NAMES:
        words += words_at(LEFT[name], top - 16.0, name, right=name == "Amount")
    y = top
    for row in rows:
        for name, lines in row.items():
            for number, text in enumerate(lines):
                words += words_at(LEFT[name], y + 10.0 * number, text, right=name == "Amount")
        y += 13.0 + 10.0 * (max(len(lines) for lines in row.values()) - 1)
    return words


def page(words: list[Word], index: int = 0, source: str = "text") -> Page:
    return Page(index, 612.0, 792.0, tuple(words), source)


def texts(rows: list[dict[str, list[str]]]) -> list[dict[str, str]]:
    return [{name: " ".join(lines) for name, lines in row.items()} for row in rows]


phrase = st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join)
row = st.fixed_dictionaries(
    {
        "Date": st.dates().map(lambda day: [day.isoformat()]),
        "Description": st.lists(phrase, min_size=1, max_size=3),
        "Amount": st.decimals(-9999, 99999, places=2).map(lambda amount: [str(amount)]),
    },
    optional={"Value Date": st.dates().map(lambda day: [day.isoformat()])},
)


@given(st.lists(row, min_size=1, max_size=12))
@settings(max_examples=60, deadline=None)
def test_every_row_comes_back_with_its_wrapped_cells(rows: list[dict[str, list[str]]]) -> None:
    (table,) = read_tables([page(printed(rows))], NAMES)
    assert table.heading == "Transactions"
    assert [{name: cell.text for name, cell in found.cells.items()} for found in table.rows] == texts(rows)


@given(st.lists(row, min_size=3, max_size=12), st.floats(-0.03, 0.03))
@settings(max_examples=40, deadline=None)
def test_a_turned_page_reads_like_a_level_one(rows: list[dict[str, list[str]]], slope: float) -> None:
    turned = [
        replace(
            word,
            x0=word.x0 - slope * word.centre,
            x1=word.x1 - slope * word.centre,
            y0=word.y0 + slope * word.middle,
            y1=word.y1 + slope * word.middle,
            confidence=0.9,
        )
        for word in printed(rows)
    ]
    (table,) = read_tables([page(turned, source="ocr")], NAMES)
    assert [{name: cell.text for name, cell in found.cells.items()} for found in table.rows] == texts(rows)


def test_a_level_page_is_left_as_it_is() -> None:
    words = printed([{"Date": ["2024-01-02"], "Description": ["one two"], "Amount": ["1.50"]}] * 8)
    assert estimate_slope(words) == 0.0
    assert straighten(words) == words


def simple(first: int, count: int) -> list[dict[str, list[str]]]:
    return [
        {"Date": [f"2024-01-{at + 1:02d}"], "Description": [f"row {at}"], "Amount": [f"{at}.00"]}
        for at in range(first, first + count)
    ]


def test_a_table_goes_on_over_the_page_with_its_header_repeated() -> None:
    pages = [page(printed(simple(0, 5))), page(printed(simple(5, 3), heading=""), 1)]
    (table,) = read_tables(pages, NAMES)
    assert [found.cells["Description"].text for found in table.rows] == [f"row {at}" for at in range(8)]
    assert table.pages == [0, 1]


def test_a_table_goes_on_over_the_page_without_a_header() -> None:
    rest = [word for word in printed(simple(5, 3), heading="") if word.y1 >= 100.0]
    (table,) = read_tables([page(printed(simple(0, 5))), page(rest, 1)], NAMES)
    assert len(table.rows) == 8


def test_tables_under_other_headings_stay_apart_and_continued_ones_do_not() -> None:
    first, second = printed(simple(0, 4), heading="Card payments"), printed(simple(4, 4), 300.0, "Transfers")
    third = page(printed(simple(8, 2), heading="Transfers (continued)"), 1)
    tables = read_tables([page(first + second), third], NAMES)
    assert [(table.heading, len(table.rows)) for table in tables] == [("Card payments", 4), ("Transfers", 6)]


def test_what_stands_after_a_gap_is_no_row_and_no_wrapped_cell() -> None:
    words = (
        printed(simple(0, 4)) + words_at(180.0, 200.0, "All amounts in dollars") + words_at(300.0, 770.0, "Page 1 of 2")
    )
    (table,) = read_tables([page(words)], NAMES)
    assert [found.cells["Description"].text for found in table.rows] == ["row 0", "row 1", "row 2", "row 3"]


@pytest.mark.parametrize("text", ["Date Descripticn Arnount", "DATE DESCRIPTION AMOUNT", "Dafe Description Amount"])
def test_a_misread_header_is_still_a_header(text: str) -> None:
    (line,) = page_lines(page(words_at(40.0, 50.0, text)))
    columns = match_header(line, NAMES)
    assert columns is not None
    assert [column.name for column in columns] == ["Date", "Description", "Amount"]


@pytest.mark.parametrize(
    "text", ["The date and the amount are stated in the description", "Date of birth and place", "1 2 3"]
)
def test_prose_is_no_header(text: str) -> None:
    (line,) = page_lines(page(words_at(40.0, 50.0, text)))
    assert match_header(line, NAMES) is None


def test_a_column_that_nobody_asked_for_keeps_its_values_to_itself() -> None:
    words = words_at(40, 84, "Date") + words_at(180, 84, "Memo") + words_at(300, 84, "Amount")
    words += words_at(40, 100, "2024-01-01") + words_at(180, 100, "a b c") + words_at(300, 100, "5.00")
    (table,) = read_tables([page(words)], NAMES)
    assert {name: cell.text for name, cell in table.rows[0].cells.items()} == {
        "Date": "2024-01-01",
        "Memo": "a b c",
        "Amount": "5.00",
    }
    assert [column.known for column in table.columns] == [True, False, True]


def test_of_two_words_in_one_place_the_more_certain_stays() -> None:
    sure, unsure = Word("Branch", 10, 10, 40, 18, 0.95), Word("Brrnch-", 10, 11, 44, 18, 0.4)
    beside = Word("Type", 50, 10, 70, 18, 0.3)
    assert without_doubles([unsure, sure, beside]) == [sure, beside]


def test_values_stand_beside_their_labels_in_two_columns() -> None:
    words = words_at(40, 50, "Order Number: 17-A") + words_at(300, 50, "Total Due: $ 1,200.00 net")
    words += words_at(40, 70, "Order Nunber: 18-B") + words_at(300, 70, "Delivery Date:")
    found = label_values(page_lines(page(words)), ["Order Number", "Total Due", "Delivery Date", "Order Date"])
    assert {label: [cell.text for _, cell in cells] for label, cells in found.items()} == {
        "Order Number": ["17-A", "18-B"],
        "Total Due": ["$ 1,200.00 net"],
    }
