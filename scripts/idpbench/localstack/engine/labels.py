"""Property names against the words of a page: normalised spellings and a fuzzy score in 0..100."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz import fuzz

from idpbench.localstack.engine.schema import Property

BOX_MATCH = 98.0
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_QUOTED = re.compile(r"[\"“'‘]([^\"”'’]{3,60})[\"”'’]")
_BOX = re.compile(r"^(\d{1,2}[a-z]?|[a-f])\s+(?=\S{3,})")
_BOX_OF = re.compile(r"^box(?:es)?\s+(\d{1,2}[a-z]?|[a-z])\b[^:.]{0,12}:\s*", re.IGNORECASE)
_NOISE = re.compile(r"[^0-9a-z%#&]+")


@lru_cache(maxsize=65_536)
def normal(text: str) -> str:
    """Lower case words without punctuation; emphasis marks of markdown and possessives are no part of a label."""
    text = text.replace("*", "").replace("’", "'").replace("'s", "")
    return _NOISE.sub(" ", text.lower()).strip()


@lru_cache(maxsize=65_536)
def unnumbered(text: str) -> str:
    """A normalised label without the box number of a form in front of it (`1 wages tips` -> `wages tips`)."""
    return _BOX.sub("", text)


def spoken(name: str) -> str:
    """A property name as words: `employerEIN`, `employer_ein` and `Employer EIN` are the same."""
    return normal(_CAMEL.sub(" ", name.replace("_", " ")))


def box_of_label(label: str) -> str:
    """The box number in front of a normalised label (`1` of `1 wages tips`), or nothing."""
    match = _BOX.match(label)
    return match[1] if match else ""


@lru_cache(maxsize=4_096)
def box_of(description: str) -> str:
    """The box that a description starts with (`Box 1: wages`), in lower case, or nothing."""
    match = _BOX_OF.match(description)
    return match[1].lower() if match else ""


@lru_cache(maxsize=4_096)
def names_of(item: Property) -> tuple[str, ...]:
    """Labels under which a property may stand on a page: name, title, quoted words, start of its description."""
    found = [spoken(item.name)]
    title = item.schema.get("title")
    if isinstance(title, str):
        found.append(normal(title))
    found.extend(normal(quoted) for quoted in _QUOTED.findall(item.description))
    aliases = item.schema.get("x-aws-idp-aliases")
    if isinstance(aliases, list):
        found.extend(normal(str(alias)) for alias in aliases)
    first = re.split(r"[.;:(]", _BOX_OF.sub("", item.description), maxsplit=1)[0]
    if 2 < len(first) <= 60:
        found.append(normal(first))
    if len(item.path) > 1:
        found.append(spoken(" ".join(item.path)))
    return tuple(dict.fromkeys(name for name in found if name))


@lru_cache(maxsize=262_144)
def similarity(label: str, name: str) -> float:
    """How well a normalised label on a page names a property, 0..100: order counts, a box number in front does not."""
    if label == name:
        return 100.0
    best = fuzz.ratio(label, name)
    short = unnumbered(label)
    if short != label:
        best = max(best, 99.0 if short == name else fuzz.ratio(short, name))
    if len(name) >= 8:
        best = max(best, 0.97 * fuzz.token_sort_ratio(short, name))
    return best


def score(label: str, item: Property) -> float:
    """Best similarity of a normalised label with any of a property's names; all but the first weigh a little less."""
    names = names_of(item)
    best = similarity(label, names[0])
    for name in names[1:]:
        best = max(best, 0.98 * similarity(label, name))
    if best < BOX_MATCH and (box := box_of(item.description)) and box == box_of_label(label):
        # the number of the box settles what the wording leaves open
        best = max(best, BOX_MATCH - 10.0 + best / 10.0)
    return best
