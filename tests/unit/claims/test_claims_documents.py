"""Emissions and results as files: read back what was written, refuse what is none, leave out texts where told to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from claimhelp import Model, Vectors, given, golds, judging, one_case
from hypothesis import given as property_over
from hypothesis import strategies as st

from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.recordings import emissions_document, emissions_of, read_emissions, write_emissions
from idpbench.claims.report import SCORER, aggregate_document, means, result_document, scorer_digest
from idpbench.claims.score import score_pass
from idpbench.claims.subjects.judging import SubjectRow
from idpbench.claims.suite.model import Case, Suite
from idpbench.claims.suite.problems import FileRefused
from idpbench.files.errors import Refusal
from idpbench.files.provenance import sources
from idpbench.files.schema import check

CLAIM = st.builds(
    Claim,
    st.text(max_size=12),
    st.floats(0, 1),
    st.lists(st.text(max_size=4), max_size=3).map(tuple),
    st.none() | st.sampled_from(["FALSIFIABLE", "x"]),
    st.none() | st.just("DECLINED"),
    st.none() | st.just("2026-01-31"),
)
CASES = st.lists(
    st.builds(CaseEmission, st.text(min_size=1, max_size=5), st.just("ok"), st.lists(CLAIM, max_size=3).map(tuple))
    | st.builds(CaseEmission, st.text(min_size=1, max_size=5), st.sampled_from(["declined", "raises"]), note=st.text()),
    max_size=4,
)


@property_over(CASES)
def test_emissions_written_are_read_back(cases: Any) -> None:
    emissions = Emissions("x", "1.10", "s", tuple(cases), "p:m")
    document = json.loads(json.dumps(emissions_document(emissions)))
    check(document, "claims-emitted", "x")
    assert emissions_of(document, "x").get() == emissions


def test_a_file_of_emissions_is_read_back(tmp_path: Path) -> None:
    emissions = Emissions("x", "1", "s", (CaseEmission("c", "ok", (Claim("a", 0.5),)),))
    write_emissions(tmp_path / "e.json", emissions)
    assert read_emissions(tmp_path / "e.json") == emissions


def by_hand(**changes: Any) -> dict[str, Any]:
    return {
        "schema": "idpbench/claims-emitted/1",
        "extractor_id": "x",
        "extractor_version": "1",
        "suite_id": "s",
        "cases": [{"case_id": "c", "status": "ok", "claims": [{"content": "a", "confidence": 0.5}]}],
        **changes,
    }


def case(**changes: Any) -> dict[str, Any]:
    return by_hand(cases=[{"case_id": "c", "status": "ok", "claims": [{"content": "a", "confidence": 0.5, **changes}]}])


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "e.json: found a list, expected idpbench/claims-emitted/1"),
        ({}, "e.json: schema: found None, expected idpbench/claims-emitted/1"),
        (by_hand(schema="idpbench/claims-emitted/2"), "schema: found 'idpbench/claims-emitted/2'"),
        (by_hand(suite_id=7), "e.json: suite_id: found 7, expected a text"),
        (by_hand(cases=None), "e.json: cases: found null, expected a list"),
        (by_hand(cases=[3]), "e.json#cases[0]: found 3, expected an object"),
        (
            by_hand(cases=[{"case_id": "c", "status": "fine", "claims": []}]),
            "cases[0]: status: found 'fine', expected one",
        ),
        (
            by_hand(cases=[{"case_id": "c", "status": "raises", "claims": [{"content": "a", "confidence": 1}]}]),
            "e.json#cases[0]: claims: found 1 claims, expected none, for the status is raises",
        ),
        (by_hand(cases=[{"case_id": "c", "claims": {}}]), "e.json#cases[0]: claims: found a mapping, expected a list"),
        (case(content=None), "cases[0].claims[0]: content: found nothing, expected the text of the claim"),
        (case(content=3), "cases[0].claims[0]: found content is no text but int"),
        (case(confidence=1.5), "cases[0].claims[0]: found confidence 1.5 is not within [0, 1]"),
        (case(confidence="0.5"), "cases[0].claims[0]: found confidence is no number but str"),
        (case(subjects="Acme"), "cases[0].claims[0]: subjects: found 'Acme', expected a list of texts"),
        (case(content="\ud800"), "cases[0].claims[0]: found content '\\ud800' is no Unicode text"),
        (case(subjects=["\udfff"]), "cases[0].claims[0]: found subject '\\udfff' is no Unicode text"),
        (case(modality=1), "cases[0].claims[0]: modality: found 1, expected a text"),
        (case(expected_valid_until="soon"), "expected_valid_until: found 'soon', expected a date"),
    ],
)
def test_what_is_wrong_in_emissions_is_said_with_its_place(document: Any, message: str) -> None:
    with pytest.raises(FileRefused) as caught:
        emissions_of(document, "e.json").get()
    assert message in str(caught.value)


def test_two_mistakes_are_both_named() -> None:
    document = by_hand(cases=[{"case_id": "c", "claims": [{"content": 1, "confidence": 1}, {"confidence": 1}]}])
    assert len(emissions_of(document, "e.json").problems) == 2


def test_a_saved_report_of_the_reference_is_read() -> None:
    report = {
        "suite_id": "s", "suite_version": "1", "extractor_id": "x", "extractor_version": "0.1.0",
        "per_case": [{
            "case_id": "c", "emitted_count": 1,
            "emitted_claims": [{
                "particle_id": "p", "outcome": "matched", "confidence": 0.97, "content": "a",
                "matched_expected": "g", "subjects": ["Acme"],
            }],
        }],
    }  # fmt: skip
    envelope = {"format": 1, "extraction_provider_model": "p:m", "report": report, "llm_usage": {}}
    found = emissions_of(envelope, "r.json").get()
    assert found.cases == (CaseEmission("c", "ok", (Claim("a", 0.97, ("Acme",)),)),)
    assert (found.provider_model, found.partial) == ("p:m", True)
    assert emissions_of(report, "r.json").get().provider_model == "none"
    assert emissions_of({**envelope, "format": 2}, "r.json").problems


def scored_pass(with_text: bool = True, **settings: Any) -> tuple[Any, Any, Any]:
    cases = tuple(Case(name, golds(("g", 0.95), "h"), fixture="f") for name in ("a", "b", "c"))
    suite = Suite("s", "S", "1.10", "d", ("T",), cases, digest="1" * 64)
    claims = (Claim("e", 0.9, ("Acme",), "EVALUATIVE"), Claim("f", 0.8))
    emissions = Emissions(
        "x",
        "2",
        "s",
        (
            CaseEmission("a", "ok", claims),
            CaseEmission("b", "raises", note="ValueError: no"),
            CaseEmission("c", "missing_fixture", note="f"),
        ),
        "p:m",
    )
    how = judging(given(("Acme: e", "g", 0.9), ("f", "h", 0.85)), **settings)
    document = result_document(
        suite, emissions, score_pass(suite, emissions, how), how, generated_at="2026-01-01T00:00:00Z",
        record_claim_text=with_text,
    )  # fmt: skip
    return suite, emissions, document


def test_a_result_says_what_was_scored_by_whom_and_how() -> None:
    _, _, document = scored_pass()
    check(document, "claims-result", "x")
    assert (document["cases_run"], document["cases_total"], document["emitted"]) == (2, 3, 2)
    assert document["figures"]["precision"] == {"value": 0.5, "support": 2}
    assert document["figures"]["recall"] == {"value": 0.25, "support": 4}
    row = document["per_case"][0]
    assert (row["matched"], row["under_confidence"]) == ([[1, 1]], [[0, 0.9, 0.95]])
    assert row["emitted_claims"][0] == {
        "content": "e", "confidence": 0.9, "subjects": ["Acme"], "modality": "EVALUATIVE",
        "outcome": "under_confidence", "matched_gold": 0, "matched_expected": "g", "similarity": 0.9,
    }  # fmt: skip
    assert document["judge"] == {
        "kind": "given", "id": "given", "threshold": 0.8, "prefilter": None, "subject_aware": True,
    }  # fmt: skip
    assert document["quality_notes"] == ["b: raises: ValueError: no", "c: missing_fixture: f"]
    assert document["scorer"] == scorer_digest()
    assert document["figures"]["calibration_error_semantic"]["value"] == pytest.approx(0.15)


def test_the_digest_of_the_scorer_covers_all_that_a_figure_depends_on() -> None:
    covered = {path.name for path in sources(*SCORER)}
    assert {"score.py", "ece.py", "greedy.py", "numbers.py", "embedding.py", "llm.py", "judging.py"} <= covered


def test_the_emissions_in_a_result_score_to_the_same_result() -> None:
    suite, _, document = scored_pass()
    again = emissions_of(json.loads(json.dumps(document)), "r.json").get()
    how = judging(given(("Acme: e", "g", 0.9), ("f", "h", 0.85)))
    made = result_document(suite, again, score_pass(suite, again, how), how, generated_at="2026-01-01T00:00:00Z")
    assert made == document


def test_without_claim_texts_a_result_has_gold_texts_alone_and_cannot_be_scored_again() -> None:
    _, _, document = scored_pass(with_text=False)
    check(document, "claims-result", "x")
    claim = document["per_case"][0]["emitted_claims"][0]
    assert (claim["content"], claim["subjects"], claim["matched_expected"]) == (None, [], "g")
    assert "Acme" not in json.dumps(document)
    with pytest.raises(FileRefused, match="a report saved without texts cannot be scored again"):
        emissions_of(document, "r.json").get()


def test_a_result_with_a_model_names_both_judges_and_the_band() -> None:
    suite, emissions = one_case(golds("g"), [Claim("e", 0.9)])
    how = judging(Vectors({"e": (1, 0), "g": (1, 0.9)}), asked=Model(lambda *_: True))
    document = result_document(suite, emissions, score_pass(suite, emissions, how), how, generated_at="2026-01-01")
    check(document, "claims-result", "x")
    assert (document["judge"]["kind"], document["judge"]["id"]) == ("llm", "vectors + model")
    assert document["judge"]["prefilter"] == 0.65


def test_resolved_subjects_and_their_fractions_are_in_the_result() -> None:
    suite, emissions = one_case(golds("g"), [])
    how = judging(given())
    rows = [
        SubjectRow("c", "Acme", "wikidata:Q1", "bare_local", "Acme", (), "look-up of 'Acme' failed: no answer"),
        SubjectRow("c", "B", None, "correct", "B", ()),
    ]
    document = result_document(
        suite, emissions, score_pass(suite, emissions, how), how,
        generated_at="2026-01-01", subjects=rows, resolver="authority:1",
    )  # fmt: skip
    check(document, "claims-result", "x")
    assert document["figures"]["resolution_accuracy"] == {"value": 0.5, "support": 2}
    assert document["figures"]["resolution_accuracy_linked"] == {"value": 0.0, "support": 1}
    assert document["subject_resolution"]["subjects"][0]["refs"] == []
    assert document["quality_notes"] == ["c: look-up of 'Acme' failed: no answer"]


def test_passes_are_put_together_with_mean_range_and_deviation() -> None:
    _, _, document = scored_pass()
    other = json.loads(json.dumps(document))
    other["figures"]["precision"]["value"] = 1.0
    together = aggregate_document([document, other])
    assert together["figures"]["precision"]["mean"] == 0.75
    assert together["figures"]["precision"]["stdev"] == pytest.approx(0.3535533905932738)
    assert means(together)["recall"] == 0.25
    assert (together["runs"], len(together["passes"])) == (2, 2)
    check(together, "claims-aggregate", "x")


@pytest.mark.parametrize("key", ["suite_digest", "extractor_version", "mode", "scorer", "judge"])
def test_passes_of_different_suites_extractors_or_judges_are_never_mixed(key: str) -> None:
    _, _, document = scored_pass()
    with pytest.raises(Refusal, match=f"{key}: found"):
        aggregate_document([document, {**document, key: "other"}])
    with pytest.raises(Refusal, match="no pass"):
        aggregate_document([])
