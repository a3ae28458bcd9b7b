"""What a generated bank statement says: accounts, periods, entries and their descriptions, before any layout."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from idpbench.corpus.values import (
    AMOUNT_FORMS,
    DATE_FORMS,
    cents_to_number,
    mix,
    plain_amount,
    spell_amount,
    spell_date,
)

COLUMNS = {
    3: ("Date", "Description", "Amount"),
    8: ("Date", "Value Date", "Description", "Reference", "Branch", "Type", "Amount", "Balance"),
}
LIST_KEY = "Transactions"
BANK = "Meridian Harbor Bank"
ADDRESS = "18 Quay Street, Port Ellery, ME 04107"
# Lists, and what is booked in them: (kind of entry, whether it is a credit).
LISTS: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...] = (
    ("Card payments", (("Card payment", False),)),
    ("Incoming transfers", (("Transfer from", True), ("Invoice paid by", True))),
    ("Standing orders", (("Standing order", False), ("Direct debit", False))),
    ("Cash and checks", (("Cash withdrawal", False), ("Check paid", False), ("Deposit", True))),
    ("Online orders", (("Online order", False),)),
    ("Refunds", (("Refund", True),)),
    ("Wages and salaries", (("Salary via", False), ("Wages via", False))),
    ("Fees", (("Card fee", False), ("Handling fee", False))),
)
_ANY = tuple(kind for _, kinds in LISTS[:6] for kind in kinds)  # of a statement with one list
_HOLDERS = ("Northfield Supply LLC", "Alder Lane Bakery", "Quill and Compass Ltd")
_ACCOUNTS = ("4471-2093-8856", "6620-7714-3395", "8853-1946-2274")
_PERIODS = ((date(2024, 1, 1), date(2024, 3, 31)), (date(2024, 4, 1), date(2024, 6, 30)),
            (date(2024, 7, 1), date(2024, 9, 30)))  # fmt: skip
_BRANCHES = ("Ellery", "Northgate", "Millbrook", "Harbor", "Sandhill")
_PARTIES = ("Harbor Cafe", "City Water", "Book Lantern", "Corner Pharmacy", "Pier Garage", "Tern Hardware",
            "Maple Dental", "Juniper Foods", "Bright Laundry", "Union Transit", "Fern Studio", "Hill Nursery",
            "Gale Fuel", "Orchard Market", "Stone Press")  # fmt: skip
_DETAILS = ("booked at the counter of the main branch", "settled together with the open balance of last month",
            "covers delivery, setup and the yearly service visit", "ordered by phone and confirmed by letter",
            "second part of a payment agreed in writing", "collected under the mandate signed in autumn",
            "includes a handling charge for the paper copy", "paid out after a check of the attached receipt",
            "for goods returned within the agreed time", "moved to the new plan without a gap in cover",
            "terms as stated in the framework contract", "credited once the courier had left the parcel",
            "shared between the office and the workshop", "reported to the treasurer before the meeting",
            "marked as urgent", "no reply needed",
            "third part of five", "receipt attached", "paid at the desk")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: typed truth and printed text of each cell. `group` is the number of the list it is printed in."""

    seq: str
    group: int
    typed: dict[str, Any]
    printed: dict[str, str]


