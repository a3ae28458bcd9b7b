"""How a check says what it found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from idpbench.gold.issues import Issue


def differs(path: str, code: str, found: Any, expected: Any) -> Iterator[Issue]:
    """An issue where two values are not the same."""
    if found != expected or type(found) is not type(expected):
        yield Issue(code, path, f"found {_short(found)}, expected {_short(expected)}")


def unless(holds: bool, path: str, code: str, message: str) -> Iterator[Issue]:
    """An issue where something does not hold."""
    if not holds:
        yield Issue(code, path, message)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
