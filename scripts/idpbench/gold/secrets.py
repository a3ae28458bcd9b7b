"""Keys and what looks like one: kept out of all that is written, searched for in all that is committed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

HIDDEN = "[hidden]"
LEAST_KEY = 8
_KEY = re.compile(r"[\x21-\x7e]+")
# A pattern is tried only on a text that holds one of the words before it (in small letters).
PATTERNS = (
    (("sk-",), re.compile(r"\bsk-[A-Za-z0-9*_-]{6,}")),
    (("bearer",), re.compile(r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{8,}=*")),
    (("akia", "asia"), re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    (("gh",), re.compile(r"\bgh[opsur]_[A-Za-z0-9]{20,}")),
    (("aiza",), re.compile(r"\bAIza[0-9A-Za-z_-]{30,}")),
    (("xox",), re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}")),
    (("-----begin",), re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")),
    (
        ("key", "password", "secret"),
        re.compile(r"(?i)\b(?:api[_-]?key|password|secret)[\"']?\s*[=:]\s*[\"']?[A-Za-z0-9_-]{12,}"),
    ),
)


@dataclass(frozen=True)
class Key:
    """A key that never shows itself: its text form and its repr are masked."""

    _value: str = field(repr=False)

    def __str__(self) -> str:
        return HIDDEN

    def reveal(self) -> str:
        """The key, for the one header that carries it."""
        return self._value

    def hide(self, text: str) -> str:
        """`text` with the key masked wherever it stands, also where letters of it are spelled as JSON escapes."""
        return self._spelled.sub(HIDDEN, text)

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        letters = (rf"(?:\\+(?i:u{ord(letter):04x})|\\*{re.escape(letter)})" for letter in self._value)
        return re.compile("".join(letters))


def usable(value: str) -> bool:
    """Whether a value can be a key: printable ASCII without space, long enough to be masked in texts."""
    return len(value) >= LEAST_KEY and _KEY.fullmatch(value) is not None


def masked(text: str) -> str:
    """`text` with everything masked that looks like a key: providers quote parts of one in their errors."""
    for pattern in _likely(text):
        text = pattern.sub(HIDDEN, text)
    return text


def suspicious(text: str) -> Iterator[str]:
    """The first letters of whatever looks like a key in `text`, so that a message about it gives nothing away."""
    for pattern in _likely(text):
        for found in pattern.finditer(text):
            yield f"{found.group()[:4]}..."


def _likely(text: str) -> list[re.Pattern[str]]:
    lowered = text.lower()
    return [pattern for words, pattern in PATTERNS if any(word in lowered for word in words)]
