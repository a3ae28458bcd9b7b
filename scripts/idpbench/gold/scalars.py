"""The one canonical text of a cell's value, and the one word for its kind."""

from __future__ import annotations

import datetime as dt
import math
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["number", "text", "date", "boolean", "error", "blank"]
KINDS: tuple[Kind, ...] = ("number", "text", "date", "boolean", "error", "blank")

SIGNIFICANT_DIGITS = 15


@dataclass(frozen=True)
class ErrorCode:
    """The value of an error cell, such as `#N/A`."""

    code: str


Moment = dt.datetime | dt.date | dt.time | dt.timedelta
Value = str | bool | int | float | Moment | ErrorCode | None

_HALF = dt.timedelta(microseconds=500_000)
_SECOND = dt.timedelta(seconds=1)


def kind_of(value: Value) -> Kind:
    """The kind of a value; no value, "" and text of white space only are blank."""
    if isinstance(value, str):
        return "text" if value.strip() else "blank"
    if value is None:
        return "blank"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "error" if isinstance(value, ErrorCode) else "date"


def text_of(value: Value) -> str:
    """The canonical text of a value; "" for a blank. OverflowError for a number that is no finite double.

    Text: NFC, CRLF and CR to LF, outer white space removed. Numbers: 15 significant digits, laid out like ECMAScript.
    Moments are rounded to the second first, halves up.
    """
    if isinstance(value, str):
        return _clean(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(float(value))
    if isinstance(value, ErrorCode):
        return value.code
    return _moment_text(value)


@lru_cache(maxsize=65_536)
def number_text(value: float) -> str:
    """A double rounded to 15 significant digits and laid out like ECMAScript: 14075.000000000002 is `14075`."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        raise OverflowError(f"{value} is no finite number")
    mantissa, exponent = f"{value:.{SIGNIFICANT_DIGITS - 1}e}".split("e")
    return _layout(mantissa, int(exponent))


def es_number(value: float) -> str:
    """A finite double as ECMAScript's Number::toString writes it: the shortest digits that give the double back."""
    if value == 0:
        return "0"
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    return _layout(mantissa, int(exponent or 0))


def _layout(mantissa: str, exponent: int) -> str:
    """ECMA-262, Number::toString: plain from 1e-7 (exclusive) to 1e21 (exclusive), else with an exponent."""
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + exponent - (len(whole + fraction) - len(digits))  # places before the decimal point
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return f"{sign}{digits}{'0' * (point - count)}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def _clean(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", text).strip()


def _moment_text(value: Moment) -> str:
    if isinstance(value, dt.datetime):
        return _datetime_text(value.replace(tzinfo=None))
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dt.time):
        second = value.second + (value.microsecond >= 500_000)
        seconds = min(value.hour * 3600 + value.minute * 60 + second, 86_399)
        return _clock(seconds)
    whole = (abs(value) + _HALF) // _SECOND
    return f"{'-' if value < dt.timedelta(0) and whole else ''}{_clock(whole)}"


def _datetime_text(value: dt.datetime) -> str:
    floor = value.replace(microsecond=0)
    if value.microsecond >= 500_000 and floor < dt.datetime.max.replace(microsecond=0):
        floor += _SECOND
    return floor.date().isoformat() if floor.time() == dt.time() else floor.isoformat()


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
