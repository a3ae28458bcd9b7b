"""Bibliographic records in BibTeX or RIS: who wrote what, when, where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.references import Reference, read_bibtex, read_ris
from idpbench.claims.extractors.sentences import split_sentences
from idpbench.claims.extractors.wording import date_text, distinct, joined, sentence

MANY = 6  # names that are written out; more are counted


class BibliographyExtractor:
    """Claims of each reference of a bibliography."""

    extractor_id = "bibliography"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """BIBLIOGRAPHY: BibTeX or RIS."""
        return source_type == "BIBLIOGRAPHY"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims reference by reference; ValueError where none is found."""
        text = data.decode("utf-8-sig")
        found = read_ris(text) if re.search(r"^TY\s{2}- ", text, re.MULTILINE) else read_bibtex(text)
        if not found:
            raise ValueError("found no reference, expected BibTeX or RIS")
        return [claim for reference in found for claim in _claims(reference)]


def _claims(reference: Reference) -> Iterator[Claim]:
    get = reference.fields.get
    title = get("title") or reference.key
    unsure = [evidence.HEDGE] if evidence.hedged(f"{get('note') or ''} {get('year') or ''}") else []
    level = evidence.FIELD if get("title") else evidence.UNREADABLE

    def claim(predicate: str, *names: str, level: float = level) -> Claim:
        content = sentence(f"“{title}” {predicate}")
        return Claim(content, evidence.confidence(level, *unsure), distinct([title, *names]))

    if reference.authors:
        yield claim(f"was written by {_people(reference.authors)}", *reference.authors[:MANY])
    if reference.editors:
        yield claim(f"was edited by {_people(reference.editors)}", *reference.editors[:MANY])
    if year := get("year"):
        yield claim(f"was published in {date_text(year)}")
    if journal := get("journal"):
        yield claim(f"appeared in {journal}{_place_in(reference)}", journal, level=min(level, evidence.LISTED))
    if book := get("booktitle"):
        pages = f", pages {_range(get('pages') or '')}" if get("pages") else ""
        yield claim(f"is a contribution to {book}{pages}", book, level=min(level, evidence.LISTED))
    if publisher := get("publisher"):
        town = f" in {get('address')}" if get("address") else ""
        yield claim(f"was published by {publisher}{town}", publisher)
    for key, words in (("doi", "has the DOI"), ("isbn", "has the ISBN"), ("edition", "is in its edition")):
        if value := get(key):
            yield claim(f"{words} {value}")
    if school := get("school"):
        yield claim(f"is a thesis at {school}", school)
    if reference.keywords:
        yield claim(f"is about {joined(reference.keywords)}", level=min(level, evidence.DERIVED))
    for key in ("abstract", "note"):
        for text in split_sentences(get(key) or ""):
            doubts = [evidence.HEDGE] if evidence.hedged(text) else []
            yield Claim(sentence(text), evidence.confidence(evidence.SENTENCE, *doubts), (title,))


def _people(names: tuple[str, ...]) -> str:
    return joined(names) if len(names) <= MANY else f"{joined(names[:MANY])} and {len(names) - MANY} others"


def _place_in(reference: Reference) -> str:
    get = reference.fields.get
    parts = [f"{name} {get(key)}" for key, name in (("volume", "volume"), ("number", "issue")) if get(key)]
    if pages := get("pages"):
        parts.append(f"pages {_range(pages)}")
    return f", {', '.join(parts)}" if parts else ""


def _range(pages: str) -> str:
    return re.sub(r"\s*[-–]+\s*", " to ", pages)
