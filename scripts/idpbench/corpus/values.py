"""Values and their spellings: what is true (typed) and what is printed (rendered). No randomness anywhere."""

from __future__ import annotations

from datetime import date

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
_MASK = (1 << 64) - 1

# How a value-noise statement spells its dates, row by row. The slash form is rare because half of its uses are
# ambiguous to a reader (03/04/2024), and an ambiguous value may rightly be refused.
DATE_FORMS = ("iso", "day_month", "month_day", "iso", "day_month", "month_day", "iso", "slash")
AMOUNT_FORMS = ("plain", "dollar", "accounting", "comma", "apostrophe", "accounting", "dollar")


def mix(*numbers: int) -> int:
    """64 well-mixed bits of a few integers (splitmix64), the same on every machine."""
    state = 0
    for number in numbers:
        state = (state + (number & _MASK) + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state


def cents_to_number(cents: int) -> float:
    """The JSON number of an amount; 1250 cents are 12.5."""
    return cents / 100


def plain_amount(cents: int) -> str:
    """`-1234.50`: what a number is printed as in a clean document."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def spell_amount(cents: int, form: str) -> str:
    """An amount as statements print it: plain, dollar, accounting (parentheses), comma or apostrophe."""
    sign = "-" if cents < 0 else ""
    grouped = f"{abs(cents) // 100:,}.{abs(cents) % 100:02d}"
    if form == "dollar":
        return f"{sign}${grouped}"
    if form == "accounting":
        return f"({grouped})" if cents < 0 else grouped
    if form == "comma":
        return sign + grouped.translate(str.maketrans(",.", ".,"))
    if form == "apostrophe":
        return sign + grouped.replace(",", "'")
    return plain_amount(cents)


def spell_date(day: date, form: str) -> str:
    """A date as iso, `14 Mar 2024`, `Mar 14, 2024`, `03/14/2024` (month first) or `14 March 2024` (long)."""
    name = MONTHS[day.month - 1]
    if form == "day_month":
        return f"{day.day:02d} {name[:3]} {day.year}"
    if form == "month_day":
        return f"{name[:3]} {day.day:02d}, {day.year}"
    if form == "slash":
        return f"{day.month:02d}/{day.day:02d}/{day.year}"
    if form == "long":
        return f"{day.day} {name} {day.year}"
    return day.isoformat()
