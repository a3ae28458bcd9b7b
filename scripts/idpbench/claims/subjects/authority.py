"""A resolver over a committed authority file: names looked up, and linked only where the sentence lets them be.

The score of an entry: LABEL or ALIAS for how the name matches, CONTEXT more where the sentence holds a word that the
entry is known by, PLACE more where the name of a place stands behind a preposition of place, CONFLICT less where the
word before or behind the name says that it is another kind of thing (`the river Weide`). The best entry is linked from
LINK on, unless another one is as good: an ambiguous name stays local, which costs a join and pollutes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.claims.subjects.base import Ref, Resolution
from idpbench.claims.subjects.refs import split_ref
from idpbench.files.canonical import file_digest, read_json
from idpbench.files.errors import bad_input

KIND = "claims-authority"
LABEL, ALIAS = 0.7, 0.5
CONTEXT, PLACE, CONFLICT = 0.2, 0.05, -0.3
LINK = 0.6
# Words that name a kind of thing when they stand beside a name.
KINDS = frozenset(
    {
        "river", "lake", "place", "city", "town", "village", "company", "firm", "bridge", "viaduct", "museum", "ship",
        "engineer", "architect", "mineral", "plant", "variety", "hospital", "street", "foundry", "publisher",
        "material",
    }
)  # fmt: skip
_PLACES = r"\b(?:in|at|from|to|near|of)\s+(?:the\s+)?"


@dataclass(frozen=True)
class Entry:
    """One entry of the authority: `namespace:id`, names, kind, and words that go with it."""

    namespace: str
    id: str
    label: str
    kind: str
    aliases: tuple[str, ...]
    context: tuple[str, ...]


class OfflineResolver:
    """`Resolver` over entries in memory; the same name and sentence give the same refs every time."""

    def __init__(self, entries: Sequence[Entry], identity: str) -> None:
        self._identity = identity
        self._by_name: dict[str, list[tuple[Entry, float]]] = {}
        for entry in entries:
            names = {_folded(alias): ALIAS for alias in entry.aliases} | {_folded(entry.label): LABEL}
            for name, score in names.items():
                self._by_name.setdefault(name, []).append((entry, score))

    @property
    def id(self) -> str:
        """`authority:` and the digest of the file."""
        return self._identity

    def resolve(self, name: str, mention: str) -> Resolution:
        """The entry that `name` means in `mention`, or a subject without refs."""
        scored = [(_score(entry, base, name, mention), entry) for entry, base in self._by_name.get(_folded(name), [])]
        best = max((score for score, _ in scored), default=0.0)
        first = [entry for score, entry in scored if score == best]
        if best < LINK or len(first) != 1:
            return Resolution(name.strip())
        return Resolution(first[0].label, (Ref(first[0].namespace, first[0].id, best),))


def read_authority(path: Path | str) -> OfflineResolver:
    """Read `idpbench/claims-authority/1`; a Refusal names the first entry that is none."""
    value = read_json(path, KIND)
    entries = value.get("entries")
    if not isinstance(entries, list):
        raise bad_input(path, "entries", type(entries).__name__, "a list of entries", "restore the file")
    return OfflineResolver(
        [_entry(path, number, entry) for number, entry in enumerate(entries)], f"authority:{file_digest(path)[:16]}"
    )


def _entry(path: Path | str, number: int, value: Any) -> Entry:
    place = f"entries[{number}]"
    parts = split_ref(value["ref"]) if isinstance(value, dict) and isinstance(value.get("ref"), str) else None
    if parts is None:
        raise bad_input(path, place, repr(value)[:120], "an entry with `ref: namespace:id`", "correct the entry")
    for key in ("label", "kind"):
        if not isinstance(value.get(key), str) or not value[key].strip():
            raise bad_input(path, f"{place}.{key}", repr(value.get(key)), "a text", "add it")
    lists = {key: value.get(key, []) for key in ("aliases", "context")}
    for key, words in lists.items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise bad_input(path, f"{place}.{key}", repr(words)[:120], "a list of texts", "correct it")
    return Entry(*parts, value["label"], value["kind"], tuple(lists["aliases"]), tuple(lists["context"]))


def _score(entry: Entry, base: float, name: str, mention: str) -> float:
    text, plain = _folded(mention), re.escape(_folded(name))
    around = text.replace(_folded(name), " ")
    score = base
    if any(re.search(rf"\b{re.escape(_folded(word))}\b", around) for word in entry.context):
        score += CONTEXT
    if entry.kind == "place" and re.search(_PLACES + plain, text):
        score += PLACE
    beside = re.findall(rf"(\w+)\s+{plain}(?!\w)|(?<!\w){plain}\s+(\w+)", text)
    said = {word for pair in beside for word in pair if word in KINDS}
    if said and not said & {entry.kind, *(_folded(word) for word in entry.context)}:
        score += CONFLICT
    return round(min(score, 1.0), 2)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
