"""Turtle: triples in the order of the text, and errors with their line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.claims.extractors.turtle import RDF, XSD, Blank, Iri, Literal, Node, TurtleError, parse

PREFIX = "@prefix ex: <http://example.org/> .\n"


def ex(name: str) -> Iri:
    return Iri(f"http://example.org/{name}")


def test_semicolons_and_commas_share_subject_and_predicate() -> None:
    assert parse(PREFIX + 'ex:a a ex:B ; ex:p ex:c, "d"@EN-gb ; .') == [
        (ex("a"), Iri(RDF + "type"), ex("B")),
        (ex("a"), ex("p"), ex("c")),
        (ex("a"), ex("p"), Literal("d", language="en-gb")),
    ]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1851", Literal("1851", XSD + "integer")),
        ("-3.50", Literal("-3.50", XSD + "decimal")),
        ("1e6", Literal("1e6", XSD + "double")),
        ("true", Literal("true", XSD + "boolean")),
        ('"1851"^^<http://example.org/year>', Literal("1851", "http://example.org/year")),
        ('"a \\"b\\" \\u00e4\\n"', Literal('a "b" ä\n')),
        ('"""two\n"quoted" lines"""', Literal('two\n"quoted" lines')),
        ("'single'", Literal("single")),
        ("<relative>", Iri("http://base.org/relative")),
        ("ex:a.b", ex("a.b")),
        ("ex:a%20b", ex("a%20b")),
        ("_:x1", Blank("_:x1")),
        ("()", Iri(RDF + "nil")),
    ],
)
def test_objects_of_every_kind(written: str, value: Node) -> None:
    ((_, _, found),) = parse(f"@base <http://base.org/> .\n{PREFIX}ex:s ex:p {written} .")
    assert found == value


def test_a_number_may_end_a_statement() -> None:
    assert parse(PREFIX + "ex:s ex:p 5.")[0][2] == Literal("5", XSD + "integer")


def test_a_node_without_an_address_comes_behind_the_statement_that_holds_it() -> None:
    first, second = parse(PREFIX + "ex:s ex:p [ ex:q 1 ] .")
    assert first[2] == second[0]
    assert isinstance(second[0], Blank)


def test_a_collection_is_a_chain() -> None:
    triples = parse(PREFIX + "ex:s ex:p (ex:a ex:b) .")
    firsts = [value for _, predicate, value in triples if predicate.value == RDF + "first"]
    assert firsts == [ex("a"), ex("b")]
    assert triples[-1][2] == Iri(RDF + "nil")


def test_comments_prefixes_of_sparql_and_no_statements() -> None:
    assert parse("# only a comment\nPREFIX ex: <http://example.org/>\nBASE <http://b.org/>\n") == []
    assert parse("") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PREFIX + "\nex:s ex:p ex:o", "ends within a statement"),
        (PREFIX + "\nother:s ex:p 1 .", "line 3: found 'other:s'"),
        (PREFIX + '"text" ex:p 1 .', "line 2: found '\"text\"'"),
        (PREFIX + "ex:s ex:p ex:o ex:q .", "line 2: found 'ex:q'"),
        (PREFIX + 'ex:s ex:p "open .', "line 2"),
        (PREFIX + "ex:s ex:p {1} .", "line 2"),
        (PREFIX + 'ex:s ex:p "\\q" .', "a known escape"),
    ],
)
def test_what_is_no_turtle_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(TurtleError, match=told.replace("(", r"\(")):
        parse(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_comes_back_from_its_escaped_spelling(text: str) -> None:
    escaped = "".join(f"\\U{ord(character):08X}" for character in text)
    assert parse(f'{PREFIX}ex:s ex:p "{escaped}" .')[0][2] == Literal(text)


@given(st.text(max_size=60))
def test_any_bytes_are_triples_or_an_error_with_a_line(text: str) -> None:
    try:
        parse(text)
    except TurtleError as error:
        assert str(error).startswith("line ")
