"""Values as documents print them, turned into the types that a schema asks for, or refused.

`coerce` never guesses: what can be read in two ways (03/04/2024) is refused and stays as printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

Typed = str | int | float | bool

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_LITERAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMERIC_DATE = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})")
_NAMED = (
    re.compile(r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[ .-]*(?P<m>[A-Za-z]{3,9})\.?,?[ -]*(?P<y>\d{4})"),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.? *(?P<d>\d{1,2})(?:st|nd|rd|th)?,? +(?P<y>\d{4})"),
)
_YES = frozenset({"yes", "y", "true", "x", "checked", "[x]", "on"})
_NO = frozenset({"no", "n", "false", "unchecked", "[ ]", "off", ""})
_MONEY = re.compile(r"(?:US|CA|AU)?[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\b", re.IGNORECASE)
_GROUPED = {
    ",": re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?"),
    ".": re.compile(r"\d{1,3}(\.\d{3})+(,\d+)?"),
    "'": re.compile(r"\d{1,3}(['’]\d{3})+(\.\d+)?"),
    " ": re.compile(r"\d{1,3}([  ]\d{3})+([.,]\d+)?"),
}
# Letters that a reader of small print takes for digits, and the reverse.
CONFUSED = str.maketrans({"O": "0", "o": "0", "D": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2"})


@dataclass(frozen=True, slots=True)
class Coerced:
    """`state`: same (nothing to do), changed (value converted), refused (kept as printed, with the reason)."""

    value: Typed
    state: Literal["same", "changed", "refused"]
    reason: str = ""


def literal(text: str, kind: str) -> Typed:
    """What a reader writes into JSON for a printed value: a plain numeral in a number field is a number, else text."""
    if kind in {"number", "integer"} and _LITERAL.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


@lru_cache(maxsize=65_536)
def coerce(text: str, kind: str, order: str = "") -> Coerced:
    """The printed `text` as `kind` (number, integer, boolean, date, string).

    `order` is "month" or "day" where other evidence tells which comes first in numeric dates.
    """
    if kind in {"number", "integer"}:
        return _number(text, kind)
    if kind == "boolean":
        lowered = text.strip().lower()
        if lowered in _YES:
            return Coerced(True, "changed")
        return Coerced(False, "changed") if lowered in _NO else Coerced(text, "refused", "not a yes or a no")
    if kind == "date":
        return _date(text, order)
    return Coerced(text, "same")


def _number(text: str, kind: str) -> Coerced:
    body = text.strip()
    bracketed = body.startswith("(") and body.endswith(")")
    if bracketed:
        body = body[1:-1].strip()
    body = _MONEY.sub("", body).replace("−", "-").replace("–", "-").strip().rstrip("%").strip()
    sign = -1 if bracketed else 1
    if body[:1] in "+-" and body:
        sign, body = (-sign if body[0] == "-" else sign), body[1:].strip()
    elif body.endswith("-"):
        sign, body = -sign, body[:-1].strip()
    elif body.upper().endswith(("CR", "DR")):
        sign, body = (-sign if body.upper().endswith("DR") else sign), body[:-2].strip()
    plain = _plain(body)
    if plain is None:
        return Coerced(text, "refused", "not a number")
    value = sign * float(plain)
    if kind == "integer":
        if not value.is_integer():
            return Coerced(text, "refused", "not a whole number")
        return Coerced(int(value), "changed")
    return Coerced(value, "changed")


def _plain(body: str) -> str | None:
    """Digits with at most one decimal point, or None."""
    if re.fullmatch(r"\d+(\.\d+)?|\.\d+", body):
        return body
    if re.fullmatch(r"\d+,\d{1,2}", body):
        return body.replace(",", ".")
    for mark, pattern in _GROUPED.items():
        if pattern.fullmatch(body):
            if mark == ".":
                return body.replace(".", "").replace(",", ".")
            if mark == " ":
                return re.sub(r"[  ]", "", body).replace(",", ".")
            return re.sub(r"[,'’]", "", body)
    return None


def _date(text: str, order: str) -> Coerced:
    body = " ".join(text.split())
    if match := _ISO.fullmatch(body):
        year, month, day = (int(part) for part in match.groups())
        return _made(text, year, month, day)
    for pattern in _NAMED:
        if match := pattern.fullmatch(body):
            named = MONTHS.get(match["m"].lower())
            if named:
                return _made(text, int(match["y"]), named, int(match["d"]))
    if match := _NUMERIC_DATE.fullmatch(body):
        first, second, year = (int(part) for part in match.groups())
        year += 2000 if year < 100 else 0
        if first > 12 >= second:
            return _made(text, year, second, first)
        if second > 12 >= first or first == second:
            return _made(text, year, first, second)
        if first <= 12 and second <= 12:
            if order == "month":
                return _made(text, year, first, second)
            if order == "day":
                return _made(text, year, second, first)
            return Coerced(text, "refused", "day and month cannot be told apart")
    return Coerced(text, "refused", "not a date")


def _made(text: str, year: int, month: int, day: int) -> Coerced:
    try:
        value = date(year, month, day).isoformat()
    except ValueError:
        return Coerced(text, "refused", "no such day")
    return Coerced(value, "same" if value == text else "changed")


def date_order(texts: list[str]) -> str:
    """`month` or `day` where the unambiguous numeric dates of a column agree on it, else nothing."""
    seen = set()
    for text in texts:
        if match := _NUMERIC_DATE.fullmatch(text.strip()):
            first, second = int(match[1]), int(match[2])
            if second > 12 >= first:
                seen.add("month")
            elif first > 12 >= second:
                seen.add("day")
    return seen.pop() if len(seen) == 1 else ""


@lru_cache(maxsize=65_536)
def looks_like(text: str, kind: str) -> bool:
    """True when the printed text could be a value of `kind`; every text could be a string."""
    if kind == "string":
        return bool(text.strip())
    if kind == "date":
        body = " ".join(text.split())
        if _ISO.fullmatch(body) or _NUMERIC_DATE.fullmatch(body) or re.fullmatch(r"\d{1,2}/\d{1,2}", body):
            return True
        return any((m := p.fullmatch(body)) and m["m"].lower() in MONTHS for p in _NAMED)
    return bool(text.strip()) and coerce(text, kind).state != "refused"
