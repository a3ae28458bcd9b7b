"""The one decoder of what a stack stores: DynamoDB attributes, the metering map, JSON objects.

A reading is in one of three states. `present`: here is the value. `absent`: the stack has none, and says so.
`failed`: there may be one, but it could not be read; never a default, never a zero. A null stays null, and a number
that JSON cannot hold (NaN, an infinity) becomes null with a note.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PRESENT = "present"
ABSENT = "absent"
FAILED = "failed"


@dataclass(frozen=True)
class Reading:
    """What one read gave. `value` is set only when present; `reason` always when not."""

    state: str
    value: Any = None
    reason: str | None = None

    def as_dict(self, name: str | None = "value") -> dict[str, Any]:
        """`{state, reason, <name>: value}`; without a name the state alone."""
        told = {"state": self.state, "reason": self.reason}
        return told if name is None else {**told, name: self.value}


def present(value: Any, note: str | None = None) -> Reading:
    """A value that was read."""
    return Reading(PRESENT, value, note)


def absent(reason: str) -> Reading:
    """Nothing is there, by the stack's own word."""
    return Reading(ABSENT, None, reason)


def failed(reason: str) -> Reading:
    """It could not be read."""
    return Reading(FAILED, None, reason)


class Undecodable(ValueError):
    """A stored value of a type that has no plain form."""


def attribute(stored: Mapping[str, Any]) -> Any:
    """A DynamoDB attribute (`{"S": ...}`) as plain JSON. Binary, or an unknown type, is Undecodable."""
    if len(stored) != 1:
        raise Undecodable(f"an attribute of {len(stored)} types")
    [(kind, value)] = stored.items()
    if kind in ("S", "BOOL"):
        return value
    if kind == "NULL":
        return None
    if kind == "N":
        return number(value)
    if kind == "M":
        return {name: attribute(inner) for name, inner in value.items()}
    if kind == "L":
        return [attribute(inner) for inner in value]
    if kind == "SS":
        return sorted(value)
    if kind == "NS":
        return sorted(number(text) for text in value)
    raise Undecodable(f"type {kind}")


def number(text: str) -> int | float:
    """A DynamoDB number: int where it is whole, else float; one beyond a float is Undecodable."""
    try:
        value = float(text)
    except ValueError:
        raise Undecodable(f"number {text!r}") from None
    if not math.isfinite(value):
        raise Undecodable(f"number {text!r}")
    if value.is_integer():
        return int(text) if text.lstrip("-").isdigit() else int(value)
    return value


def row(item: Mapping[str, Any] | None, missing: str = "no such row") -> Reading:
    """A table row as plain JSON. One attribute that cannot be decoded is null, and named in the reason."""
    if item is None:
        return absent(missing)
    values: dict[str, Any] = {}
    trouble: list[str] = []
    for name, stored in item.items():
        try:
            values[name] = attribute(stored)
        except Undecodable as error:
            values[name] = None
            trouble.append(f"{name}: {error}")
    return present(values, "read as null: " + "; ".join(sorted(trouble)) if trouble else None)


def metering(item: Mapping[str, Any] | None) -> Reading:
    """The metering map of a document's row: a JSON string, or a native map on old stacks.

    Absent when the row, or the attribute, is not there; any other type, or text that is not a JSON object, failed.
    What is inside is handed on as it is: whether an entry can be priced is for pricing to say.
    """
    if item is None:
        return absent("no tracking row")
    stored = item.get("Metering")
    if stored is None:
        return absent("the tracking row has no Metering")
    if set(stored) == {"S"}:
        return json_object(stored["S"], "Metering")
    if set(stored) == {"M"}:
        try:
            return present(attribute(stored))
        except Undecodable as error:
            return failed(f"Metering: {error}")
    return failed(f"Metering is of type {', '.join(sorted(stored))}, not a JSON string or a map")


def json_object(data: bytes | str, what: str) -> Reading:
    """A JSON object from the stack; NaN and infinities become null, which the reason then tells."""
    odd: list[str] = []
    try:
        value = json.loads(data, parse_constant=odd.append, parse_float=lambda text: _finite(text, odd))
    except UnicodeDecodeError:
        return failed(f"{what} is not UTF-8 text")
    except json.JSONDecodeError as error:
        return failed(f"{what} is not JSON: {error.msg} at line {error.lineno}")
    except RecursionError:
        return failed(f"{what} is nested too deeply")
    if not isinstance(value, dict):
        return failed(f"{what} is JSON of type {type(value).__name__}, not an object")
    return present(_encodable(value), f"{len(odd)} numbers that are not finite read as null" if odd else None)


def _finite(text: str, odd: list[str]) -> float | None:
    value = float(text)
    if math.isfinite(value):
        return value
    odd.append(text)
    return None


def _encodable(value: Any) -> Any:
    """Lone surrogates (`\\ud800` is legal JSON, not legal UTF-8) are replaced, so that a record can be written."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(name): _encodable(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_encodable(inner) for inner in value]
    return value
