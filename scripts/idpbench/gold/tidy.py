"""The tidy table and its one spelling, `tidy-csv/1`: the bytes that digests are taken over."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from idpbench.files.canonical import bytes_digest

_QUOTED = re.compile('[",\r\n]')


@dataclass(frozen=True)
class Table:
    """Column names and rows of canonical texts, all rows as wide as `columns`; "" is blank."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def csv_bytes(table: Table) -> bytes:
    """UTF-8 without BOM, LF after every line, comma; a field is quoted only where it holds `"`, comma, CR or LF.

    A line whose only field is empty is written `""`, so that it is no empty line.
    """
    return "".join(_line(row) for row in (table.columns, *table.rows)).encode("utf-8")


def table_digest(table: Table) -> str:
    """`sha256:` and 64 hex digits over the CSV bytes."""
    return prefixed(csv_bytes(table))


def prefixed(data: bytes) -> str:
    """`sha256:` and the 64 hex digits of the digest of `data`, as all documents of the benchmark write it."""
    return f"sha256:{bytes_digest(data)}"


def read_csv(data: bytes) -> Table:
    """The table of canonical CSV bytes. ValueError where the bytes are not exactly what `csv_bytes` writes."""
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
    try:
        lines = [tuple(line) for line in reader]
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from None
    if not lines:
        raise ValueError("no header line")
    table = Table(lines[0], tuple(lines[1:]))
    if any(len(row) != len(table.columns) for row in table.rows) or csv_bytes(table) != data:
        raise ValueError("not in the canonical form")
    return table


def _line(fields: tuple[str, ...]) -> str:
    if fields == ("",):
        return '""\n'
    return ",".join(map(_field, fields)) + "\n"


def _field(text: str) -> str:
    if _QUOTED.search(text) is None:
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
