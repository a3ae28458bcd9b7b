"""DynamoDB's typed JSON to plain values and back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any


def encode(value: Any) -> dict[str, Any]:
    """A plain value as a typed attribute; numbers travel as text, bytes as base64."""
    if value is None:
        return {"NULL": True}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, int | float):
        return {"N": str(value)}
    if isinstance(value, bytes):
        return {"B": base64.b64encode(value).decode("ascii")}
    if isinstance(value, Mapping):
        return {"M": {str(name): encode(part) for name, part in value.items()}}
    if isinstance(value, list | tuple):
        return {"L": [encode(part) for part in value]}
    raise TypeError(f"no DynamoDB type for {type(value).__name__}")


def decode(attribute: Mapping[str, Any]) -> Any:
    """The plain value of a typed attribute; whole numbers come back as int."""
    ((kind, value),) = attribute.items()
    if kind == "N":
        return _number(value)
    if kind == "B":
        return base64.b64decode(value)
    if kind == "M":
        return {name: decode(part) for name, part in value.items()}
    if kind == "L":
        return [decode(part) for part in value]
    if kind == "NULL":
        return None
    if kind == "NS":
        return [_number(part) for part in value]
    return value


def wire(value: Any) -> Any:
    """Typed JSON as it travels, from typed values whose binary parts are bytes (as moto holds them)."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dict):
        return {name: wire(part) for name, part in value.items()}
    if isinstance(value, list):
        return [wire(part) for part in value]
    return value


def encode_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of plain values as a typed item."""
    return {name: encode(value) for name, value in row.items()}


def decode_row(item: Mapping[str, Any]) -> dict[str, Any]:
    """A typed item as a row of plain values."""
    return {name: decode(attribute) for name, attribute in item.items()}


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
