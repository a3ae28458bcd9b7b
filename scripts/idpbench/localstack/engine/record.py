"""The record of one document: values in the shape of the class schema, and what each rests on in the same order."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.fields import Reading
from idpbench.localstack.engine.reader import Path, SectionReading
from idpbench.localstack.engine.rows import Row
from idpbench.localstack.engine.schema import DocumentClass, ListProperty
from idpbench.localstack.engine.values import literal

GUESS = '{"guess%d": %s, "confidence%d": 0.98}'  # as integrated mode writes it; every confidence has two digits


@dataclass
class Record:
    """`values` is what is returned; `scalars` and `rows` hold the evidence, rows parallel to the lists in `values`."""

    values: dict[str, Any]
    scalars: dict[Path, Reading]
    rows: dict[Path, list[dict[str, Reading | None]]]


def build(reading: SectionReading, document_class: DocumentClass, only: Mapping[Path, int] | None = None) -> Record:
    """The record of a reading. `only`: how many rows of each list are kept, from the first on; all where it is None."""
    values: dict[str, Any] = {}
    rows: dict[Path, list[dict[str, Reading | None]]] = {}
    scalars = {item.path: item for item in document_class.scalars}
    lists = {wanted.path: wanted for wanted in document_class.lists}
    for path in _schema_order(document_class):
        if path in scalars:
            found = reading.scalars.get(path)
            put(values, path, None if found is None else literal(found.text, scalars[path].kind))
        else:
            kept = reading.lists.get(path, [])
            kept = kept if only is None else kept[: only[path]]
            evidence, items = _rows(kept, lists[path])
            rows[path] = evidence
            put(values, path, items)
    return Record(values, dict(reading.scalars), rows)


def _schema_order(document_class: DocumentClass) -> list[Path]:
    paths: list[Path] = [item.path for item in document_class.scalars]
    return paths + [wanted.path for wanted in document_class.lists]


def put(values: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Set the value at `path`, making the groups on the way."""
    for name in path[:-1]:
        values = values.setdefault(name, {})
    values[path[-1]] = value


def get(values: Mapping[str, Any], path: Sequence[str]) -> Any:
    """The value at `path`, or None."""
    found: Any = values
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _rows(found: Sequence[Row], wanted: ListProperty) -> tuple[list[dict[str, Reading | None]], list[dict[str, Any]]]:
    """Every row with the columns that any row of the list has; a cell that was not found is null."""
    present = {name for row in found for name in row.values}
    columns = [item for item in wanted.items if item.name in present]
    evidence: list[dict[str, Reading | None]] = []
    items: list[dict[str, Any]] = []
    for row in found:
        readings = {item.name: row.values.get(item.name) for item in columns}
        evidence.append(readings)
        items.append(
            {
                item.name: None if (reading := readings[item.name]) is None else literal(reading.text, item.kind)
                for item in columns
            }
        )
    return evidence, items


def scalar_tokens(values: Mapping[str, Any], document_class: DocumentClass) -> int:
    """Tokens of the answer without its lists."""
    short: dict[str, Any] = {}
    for item in document_class.scalars:
        put(short, item.path, get(values, item.path))
    for wanted in document_class.lists:
        put(short, wanted.path, [])
    return tokens.count(json.dumps(short, ensure_ascii=False))


def row_tokens(row: Mapping[str, Any], guesses: int) -> int:
    """Tokens of one list item in the answer; with guesses, each cell is written that many times with a confidence."""
    if not guesses:
        return tokens.count(json.dumps(row, ensure_ascii=False) + ",\n")
    cells = []
    for name, value in row.items():
        text = json.dumps(value, ensure_ascii=False)
        written = [GUESS % (number, text, number) for number in range(1, guesses + 1)]
        cells.append(f"{json.dumps(name)}: " + (written[0] if guesses == 1 else f"[{', '.join(written)}]"))
    return tokens.count("{" + ", ".join(cells) + "},\n")
