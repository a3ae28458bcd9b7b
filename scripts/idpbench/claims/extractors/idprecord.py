"""A run record of the idp benchmark as claims: what the stack said about a document, with the confidence it stated.

So the same documents can be judged by facts as well as by fields. Confidence is the stack's own, leaf by leaf (a row of
a list is as sure as its least sure cell); where the run was not assessed, the level says that nobody stated one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.wording import article, date_text, distinct, sentence, value_text

SCHEMA = "idpbench/record/1"
UNSTATED = evidence.INFERRED


class IdpRecordExtractor:
    """Claims of the documents of one run."""

    extractor_id = "idp-record"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """IDP_RUN_RECORD: the JSON of `idpbench/record/1`."""
        return source_type == "IDP_RUN_RECORD"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims section by section; ValueError where it is no run record or a section could not be read."""
        record = json.loads(data)
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            raise ValueError(f"found no `schema: {SCHEMA}`, expected a run record")
        return [claim for document in record.get("documents") or [] for claim in _document(document)]


def _document(document: Mapping[str, Any]) -> Iterator[Claim]:
    name = PurePath(str(document.get("name") or "the document")).stem
    sections = sorted(document.get("sections") or [], key=lambda section: str(section.get("key") or section.get("id")))
    for section in sections:
        if section.get("state") != "present" or not isinstance(section.get("value"), dict):
            raise ValueError(f"{name}: section {section.get('id')} is {section.get('state')}, expected its result")
        value = section["value"]
        kind = (value.get("document_class") or {}).get("type")
        if kind:
            part = f"Section {section.get('id')} of {name}" if len(sections) > 1 else f"Document {name}"
            yield Claim(sentence(f"{part} is {article(str(kind))} {str(kind).lower()}"), UNSTATED, distinct([name]))
        for values, scores in _instances(value.get("inference_result"), value.get("explainability_info")):
            yield from _values(name, values, scores, ())


def _instances(inference: Any, explained: Any) -> list[tuple[Mapping[str, Any], Any]]:
    """Records of a result with their assessments: several under `instances`, else the result itself."""
    scores = explained[0] if isinstance(explained, list) and explained else explained
    if not isinstance(inference, dict):
        return []
    many = inference.get("instances")
    if isinstance(many, list) and any(isinstance(item, dict) for item in many):
        assessed = scores.get("instances") if isinstance(scores, dict) else None
        listed = assessed if isinstance(assessed, list) else []
        return [
            (item, listed[index] if index < len(listed) else None)
            for index, item in enumerate(many)
            if isinstance(item, dict)
        ]
    return [(inference, scores)]


def _values(name: str, values: Mapping[str, Any], scores: Any, path: tuple[str, ...]) -> Iterator[Claim]:
    for key, value in values.items():
        score = scores.get(key) if isinstance(scores, dict) else None
        here = (*path, key)
        if value is None or value == "" or value == []:
            continue
        if isinstance(value, dict):
            yield from _values(name, value, score, here)
        elif isinstance(value, list):
            yield from _rows(name, here, value, score)
        else:
            content = sentence(f"The {' '.join(here)} of {name} is {date_text(value_text(value))}")
            yield Claim(content, _stated(score), distinct([name]))


def _rows(name: str, path: tuple[str, ...], rows: list[Any], scores: Any) -> Iterator[Claim]:
    """One claim per row: its cells by name, numbered, because a row is one fact."""
    listed = scores if isinstance(scores, list) else []
    for number, row in enumerate(rows):
        score = listed[number] if number < len(listed) else None
        if isinstance(row, dict):
            cells = [f"{key} {date_text(value_text(value))}" for key, value in row.items() if value not in (None, "")]
        else:
            cells = [value_text(row)] if row is not None else []
        if cells:
            content = sentence(f"{' '.join(path)} row {number + 1} of {name}: {', '.join(cells)}")
            yield Claim(content, _stated(score), distinct([name]))


def _stated(score: Any) -> float:
    """The least confidence stated below a node of the assessment, within [0, 1]; UNSTATED where there is none."""
    found = sorted(_leaves(score))
    return round(min(max(found[0], 0.0), 1.0), 4) if found else UNSTATED


def _leaves(score: Any) -> Iterator[float]:
    if isinstance(score, dict):
        value = score.get("confidence")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield float(value)
            return
        for inner in score.values():
            yield from _leaves(inner)
    elif isinstance(score, list):
        for inner in score:
            yield from _leaves(inner)
