"""BibTeX and RIS into one shape."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_RIS_FIELDS = {
    "TI": "title", "T1": "title", "JO": "journal", "JF": "journal", "T2": "container", "PY": "year", "Y1": "year",
    "VL": "volume", "IS": "number", "PB": "publisher", "CY": "address", "DO": "doi", "N1": "note", "AB": "abstract",
    "ET": "edition",
}  # fmt: skip
_RIS_LINE = re.compile(r"^([A-Z][A-Z0-9])\s{2}-\s?(.*)$")
_ACCENTS = {
    '"': {"a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü", "e": "ë", "i": "ï"},
    "'": {"a": "á", "e": "é", "i": "í", "o": "ó", "u": "ú", "E": "É", "c": "ć", "n": "ń"},
    "`": {"a": "à", "e": "è", "o": "ò"},
    "~": {"n": "ñ", "a": "ã", "o": "õ"},
    "^": {"a": "â", "e": "ê", "o": "ô"},
    "c": {"c": "ç", "s": "ş"},
    "v": {"s": "š", "c": "č", "z": "ž", "r": "ř"},
}
_LETTERS = {"o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "ss": "ß", "l": "ł", "L": "Ł"}


@dataclass
class Reference:
    """One record; names are `Given Family`, fields by BibTeX's names."""

    key: str
    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    authors: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


def read_ris(text: str) -> list[Reference]:
    """References of an RIS file; a line without a tag goes on with the value above it."""
    found: list[Reference] = []
    many: dict[str, list[str]] = {}
    last = ""
    for line in text.splitlines():
        match = _RIS_LINE.match(line.rstrip())
        if match is None:
            if found and last and line.strip():
                found[-1].fields[last] = f"{found[-1].fields[last]} {line.strip()}"
            continue
        tag, value = match[1], match[2].strip()
        last = ""
        if tag == "TY":
            found.append(Reference("", value.lower()))
            many = {name: [] for name in ("AU", "ED", "KW")}
        elif not found:
            continue
        elif tag == "ER":
            _close_ris(found[-1])
        elif tag in ("A1", "AU", "ED", "A2", "KW"):
            many[{"A1": "AU", "A2": "ED"}.get(tag, tag)].append(value if tag == "KW" else _turned(value))
            found[-1].authors, found[-1].editors = tuple(many["AU"]), tuple(many["ED"])
            found[-1].keywords = tuple(many["KW"])
        elif tag in ("SP", "EP", "SN", "ID"):
            found[-1].fields[tag] = value
        elif tag in _RIS_FIELDS and value:
            last = _RIS_FIELDS[tag]
            found[-1].fields.setdefault(last, value)
    return found


def _close_ris(reference: Reference) -> None:
    """What only makes sense once the whole record is read: pages, what `T2` was, whose number `SN` is."""
    fields = reference.fields
    first, last = fields.pop("SP", ""), fields.pop("EP", "")
    if first:
        fields["pages"] = f"{first}-{last}" if last and last != first else first
    container = fields.pop("container", "")
    if container:
        fields.setdefault("booktitle" if reference.kind in ("chap", "conf", "cpaper") else "journal", container)
    number = fields.pop("SN", "")
    if number and reference.kind in ("book", "chap"):
        fields["isbn"] = number
    if "year" in fields:
        fields["year"] = fields["year"].split("/")[0]
    reference.key = fields.pop("ID", "")


