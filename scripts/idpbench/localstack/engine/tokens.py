"""Token counts of the texts that a request would hold, by the offline o200k_base vocabulary."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

TOKENIZER = "o200k_base"
_CHUNK = 100_000  # characters; the encoder refuses more than 200,000 tokens in one piece
_lock = threading.Lock()
_encoder: Any = None


def _encode() -> Any:
    global _encoder
    if _encoder is None:
        with _lock:
            if _encoder is None:
                import bpe_openai

                _encoder = bpe_openai.get_encoding(TOKENIZER).encode_ordinary
    return _encoder


@lru_cache(maxsize=65_536)
def _count_short(text: str) -> int:
    return len(_encode()(text))


def count(text: str) -> int:
    """Tokens of `text`; long texts are counted in pieces cut at line ends, so the count adds up over lines."""
    if len(text) <= 2_000:
        return _count_short(text)
    if len(text) <= _CHUNK:
        return len(_encode()(text))
    total, start = 0, 0
    while start < len(text):
        end = min(start + _CHUNK, len(text))
        if end < len(text):
            cut = text.rfind("\n", start, end)
            end = cut + 1 if cut > start else end
        total += len(_encode()(text[start:end]))
        start = end
    return total
