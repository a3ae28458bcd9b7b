"""Scoring, metrics, routing, repeats, verdict and subjects against the worked examples, in reference mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.ece import expected_calibration_error
from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.estimate import estimate
from idpbench.claims.failon import fails
from idpbench.claims.judge.given import GivenJudge
from idpbench.claims.matching.renderings import subject_qualified
from idpbench.claims.repeats import aggregate, aggregate_figures
from idpbench.claims.routing import owner, owners
from idpbench.claims.score import Judging, PassScore, score_pass
from idpbench.claims.subjects.base import Ref
from idpbench.claims.subjects.judging import SubjectRow, fractions, judge_refs, spelt
from idpbench.claims.subjects.refs import normalised
from idpbench.claims.suite.model import Case, Expected, Suite

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "claims.json").read_text(encoding="utf-8"))
ALL = VECTORS["metric_vectors"]


def of_kind(kind: str) -> Any:
    found = [vector for vector in ALL if vector["kind"] == kind]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


class Verdicts:
    """A model whose replies are given, and the pairs it was asked about."""

    id = "verdicts"

    def __init__(self, vector: dict[str, Any]) -> None:
        self.known = {(rendering, gold): verdict for rendering, gold, verdict in vector.get("llm_verdicts", [])}
        self.calls: list[list[str]] = []

    def aligned(self, rendering: str, gold: str) -> bool:
        self.calls.append([rendering, gold])
        return self.known.get((rendering, gold), False)


def suite_of(cases: list[dict[str, Any]]) -> Suite:
    made = [
        Case(
            case["case_id"],
            tuple(
                Expected(gold["content"], gold["confidence_min"], "EPISTEMIC", gold["required"])
                for gold in case["expected"]
            ),
            fixture="f",
        )
        for case in cases
    ]
    return Suite("s", "S", "1", "d", (), tuple(made))


def emissions_of(cases: list[dict[str, Any]]) -> Emissions:
    made = [
        CaseEmission(
            case["case_id"],
            case.get("status", "ok"),
            tuple(Claim(e["content"], e["confidence"], tuple(e.get("subjects", ()))) for e in case["emitted"]),
        )
        for case in cases
    ]
    return Emissions("x", "1", "s", tuple(made))


def scored(vector: dict[str, Any], asked: Verdicts | None = None) -> PassScore:
    settings = vector.get("settings", {"threshold": 0.8, "llm_prefilter": 0.65, "subject_aware": True})
    table = {(rendering, gold): value for rendering, gold, value in vector["similarity"]}
    judging = Judging(
        GivenJudge(table, "given", vector.get("similarity_default", 0.0)),
        asked,
        settings["threshold"],
        settings["llm_prefilter"],
        settings["subject_aware"],
        "reference",
    )
    return score_pass(suite_of(vector["cases"]), emissions_of(vector["cases"]), judging)


@of_kind("benchmark")
def test_a_pass_is_scored_as_the_reference_scores_it(vector: dict[str, Any]) -> None:
    asked = Verdicts(vector) if vector["settings"]["judge"] == "llm" else None
    score = scored(vector, asked)
    expected = vector["result"]
    found = {
        "cases_run": len(score.cases),
        "cases_total": score.cases_total,
        "particles_emitted": score.emitted,
        "particles_required_total": score.required_total,
        "per_case": [
            {
                "case_id": case.case_id,
                "emitted_count": case.emitted_count,
                "outcomes": list(case.outcomes),
                "matched_gold": list(case.matched_gold),
                "matched_order": [list(pair) for pair in case.matched_order],
                "matched_required_count": case.matched_required_count,
                "missed_required": list(case.missed_required),
                "spurious": list(case.spurious),
                "under_confidence": [list(entry) for entry in case.under_confidence],
                "graded": [list(pair) for pair in case.graded],
            }
            for case in score.cases
        ],
        "quality_note_count": len(score.notes),
    }
    if "llm_calls" in expected:
        assert asked is not None
        found["llm_calls"] = asked.calls
    assert found == {key: value for key, value in expected.items() if key != "metrics"}
    assert score.values == pytest.approx(expected["metrics"], abs=1e-9)


@of_kind("ece")
def test_calibration_error(vector: dict[str, Any]) -> None:
    pairs = list(zip(vector["confidences"], vector["correct"], strict=True))
    found = expected_calibration_error(pairs, "reference", vector["bins"])
    assert found == pytest.approx(vector["result"], abs=1e-9)


@of_kind("subject_qualified")
def test_second_rendering(vector: dict[str, Any]) -> None:
    assert subject_qualified(vector["content"], vector["subjects"]) == vector["result"]


class Plugin:
    def __init__(self, entry: dict[str, Any]) -> None:
        self.extractor_id = entry["id"]
        self.types = entry["accepts"]
        self.must_not = frozenset(entry["must_not"])

    def accepts(self, source_type: str) -> bool:
        return self.types == "*" or source_type in self.types


@of_kind("routing")
def test_routing(vector: dict[str, Any]) -> None:
    registry = [Plugin(entry) for entry in vector["registry"]]
    route = {}
    for kind in vector["source_types"]:
        found = owner(kind, registry)
        route[kind] = None if found is None else found.extractor_id
    assert route == vector["result"]["route"]
    assert [found.extractor_id for found in owners(vector["source_types"], registry)] == vector["result"]["owners"]


@of_kind("compare")
def test_an_inline_case_is_run_by_every_extractor(vector: dict[str, Any]) -> None:
    values = scored(vector).values
    for extractor in vector["result"]["extractor_ids"]:
        for name, cells in vector["result"]["metrics"].items():
            assert values[name] == pytest.approx(cells[extractor], abs=1e-9)


@of_kind("aggregate")
def test_repeats(vector: dict[str, Any]) -> None:
    found = aggregate(vector["values"])
    expected = vector["result"]
    assert {name: getattr(found, name) for name in expected} == pytest.approx(expected, abs=1e-12)


@of_kind("aggregate_runs")
def test_repeats_of_every_figure(vector: dict[str, Any]) -> None:
    values = vector["values"]
    passes = [{name: column[index] for name, column in values.items()} for index in range(3)]
    found = aggregate_figures(passes)
    for name, expected in vector["result"].items():
        assert {key: getattr(found[name], key) for key in expected} == pytest.approx(expected, abs=1e-12)


@of_kind("fail_on")
def test_verdict(vector: dict[str, Any]) -> None:
    assert fails(vector["metrics"], vector["fail_on"], vector["threshold"]) == vector["result"]


@of_kind("estimate")
def test_estimate(vector: dict[str, Any]) -> None:
    found = estimate(vector["content_bytes"], vector["runs"], vector["chunk_size"], vector["max_calls_per_source"])
    assert vector["result"] == {
        "cases": found.cases,
        "total_chars": found.total_bytes,
        "estimated_extraction_calls": found.calls,
        "estimated_tokens": found.tokens,
    }


@of_kind("resolution_judge")
def test_a_resolved_subject(vector: dict[str, Any]) -> None:
    refs = [Ref(ref["namespace"], ref["id"], ref["confidence"]) for ref in vector["refs"]]
    gold = vector["gold_ref"]
    assert vector["result"] == {
        "outcome": judge_refs(gold, refs),
        "gold_ref_normalised": None if gold is None else normalised(gold),
        "refs_rendered": [spelt(ref) for ref in refs],
    }


@of_kind("resolution_fractions")
def test_resolution_fractions(vector: dict[str, Any]) -> None:
    found = fractions([SubjectRow("c", str(n), None, o, "", ()) for n, o in enumerate(vector["outcomes"])])
    assert {name: found[name].value for name in vector["result"]} == pytest.approx(vector["result"])
