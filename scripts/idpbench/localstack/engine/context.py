"""What a run is to the engine: its key and repeat, read from the context text, and the draws that follow from them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_CONTEXT = re.compile(r"\bidpbench:([0-9a-f]{8,64})\b")
_REPEAT = re.compile(r"\brepeat=(\d{1,6})\b")


@dataclass(frozen=True, slots=True)
class RunContext:
    """`seed` is what draws start from: the run key, or a digest of document and configuration where none was given."""

    seed: str
    repeat: int


def parse_context(text: str, otherwise: str) -> RunContext:
    """`idpbench:<run key> repeat=<n>`; any other text is repeat 0 and draws from `otherwise`."""
    key, repeat = _CONTEXT.search(text), _REPEAT.search(text)
    return RunContext(key[1] if key else otherwise, int(repeat[1]) if repeat and key else 0)


def draw(seed: str, *names: object) -> float:
    """A number in [0, 1) that depends on `seed` and `names` alone."""
    text = "\x1f".join((seed, *(str(name) for name in names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56


def draw_count(seed: str, least: int, most: int, *names: object) -> int:
    """A whole number from `least` to `most`, each equally likely."""
    return least + int(draw(seed, *names) * (most - least + 1))
