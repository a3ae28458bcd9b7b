"""What a value in a suite file may be: strictly, or as the reference implementation takes it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any, Protocol

import yaml

from idpbench.claims.mode import Mode
from idpbench.claims.suite.problems import Wrong
from idpbench.claims.suite.yamlnodes import Written

KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LARGEST_BINARY = 1_000_000  # bytes that reference mode makes of a whole number


class Values(Protocol):
    """Conversions of a YAML value; each raises Wrong."""

    strict: bool

    def text(self, value: Any) -> str:
        """Any scalar as text."""

    def identifier(self, value: Any) -> str:
        """Lower-case words joined by hyphens (strictly), any text (as the reference)."""

    def content(self, value: Any) -> str:
        """The text of a claim."""

    def source(self, value: Any) -> str:
        """The text of an inline source."""

    def floor(self, value: Any) -> float:
        """A confidence floor."""

    def flag(self, value: Any) -> bool:
        """True or false."""

    def whole(self, value: Any) -> int:
        """A whole number from 0."""

    def moment(self, value: Any) -> datetime:
        """A date with a time."""


def values_of(mode: Mode) -> Values:
    """The conversions of a mode."""
    return Lax() if mode == "reference" else Strict()


class Strict:
    """Default mode: nothing is turned silently into something else."""

    strict = True

    def text(self, value: Any) -> str:
        """Any scalar, as written."""
        if not isinstance(value, str):
            raise Wrong(show(value), "text", "write a text")
        return str(value)

    def identifier(self, value: Any) -> str:
        """Kebab case."""
        text = self.text(value)
        if not KEBAB.fullmatch(text):
            raise Wrong(repr(text), "lower-case words joined by hyphens", "rename it, for instance acme-report-001")
        return text

    def content(self, value: Any) -> str:
        """A text with something in it."""
        text = self.text(value)
        if not text.strip():
            raise Wrong("an empty text", "the text of a claim", "write the claim, or remove the entry")
        return text

    def source(self, value: Any) -> str:
        """A text that YAML would not read as something else."""
        if isinstance(value, Written) and value.kind != "str":
            raise Wrong(f"the {value.kind} {value}", "text", "put it in quotes or write a block with `|`")
        return self.text(value)

    def floor(self, value: Any) -> float:
        """A plain number within [0, 1]."""
        expected, remedy = "a number within [0, 1]", "write for instance 0.9, without quotes"
        if not isinstance(value, Written) or not value.plain or not _NUMBER.fullmatch(value):
            raise Wrong(show(value), expected, remedy)
        number = float(value)
        if not 0 <= number <= 1:
            raise Wrong(str(value), expected, remedy)
        return number

    def flag(self, value: Any) -> bool:
        """A YAML boolean."""
        known = yaml.CSafeLoader.bool_values
        if not isinstance(value, Written) or value.kind != "bool" or value.lower() not in known:
            raise Wrong(show(value), "true or false", "write true or false, without quotes")
        return bool(known[value.lower()])

    def whole(self, value: Any) -> int:
        """A plain whole number from 0."""
        if not isinstance(value, Written) or not value.plain or not re.fullmatch(r"[0-9]{1,9}", value):
            raise _no_whole(value)
        return int(value)

    def moment(self, value: Any) -> datetime:
        """ISO 8601; a bare date is its midnight in UTC."""
        if isinstance(value, Written) and value.kind == "timestamp":
            made = _timestamp(value)
            if isinstance(made, datetime):
                return made
            return datetime(made.year, made.month, made.day, tzinfo=UTC)
        return iso_moment(self.text(value))


class Lax:
    """Reference mode: scalars become text, truth is truthiness, a floor is whatever converts to a float."""

    strict = False

    def text(self, value: Any) -> str:
        """Anything, as Python spells it."""
        return str(value)

    identifier = text
    content = text

    def source(self, value: Any) -> str:
        """Text; a whole number is that many zero bytes."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_BINARY:
            return "\0" * value
        if isinstance(value, str):
            return value
        raise Wrong(show(value), "text", "put it in quotes or write a block with `|`")

    def floor(self, value: Any) -> float:
        """Any float, also out of range or not a number."""
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            raise Wrong(show(value), "a number", "write for instance 0.9, without quotes") from None

    def flag(self, value: Any) -> bool:
        """Truthiness: the text `false` is true, null is false."""
        return bool(value)

    def whole(self, value: Any) -> int:
        """A whole number from 0."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise _no_whole(value)
        return value

    def moment(self, value: Any) -> datetime:
        """A YAML date with a time, or ISO 8601 in quotes; a bare date is refused."""
        if isinstance(value, datetime):
            return value
        if isinstance(value, str):
            return iso_moment(value)
        raise Wrong(show(value), "a date with a time, or a text in ISO 8601", "put the date in quotes")


def _no_whole(value: Any) -> Wrong:
    return Wrong(show(value), "a whole number from 0", "write for instance 3, without quotes")


def show(value: Any) -> str:
    """How a value is named in a problem."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return repr(str(value)) if isinstance(value, str) else repr(value)[:80]


def iso_moment(text: str) -> datetime:
    """ISO 8601 with or without a time, as it stands: without an offset it has none."""
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise Wrong(repr(text), "ISO 8601", "write for instance 2026-05-28T09:30:00+00:00") from None


def iso_date(value: Any) -> date:
    """A date, bare or in quotes; a time of day is refused."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        if isinstance(value, str):
            return date.fromisoformat(value.strip())
    except ValueError:
        pass
    raise Wrong(show(value), "a date", "write for instance 2026-05-28")


def _timestamp(text: str) -> date:
    try:
        made = yaml.load(str(text), Loader=yaml.CSafeLoader)  # libyaml takes no subclass of str
    except (ValueError, yaml.YAMLError):
        made = None
    if not isinstance(made, date):
        raise Wrong(repr(str(text)), "a date that exists", "write for instance 2026-05-28T09:30:00+00:00")
    return made
