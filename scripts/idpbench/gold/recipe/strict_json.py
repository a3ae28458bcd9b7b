"""JSON from an untrusted source: bounded, without a double meaning, and only values that every reader agrees on."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

from idpbench.gold.issues import Unusable, unusable

MOST_BYTES = 256 * 1024
DEEPEST = 32

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


def parse_json(data: bytes | str) -> Any:
    """The value of one JSON text; white space may stand around it.

    Unusable with code TOO_LARGE (more than 256 KiB, nesting beyond 32) or JSON (not JSON, a key twice, a number that
    no double holds, a lone surrogate, a byte order mark); the path is `$`.
    """
    text = _decoded(data)
    if _depth(text) > DEEPEST:
        raise unusable("TOO_LARGE", "$", f"expected nesting of at most {DEEPEST}")
    try:
        value = json.loads(
            text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except json.JSONDecodeError as error:
        raise unusable("JSON", "$", f"line {error.lineno} column {error.colno}: {error.msg}") from None
    if not _encodable(value):
        raise unusable("JSON", "$", "a lone surrogate")
    return value


def _decoded(data: bytes | str) -> str:
    if isinstance(data, str):
        if len(data) > MOST_BYTES:
            raise _too_long(len(data))
        try:
            data = data.encode("utf-8")
        except UnicodeEncodeError:
            raise unusable("JSON", "$", "a lone surrogate") from None
    if len(data) > MOST_BYTES:
        raise _too_long(len(data))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise unusable("JSON", "$", f"bytes that are not UTF-8 ({error.reason})") from None


def _too_long(size: int) -> Unusable:
    return unusable("TOO_LARGE", "$", f"{size} bytes, expected at most {MOST_BYTES}")


def _depth(text: str) -> int:
    """Deepest nesting of brackets outside strings; of a text that is no JSON, some number."""
    depth = deepest = 0
    for found in _STRUCTURE.finditer(text):
        mark = found.group()[0]
        if mark in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif mark != '"':
            depth -= 1
    return deepest


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(items)
    if len(result) != len(items):
        times = Counter(key for key, _ in items)
        twice = next(key for key, number in times.items() if number > 1)
        raise unusable("JSON", "$", f"the key {twice[:60]!r} twice in one object")
    return result


def _constant(name: str) -> None:
    raise unusable("JSON", "$", f"{name} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise unusable("JSON", "$", f"the number {text[:40]} is too large")
    return value


def _integer(text: str) -> int:
    if len(text) > 310:
        raise unusable("JSON", "$", f"the number {text[:40]}... is too large")
    _float(text)
    return int(text)


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
