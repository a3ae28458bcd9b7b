"""Invoices as plain text: parties, dates, lines, sums; the arithmetic of the page is evidence for what was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.wording import date_text, distinct, sentence

PAIR = re.compile(r"(?P<label>[A-Z][A-Za-z.'/ ]{1,30}?)\s*:\s*(?P<value>\S(?:.*?\S)?)(?=\s{3,}|\s*$)")
BLOCK = re.compile(r"^\s*(?P<label>[A-Z][A-Za-z ]{2,24}):\s*$")
AMOUNT = (
    r"[(\-−]?(?:[$€£]|[A-Z]{3}\s)?\s?\d{1,3}(?:[ ,]\d{3})*[.]\d{2}\)?|[(\-−]?(?:[$€£]|[A-Z]{3}\s)?\s?\d+[.]\d{2}\)?"
)
AMOUNT_AT_END = re.compile(rf"(?P<amount>{AMOUNT})$")
SUM_LABEL = re.compile(
    r"^(?:sub-?total|net|total|amount due|balance due|vat|tax|gst|discount|shipping|carriage|delivery|deposit|"
    r"rounding|less)\b",
    re.IGNORECASE,
)
LINE = re.compile(
    r"^\s*(?:(?P<number>\d{1,4})[.)]?\s{2,})?(?P<what>\S.*?\S)\s{2,}(?P<quantity>\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<unit>[A-Za-z]{1,10}))?\s{2,}"
    rf"(?P<price>{AMOUNT})\s{{2,}}(?P<amount>{AMOUNT})\s*$"
)
HEADING = re.compile(
    r"^[^:]*\b(?P<unit>qty|quantity|hours|days|units)\b.*\b(?:amount|total|net)\b[^:]*$", re.IGNORECASE
)
CURRENCY = re.compile(r"\b(EUR|USD|GBP|CHF|SEK|NOK|DKK|CAD|AUD)\b|([$€£])")
NUMBER_LABEL = re.compile(r"^(?:tax )?invoice (?:number|no\.?|#)$|^document (?:number|no\.?)$|^number$", re.IGNORECASE)
CENT = 0.011
WIDEST = 200  # characters of a line that are read: no page is wider, and patterns take time with its square


@dataclass(frozen=True)
class Line:
    """One line of the invoice; `fits` says whether quantity times price is the amount."""

    what: str
    quantity: str
    unit: str
    price: str
    amount: float
    amount_text: str
    fits: bool


class InvoiceExtractor:
    """Claims of one invoice."""

    extractor_id = "invoice-text"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """INVOICE_TEXT."""
        return source_type == "INVOICE_TEXT"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Head, parties, lines, sums and terms, in that order."""
        lines = [line.rstrip()[:WIDEST] for line in data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")]
        return list(_Invoice(lines).claims())


class _Invoice:
    def __init__(self, lines: Sequence[str]) -> None:
        self.text = lines
        found = CURRENCY.search("\n".join(lines))
        self.currency = (found[1] or found[2]) if found else ""
        self.pairs = _pairs(lines)
        number = next((value for label, value in self.pairs if NUMBER_LABEL.match(label)), None)
        self.name = f"invoice {number}" if number else "the invoice"
        self.known = [] if number else [evidence.INFERRED]
        self.lines = list(_lines(lines))

    def claims(self) -> Iterator[Claim]:
        issuer = _issuer(self.text)
        if issuer:
            yield self._claim(f"was issued by {issuer}", evidence.DERIVED, issuer)
        for label, value in self.pairs:
            if (claim := self._pair(label, value)) is not None:
                yield claim
        for label, block in _blocks(self.text):
            yield self._claim(f"has as {label.lower()} {', '.join(block)}", evidence.FIELD, block[0])
        for line in self.lines:
            yield self._line(line)
        yield from self._sums()

    def _pair(self, label: str, value: str) -> Claim | None:
        doubts = [evidence.HEDGE] if evidence.hedged(value) else []
        if NUMBER_LABEL.match(label):
            return None  # the name of the invoice says it
        if re.search(r"\b(?:date|dated|due|period)\b", label, re.IGNORECASE):
            sure = [] if re.search(r"\d{4}", value) else [evidence.UNREADABLE]
            return self._claim(f"has the {label.lower()} {date_text(value)}", evidence.FIELD, doubts=[*doubts, *sure])
        return self._claim(f"has the {_lowered(label)} {value}", evidence.FIELD, doubts=doubts)

    def _line(self, line: Line) -> Claim:
        unit = f" {line.unit}" if line.unit else ""
        content = (
            f"charges {self._money(line.amount_text)} for {line.quantity}{unit} of {line.what} "
            f"at {self._money(line.price)} each"
        )
        return self._claim(content, evidence.LISTED, line.what, doubts=[] if line.fits else [evidence.UNREADABLE])

    def _sums(self) -> Iterator[Claim]:
        """Sums below the lines; the first is checked against the lines, each total against what stands above it."""
        lines_total = sum(line.amount for line in self.lines)
        running: float | None = None
        for text in self.text:
            found = None if LINE.match(text) else _sum(text)
            if found is None:
                continue
            label, printed = found
            amount = _amount(printed)
            low = label.lower()
            if re.match(r"sub-?total|net\b", low):
                doubts = _unless(abs(amount - lines_total) < CENT)
                running = amount
            elif re.match(r"total|amount due|balance due", low):
                doubts = _unless(running is not None and abs(amount - running) < CENT)
                running = amount
            else:
                doubts = []
                sign = -1 if re.match(r"discount|less|deposit", low) and amount > 0 else 1
                running = None if running is None else running + sign * amount
            said = f"The {_lowered(label)} of {self.name} is {self._money(printed)}"
            yield self._claim(said, evidence.FIELD, doubts=doubts, whole=True)

    def _claim(
        self, predicate: str, level: float, *names: str, doubts: Sequence[float] = (), whole: bool = False
    ) -> Claim:
        """A claim about the invoice; with `whole` the predicate is the sentence already."""
        subject = self.name[0].upper() + self.name[1:]
        return Claim(
            sentence(predicate if whole else f"{subject} {predicate}"),
            evidence.confidence(level, *self.known, *doubts),
            distinct([subject, *names]),
        )

    def _money(self, text: str) -> str:
        plain = text.strip()
        if not self.currency or CURRENCY.search(plain):
            return plain
        return f"{self.currency}{plain}" if len(self.currency) == 1 else f"{self.currency} {plain}"


def _pairs(lines: Sequence[str]) -> list[tuple[str, str]]:
    """`Label: value` wherever it stands, two or more on a line being set apart by wide gaps."""
    found: list[tuple[str, str]] = []
    for line in lines:
        if LINE.match(line) or _sum(line) or BLOCK.match(line) or HEADING.search(line):
            continue
        for match in PAIR.finditer(line):
            label = re.sub(r"^(?:your|our) ", "", match["label"].strip(), flags=re.IGNORECASE)
            found.append((label, re.split(r"(?<=[a-z])\.\s+(?=[A-Z])", match["value"].strip())[0]))
    return found


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """A label alone on its line, and the lines below it up to a blank one."""
    for index, line in enumerate(lines):
        if match := BLOCK.match(line):
            block = []
            for text in lines[index + 1 :]:
                if not text.strip() or BLOCK.match(text):
                    break
                block.append(re.split(r"\s{3,}", text.strip())[0])
            if block:
                yield match["label"].strip(), block


def _lines(lines: Sequence[str]) -> Iterator[Line]:
    """Lines with quantity, price and amount; where the heading counts hours or days, those are the unit."""
    unit = ""
    for text in lines:
        if heading := HEADING.search(text):
            unit = heading["unit"].lower() if heading["unit"].lower() in ("hours", "days") else ""
        elif not text.strip():
            unit = ""
        elif (line := _line(text, unit)) is not None:
            yield line


def _line(text: str, unit: str) -> Line | None:
    match = LINE.match(text)
    if match is None:
        return None
    quantity = float(match["quantity"].replace(",", "."))
    price, amount = _amount(match["price"]), _amount(match["amount"])
    return Line(
        " ".join(match["what"].split()),
        match["quantity"],
        match["unit"] or unit,
        match["price"].strip(),
        amount,
        match["amount"].strip(),
        abs(quantity * price - amount) < CENT,
    )


def _sum(text: str) -> tuple[str, str] | None:
    """Label and printed amount of a line such as `VAT 20 %     142.97`: a word for a sum, a gap, an amount."""
    amount = AMOUNT_AT_END.search(text)
    if amount is None:
        return None
    head = text[: amount.start()]
    label = " ".join(head.split()).rstrip(" :")
    return (label, amount["amount"]) if head.endswith("  ") and SUM_LABEL.match(label) else None


def _issuer(lines: Sequence[str]) -> str:
    """The first line with a name in it, above any label."""
    for line in lines[:6]:
        head = re.split(r"\s{3,}", line.strip())[0]
        if head and not re.match(r"^(?:tax )?(?:invoice|page)\b", head, re.IGNORECASE) and ":" not in line:
            return head.title() if head.isupper() else head
    return ""


def _unless(agrees: bool) -> list[float]:
    return [] if agrees else [evidence.HEDGE]


def _amount(text: str) -> float:
    value = float(re.sub(r"[^\d.]", "", text))
    return -value if text.strip()[0] in "(-−" else value


def _lowered(label: str) -> str:
    """A label within a sentence: `Payment terms` small, `VAT reg no` with its capitals."""
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in label.split())
