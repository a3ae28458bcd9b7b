"""Until when a sentence holds: dates and spans that it states, counted from the day of the document."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from idpbench.claims.extractors.wording import MONTHS

_MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
DATE = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTH})\.?(?:,?\s+\d{{4}})?"
    rf"|(?:{_MONTH})\.?\s+\d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?|(?:{_MONTH})\s+\d{{4}})"
)
_ANY_DATE = re.compile(rf"\b{DATE}\b", re.IGNORECASE)
_DAY_NAME = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
_END = re.compile(
    rf"\b(?:until|till|through|up to|valid to|expires?(?: on)?|ends?(?: on)?|closes?(?: on)?|no later than|before|by|"
    rf"runs? out on|to|and|reopens?(?: on)?|resumes?(?: on)?)\s+(?:the end of\s+|midnight on\s+|and including\s+)?"
    rf"{_DAY_NAME}(?P<date>{DATE})",
    re.IGNORECASE,
)
_EVENT = re.compile(
    rf"\b(?:will|is|are|takes? place|meets?|scheduled|starts?|begins?)\b.{{0,80}}?\bon\s+{_DAY_NAME}(?P<date>{DATE})",
    re.IGNORECASE,
)
_COUNT = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10,
    "twelve": 12,
}  # fmt: skip
_SPAN = re.compile(
    r"\b(?:for|over|within|in)\s+(?:the\s+)?(?:next|coming|another)?\s*(?P<count>\d{1,3}|"
    rf"{'|'.join(_COUNT)})\s+(?P<unit>day|week|fortnight|month|year)s?\b",
    re.IGNORECASE,
)
_SOON = re.compile(r"\b(?P<word>today|tonight|tomorrow|this week|this month|this year|this weekend)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|did)\b", re.IGNORECASE)


def document_date(text: str) -> date | None:
    """The first full date in the first lines of a document: the day it was written."""
    for match in _ANY_DATE.finditer("\n".join(text.splitlines()[:4])):
        if (found := read_date(match.group(), None)) is not None:
            return found
    return None


def valid_until(text: str, written: date | None) -> date | None:
    """The last day on which the sentence holds, None for a sentence without an end. Not before the document's day."""
    if _PAST.search(text) and not re.search(r"\b(?:until|will|remains?)\b", text, re.IGNORECASE):
        return None
    for pattern in (_END, _EVENT):
        ends = [read_date(match["date"], written) for match in pattern.finditer(text)]
        known = [end for end in ends if end is not None and (written is None or end >= written)]
        if known:
            return max(known)
    if written is None:
        return None
    if match := _SPAN.search(text):
        return _after(written, match["count"].lower(), match["unit"].lower())
    if match := _SOON.search(text):
        return _soon(written, match["word"].lower())
    return None


def read_date(text: str, written: date | None) -> date | None:
    """A printed date. Without a year it is the next one after `written`; a month alone ends with its last day."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return date(*numbers)
        word = re.search(r"[A-Za-z]{3,}", re.sub(r"\d+(?:st|nd|rd|th)", "", text))
        month = next((n for n, name in enumerate(MONTHS, 1) if word and name.lower().startswith(word[0].lower())), None)
        if month is None or not numbers:
            return None
        if len(numbers) == 1 and numbers[0] > 31:
            return date(numbers[0], month, calendar.monthrange(numbers[0], month)[1])
        if len(numbers) == 2:
            return date(numbers[1], month, numbers[0])
        if written is None:
            return None
        near = date(written.year, month, numbers[0])
        return near if near >= written else date(written.year + 1, month, numbers[0])
    except ValueError:
        return None


def _after(written: date, count: str, unit: str) -> date:
    number = int(count) if count.isdigit() else _COUNT[count]
    if unit in ("day", "week", "fortnight"):
        return written + timedelta(days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])
    months = written.year * 12 + written.month - 1 + number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(written.day, calendar.monthrange(year, month + 1)[1]))


def _soon(written: date, word: str) -> date:
    if word in ("today", "tonight"):
        return written
    if word == "tomorrow":
        return written + timedelta(days=1)
    if word == "this month":
        return date(written.year, written.month, calendar.monthrange(written.year, written.month)[1])
    if word == "this year":
        return date(written.year, 12, 31)
    return written + timedelta(days=6 - written.weekday())
