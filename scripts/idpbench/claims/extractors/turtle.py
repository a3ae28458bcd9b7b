"""Turtle into triples: the part of the language that published graphs are written in (W3C RDF 1.1 Turtle, 2014).

Prefixes and base, `a`, `;` and `,`, blank nodes with and without properties, collections, the four kinds of literals
with language or datatype, comments. Anything else is an error with its line: a graph is read whole or not at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<long>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3})
    |(?P<short>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<at>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<type>\^\^)
    |(?P<number>[+-]?(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?)
    |(?P<blank>_:[\w.-]*[\w-])
    |(?P<name>(?:[^\W\d_][\w-]*(?:\.[\w-]+)*)?:(?:[\w:%-]|\\.)?(?:[\w:%.-]*[\w:%-])?|[A-Za-z]+)
    |(?P<mark>[.;,\[\]()])""",
    re.VERBOSE | re.DOTALL,
)


class TurtleError(ValueError):
    """Text that is not Turtle, or a part of the language that is not read; the message has the line."""


@dataclass(frozen=True)
class Iri:
    """A resource by its full address."""

    value: str


@dataclass(frozen=True)
class Blank:
    """A resource without an address, numbered within the document."""

    number: str


@dataclass(frozen=True)
class Literal:
    """A value; `datatype` is an address or empty, `language` a tag or empty."""

    text: str
    datatype: str = ""
    language: str = ""


Node = Iri | Blank | Literal
Triple = tuple[Iri | Blank, Iri, Node]


def parse(text: str, base: str = "") -> list[Triple]:
    """The triples of a document in the order of its text."""
    return _Parser(text, base).document()


class _Parser:
    def __init__(self, text: str, base: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.base = base
        self.prefixes: dict[str, str] = {}
        self.triples: list[Triple] = []
        self.blanks = 0

    def document(self) -> list[Triple]:
        while self.at < len(self.tokens):
            kind, text, _ = self.tokens[self.at]
            directive = text.lstrip("@").lower()
            if (kind in ("at", "name")) and directive in ("prefix", "base"):
                self.directive(directive, dotted=text.startswith("@"))
                continue
            bracketed = text == "["
            subject = self.subject()
            if not (bracketed and self.peek() == "."):
                self.predicates(subject)
            self.expect(".")
        return self.triples

    def directive(self, what: str, *, dotted: bool) -> None:
        self.take()
        if what == "prefix":
            name = self.take()
            if not name[1].endswith(":"):
                raise self.error(name, "a prefix that ends in a colon")
            self.prefixes[name[1][:-1]] = self.iri(self.take()).value
        else:
            self.base = self.iri(self.take()).value
        if dotted:
            self.expect(".")

    def subject(self) -> Iri | Blank:
        node = self.node()
        if isinstance(node, Literal):
            raise self.error(self.tokens[self.at - 1], "a resource as subject")
        return node

    def predicates(self, subject: Iri | Blank) -> None:
        """`p o, o; p o` up to the mark that ends it."""
        while True:
            token = self.take()
            predicate = Iri(RDF + "type") if token[1] == "a" and token[0] == "name" else self.iri(token)
            while True:
                # the object is read after its triple's place is kept, so that what it holds comes behind it
                place = len(self.triples)
                value = self.node()
                self.triples.insert(place, (subject, predicate, value))
                if self.peek() != ",":
                    break
                self.take()
            while self.peek() == ";":
                self.take()
            if self.peek() in (".", "]", ""):
                return
            if self.tokens[self.at - 1][1] != ";":
                raise self.error(self.tokens[self.at], "`;`, `,` or `.`")

    def node(self) -> Node:
        token = self.take()
        kind, text, _ = token
        if kind == "mark" and text == "[":
            blank = self.blank()
            if self.peek() != "]":
                self.predicates(blank)
            self.expect("]")
            return blank
        if kind == "mark" and text == "(":
            return self.collection()
        if kind == "blank":
            return Blank(text)
        if kind in ("long", "short"):
            return self.literal(text[3:-3] if kind == "long" else text[1:-1], token)
        if kind == "number":
            datatype = "double" if "e" in text.lower() else "decimal" if "." in text else "integer"
            return Literal(text, XSD + datatype)
        if kind == "name" and text in ("true", "false"):
            return Literal(text, XSD + "boolean")
        return self.iri(token)

    def literal(self, raw: str, token: tuple[str, str, int]) -> Literal:
        text = self.unescape(raw, token)
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "at":
            return Literal(text, language=self.take()[1][1:].lower())
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "type":
            self.take()
            return Literal(text, self.iri(self.take()).value)
        return Literal(text)

    def collection(self) -> Node:
        head: Node = Iri(RDF + "nil")
        last: Blank | None = None
        while self.peek() != ")":
            cell, item = self.blank(), self.node()
            self.triples.append((cell, Iri(RDF + "first"), item))
            if last is None:
                head = cell
            else:
                self.triples.append((last, Iri(RDF + "rest"), cell))
            last = cell
        self.expect(")")
        if last is not None:
            self.triples.append((last, Iri(RDF + "rest"), Iri(RDF + "nil")))
        return head

    def iri(self, token: tuple[str, str, int]) -> Iri:
        kind, text, _ = token
        if kind == "iri":
            return Iri(urljoin(self.base, text[1:-1]) if self.base else text[1:-1])
        if kind == "name" and ":" in text:
            prefix, local = text.split(":", 1)
            if prefix not in self.prefixes:
                raise self.error(token, "a prefix that is declared above")
            return Iri(self.prefixes[prefix] + re.sub(r"\\(.)", r"\1", local))
        raise self.error(token, "an address")

    def unescape(self, text: str, token: tuple[str, str, int]) -> str:
        def one(match: re.Match[str]) -> str:
            code = match[1]
            if code[0] in "uU":
                return chr(int(code[1:], 16))
            if code not in _ESCAPES:
                raise self.error(token, "a known escape")
            return _ESCAPES[code]

        return re.sub(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, text, flags=re.DOTALL)

    def blank(self) -> Blank:
        self.blanks += 1
        return Blank(f"#{self.blanks}")

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self) -> tuple[str, str, int]:
        if self.at >= len(self.tokens):
            raise TurtleError(f"line {self.tokens[-1][2] if self.tokens else 1}: the text ends within a statement")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, mark: str) -> None:
        token = self.take()
        if token[1] != mark:
            raise self.error(token, f"`{mark}`")

    @staticmethod
    def error(token: tuple[str, str, int], expected: str) -> TurtleError:
        return TurtleError(f"line {token[2]}: found {token[1]!r}, expected {expected}")


def _tokens(text: str) -> list[tuple[str, str, int]]:
    """(kind, text, line) without blanks and comments."""
    found, place, line = [], 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or match.end() == place:
            raise TurtleError(f"line {line}: found {text[place : place + 20]!r}, expected Turtle")
        if match.lastgroup != "space":
            found.append((str(match.lastgroup), match.group(), line))
        line += match.group().count("\n")
        place = match.end()
    return found
