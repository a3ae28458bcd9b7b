"""Scoring by default: nothing measured is null, no number is invented, and the figures beside the headline."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claimhelp import Model, Vectors, given, golds, judging, one_case
from hypothesis import given as property_over
from hypothesis import settings
from hypothesis import strategies as st

from idpbench.claims.ece import bin_of, expected_calibration_error, reference_bin_of
from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.failon import FAIL_ON, fails
from idpbench.claims.repeats import aggregate, aggregate_figures
from idpbench.claims.score import score_pass
from idpbench.claims.suite.model import Case, Suite
from idpbench.files.errors import Refusal

TEXTS = ("one", "two", "three", "four")
SIMILARITIES = st.dictionaries(
    st.tuples(st.sampled_from([f"e {text}" for text in TEXTS]), st.sampled_from(TEXTS)), st.floats(0, 1)
)
CLAIMS = st.lists(
    st.builds(Claim, st.sampled_from([f"e {text}" for text in TEXTS]), st.floats(0, 1)), max_size=4, unique_by=str
)
GOLDS = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.floats(0, 1), st.booleans()), max_size=4, unique_by=lambda g: g[0]
)


def test_two_under_confident_claims_keep_their_order_of_acceptance_and_count_in_both_denominators() -> None:
    judge = given(("a", "g1", 0.85), ("b", "g2", 0.95), ("c", "g3", 0.9))
    suite, emissions = one_case(
        golds(("g1", 0.9), ("g2", 0.8), "g3"), [Claim("a", 0.7), Claim("b", 0.6), Claim("c", 0.5)]
    )
    score = score_pass(suite, emissions, judging(judge))
    case = score.cases[0]
    assert case.outcomes == ("under_confidence", "under_confidence", "matched")
    assert case.under_confidence == ((1, 0.6, 0.8), (0, 0.7, 0.9))
    assert case.missed_required == ()
    assert case.similarities == (0.85, 0.95, 0.9)
    assert (score.figures["precision"].value, score.figures["recall"].value) == (1 / 3, 1 / 3)


def test_duplicated_subjects_are_not_merged_in_what_is_compared() -> None:
    suite, emissions = one_case(golds("g"), [Claim("won", 0.9, ("Acme", "Acme"))])
    assert score_pass(suite, emissions, judging(given(("Acme, Acme: won", "g", 0.9)))).cases[0].matched_count == 1
    assert score_pass(suite, emissions, judging(given(("Acme: won", "g", 0.9)))).cases[0].matched_count == 0


def test_an_extractor_that_states_nothing_has_no_precision_and_fails_on_it() -> None:
    suite, emissions = one_case(golds("g"), [])
    score = score_pass(suite, emissions, judging(given()))
    assert {name: (figure.value, figure.support) for name, figure in score.figures.items()} == {
        "precision": (None, 0),
        "recall": (0.0, 1),
        "calibration_error": (None, 0),
        "calibration_error_semantic": (None, 0),
    }
    assert fails(score.values, "precision", 0.0)
    assert fails(score.values, "calibration", 1.0)
    reference = score_pass(suite, emissions, judging(given(), mode="reference"))
    assert reference.values["precision"] == 1.0
    assert not fails(reference.values, "precision", 0.9)


def test_where_nothing_is_required_there_is_no_recall() -> None:
    suite, emissions = one_case(golds(("g", 0.0, False)), [Claim("e", 0.9)])
    score = score_pass(suite, emissions, judging(given(("e", "g", 0.9))))
    assert (score.figures["recall"].value, score.figures["recall"].support) == (None, 0)
    assert score.figures["precision"].value == 1.0
    assert fails(score.values, "recall", 0.0)


def test_an_optional_gold_claim_counts_for_precision_and_not_for_recall() -> None:
    suite, emissions = one_case(golds("g", ("h", 0.0, False)), [Claim("e", 0.9)])
    figures = score_pass(suite, emissions, judging(given(("e", "h", 0.9)))).figures
    assert (figures["precision"].value, figures["recall"].value, figures["recall"].support) == (1.0, 0.0, 1)


def test_a_pass_in_which_no_case_ran_measures_nothing() -> None:
    suite, _ = one_case(golds("g"), [])
    skipped = Emissions("x", "1", "s", (CaseEmission("c", "declined", note="no such type"),))
    score = score_pass(suite, skipped, judging(given()))
    assert set(score.values.values()) == {None}
    assert (score.cases, score.notes) == ((), ("c: declined: no such type",))


@pytest.mark.parametrize(
    ("confidence", "index", "of_reference"),
    [(0.0, 0, 0), (0.1, 1, 1), (0.3, 3, 2), (0.6, 6, None), (0.7, 7, 6), (0.6000000000000001, 6, 6), (0.95, 9, 9),
     (0.1 + 0.2, 3, 3), (0.29999999999999993, 3, 2), (0.2999999, 2, 2), (1.0, 9, 9)],
)  # fmt: skip
def test_a_confidence_falls_into_the_tenth_that_it_names(confidence: float, index: int, of_reference: Any) -> None:
    assert bin_of(confidence) == index
    assert reference_bin_of(confidence) == of_reference


def test_every_thousandth_is_in_the_tenth_it_names() -> None:
    assert [bin_of(k / 1000) for k in range(1001)] == [min(9, k // 100) for k in range(1001)]
    assert [k for k in range(1001) if reference_bin_of(k / 1000) is None] == [600]


def test_wrong_claims_at_six_tenths_are_an_error_of_six_tenths() -> None:
    wrong = [(0.6, False), (0.6, False)]
    assert expected_calibration_error(wrong) == pytest.approx(0.6)
    assert expected_calibration_error(wrong, "reference") == 0.0


@property_over(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30), st.randoms(use_true_random=False))
def test_calibration_error_is_a_share_and_knows_no_order(pairs: Any, chance: Any) -> None:
    shuffled = chance.sample(pairs, len(pairs))
    found = expected_calibration_error(pairs)
    assert 0 <= found <= 1
    assert expected_calibration_error(shuffled) == found


@settings(deadline=None)
@property_over(SIMILARITIES, CLAIMS, GOLDS, st.floats(0, 1), st.sampled_from(["default", "reference"]), st.booleans())
def test_every_figure_is_a_share_and_the_counts_add_up(
    table: Any, claims: Any, gold: Any, threshold: float, mode: Any, asked: bool
) -> None:
    suite, emissions = one_case(golds(*gold), claims)
    rows = [(rendering, text, value) for (rendering, text), value in table.items()]
    model = Model(lambda rendering, _: len(rendering) % 2 == 0) if asked else None
    score = score_pass(suite, emissions, judging(given(*rows), threshold=threshold, mode=mode, asked=model))
    case = score.cases[0]
    for figure in score.figures.values():
        assert figure.value is None or 0 <= figure.value <= 1
        assert (figure.value is None) == (figure.support == 0 and mode == "default")
    assert case.matched_count + len(case.under_confidence) + len(case.spurious) == len(claims)
    taken = [index for index in case.matched_gold if index is not None]
    assert len(set(taken)) == len(taken)
    required = {index for index, (_, _, needed) in enumerate(gold) if needed}
    timid = {index for index, _, _ in case.under_confidence}
    assert case.matched_required_count + len(timid & required) + len(case.missed_required) == len(required)


@settings(deadline=None)
@property_over(CLAIMS, GOLDS, st.data())
def test_the_order_of_claims_cases_and_golds_changes_no_figure_without_ties(claims: Any, gold: Any, data: Any) -> None:
    cells = [(claim.content, text) for claim in claims for text, _, _ in gold]
    values = data.draw(st.lists(st.floats(0.5, 1), min_size=len(cells), max_size=len(cells), unique=True))
    judge = given(*[(*cell, value) for cell, value in zip(dict.fromkeys(cells), values, strict=False)])
    once = [claim for n, claim in enumerate(claims) if claim.content not in [c.content for c in claims[:n]]]

    def run(order: bool) -> Any:
        gold_now, claims_now = (list(reversed(part)) if order else list(part) for part in (gold, once))
        cases = [Case("a", golds(*gold_now), fixture="f"), Case("b", golds("g"), fixture="f")]
        stated = [CaseEmission("a", "ok", tuple(claims_now)), CaseEmission("b", "ok", (Claim("e", 0.7),))]
        suite = Suite("s", "S", "1", "d", (), tuple(reversed(cases) if order else cases))
        return score_pass(suite, Emissions("x", "1", "s", tuple(stated)), judging(judge)).figures

    assert run(False) == run(True)


def test_numbers_that_differ_refuse_a_pair_in_the_figures_beside_the_headline_only() -> None:
    judge = Vectors({
        "Acme has 12 branches": (1, 0.1, 0), "Acme has 21 branches": (1, 0, 0),
        "Acme was founded in 1990": (0, 0, 1), "Acme, founded 1990": (0, 0.1, 1),
    })  # fmt: skip
    suite, emissions = one_case(
        golds("Acme has 12 branches", "Acme was founded in 1990"),
        [Claim("Acme has 21 branches", 0.9), Claim("Acme, founded 1990", 0.9)],
    )
    figures = score_pass(suite, emissions, judging(judge)).figures
    assert (figures["precision"].value, figures["recall"].value) == (1.0, 1.0)
    assert (figures["precision_exact_numbers"].value, figures["recall_exact_numbers"].value) == (0.5, 0.5)
    assert figures["recall_exact_numbers"].support == 2


def test_a_claim_refused_for_its_numbers_may_find_the_gold_that_has_them() -> None:
    judge = Vectors({"rose by 5": (1, 0.2), "rose by 6": (1, 0.1), "went up 5": (1, 0.4)})
    suite, emissions = one_case(golds("rose by 6", "went up 5"), [Claim("rose by 5", 0.9)])
    score = score_pass(suite, emissions, judging(judge))
    assert score.cases[0].matched_gold == (0,)
    assert score.figures["precision_exact_numbers"].value == 1.0


def test_the_figures_beside_the_headline_are_off_where_they_mean_nothing() -> None:
    beside = {"precision_exact_numbers", "recall_exact_numbers", "lenient_noise", "precision_lenient", "recall_lenient"}
    judge = Vectors({"e": (1, 0), "g": (1, 0.9), "h": (0, 1)})
    suite, emissions = one_case(golds("g", "h"), [Claim("e", 0.9)])

    def names(similarity: Any, **rest: Any) -> set[str]:
        return beside & set(score_pass(suite, emissions, judging(similarity, **rest)).figures)

    assert names(judge, mode="reference") == set()
    assert names(given(("e", "g", 0.9))) == set()
    assert names(judge, asked=Model(lambda *_: True)) == {"precision_exact_numbers", "recall_exact_numbers"}
    assert names(judge, threshold=0.65) == {"precision_exact_numbers", "recall_exact_numbers"}
    assert names(judge) == {"precision_exact_numbers", "recall_exact_numbers", "lenient_noise"}  # g and h: 0.67


def test_the_lenient_figure_is_shown_with_the_noise_of_the_suite_and_not_above_a_twentieth() -> None:
    directions = {f"g{n}": tuple(float(n == axis) for axis in range(8)) for n in range(8)}
    judge = Vectors(directions | {"e": (1, 0.9, 0, 0, 0, 0, 0, 0)})
    suite, emissions = one_case(golds(*list(directions)), [Claim("e", 0.9)])
    figures = score_pass(suite, emissions, judging(judge)).figures
    assert figures["precision"].value == 0.0
    assert (figures["precision_lenient"].value, figures["recall_lenient"].value) == (1.0, 0.125)
    assert (figures["lenient_noise"].value, figures["lenient_noise"].support) == (0.0, 28)
    twice = Vectors(directions | {"e": (1,) + (0,) * 7, "g1": (1,) + (0,) * 7, "g2": (1,) + (0,) * 7})
    noisy = score_pass(suite, emissions, judging(twice)).figures
    assert noisy["lenient_noise"].value == 3 / 28
    assert "precision_lenient" not in noisy


def test_a_model_is_asked_once_about_one_pair_of_texts() -> None:
    model = Model(lambda *_: False)
    suite, emissions = one_case(golds("g"), [Claim("e", 0.9), Claim("e", 0.8)])
    score_pass(suite, emissions, judging(given(("e", "g", 0.7)), asked=model))
    assert model.calls == [("e", "g")]


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ((CaseEmission("d", "ok"),), "found d, expected a case of the suite"),
        ((), "found nothing for c, expected each case of the suite once"),
        ((CaseEmission("c", "ok"), CaseEmission("c", "ok")), "found a case twice"),
    ],
)
def test_emissions_of_other_cases_are_refused(cases: Any, message: str) -> None:
    suite, _ = one_case(golds("g"), [])
    with pytest.raises(Refusal, match=message):
        score_pass(suite, Emissions("x", "1", "s", cases), judging(given()))
    with pytest.raises(Refusal, match="those of suite other, not of s"):
        score_pass(suite, Emissions("x", "1", "other", cases), judging(given()))


def test_a_case_that_a_saved_report_leaves_out_was_skipped() -> None:
    suite, _ = one_case(golds("g"), [])
    score = score_pass(suite, Emissions("x", "1", "s", (), partial=True), judging(given()))
    assert (len(score.cases), score.notes) == (0, ("c: declined: not in the saved report",))


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5", None])
def test_a_claim_has_a_confidence_between_nothing_and_certainty(confidence: Any) -> None:
    with pytest.raises(ValueError, match="confidence"):
        Claim("x", confidence)
    with pytest.raises(ValueError, match="content"):
        Claim(None, 0.5)  # type: ignore[arg-type]


@property_over(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_a_mean_lies_within_its_range_and_knows_no_order(values: list[float], chance: Any) -> None:
    found = aggregate(values)
    assert found.minimum <= found.mean <= found.maximum  # type: ignore[operator]
    assert found.spread == found.maximum - found.minimum  # type: ignore[operator]
    assert aggregate(chance.sample(values, len(values))) == found


def test_a_pass_without_a_figure_leaves_no_mean_of_the_others() -> None:
    found = aggregate_figures([{"precision": 1.0, "recall": 1.0}, {"precision": None, "recall": 0.0}])
    assert (found["precision"].mean, found["precision"].measured, found["precision"].runs) == (None, 1, 2)
    assert (found["precision"].minimum, found["precision"].stdev) == (1.0, None)
    assert found["recall"].mean == 0.5
    assert fails({name: value.mean for name, value in found.items()}, "precision", 0.0)
    assert aggregate([None, None]).minimum is None


def test_only_the_named_figure_is_gated() -> None:
    means = {"precision": 0.5, "recall": 0.95, "calibration_error": 0.2, "calibration_error_semantic": 1.0}
    assert [kind for kind in FAIL_ON if fails(means, kind)] == ["precision"]
    assert [kind for kind in FAIL_ON if fails(means, kind, 0.1)] == ["calibration"]


def test_figures_can_be_written_as_json() -> None:
    suite, emissions = one_case(golds("g"), [Claim("e", 0.9)])
    score = score_pass(suite, emissions, judging(Vectors({"e": (1, 0), "g": (1, 0)})))
    assert json.loads(json.dumps(score.values)) == score.values