def read_bibtex(text: str) -> list[Reference]:
    """References of a BibTeX file; macros of @string are put in, @comment and @preamble are left out."""
    found: list[Reference] = []
    macros: dict[str, str] = {}
    for kind, body in _entries(text):
        if kind in ("comment", "preamble"):
            continue
        if kind == "string":
            macros.update(_fields(body, macros))
            continue
        key, _, rest = body.partition(",")
        fields = {name: _plain(value) for name, value in _fields(rest, macros).items()}
        people = {name: _names(_fields(rest, macros).get(name, "")) for name in ("author", "editor")}
        if "year" not in fields and "date" in fields:
            fields["year"] = fields["date"]
        if kind in ("incollection", "inproceedings") and "journal" in fields:
            fields.setdefault("booktitle", fields.pop("journal"))
        if "institution" in fields:
            fields.setdefault("school" if "thesis" in kind else "publisher", fields["institution"])
        words = tuple(word.strip() for word in re.split(r"[;,]", fields.get("keywords", "")) if word.strip())
        found.append(Reference(key.strip(), kind, fields, people["author"], people["editor"], words))
    return found


def _entries(text: str) -> list[tuple[str, str]]:
    """(kind, text between the outer braces) of every entry; ValueError where one does not end."""
    found = []
    for match in re.finditer(r"^[ \t]*@(\w+)\s*\{", text, re.MULTILINE):
        end = _closing(text, match.end())
        found.append((match[1].lower(), text[match.end() : end]))
    return found


def _closing(text: str, start: int) -> int:
    depth = 1
    for brace in re.compile(r"(?<!\\)[{}]").finditer(text, start):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.start()
    raise ValueError(f"found an entry without an end at character {start}, expected `}}`")


def _fields(body: str, macros: dict[str, str]) -> dict[str, str]:
    """Values by name in lower case, still in TeX; parts joined by # are put together."""
    found: dict[str, str] = {}
    place = 0
    while match := re.compile(r"[\s,]*([\w-]+)\s*=\s*").match(body, place):
        place = match.end()
        parts = []
        while True:
            part, place = _value(body, place, macros)
            parts.append(part)
            joint = re.compile(r"\s*#\s*").match(body, place)
            if joint is None:
                break
            place = joint.end()
        found[match[1].lower()] = "".join(parts)
    return found


def _value(body: str, place: int, macros: dict[str, str]) -> tuple[str, int]:
    if body[place : place + 1] == "{":
        end = _closing(body, place + 1)
        return body[place + 1 : end], end + 1
    if body[place : place + 1] == '"':
        end, depth = place + 1, 0
        while end < len(body) and (body[end] != '"' or depth):
            depth += (body[end] == "{") - (body[end] == "}")
            end += 1
        return body[place + 1 : end], end + 1
    match = re.compile(r"[^\s,#}]*").match(body, place)
    word = match.group() if match else ""
    return macros.get(word.lower(), word), place + len(word)


def _plain(value: str) -> str:
    """TeX as text: accents, letters, dashes, no braces."""

    def accent(match: re.Match[str]) -> str:
        return _ACCENTS[match[1]].get(match[2], match[2])

    text = re.sub(r"\{?\\([\"'`~^cv])\s*\{?([A-Za-z])\}?\}?", accent, value)
    text = re.sub(r"\{?\\(aa|AA|ae|AE|ss|o|O|l|L)(?![A-Za-z])\s?\}?", lambda match: _LETTERS[match[1]], text)
    text = re.sub(r"\\(?:emph|textit|textbf|url|texttt)\s*\{([^{}]*)\}", r"\1", text)
    text = text.replace("~", " ").replace("\\&", "&").replace("\\%", "%").replace("\\_", "_").replace("---", "–")
    return " ".join(text.replace("--", "–").replace("{", "").replace("}", "").split())


def _names(value: str) -> tuple[str, ...]:
    """People of `A, B and C D`; a name in braces is taken as it is."""
    people = [part.strip() for part in re.split(r"\s+and\s+", " ".join(value.split())) if part.strip()]
    return tuple(_plain(name) if name.startswith("{") else _turned(_plain(name)) for name in people if name != "others")


def _turned(name: str) -> str:
    """`Family, Given` as `Given Family`."""
    family, comma, given = name.partition(",")
    return " ".join(f"{given} {family}".split()) if comma else name.strip()
