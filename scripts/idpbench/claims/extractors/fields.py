"""A tree of JSON as a flat list of what it says, with the shapes that catalogues share read as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.sentences import split_sentences
from idpbench.claims.extractors.wording import date_text, joined, value_text, words

NAMES = ("title", "name", "label", "objectName", "displayName")
PROSE = ("description", "note", "notes", "summary", "comment", "abstract", "history", "provenance")
SPANS = (("earliest", "latest"), ("from", "to"), ("start", "end"), ("startDate", "endDate"), ("opened", "closed"))
DOUBTS = ("certainty", "confidence", "qualifier", "status")
SKIPPED = frozenset(
    {"@context", "@type", "$schema", "modified", "lastModified", "etag", "url", "uri", "href", "images", "media"}
)


@dataclass(frozen=True)
class Field:
    """One thing that a record says: the words of its keys from the root, the value as text, names in it, doubts.

    `flag` is set for a yes or no; `quantity` says that the value is a number with its unit.
    """

    path: tuple[str, ...]
    value: str
    names: tuple[str, ...] = ()
    listed: bool = False
    doubted: bool = False
    prose: bool = False
    quantity: bool = False
    flag: bool | None = None


def read_fields(node: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[Field]:
    """Fields below a node, in the order of its keys; what is empty or only serves machines is left out."""
    for key, value in node.items():
        if key in SKIPPED or value is None or value in ("", [], {}):
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
            yield Field(here, value_text(value), flag=value if isinstance(value, bool) else None)


def name_of(node: Mapping[str, Any]) -> str | None:
    """The name that a thing carries under one of the usual keys."""
    return next((node[key].strip() for key in NAMES if isinstance(node.get(key), str) and node[key].strip()), None)


def _object(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Field]:
    """A thing, a quantity, a span or an event as one field, its parts in brackets; else the fields below it."""
    doubted = any(evidence.hedged(str(value[key])) for key in DOUBTS if value.get(key))
    rest = {key: entry for key, entry in value.items() if key not in DOUBTS and entry not in (None, "", [], {})}
    quantity = _quantity(rest)
    if quantity is not None:
        kind = rest.get("type") or rest.get("name")
        here = (*path[:-1], words(str(kind))) if kind else path
        yield Field(here, quantity, doubted=doubted, quantity=True)
        return
    span, used = _span(rest)
    name = name_of(rest)
    text = rest.get("text") if isinstance(rest.get("text"), str) else None
    plain = {key: entry for key, entry in rest.items() if _is_plain(key, entry) and key not in (*used, *NAMES, "text")}
    deeper = {key: entry for key, entry in rest.items() if key not in plain and key not in (*used, *NAMES, "text")}
    details = [f"{words(key)} {value_text(entry)}" for key, entry in plain.items()]
    head = ", ".join(part for part in (name, text, span if not text else f"({span})") if part) if span else name or text
    if head is not None:
        yield Field(
            path,
            f"{head.replace(', (', ' (')} ({', '.join(details)})" if details else head.replace(", (", " ("),
            () if name is None else (name,),
            doubted=doubted,
        )
        yield from read_fields(deeper, path)
    elif len(plain) > 1:
        yield Field(path, ", ".join(details), doubted=doubted)
        yield from read_fields(deeper, path)
    else:
        yield from read_fields(rest, path)


def _list(values: list[Any], path: tuple[str, ...]) -> Iterator[Field]:
    """Scalars of a list are one claim, objects one each."""
    scalars = [value_text(value) for value in values if not isinstance(value, (dict, list)) and value is not None]
    if scalars:
        yield Field(path, joined(scalars), listed=True)
    for value in values:
        if isinstance(value, dict):
            yield from _object(value, path)


def _is_plain(key: str, value: Any) -> bool:
    return value not in (None, "") and not isinstance(value, (dict, list)) and key not in (*SKIPPED, *PROSE)


def _quantity(node: Mapping[str, Any]) -> str | None:
    """`31.5 cm` of `{value, unit}`."""
    value, unit = node.get("value"), node.get("unit")
    if value is None or isinstance(value, (dict, list)) or not isinstance(unit, str):
        return None
    return f"{value_text(value)} {unit}"


def _span(node: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Words for two ends of time and the keys they came from; nothing where there are none."""
    for first, last in SPANS:
        if first in node and last in node and _is_moment(node[first]) and _is_moment(node[last]):
            return f"{date_text(str(node[first]))} to {date_text(str(node[last]))}", (first, last)
    return "", ()


def _is_moment(value: Any) -> bool:
    return isinstance(value, (int, str)) and str(value)[:4].isdigit()
