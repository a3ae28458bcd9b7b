"""RFC 8785, the JSON Canonicalization Scheme: the one byte form that digests of the benchmark are taken over.

Source: RFC 8785 (https://www.rfc-editor.org/rfc/rfc8785), which takes its numbers from ECMAScript's Number::toString.
"""

from __future__ import annotations

import math
from json.encoder import encode_basestring
from typing import Any

from idpbench.gold.scalars import es_number

_LARGEST = 2**53 - 1


def jcs(value: Any) -> bytes:
    """Canonical bytes of a JSON value: no spaces, keys in UTF-16 order, numbers laid out like ECMAScript.

    ValueError for NaN, infinities, integers that a double does not hold exactly (beyond +-(2**53 - 1)), keys that are
    no text, and values that are no JSON; UnicodeEncodeError (a ValueError) for lone surrogates.
    """
    return jcs_text(value).encode("utf-8")


def jcs_text(value: Any) -> str:
    """The same as text."""
    return _written(value)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > _LARGEST:
            raise ValueError(f"{value} is beyond the integers of a double")
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
        return es_number(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_written, value))}]"
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key that is no text")
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(f"{_written(key)}:{_written(value[key])}" for key in keys) + "}"
    raise ValueError(f"{type(value).__name__} is no JSON value")
