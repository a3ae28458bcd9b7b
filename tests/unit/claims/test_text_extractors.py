"""Extractors of sheets, invoices and prose: what a page says, and what makes it less sure."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import cues, evidence
from idpbench.claims.extractors.grid import read_grid
from idpbench.claims.extractors.invoice import InvoiceExtractor
from idpbench.claims.extractors.prose import ProseExtractor
from idpbench.claims.extractors.sentences import split_sentences
from idpbench.claims.extractors.sheet import SheetExtractor
from idpbench.claims.extractors.validity import document_date, valid_until

SHEET = """Cargo of the ports, 2024
Source: the authority, 17 March 2025

Port,Cargo (kt),Calls,Master
Torsund,4182.6,"1,204",Ines Falk
Ravnik,1260.0 p,588,vacant
Total,5442.6,1792,

p provisional
"""


def sheet(text: str) -> dict[str, float]:
    return {claim.content: claim.confidence for claim in SheetExtractor().extract(text.encode(), None)}


def test_a_cell_is_said_with_its_row_column_unit_and_year() -> None:
    assert list(sheet(SHEET)) == [
        "The cargo of Torsund in 2024 was 4182.6 kt.",
        "Torsund had 1,204 calls in 2024.",
        "The master of Torsund is Ines Falk.",
        "The cargo of Ravnik in 2024 was 1260.0 kt.",
        "Ravnik had 588 calls in 2024.",
        "The master of Ravnik is vacant.",
        "The total cargo in 2024 was 5442.6 kt.",
        "The total calls in 2024 were 1792.",
    ]


def test_a_mark_that_a_note_explains_as_provisional_lowers_the_confidence() -> None:
    found = sheet(SHEET)
    sure, provisional = found["Ravnik had 588 calls in 2024."], found["The cargo of Ravnik in 2024 was 1260.0 kt."]
    assert provisional < sure
    unexplained = sheet(SHEET.replace("\np provisional\n", ""))
    assert "The cargo of Ravnik in 2024 was 1260.0 p kt." in unexplained  # then it may as well be a unit


def test_a_total_that_its_rows_do_not_add_up_to_is_less_sure() -> None:
    right = sheet(SHEET)["The total calls in 2024 were 1792."]
    assert sheet(SHEET.replace("1792", "1800"))["The total calls in 2024 were 1800."] < right


def test_a_cell_that_is_no_number_in_a_column_of_numbers_is_less_sure() -> None:
    found = sheet(SHEET.replace("588", "many"))
    assert found["Ravnik had many calls in 2024."] < 0.6


def test_markdown_with_a_row_of_units_and_years_as_columns() -> None:
    units = "# Trial 2025\n\n| Variety | Yield |\n|---|---:|\n| | kg |\n| Topaz | 18.9 |\n| Mean | 18.9 |\n\nEnd."
    assert list(sheet(units)) == ["The yield of Topaz in 2025 was 18.9 kg.", "The mean yield in 2025 was 18.9 kg."]
    years = "Loans of the libraries (thousand)\n\nLibrary;2023;2024\nMelby;18;19\nRavnik;..;98\n"
    assert list(sheet(years)) == [
        "The loans of the libraries of Melby in 2023 were 18 thousand.",
        "The loans of the libraries of Melby in 2024 were 19 thousand.",
        "The loans of the libraries of Ravnik in 2024 were 98 thousand.",
    ]


@pytest.mark.parametrize("text", ["", "only a line", "1,2\n3,4\n", "A,B\n"])
def test_a_text_without_a_table_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="expected a table"):
        read_grid(text)


@given(st.lists(st.lists(st.integers(0, 999), min_size=3, max_size=3), min_size=1, max_size=6))
def test_every_cell_of_a_table_of_numbers_becomes_one_claim(rows: list[list[int]]) -> None:
    lines = ["Key,Alpha,Beta,Gamma", *(f"row{n}x,{','.join(map(str, row))}" for n, row in enumerate(rows))]
    assert len(SheetExtractor().extract("\n".join(lines).encode(), None)) == 3 * len(rows)


INVOICE = """BRANDT & LOWE LTD
14 Canal Row, Leeds

                 INVOICE

Invoice number: 20871        Invoice date: 14 May 2026
Your order: TV-3318

Bill to:
  Tern Valley Practice
  Mill Lane 3

Item  Description         Qty      Unit price     Amount
1     Gloves, size M      40 box      6.25        250.00
2     Suture kit          12         18.40        220.90

                  Subtotal                        470.90
                  VAT 20 %                         94.18
                  Total due                   GBP 565.08

