"""A document's section results, unwrapped once for every metric.

Order: sections come in the order in which S3 lists their keys (1, 10, 2, ...), because "the first value seen wins" is
part of the published definition of two metrics. It matters only where two sections hold the same field or the same tag.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

TAG = re.compile(r"SEQ[0-9]{5}")
PRESENT = "present"


@dataclass
class ListField:
    """One list of one record, with the assessment beside it (None: the list was not assessed)."""

    name: str
    rows: list[Any]
    assessed: list[Any] | None
    judged: dict[int, list[tuple[str, bool]]] = field(default_factory=dict)  # by row, see `accuracy.judge`

    @cached_property
    def tags(self) -> list[str | None]:
        """The SEQ tag of each row: that of the first text cell that has one."""
        return [_row_tag(row) for row in self.rows]


@dataclass
class Record:
    """One extracted record: a section's result, or one of its `instances`."""

    values: Mapping[str, Any]
    lists: list[ListField]


@dataclass
class Section:
    """One section result, its records and its own account of what was done to it."""

    inference: Any
    explainability: Any
    metadata: Mapping[str, Any]
    records: list[Record]

    def tags(self) -> list[str]:
        """Every SEQ tag anywhere in the result, repeated as often as it stands there."""
        if not self.inference:
            return []
        return TAG.findall(json.dumps(self.inference))


@dataclass
class Sections:
    """All sections of a document, or how many could not be read and why; then nothing may be measured."""

    items: list[Section]
    unreadable: int = 0
    unread: str | None = None

    def lists(self, list_key: str | None) -> Iterator[tuple[Section, ListField]]:
        """The list fields named `list_key` (lowered; None: all), in order."""
        for section in self.items:
            for record in section.records:
                for rows in record.lists:
                    if list_key is None or rows.name.lower() == list_key:
                        yield section, rows


def read_sections(document: Mapping[str, Any]) -> Sections:
    """Unwrap the sections of one document of a run record."""
    listing = document.get("sections_listing") or {}
    if listing.get("state") == "failed":
        return Sections([], 1, f"listing failed: {listing.get('reason') or 'no reason given'}")
    problems = []
    items = []
    for raw in sorted(document.get("sections") or [], key=_name):
        if raw.get("state") != PRESENT:
            problems.append(f"{_name(raw)}: {raw.get('state')}: {raw.get('reason') or 'no reason'}")
        elif not isinstance(raw.get("value"), dict):
            problems.append(f"{_name(raw)}: {type(raw.get('value')).__name__} instead of a map")
        else:
            items.append(read_section(raw["value"]))
    if problems:
        return Sections([], len(problems), "; ".join(problems))
    return Sections(items)


def read_section(value: Mapping[str, Any]) -> Section:
    """Unwrap one section result; a part of an unexpected shape counts as not there."""
    inference = value.get("inference_result")
    explainability = value.get("explainability_info")
    metadata = value.get("metadata")
    return Section(
        inference,
        explainability,
        metadata if isinstance(metadata, dict) else {},
        [_record(values, scores) for values, scores in _records(inference, _first(explainability))],
    )


def _records(inference: Any, scores: Any) -> list[tuple[Mapping[str, Any], Any]]:
    """Records with their assessments: the maps under `instances` where that list holds any, else the result."""
    if not isinstance(inference, dict):
        return []
    instances = inference.get("instances")
    if not (isinstance(instances, list) and any(isinstance(item, dict) for item in instances)):
        return [(inference, scores)]
    assessed = scores.get("instances") if isinstance(scores, dict) else None
    many = assessed if isinstance(assessed, list) else []
    return [
        (item, many[index] if index < len(many) else None)
        for index, item in enumerate(instances)
        if isinstance(item, dict)
    ]


def _record(values: Mapping[str, Any], scores: Any) -> Record:
    lists = []
    for name, value in values.items():
        if isinstance(value, list):
            assessed = scores.get(name) if isinstance(scores, dict) else None
            lists.append(ListField(name, value, assessed if isinstance(assessed, list) else None))
    return Record(values, lists)


def _first(explainability: Any) -> Any:
    """The assessment of the whole result: the product wraps it into a one-element list."""
    if isinstance(explainability, list):
        return explainability[0] if explainability else None
    return explainability


def _row_tag(row: Any) -> str | None:
    if isinstance(row, dict):
        for cell in row.values():
            if isinstance(cell, str) and (found := TAG.search(cell)):
                return found[0]
    return None


def _name(raw: Mapping[str, Any]) -> str:
    """A section's key, which also is its place: S3 lists keys in the order of their bytes."""
    return str(raw.get("key") or raw.get("id") or "")
