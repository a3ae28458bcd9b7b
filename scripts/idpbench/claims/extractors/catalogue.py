"""Catalogue records in JSON (museum objects, archive items, products): one claim per field that says something.

Nothing is known of any one catalogue's schema. A record is a tree; names of keys say what a value is, a few shapes
(quantities, spans of dates, named things, qualified values) are read as a whole, and the rest is said in general words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.sentences import split_sentences
from idpbench.claims.extractors.wording import date_text, distinct, joined, sentence, value_text, words

NAMES = ("title", "name", "label", "objectName", "displayName")
NUMBERS = ("identifier", "objectNumber", "accessionNumber", "sku", "id", "inventoryNumber")
PROSE = ("description", "note", "notes", "summary", "comment", "abstract", "history", "provenance")
SPANS = (("earliest", "latest"), ("from", "to"), ("start", "end"), ("startDate", "endDate"), ("opened", "closed"))
DOUBTS = ("certainty", "confidence", "qualifier", "status")
SKIPPED = frozenset({"@context", "@type", "$schema", "modified", "lastModified", "etag", "url", "uri", "href"})
# How a key reads in a sentence whose subject is the record; all other keys read `The <key> of <record> is <value>`.
PHRASES = {
    "maker": "was made by", "manufacturer": "was made by", "creator": "was made by", "artist": "was made by",
    "designer": "was designed by", "architect": "was designed by", "publisher": "was published by",
    "material": "is made of", "materials": "is made of", "medium": "is made of",
    "held by": "is held by", "owner": "is owned by", "donor": "was given by", "location": "is at",
    "object type": "is a", "type": "is a", "category": "is in the category", "collection": "belongs to the collection",
    "rights": "is under the licence", "licence": "is under the licence", "license": "is under the licence",
    "depicts": "depicts", "subject": "shows", "inscription": "bears the inscription",
}  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One thing that a record says: the words of its keys from the root, the value as text, names in it, doubts."""

    path: tuple[str, ...]
    value: str
    names: tuple[str, ...] = ()
    listed: bool = False
    doubted: bool = False
    prose: bool = False


class CatalogueExtractor:
    """Claims of a catalogue record, or of each record of a list."""

    extractor_id = "catalogue-record"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """CATALOGUE_RECORD."""
        return source_type == "CATALOGUE_RECORD"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims in the order of the record's keys; ValueError where the bytes are no JSON object or list of them."""
        value = json.loads(data)
        records = _records(value)
        if not records:
            raise ValueError(f"found {type(value).__name__}, expected a JSON object or a list of objects")
        return [claim for record in records for claim in _claims(record)]


def _records(value: Any) -> list[Mapping[str, Any]]:
    """The records in a document: itself, the only object in a wrapper, or the entries of a list."""
    if isinstance(value, list):
        return [entry for entry in value if isinstance(entry, dict)]
    if isinstance(value, dict) and _name(value) is None and len(value) == 1:
        return _records(next(iter(value.values())))
    return [value] if isinstance(value, dict) else []


def _claims(record: Mapping[str, Any]) -> Iterator[Claim]:
    number = next((str(record[key]) for key in NUMBERS if record.get(key)), None)
    name = _name(record) or number or "the record"
    for field in _fields(record, ()):
        if len(field.path) == 1 and field.value == name:
            continue
        level = evidence.SENTENCE if field.prose else evidence.LISTED if field.listed else evidence.FIELD
        doubts = [evidence.HEDGE] if field.doubted or evidence.hedged(field.value) else []
        if field.prose:
            yield Claim(field.value, evidence.confidence(level, *doubts), (name,))
            continue
        content, guessed = _content(name, field)
        if guessed:
            level = min(level, evidence.DERIVED)
        yield Claim(content, evidence.confidence(level, *doubts), distinct([name, *field.names]))


def _content(name: str, field: Field) -> tuple[str, bool]:
    """The sentence, and whether its words were only guessed from the keys (nested ones)."""
    last = field.path[-1]
    value = f"{field.value} (uncertain)" if field.doubted and not evidence.hedged(field.value) else field.value
    if last in PHRASES:
        return sentence(f"{name} {PHRASES[last]} {value}"), False
    if len(field.path) == 1:
        return sentence(f"The {last} of {name} is {value}"), False
    return sentence(f"The {last} of the {' '.join(field.path[:-1])} of {name} is {value}"), True


def _fields(node: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Field]:
    for key, value in node.items():
        if key in SKIPPED or value is None or value == "" or value == [] or value == {}:
            continue
        here = (*path, words(key))
        if key in PROSE and isinstance(value, str):
            for text in split_sentences(value):
                yield Field(here, text, prose=True)
        elif isinstance(value, dict):
            yield from _object(value, here)
        elif isinstance(value, list):
            yield from _list(value, here)
        else:
            yield Field(here, value_text(value))


def _object(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Field]:
    """A shape that is read whole, or the fields below it."""
    doubted = any(evidence.hedged(str(value[key])) for key in DOUBTS if value.get(key))
    rest = {key: entry for key, entry in value.items() if key not in DOUBTS}
    quantity, span, name = _quantity(rest), _span(rest), _name(rest)
    if quantity is not None:
        kind = rest.get("type") or rest.get("name")
        yield Field((*path[:-1], words(str(kind))) if kind else path, quantity, doubted=doubted)
    elif span is not None:
        text, used = span
        named = () if name is None else (name,)
        label = f"{name}, {text}" if name else text
        yield Field(path, label, named, doubted=doubted)
        left = {key: entry for key, entry in rest.items() if key not in used and key not in NAMES and key != "text"}
        yield from _fields(left, path)
    elif name is not None:
        yield Field(path, name, (name,), doubted=doubted)
        yield from _fields({key: entry for key, entry in rest.items() if key not in NAMES}, path)
    elif isinstance(rest.get("text"), str):
        yield Field(path, rest["text"], doubted=doubted)
        yield from _fields({key: entry for key, entry in rest.items() if key != "text"}, path)
    else:
        yield from _fields(rest, path)


def _list(values: list[Any], path: tuple[str, ...]) -> Iterator[Field]:
    """Scalars of a list are one claim, objects one each."""
    scalars = [value_text(value) for value in values if not isinstance(value, (dict, list)) and value is not None]
    if scalars:
        yield Field(path, joined(scalars), listed=True)
    for value in values:
        if isinstance(value, dict):
            yield from _object(value, path)


def _name(node: Mapping[str, Any]) -> str | None:
    return next((node[key].strip() for key in NAMES if isinstance(node.get(key), str) and node[key].strip()), None)


def _quantity(node: Mapping[str, Any]) -> str | None:
    """`31.5 cm` of `{value, unit}`."""
    value, unit = node.get("value"), node.get("unit")
    if value is None or isinstance(value, (dict, list)) or not isinstance(unit, str):
        return None
    return f"{value_text(value)} {unit}"


def _span(node: Mapping[str, Any]) -> tuple[str, tuple[str, ...]] | None:
    """Words for two ends of time, and the keys they came from; a stated text goes before both ends."""
    for first, last in SPANS:
        if first in node and last in node and _is_moment(node[first]) and _is_moment(node[last]):
            text = node.get("text")
            ends = f"{date_text(str(node[first]))} to {date_text(str(node[last]))}"
            return (f"{text} ({ends})" if isinstance(text, str) and text else ends), (first, last)
    return None


def _is_moment(value: Any) -> bool:
    return isinstance(value, (int, str)) and str(value)[:4].isdigit()
