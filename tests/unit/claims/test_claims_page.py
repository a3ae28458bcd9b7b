"""The page of the claims benchmark: every figure with what it stands on and what it means, nothing where nothing is."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from claimhelp import given, golds, judging, one_case

from idpbench.claims.emitted import Claim
from idpbench.claims.harness import measures
from idpbench.claims.pages import page
from idpbench.claims.report import aggregate_document, result_document
from idpbench.claims.score import score_pass
from idpbench.files.tables import MISSING

CONFORMANCE = {"corpus_digest": "c" * 64, "fixtures": []}


def aggregate(claims: list[Claim]) -> dict[str, Any]:
    suite, emissions = one_case(golds(("kept", 0.5), ("timid", 0.9), "lost"), claims)
    how = judging(given(("kept", "kept", 0.9), ("timid", "timid", 0.9)))
    score = score_pass(suite, emissions, how)
    return aggregate_document([result_document(suite, emissions, score, how, generated_at="2026-01-01")])


def rows(text: str, name: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and f"`{name}`" in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_figures_stand_with_their_support_and_interval() -> None:
    made = aggregate([Claim("kept", 0.9), Claim("timid", 0.6), Claim("else", 0.8)])
    text = page.render([made], {made["suite_id"]: "A suite"}, [], CONFORMANCE)
    overview, beside = rows(text, made["suite_id"])
    assert overview[0].startswith("A suite")
    assert (overview[5].split(" [")[0], overview[6]) == ("0.333", "3")
    assert (overview[7].split(" [")[0], overview[8]) == ("0.333", "3")
    assert beside[-1] == "0"  # given similarities have no noise
    assert "- missed: lost" in text and "- beyond the gold: else" in text
    assert "- too timid: timid (stated at 0.6, floor 0.9)" in text


def test_an_extractor_that_states_nothing_has_no_precision_on_the_page() -> None:
    made = aggregate([])
    overview, beside = rows(page.render([made], {}, [], CONFORMANCE), made["suite_id"])
    assert overview[5:7] == [MISSING, "0"]
    assert (overview[7].split(" [")[0], overview[8]) == ("0.000", "3")
    assert overview[9] == overview[11] == MISSING
    assert set(beside[1:-1]) == {MISSING}


@pytest.mark.parametrize("mode", ["default", "reference"])
def test_every_figure_of_a_harness_is_explained(mode: Any) -> None:
    told = {
        **measures.modality([("FALSIFIABLE", "EVALUATIVE")], mode)[1],
        "narrative_emission_rate": measures.narrative_rate(0, 0, mode),
        **measures.polarity([("ASSERTED", "DECLINED")], mode)[1],
        **measures.validity([(None, date(2026, 1, 1))], 3, mode),
    }
    assert set(told) == set(page.MEANING)
