"""From keys and values to words: how a field becomes a sentence that a person could have written."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$")
_ISO_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def words(key: str) -> str:
    """`productionDate`, `production_date`, `production-date` as `production date`; abbreviations stay capitals."""
    parts = [part for piece in re.split(r"[_\-\s.]+", key) for part in _CAMEL.split(piece) if part]
    return " ".join(part if len(part) > 1 and part.isupper() else part.lower() for part in parts)


def value_text(value: object) -> str:
    """A scalar as text: dates with the month's name, whole numbers without a fraction, true and false as yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.2f}".rstrip("0").rstrip(".")
    return date_text(str(value).strip())


def date_text(text: str) -> str:
    """`2014-03-01` as `1 March 2014`, `2014-03` as `March 2014`; any other text as it is."""
    if (day := _ISO_DATE.match(text)) and 1 <= int(day[2]) <= 12:
        return f"{int(day[3])} {MONTHS[int(day[2]) - 1]} {day[1]}"
    if (month := _ISO_MONTH.match(text)) and 1 <= int(month[2]) <= 12:
        return f"{MONTHS[int(month[2]) - 1]} {month[1]}"
    return text


def joined(items: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    listed = list(items)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""


def sentence(text: str) -> str:
    """One line, with a full stop."""
    line = " ".join(text.split())
    return line if line.endswith((".", "!", "?")) else f"{line}."


def article(noun: str) -> str:
    """`a` or `an`, by the first letter."""
    return "an" if noun[:1].lower() in "aeiou" else "a"


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Names without blanks and repetitions, in order."""
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
