"""Six runs of real extractors over published suites: the reference's figures from what it recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claimhelp import one_case
from shared_data import shared

from idpbench.claims.calibrate.fit import fit
from idpbench.claims.emitted import Claim
from idpbench.claims.judge.given import GivenJudge
from idpbench.claims.score import Judging, score_pass
from idpbench.claims.suite.model import Expected

NAMES = [
    "real-numismatic-seed-001",
    "real-rdf-seed-001",
    "real-wikidata-seed-001",
    "real-numismatic-calibration-001",
    "real-rdf-calibration-001",
    "real-hackernews-seed-001",
]
FITS = {
    "real-numismatic-calibration-001": (1.6601, 0.0957, 0.0028),
    "real-rdf-calibration-001": (1.9050, 0.1717, 0.0833),
}
HELD_OUT = {
    "real-numismatic-calibration-001": ("real-numismatic-seed-001", 0.0471, 0.1400),
    "real-rdf-calibration-001": ("real-rdf-seed-001", 0.0883, 0.2095),
}


def run(name: str, mode: Any) -> tuple[Any, Any]:
    runs = json.loads(shared("data/claims/real_runs.json").read_text(encoding="utf-8"))["vectors"]
    real = next(entry for entry in runs if entry["id"] == name)
    table = {
        (rendering, gold): max(0.0, value)
        for call in real["similarity_calls"]
        for rendering, row in zip(call["emitted_texts"], call["matrix"], strict=True)
        for gold, value in zip(call["gold_texts"], row, strict=True)
    }
    suite, emissions = one_case(
        tuple(
            Expected(gold["content"], gold["confidence_min"], "EPISTEMIC", gold["required"])
            for gold in real["expected"]
        ),
        [Claim(claim["content"], claim["confidence"], tuple(claim["subjects"])) for claim in real["emitted"]],
    )
    return real, score_pass(suite, emissions, Judging(GivenJudge(table, "recorded"), mode=mode))


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_run_has_the_figures_of_the_reference(name: str) -> None:
    real, score = run(name, "reference")
    case = score.cases[0]
    assert list(case.outcomes) == real["result"]["outcomes"]
    assert [list(pair) for pair in case.graded] == real["result"]["graded"]
    assert score.values == pytest.approx(real["result"]["metrics"], abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_default_mode_differs_in_none_of_them(name: str) -> None:
    real, score = run(name, "default")
    assert score.values == pytest.approx(real["result"]["metrics"], abs=1e-9)


@pytest.mark.parametrize("name", FITS)
def test_a_calibration_suite_fits_the_temperature_that_its_authors_state(name: str) -> None:
    found = fit(run(name, "reference")[1].cases[0].graded, mode="reference")
    assert (found.calibration.temperature, found.ece_before, found.ece_after) == pytest.approx(FITS[name], abs=1e-4)
    assert found.persistable


@pytest.mark.parametrize("name", HELD_OUT)
def test_a_clean_benchmark_run_held_out_refuses_that_fit(name: str) -> None:
    other, before, after = HELD_OUT[name]
    found = fit(run(name, "default")[1].cases[0].graded, run(other, "default")[1].cases[0].graded)
    assert found.refusals == ("held-out regression",)
    assert found.heldout is not None
    assert (found.heldout.ece_before, found.heldout.ece_after) == pytest.approx((before, after), abs=1e-4)
