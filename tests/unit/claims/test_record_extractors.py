"""Extractors of structured sources: what each field becomes, and how sure each claim is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors import evidence
from idpbench.claims.extractors.bibliography import BibliographyExtractor
from idpbench.claims.extractors.catalogue import CatalogueExtractor
from idpbench.claims.extractors.graph import GraphExtractor
from idpbench.claims.extractors.idprecord import UNSTATED, IdpRecordExtractor


def texts(claims: list[Claim]) -> list[str]:
    return [claim.content for claim in claims]


def catalogue(**record: Any) -> list[Claim]:
    return CatalogueExtractor().extract(json.dumps({"title": "Stone anchor", **record}).encode(), None)


@pytest.mark.parametrize(
    ("record", "content"),
    [
        ({"material": "granite"}, "The stone anchor is made of granite."),
        ({"medium": ["wood", "iron", "rope"]}, "The stone anchor is made of wood, iron and rope."),
        ({"dimensions": [{"type": "height", "value": 61.0, "unit": "cm"}]}, "The stone anchor is 61 cm high."),
        ({"weight": {"value": 3.2, "unit": "kg"}}, "The stone anchor weighs 3.2 kg."),
        ({"objectType": "anchor"}, "The stone anchor is an anchor."),
        ({"holes": 2}, "The stone anchor has 2 holes."),
        ({"onDisplay": False}, "The stone anchor is not on display."),
        ({"dateMade": {"from": 1868, "to": 1872}}, "The stone anchor was made 1868 to 1872."),
        ({"acquisitionDate": "1987-05-11"}, "The acquisition date of the stone anchor is 11 May 1987."),
        ({"production": {"place": "Altona"}}, "The stone anchor was made in Altona."),
        ({"heldBy": {"name": "Museum", "room": 2}}, "The stone anchor is held by Museum (room 2)."),
        ({"gift": {"by": "N. Hagen", "year": 1961}}, "The gift of the stone anchor is by N. Hagen, year 1961."),
        ({"a": {"b": {"c": "d"}}}, "The a b c of the stone anchor is d."),
    ],
)
def test_a_field_of_a_catalogue_record_is_one_claim(record: dict[str, Any], content: str) -> None:
    (claim,) = catalogue(**record)
    assert claim.content == content
    assert claim.subjects[0] == "Stone anchor"


def test_a_doubt_of_the_cataloguer_lowers_the_confidence_of_its_field_alone() -> None:
    sure, doubted = catalogue(owner="A", maker={"name": "B", "certainty": "attributed"})
    assert sure.confidence == evidence.FIELD
    assert doubted.confidence == pytest.approx(evidence.FIELD * evidence.HEDGE, abs=0.006)
    assert doubted.subjects == ("Stone anchor", "B")


def test_notes_are_claims_by_the_sentence_and_empty_fields_and_those_for_machines_are_none() -> None:
    claims = catalogue(note="It is cracked. The line is perhaps new.", location=None, media=[{"href": "x"}], etag="1")
    assert texts(claims) == ["It is cracked.", "The line is perhaps new."]
    assert claims[0].confidence > claims[1].confidence


def test_records_of_a_list_or_in_a_wrapper_are_each_their_own_subject() -> None:
    extractor = CatalogueExtractor()
    two = extractor.extract(b'[{"name": "Mill", "owner": "A"}, {"name": "Lock", "owner": "B"}]', None)
    assert [claim.subjects[0] for claim in two] == ["Mill", "Lock"]
    assert extractor.extract(b'{"object": {"name": "Mill", "owner": "A"}}', None) == two[:1]
    with pytest.raises(ValueError, match="expected a JSON object"):
        extractor.extract(b'"text"', None)


GRAPH = """@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:material rdfs:label "is built of"@en .
ex:bridge rdfs:label "Old Bridge"@en, "Alte Brücke"@de .
ex:stone rdfs:label "stone"@en .
"""


@pytest.mark.parametrize(
    ("statement", "content", "confidence"),
    [
        ("ex:material ex:stone", "Old Bridge is built of stone.", evidence.FIELD),
        ("ex:numberOfArches 26", "Old Bridge has 26 arches.", evidence.DERIVED),
        ("ex:crosses ex:river", "Old Bridge crosses river.", evidence.DERIVED * evidence.UNREADABLE),
        ("ex:span [ ex:value 41 ; ex:unit 'm' ]", "Old Bridge has span 41 m.", evidence.FIELD),
        ("ex:operator [ rdfs:label 'Port' ; ex:since 1999 ]", "Old Bridge has operator Port (since 1999).", 0.88),
        ("a ex:Arch", "Old Bridge is an arch.", evidence.FIELD * evidence.UNREADABLE),
        ("ex:load '2.5 t (estimated)'", "Old Bridge has load 2.5 t (estimated).", evidence.DERIVED * evidence.HEDGE),
    ],
)
def test_a_statement_of_a_graph_is_one_claim_in_its_own_labels(statement: str, content: str, confidence: float) -> None:
    (claim,) = GraphExtractor().extract(f"{GRAPH}ex:bridge {statement} .".encode(), "RDF_GRAPH")
    assert claim.content == content
    assert claim.confidence == pytest.approx(confidence, abs=0.006)
    assert claim.subjects[0] == "Old Bridge"


def test_labels_other_languages_and_vocabulary_are_no_claims() -> None:
    other = (
        '\nex:bridge ex:note "nur deutsch"@de ; rdfs:seeAlso ex:page .\nex:B a <http://www.w3.org/2002/07/owl#Class> .'
    )
    assert GraphExtractor().extract((GRAPH + other).encode(), None) == []


RIS = """TY  - JOUR
AU  - Varga, Ilona
AU  - Oduya, Samuel K.
TI  - Peat in two bogs
JO  - Annals of Bogs
PY  - 2021/05/19/
VL  - 37
SP  - 141
EP  - 158
AB  - Peat grew by
      3 mm a year.