Payment terms: 30 days net. Interest is charged on late payments.
"""


def invoice(text: str = INVOICE) -> dict[str, float]:
    return {claim.content: claim.confidence for claim in InvoiceExtractor().extract(text.encode(), None)}


def test_an_invoice_is_read_from_its_head_to_its_terms() -> None:
    assert list(invoice()) == [
        "Invoice 20871 was issued by Brandt & Lowe Ltd.",
        "Invoice 20871 has the invoice date 14 May 2026.",
        "Invoice 20871 has the order TV-3318.",
        "Invoice 20871 has the payment terms 30 days net.",
        "Invoice 20871 has as bill to Tern Valley Practice, Mill Lane 3.",
        "Invoice 20871 charges GBP 250.00 for 40 box of Gloves, size M at GBP 6.25 each.",
        "Invoice 20871 charges GBP 220.90 for 12 of Suture kit at GBP 18.40 each.",
        "The subtotal of invoice 20871 is GBP 470.90.",
        "The VAT 20 % of invoice 20871 is GBP 94.18.",
        "The total due of invoice 20871 is GBP 565.08.",
    ]


def test_the_arithmetic_of_the_page_is_evidence() -> None:
    found = invoice()
    fits = found["Invoice 20871 charges GBP 250.00 for 40 box of Gloves, size M at GBP 6.25 each."]
    wrong = found["Invoice 20871 charges GBP 220.90 for 12 of Suture kit at GBP 18.40 each."]  # 12 x 18.40 = 220.80
    assert wrong < fits
    assert found["The total due of invoice 20871 is GBP 565.08."] == evidence.FIELD
    other = invoice(INVOICE.replace("565.08", "556.08"))
    assert other["The total due of invoice 20871 is GBP 556.08."] < evidence.FIELD


def test_an_invoice_without_a_number_is_less_sure_throughout() -> None:
    found = invoice(INVOICE.replace("Invoice number: 20871", "                     "))
    assert found["The subtotal of the invoice is GBP 470.90."] < evidence.FIELD


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Yusuf and Mr. J. Holt met.", ["Dr. Yusuf and Mr. J. Holt met."]),
        ("It cost 3.5 m. Nobody paid.", ["It cost 3.5 m. Nobody paid."]),  # a single letter is taken for an initial
        ("He said “No.” She left.", ["He said “No.”", "She left."]),
        ("See fig. 3 for it. Fine.", ["See fig. 3 for it.", "Fine."]),
    ],
)
def test_sentences_end_where_they_end(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(alphabet="ab .!?A1\n", max_size=60))
def test_no_word_is_lost_between_sentences(text: str) -> None:
    assert " ".join(split_sentences(text)).split() == text.split()


def prose(text: str, source_type: str | None = None) -> list[Claim]:
    return ProseExtractor().extract(text.encode(), source_type)


def test_prose_leaves_out_headings_questions_and_fragments() -> None:
    found = prose(
        "# Heading of it all\n\nTitle without an end\n\nWho knows all that? Yes. The mill closed in 1971; it burnt."
    )
    assert [claim.content for claim in found] == ["The mill closed in 1971."]


def test_a_pronoun_takes_its_subject_from_before_and_costs_confidence() -> None:
    first, second = prose("The Lindau Mill closed in 1971. It was sold a year later.")
    assert first.subjects == second.subjects == ("Lindau Mill",)
    assert second.confidence < first.confidence


def test_names_are_no_dates_and_no_openers() -> None:
    (claim,) = prose("On 3 March 2025 Dr. Amina Yusuf came to St. Olav Hospital.")
    assert claim.subjects == ("Dr. Amina Yusuf", "St. Olav Hospital")


def test_a_journal_has_its_narrative_too_and_a_list_of_dealings_has_none() -> None:
    told = prose("I walked to the lighthouse today. We had soup there.", "JOURNAL")
    assert told[0].modality == "NARRATIVE"
    assert told[1:] == prose("I walked to the lighthouse today. We had soup there.", "PLAIN_TEXT")
    assert all(
        claim.modality != "NARRATIVE" for claim in prose("The rent was paid. The lamp cost 3 crowns.", "JOURNAL")
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The yard built 63 boats.", "FALSIFIABLE"),
        ("It was a wonderful evening.", "EVALUATIVE"),
        ("I felt calm on the way home.", "EXPERIENTIAL"),
        ("From now on Sundays are ours.", "CONSTITUTIVE"),
        ("I hereby resolve to be good.", "CONSTITUTIVE"),
    ],
)
def test_modality_by_cues(text: str, kind: str) -> None:
    assert cues.modality(text) == kind


@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("Events are kept for thirty days.", "ASSERTED"),
        ("The team rejected Kafka.", "DECLINED"),
        ("We will not use a queue.", "DECLINED"),
        ("If traffic grows, it would fail.", "HYPOTHETICAL"),
        ("Should it fail, we stop.", "HYPOTHETICAL"),
    ],
)
def test_polarity_by_cues(text: str, standing: str) -> None:
    assert cues.polarity(text) == standing


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("The pool is closed until 27 March 2026.", date(2026, 3, 27)),
        ("It stays open through April 30.", date(2026, 4, 30)),
        ("The fair runs from 22 December to 6 January.", date(2027, 1, 6)),
        ("Tickets are valid for the next three weeks.", date(2026, 3, 23)),
        ("She is on leave for two months.", date(2026, 5, 2)),
        ("Supply is cut tomorrow.", date(2026, 3, 3)),
        ("A course starts on 14 April 2026.", date(2026, 4, 14)),
        ("Orders placed this week are sent.", date(2026, 3, 8)),
        ("The price holds until May 2026.", date(2026, 5, 31)),
        ("The mill was built in 1974.", None),
        ("The archive holds minutes from 1702 to 1998.", None),
        ("The pool was closed until 1 March 2020.", None),
        ("It is closed until 31 February 2026.", None),
    ],
)
def test_the_end_of_validity_from_the_day_of_the_document(text: str, end: date | None) -> None:
    assert valid_until(text, date(2026, 3, 2)) == end


def test_the_day_of_a_document_stands_in_its_first_lines() -> None:
    assert document_date("Town hall\nNotice of 2 March 2026\n\nUntil 5 May 2026.") == date(2026, 3, 2)
    assert document_date("1\n2\n3\n4\n5 May 2026") is None
    assert valid_until("It is closed tomorrow.", None) is None


@pytest.mark.parametrize(
    ("text", "unsure"),
    [("probably in 1885", True), ("c. 1885", True), ("may be wood", True), ("11 May 1987", False), ("1885", False)],
)
def test_doubt_in_words(text: str, unsure: bool) -> None:
    assert evidence.hedged(text) is unsure
