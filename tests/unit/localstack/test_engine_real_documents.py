"""Real documents against truth that was read off their pages: what the engine gets, and what it does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from enginehelp import profile, settings
from labelled import BASELINES, labelled

from idpbench.localstack.engine import Job, process
from idpbench.matrix.configs import resolve_configuration
from idpbench.stack.reference import LabelledSet, load_sets

FORMS = tuple(f"W2_XL_input_clean_{number}.pdf" for number in (1000, 1003, 1004, 1009))  # one of each kind


def labelled_set(name: str, folder: Path, names: tuple[str, ...] | None = None) -> LabelledSet:
    (found,) = load_sets(labelled(name, folder, names), settings()).values()
    return found


def evaluations(one: LabelledSet) -> dict[str, dict[str, Any]]:
    config = resolve_configuration(settings(), "core-tt-simple-sep", one.doc_class, {})
    found = {}
    for document in one.documents:
        baseline = [json.loads(path.read_text(encoding="utf-8")) for _, path in document.baseline]
        outcome = process(Job(document.path.read_bytes(), document.name, config, profile("0.6.9"), "", baseline))
        assert outcome.status == "COMPLETED" and outcome.evaluation is not None, outcome.error
        found[document.name] = outcome.evaluation
    return found


def attributes(evaluation: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for section in evaluation["section_results"] for one in section["attributes"]}


@pytest.fixture(scope="module")
def w2(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return evaluations(labelled_set("w2_real", tmp_path_factory.mktemp("w2"), FORMS))


def test_the_truth_names_every_field_of_the_form() -> None:
    schema = settings().classes["w2"]["classes"][0]["properties"]
    truths = sorted((BASELINES / "w2_real" / "baseline").glob("*/sections/1/result.json"))
    assert len(truths) == 10
    for path in truths:
        fields = json.loads(path.read_text(encoding="utf-8"))["inference_result"]
        assert list(fields) == list(schema)
        assert len(fields["Box 12"]) == 4 and len(fields["State Lines"]) == 2


@pytest.mark.parametrize("field", ["Employee SSN", "Employer EIN", "Wages", "Federal Income Tax Withheld"])
def test_values_below_their_captions_are_read_from_every_form(w2: dict[str, dict[str, Any]], field: str) -> None:
    wrong = [name for name, evaluation in w2.items() if not attributes(evaluation)[field]["matched"]]
    assert wrong == []


def test_the_forms_score_what_they_score(w2: dict[str, dict[str, Any]]) -> None:
    """16 of 23 fields as a rule; boxes to tick, coded amounts and the large year are beyond the engine."""
    scores = [evaluation["overall_metrics"]["weighted_overall_score"] for evaluation in w2.values()]
    assert sum(scores) / len(scores) == pytest.approx(0.711, abs=0.005)
    missed = {name for evaluation in w2.values() for name, one in attributes(evaluation).items() if not one["matched"]}
    assert {"Retirement Plan", "Box 12", "Tax Year", "State Lines"} <= missed


def test_the_bank_statement_scores_what_it_scores(tmp_path: Path) -> None:
    """Its movements are read, without their amounts' heading being understood everywhere; its head is not."""
    (evaluation,) = evaluations(labelled_set("bank_real", tmp_path)).values()
    found = attributes(evaluation)
    assert len(found["Transactions"]["expected"]) == 120
    assert found["Account Number"]["matched"]
    assert 0.8 < found["Transactions"]["score"] < 1.0
    assert evaluation["overall_metrics"]["weighted_overall_score"] == pytest.approx(0.268, abs=0.01)