ER  -
"""
BIB = """@string{qh = "Quarterly"}
@comment{not an entry, {nested}}
@article{key1, author = {M{\\"u}ller, J{\\"o}rg and Kessler, Ruth}, title = {The {Tower} Clock},
  journal = qh # " of Clocks", pages = {301--322}, year = 2015, note = {c. four dials.}}
"""


def test_ris_and_bibtex_give_the_same_kinds_of_claims() -> None:
    extractor = BibliographyExtractor()
    assert texts(extractor.extract(RIS.encode(), None)) == [
        "“Peat in two bogs” was written by Ilona Varga and Samuel K. Oduya.",
        "“Peat in two bogs” was published in 2021.",
        "“Peat in two bogs” appeared in Annals of Bogs, volume 37, pages 141 to 158.",
        "Peat grew by 3 mm a year.",
    ]
    assert texts(extractor.extract(BIB.encode(), None)) == [
        "“The Tower Clock” was written by Jörg Müller and Ruth Kessler.",
        "“The Tower Clock” was published in 2015.",
        "“The Tower Clock” appeared in Quarterly of Clocks, pages 301 to 322.",
        "c. four dials.",
    ]


def test_a_doubtful_year_lowers_what_is_said_of_the_work() -> None:
    certain, doubtful = (
        BibliographyExtractor().extract(f"@misc{{k, title={{A}}, author={{B C}}, year={{{year}}}}}".encode(), None)
        for year in ("1790", "c. 1790")
    )
    assert all(one.confidence > other.confidence for one, other in zip(certain, doubtful, strict=True))


def test_a_bibliography_without_a_reference_or_without_an_end_is_an_error() -> None:
    for text in ("no references here", "@article{key, title = {open"):
        with pytest.raises(ValueError, match="expected"):
            BibliographyExtractor().extract(text.encode(), None)


def record(inference: Any, explained: Any = None, **section: Any) -> bytes:
    value = {"document_class": {"type": "Invoice"}, "inference_result": inference, "explainability_info": explained}
    sections = [{"id": "1", "state": "present", "value": value, **section}]
    document = {"name": "doc.pdf", "sections": sections}
    return json.dumps({"schema": "idpbench/record/1", "documents": [document]}).encode()


def test_a_run_record_states_what_the_stack_said_with_its_own_confidence() -> None:
    explained = [
        {
            "Total": {"confidence": 0.7},
            "Rows": [{"Date": {"confidence": 0.9}, "Sum": {"confidence": 0.4}}],
            "Buyer": {"City": {"confidence": 1.5}},
        }
    ]
    inference = {
        "Total": "9.50",
        "Rows": [{"Date": "2024-01-02", "Sum": 9.5}, {"Date": None, "Sum": None}],
        "Buyer": {"City": "Altona"},
        "Note": None,
    }
    claims = IdpRecordExtractor().extract(record(inference, explained), "IDP_RUN_RECORD")
    assert [(claim.content, claim.confidence) for claim in claims] == [
        ("Document doc is an invoice.", UNSTATED),
        ("The Total of doc is 9.50.", 0.7),
        ("Rows row 1 of doc: Date 2 January 2024, Sum 9.5.", 0.4),
        ("The Buyer City of doc is Altona.", 1.0),
    ]


def test_several_instances_of_a_section_keep_their_own_confidence() -> None:
    explained = {"instances": [{"A": {"confidence": 0.9}}]}
    claims = IdpRecordExtractor().extract(record({"instances": [{"A": "x"}, {"A": "y"}]}, explained), None)
    assert [claim.confidence for claim in claims[1:]] == [0.9, UNSTATED]


def test_a_record_that_could_not_be_read_is_an_error_and_a_failed_run_has_no_claims() -> None:
    extractor = IdpRecordExtractor()
    with pytest.raises(ValueError, match="section 1 is failed"):
        extractor.extract(record({}, state="failed"), None)
    with pytest.raises(ValueError, match="expected a run record"):
        extractor.extract(b"{}", None)
    assert extractor.extract(b'{"schema": "idpbench/record/1", "documents": []}', None) == []
