"""RDF graphs in Turtle: one claim per statement about a named thing, in the words of the graph's own labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.extractors.turtle import RDF, XSD, Blank, Iri, Literal, Node, Triple, parse
from idpbench.claims.extractors.wording import article, distinct, sentence, value_text, words

LANGUAGE = "en"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
LABELS = (
    RDFS + "label", SKOS + "prefLabel", "http://schema.org/name", "https://schema.org/name",
    "http://purl.org/dc/terms/title", "http://xmlns.com/foaf/0.1/name",
)  # fmt: skip
# Statements about the record or about words, not about the thing.
SILENT = frozenset(
    {
        RDFS + "subClassOf", RDFS + "domain", RDFS + "range", RDFS + "seeAlso", RDFS + "isDefinedBy",
        SKOS + "inScheme", SKOS + "notation", SKOS + "altLabel", SKOS + "hiddenLabel",
        "http://www.w3.org/2002/07/owl#sameAs", "http://purl.org/dc/terms/modified", RDF + "first", RDF + "rest",
    }
)  # fmt: skip
PROSE = frozenset({RDFS + "comment", SKOS + "note", SKOS + "definition", "http://purl.org/dc/terms/description"})
VERBS = re.compile(r"^(?:is|has|was|were|are|had|\w+ed|\w*[^s\W]s)\b(?! of)")
COUNTS = re.compile(r"^(?:number of )?(?P<what>\w.*s)$")


class GraphExtractor:
    """Claims of an RDF graph."""

    extractor_id = "rdf-graph"
    version = "1"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        """RDF_GRAPH, as Turtle."""
        return source_type == "RDF_GRAPH"

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        """Claims in the order of the statements; ValueError where the bytes are no Turtle."""
        return list(_Graph(parse(data.decode("utf-8"))).claims())


class _Graph:
    def __init__(self, triples: Sequence[Triple]) -> None:
        self.triples = triples
        self.about: dict[Node, list[tuple[Iri, Node]]] = {}
        for subject, predicate, value in triples:
            self.about.setdefault(subject, []).append((predicate, value))
        predicates = {predicate for _, predicate, _ in triples}
        # what the graph says of its own predicates names them; it is no claim about the world
        self.vocabulary = {node for node in self.about if node in predicates or self._is_vocabulary(node)}

    def claims(self) -> Iterator[Claim]:
        for subject, predicate, value in self.triples:
            if isinstance(subject, Blank) or subject in self.vocabulary:
                continue
            if predicate.value in LABELS or predicate.value in SILENT:
                continue
            if isinstance(value, Literal) and value.language and not value.language.startswith(LANGUAGE):
                continue
            yield from self._statement(subject, predicate, value)

    def _statement(self, subject: Iri, predicate: Iri, value: Node) -> Iterator[Claim]:
        name, named = self._label(subject)
        doubts = [] if named else [evidence.UNREADABLE]
        if predicate.value in PROSE and isinstance(value, Literal):
            doubt = [evidence.HEDGE] if evidence.hedged(value.text) else []
            yield Claim(sentence(value.text), evidence.confidence(evidence.SENTENCE, *doubt), (name,))
            return
        phrase, known = self._phrase(predicate)
        level = evidence.FIELD if known else evidence.DERIVED
        if isinstance(value, Blank) and value in self.about:
            yield from self._nested(name, phrase, value, doubts)
            return
        text, names, sure = self._value(value)
        if not sure:
            doubts = [*doubts, evidence.UNREADABLE]
        if evidence.hedged(text):
            doubts = [*doubts, evidence.HEDGE]
        count = COUNTS.match(phrase) if re.fullmatch(r"\d+", text) else None
        if predicate.value == RDF + "type":
            phrase = f"is {article(text)}"
        content = f"{name} has {text} {count['what']}" if count else f"{name} {_joined(phrase)} {text}"
        yield Claim(sentence(content), evidence.confidence(level, *doubts), distinct([name, *names]))

    def _nested(self, name: str, phrase: str, node: Blank, doubts: list[float]) -> Iterator[Claim]:
        """A node without an address is a part of its owner: a quantity, or one claim per property."""
        parts = [(self._phrase(p)[0], self._value(v), p) for p, v in self.about[node] if p.value != RDF + "type"]
        by_name = {words_of: value for words_of, value, _ in parts}
        if len(parts) == 2 and {"value", "unit"} == set(by_name):
            content = sentence(f"{name} {_joined(phrase)} {by_name['value'][0]} {by_name['unit'][0]}")
            yield Claim(content, evidence.confidence(evidence.FIELD, *doubts), (name,))
            return
        heads = [value[0] for _, value, predicate in parts if predicate.value in LABELS]
        texts = [f"{words_of} {value[0]}" for words_of, value, predicate in parts if predicate.value not in LABELS]
        if heads or texts:
            inner = f" {heads[0]} ({', '.join(texts)})" if heads and texts else f" {heads[0]}" if heads else ""
            content = sentence(f"{name} {_joined(phrase)}{inner or ': ' + ', '.join(texts)}")
            names = [*heads[:1], *(label for _, value, _ in parts for label in value[1])]
            yield Claim(content, evidence.confidence(evidence.DERIVED, *doubts), distinct([name, *names]))

    def _phrase(self, predicate: Iri) -> tuple[str, bool]:
        """Words for a predicate, and whether the graph itself gave them."""
        if predicate.value == RDF + "type":
            return "is a", True
        label, named = self._label(predicate)
        return label, named

    def _value(self, value: Node) -> tuple[str, tuple[str, ...], bool]:
        """Text of an object, names in it, and whether it reads well."""
        if isinstance(value, Literal):
            if value.datatype in (XSD + "gYear", XSD + "integer"):
                return value.text, (), True
            return value_text(value.text), (), True
        if isinstance(value, Blank):
            return "an unnamed thing", (), False
        label, named = self._label(value)
        return label, (label,), named

    def _label(self, node: Iri) -> tuple[str, bool]:
        """The best label that the graph has (English, then without a language), else words from the address."""
        found = [v for p, v in self.about.get(node, ()) if p.value in LABELS and isinstance(v, Literal)]
        if found:
            best = min(found, key=lambda v: 0 if v.language.startswith(LANGUAGE) else 2 if v.language else 1)
            return " ".join(best.text.split()), True
        return words(re.split(r"[#/]", node.value.rstrip("#/"))[-1]), False

    def _is_vocabulary(self, node: Node) -> bool:
        kinds = {v.value for p, v in self.about[node] if p.value == RDF + "type" and isinstance(v, Iri)}
        return bool(kinds & {RDF + "Property", RDFS + "Class"} or any(kind.startswith(OWL) for kind in kinds))


def _joined(phrase: str) -> str:
    """The predicate as the verb of a sentence: `is made of`, or `has height`."""
    if phrase == "born":
        return "was born in"
    return phrase if VERBS.match(phrase) else f"has {phrase}"
