"""Release numbers: three parts, kept as text, sorted as numbers."""

from __future__ import annotations

import re

PATTERN = re.compile(r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:[-+.]([0-9A-Za-z][0-9A-Za-z.-]*))?$")


def is_version(text: str) -> bool:
    """True for X.Y.Z with an optional suffix (0.6.9, 0.6.9-rc.1, 0.6.7.dev1)."""
    return PATTERN.match(text) is not None


def version_order(text: str) -> tuple[int, int, int, int, tuple[tuple[int, str], ...]]:
    """Sort key: 0.10.0 after 0.6.9, a suffixed version (a prerelease) before the release itself; ValueError if none."""
    match = PATTERN.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no version")
    suffix = match[4] or ""
    words = re.findall(r"[0-9]+|[A-Za-z]+", suffix)
    parts = tuple((int(word), "") if word.isdigit() else (-1, word) for word in words)
    return int(match[1]), int(match[2]), int(match[3]), 0 if suffix else 1, parts