@dataclass(frozen=True, slots=True)
class Statement:
    """One complete statement; `blocks` are (list number, entries) in print order."""

    holder: str
    account: str
    period: str
    blocks: tuple[tuple[int, tuple[Entry, ...]], ...]

    @property
    def entries(self) -> list[Entry]:
        return [entry for _, entries in self.blocks for entry in entries]


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters of the generator `bank_statement`; `rows` counts each of the `documents` by itself.

    `desc_len` is the greatest length of a description in characters (0: a short one); `ocr_noise` makes scan-like
    pages and closes up that share of the spaces in descriptions; `interleave` prints lists in alternating blocks.
    """

    rows: int
    cols: int = 3
    lists: int = 1
    interleave: bool = False
    desc_len: int = 0
    ocr_noise: float = 0.0
    value_noise: bool = False
    documents: int = 1
    paginate: bool = False
    repeat_header: bool = False


def statements(shape: Shape) -> list[Statement]:
    """The statements of a document. SEQ tags count on from one statement to the next, in print order."""
    return [_statement(shape, number) for number in range(shape.documents)]


def list_heading(shape: Shape, group: int) -> str:
    """The heading printed over a list."""
    return LIST_KEY if shape.lists == 1 else f"{LIST_KEY} - {LISTS[group][0]}"


def _statement(shape: Shape, number: int) -> Statement:
    start, end = _PERIODS[number % len(_PERIODS)]
    days = (end - start).days + 1
    balance = 2_480_000 + 300_000 * number
    blocks: list[tuple[int, tuple[Entry, ...]]] = []
    position = 0
    for group, count in _block_sizes(shape):
        entries = []
        for _ in range(count):
            day = start + timedelta(days=position * days // shape.rows)
            entry, balance = _entry(shape, number, position, group, day, balance)
            entries.append(entry)
            position += 1
        blocks.append((group, tuple(entries)))
    account = _ACCOUNTS[number % len(_ACCOUNTS)]
    period = f"{start.isoformat()} to {end.isoformat()}"
    return Statement(_HOLDERS[number % len(_HOLDERS)], account, period, tuple(blocks))


def _block_sizes(shape: Shape) -> list[tuple[int, int]]:
    """(list number, rows) of each printed block; interleaved lists take turns, five rows at a time."""
    shares = [shape.rows // shape.lists + (group < shape.rows % shape.lists) for group in range(shape.lists)]
    if not shape.interleave:
        return list(enumerate(shares))
    blocks = []
    while any(shares):
        for group, left in enumerate(shares):
            if left:
                blocks.append((group, min(INTERLEAVED_BLOCK, left)))
                shares[group] -= min(INTERLEAVED_BLOCK, left)
    return blocks


INTERLEAVED_BLOCK = 5


def _entry(shape: Shape, number: int, position: int, group: int, day: date, balance: int) -> tuple[Entry, int]:
    index = number * shape.rows + position
    seq = f"SEQ{index:05d}"
    bits = mix(index, 1)
    kinds = _ANY if shape.lists == 1 else LISTS[group][1]
    kind, credit = kinds[bits % len(kinds)]
    cents = 105 + (bits >> 8) % 88_000
    cents = cents * 2 if credit else -cents
    balance += cents
    described = f"{seq} {kind} {_PARTIES[(bits >> 40) % len(_PARTIES)]}"
    if shape.desc_len:
        described = _lengthen(described, index, shape.desc_len)
    value_day = day + timedelta(days=mix(index, 2) % 3)
    typed: dict[str, Any] = {
        "Date": day.isoformat(),
        "Value Date": value_day.isoformat(),
        "Description": described,
        "Reference": f"R{100_000 + mix(index, 3) % 900_000}",
        "Branch": _BRANCHES[mix(index, 4) % len(_BRANCHES)],
        "Type": "Credit" if credit else "Debit",
        "Amount": cents_to_number(cents),
        "Balance": cents_to_number(balance),
    }
    printed = {name: value for name, value in typed.items() if isinstance(value, str)}
    if shape.value_noise:
        # the two dates, and the two amounts, of a row are spelt differently
        printed["Date"] = spell_date(day, DATE_FORMS[index % len(DATE_FORMS)])
        printed["Value Date"] = spell_date(value_day, DATE_FORMS[(index + 3) % len(DATE_FORMS)])
        printed["Amount"] = spell_amount(cents, AMOUNT_FORMS[index % len(AMOUNT_FORMS)])
        printed["Balance"] = spell_amount(balance, AMOUNT_FORMS[(index + 2) % len(AMOUNT_FORMS)])
    else:
        printed["Amount"], printed["Balance"] = plain_amount(cents), plain_amount(balance)
    if shape.ocr_noise:
        printed["Description"] = _close_up(described, index, shape.ocr_noise)
    names = COLUMNS[shape.cols]
    return Entry(seq, group, {name: typed[name] for name in names}, {name: printed[name] for name in names}), balance


def _lengthen(text: str, index: int, longest: int) -> str:
    """The description with details appended, each once and whole, as long as one fits into `longest` characters."""
    start = mix(index, 5)
    for turn in range(len(_DETAILS)):
        detail = _DETAILS[(start + 5 * turn) % len(_DETAILS)]  # 5 is coprime to the number of details
        if len(text) + 2 + len(detail) <= longest:
            text += f", {detail}"
    return text


def _close_up(text: str, index: int, share: float) -> str:
    """The text without some of its spaces, as poor scans have it; the space behind the SEQ tag stays."""
    words = text.split(" ")
    closed = words[0] + " " + words[1]
    for at, word in enumerate(words[2:]):
        closed += ("" if mix(index, 7, at) % 1000 < share * 1000 else " ") + word
    return closed
