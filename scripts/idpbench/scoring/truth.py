"""A document's exact truth, prepared once for many records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.files.errors import bad_input

Cells = tuple[tuple[str, str, Any], ...]  # (name, the same lowered, expected value)


@dataclass(frozen=True)
class Truth:
    """Labels keep their spelling; look-ups go by lowered names. Absent declarations are None, empty ones empty."""

    document: str
    fields: Cells
    fields_typed: Cells | None
    tags: frozenset[str]
    cells: Mapping[str, Cells] | None
    list_key: str | None
    expected_sections: int | None

    @property
    def declared_cells(self) -> int:
        """Cells of all rows, recovered or not."""
        return sum(len(cells) for cells in self.cells.values()) if self.cells else 0


def read_truth(raw: Mapping[str, Any], source: object = "truth") -> Truth:
    """Prepare a truth file's content; a part of another shape is a Refusal."""
    rows = _map(raw, "rows_typed", source)
    list_key = raw.get("list_key")
    sections = raw.get("expected_sections")
    tags = raw.get("seq_ids") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise bad_input(source, "seq_ids", type(tags).__name__, "a list of SEQ tags", "generate the corpus again")
    fields = _map(raw, "fields", source)
    typed = _map(raw, "fields_typed", source)
    return Truth(
        document=str(raw.get("id", "")),
        fields=_named(fields or {}),
        fields_typed=None if typed is None else _named(typed),
        tags=frozenset(tags),
        cells=None if rows is None else {tag: _named(cells) for tag, cells in rows.items()},
        list_key=list_key.lower() if isinstance(list_key, str) and list_key else None,
        expected_sections=None if sections is None else int(sections),
    )


def _named(values: Mapping[str, Any]) -> Cells:
    return tuple((name, name.lower(), value) for name, value in values.items())


def _map(raw: Mapping[str, Any], key: str, source: object) -> Mapping[str, Any] | None:
    value = raw.get(key)
    if value is not None and not isinstance(value, Mapping):
        raise bad_input(source, key, type(value).__name__, "a map", "generate the corpus again")
    return value
