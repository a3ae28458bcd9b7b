"""The measures of the harnesses against the worked examples, in reference mode."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.harness import measures

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "claims.json").read_text(encoding="utf-8"))


def of_kind(kind: str) -> Any:
    found = [vector for vector in VECTORS["metric_vectors"] if vector["kind"] == kind]
    name = [vector["id"] for vector in found]
    return pytest.mark.parametrize("vector", found, ids=name)


def values(figures: dict[str, Any]) -> dict[str, float]:
    return {name: figure.value for name, figure in figures.items()}


@of_kind("modality_metrics")
def test_modality(vector: dict[str, Any]) -> None:
    classes, rates = measures.modality([tuple(pair) for pair in vector["pairs"]], "reference")
    found = {"precision": values(classes.precision), "recall": values(classes.recall), **values(rates)}
    assert found == vector["result"]


@of_kind("narrative_rate")
def test_narrative_rate(vector: dict[str, Any]) -> None:
    found = measures.narrative_rate(vector["emitted_cases"], vector["expected_cases"], "reference")
    assert found.value == vector["result"]


@of_kind("polarity_metrics")
def test_polarity(vector: dict[str, Any]) -> None:
    classes, rates = measures.polarity([tuple(pair) for pair in vector["pairs"]], "reference")
    found = {"precision": values(classes.precision), "recall": values(classes.recall), **values(rates)}
    assert found == vector["result"]


@of_kind("validity_metrics")
def test_validity(vector: dict[str, Any]) -> None:
    pairs = [tuple(date.fromisoformat(day) if day else None for day in pair) for pair in vector["pairs"]]
    found = measures.validity(pairs, vector["tolerance_days"], "reference")  # type: ignore[arg-type]
    supports = {
        "durable": found["wrong_expiry_rate"].support,
        "bounded": found["expiry_recall"].support,
        "emitted": found["expiry_precision"].support,
        "both": found["date_accuracy"].support,
    }
    assert {**values(found), "support": supports} == vector["result"]


def test_every_vector_has_a_test() -> None:
    """A kind of vector that no test names would pass unseen."""
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*_vectors.py"))
    for kind in {vector["kind"] for vector in VECTORS["metric_vectors"]}:
        assert f'@of_kind("{kind}")' in tests
