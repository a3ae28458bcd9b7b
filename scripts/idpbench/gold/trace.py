"""Where every row of a tidy table comes from: its value cell, and the cell behind each header."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from idpbench.files.canonical import loads
from idpbench.gold.jcs import jcs_text
from idpbench.gold.tidy import prefixed


class HeaderTrace(NamedTuple):
    """What one header says about one value cell.

    direction: one of the eight, `constant` or `cell`. source: `Sheet!R1C2`, or None. value: canonical text, or None
    where missing. state: `resolved`, `ambiguous`, `missing` or `default`.
    """

    name: str
    direction: str
    source: str | None
    value: str | None
    state: str


class TraceRow(NamedTuple):
    """The record behind one row: `source` is the value cell's address, `headers` stand in declared order."""

    source: str
    headers: tuple[HeaderTrace, ...]


def trace_bytes(rows: Iterable[TraceRow]) -> bytes:
    """One RFC 8785 object per row and line, LF after each, in row order."""
    known: dict[HeaderTrace, str] = {}  # one record of a header stands in many rows
    lines = []
    for row in rows:
        headers = [known.get(header) or known.setdefault(header, jcs_text(header._asdict())) for header in row.headers]
        lines.append(f'{{"headers":[{",".join(headers)}],"source":{jcs_text(row.source)}}}\n')
    return "".join(lines).encode("utf-8")


def trace_digest(rows: Iterable[TraceRow]) -> str:
    """`sha256:` and 64 hex digits over the trace bytes."""
    return prefixed(trace_bytes(rows))


def as_json(row: TraceRow) -> dict[str, Any]:
    """A trace row as plain JSON."""
    return {"source": row.source, "headers": [header._asdict() for header in row.headers]}


def from_json(value: Any) -> TraceRow:
    """The trace row of plain JSON. ValueError where the shape is another."""
    try:
        return TraceRow(_text(value["source"]), tuple(_header(header) for header in value["headers"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a trace record: {error}") from None


def read_trace(data: bytes) -> tuple[TraceRow, ...]:
    """The rows of trace bytes. ValueError where the bytes are not exactly what `trace_bytes` writes."""
    rows = tuple(from_json(loads(line, "trace")) for line in data.split(b"\n")[:-1])
    if trace_bytes(rows) != data:
        raise ValueError("not in the canonical form")
    return rows


def _header(value: Any) -> HeaderTrace:
    if set(value) != set(HeaderTrace._fields):
        raise ValueError(f"not a header record: {sorted(value)}")
    source, text = value["source"], value["value"]
    return HeaderTrace(
        _text(value["name"]),
        _text(value["direction"]),
        None if source is None else _text(source),
        None if text is None else _text(text),
        _text(value["state"]),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not text: {value!r}")
    return value
