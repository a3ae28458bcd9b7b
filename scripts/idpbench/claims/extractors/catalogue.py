"""Catalogue records in JSON (museum objects, archive items, products): one claim per field that says something.

Nothing is known of any one catalogue's schema. A record is a tree; names of keys say what a value is, a few shapes
(quantities, spans of dates, named things, qualified values, events) are read as a whole, and the rest is said in
general words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.fields import Field, name_of, read_fields
from idpbench.claims.extractors.wording import article, distinct, sentence

NUMBERS = ("identifier", "objectNumber", "accessionNumber", "sku", "id", "inventoryNumber")
IS_A = "is a"
# How a key reads in a sentence whose subject is the record; all other keys read `The <key> of <record> is <value>`.
PHRASES = {
    "maker": "was made by", "manufacturer": "was made by", "creator": "was made by", "artist": "was made by",
    "production maker": "was made by", "designer": "was designed by", "architect": "was designed by",
    "publisher": "was published by", "found by": "was found by", "acquired from": "was acquired from",
    "place made": "was made in", "production place": "was made in", "date made": "was made",
    "production date": "was made", "driven": "was driven by",
    "material": "is made of", "materials": "is made of", "medium": "is made of",
    "held by": "is held by", "owner": "is owned by", "donor": "was given by", "location": "is at",
    "object type": IS_A, "type": IS_A, "category": IS_A, "collection": "belongs to the collection",
    "rights": "is under the licence", "licence": "is under the licence", "license": "is under the licence",
    "depicts": "depicts", "subject": "shows", "inscription": "bears the inscription",
    "exhibitions": "was shown in the exhibition", "exhibition": "was shown in the exhibition",
    "related objects": "is related to",
}  # fmt: skip
MEASURES = {
    "height": "is {} high", "width": "is {} wide", "depth": "is {} deep", "length": "is {} long",
    "thickness": "is {} thick", "weight": "weighs {}", "mass": "weighs {}",
}  # fmt: skip


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
    if isinstance(value, dict) and name_of(value) is None and len(value) == 1:
        return _records(next(iter(value.values())))
    return [value] if isinstance(value, dict) else []


def _claims(record: Mapping[str, Any]) -> Iterator[Claim]:
    number = next((str(record[key]) for key in NUMBERS if record.get(key)), None)
    title = name_of(record) or number or "record"
    for field in read_fields(record):
        if len(field.path) == 1 and field.value == title:
            continue
        doubts = [evidence.HEDGE] if field.doubted or evidence.hedged(field.value) else []
        if field.prose:
            yield Claim(field.value, evidence.confidence(evidence.SENTENCE, *doubts), (title,))
            continue
        content, known = _content(_as_subject(title), field)
        level = evidence.LISTED if field.listed else evidence.FIELD
        level = level if known or len(field.path) == 1 else min(level, evidence.DERIVED)
        yield Claim(content, evidence.confidence(level, *doubts), distinct([title, *field.names]))


def _content(name: str, field: Field) -> tuple[str, bool]:
    """The sentence, and whether its words belong to the key (else they are put together from a path of keys)."""
    value = f"{field.value} (uncertain)" if field.doubted and not evidence.hedged(field.value) else field.value
    key = " ".join(field.path[-2:])
    phrase = PHRASES.get(key) or PHRASES.get(field.path[-1])
    if field.quantity and field.path[-1] in MEASURES:
        return _capital(f"{name} {MEASURES[field.path[-1]].format(value)}"), True
    if field.flag is not None:
        return _capital(f"{name} is {'' if field.flag else 'not '}{field.path[-1]}"), True
    if phrase == IS_A:
        return _capital(f"{name} is {article(value)} {value}"), True
    if phrase:
        return _capital(f"{name} {phrase} {value}"), True
    if field.path[-1].endswith("s") and field.value.isdigit():
        return _capital(f"{name} has {value} {field.path[-1]}"), True
    return _capital(f"the {' '.join(_said(field.path))} of {name} is {value}"), False


def _said(path: tuple[str, ...]) -> Iterator[str]:
    """`(production, place)` as `production place`: keys from the outside in, without words that repeat."""
    last = ""
    for part in path:
        if part != last:
            yield part
        last = part


def _as_subject(title: str) -> str:
    """A title within a sentence: `the boat compass` for common nouns, a proper name or a sentence-like one as it is."""
    first, _, rest = title.partition(" ")
    common = first[1:].islower() and (not rest or rest[0].islower())
    return f"the {first.lower()} {rest}".strip() if common else title


def _capital(text: str) -> str:
    return sentence(text[0].upper() + text[1:])
