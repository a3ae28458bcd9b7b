"""The two comparators. Which one a metric uses is most of what the metric means.

| comparator | compares | a number in a text field |
|---|---|---|
| `rendered` | the text that the page prints with the text of the value | a match where it prints alike |
| `typed` | values of the schema's types, no tolerance | a miss, and so the other way round |
"""

from __future__ import annotations

from typing import Any


def rendered(expected: Any, got: Any) -> bool:
    """Equality of the printed texts, stripped; a null or absent value never matches."""
    return got is not None and str(got).strip() == str(expected).strip()


def typed(expected: Any, got: Any) -> bool:
    """Equality by type: booleans with booleans, numbers with numbers, null with null or absent, stripped texts."""
    if type(expected) is str:
        return type(got) is str and (expected == got or expected.strip() == got.strip())
    if expected is None:
        return got is None
    if isinstance(expected, bool) or isinstance(got, bool):
        return isinstance(expected, bool) and isinstance(got, bool) and expected == got
    if isinstance(expected, (int, float)):
        return isinstance(got, (int, float)) and expected == got
    return bool(expected == got)
