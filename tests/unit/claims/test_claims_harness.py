"""The harnesses: which claims take part, what is counted, and null where nothing was measured."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from claimhelp import given
from hypothesis import given as property_over
from hypothesis import strategies as st

from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.harness import measures
from idpbench.claims.harness.align import align
from idpbench.claims.harness.model import MODALITIES, POLARITIES, HarnessCase, HarnessSuite, Label
from idpbench.claims.harness.score import harness_document, modality_of, polarity_of, score_harness, valid_until
from idpbench.files.errors import Refusal
from idpbench.files.schema import check


def suite(kind: Any, *labels: Label, more: tuple[HarnessCase, ...] = (), narrative: bool = True) -> HarnessSuite:
    cases = (HarnessCase("c", "text", labels, narrative, "2026-01-01"), *more)
    return HarnessSuite(kind, "h", "H", "1", "d", "T", cases, digest="0" * 64)


def emitted(*claims: Claim, more: tuple[CaseEmission, ...] = ()) -> Emissions:
    return Emissions("x", "1", "h", (CaseEmission("c", "ok", claims), *more))


def test_claims_align_from_065_by_bare_content_whatever_their_confidence() -> None:
    judge = given(("a", "l1", 0.65), ("b", "l2", 0.6499), ("S: b", "l2", 0.99))
    found = align(suite("polarity", Label("l1"), Label("l2")), emitted(Claim("a", 0.0), Claim("b", 1.0, ("S",))), judge)
    assert found.cases[0].pairs == ((0, 0),)
    assert found.cases[0].unaligned == 1


def test_claims_without_a_label_are_not_scored() -> None:
    score = score_harness(
        suite("polarity", Label("l", "ASSERTED")),
        emitted(Claim("a", 1, polarity="asserted"), Claim("other", 1, polarity="declined")),
        given(("a", "l", 0.9)),
    )
    assert score.confusion == [("ASSERTED", "ASSERTED", 1)]
    assert (score.aligned, score.unaligned) == (1, 0)


def test_of_two_labels_of_one_text_the_last_counts() -> None:
    score = score_harness(
        suite("polarity", Label("l", "ASSERTED"), Label("l", "DECLINED")),
        emitted(Claim("a", 1, polarity="DECLINED"), Claim("a", 1)),
        given(("a", "l", 0.9)),
    )
    assert score.confusion == [("DECLINED", "ASSERTED", 1)]  # of two like claims the later one is taken
    assert score.unaligned == 0


def test_a_case_whose_extraction_failed_leaves_all_labels_unaligned_and_a_skipped_one_none() -> None:
    more = (HarnessCase("d", "t", (Label("l", "ASSERTED"),)), HarnessCase("e", "t", (Label("l", "ASSERTED"),)))
    stated = (CaseEmission("d", "raises", note="no"), CaseEmission("e", "declined"))
    found = align(suite("polarity", Label("l", "ASSERTED"), more=more), emitted(more=stated), given())
    assert [case.case.case_id for case in found.cases] == ["c", "d"]
    assert [case.unaligned for case in found.cases] == [1, 1]
    assert found.notes == ("d: raises: no", "e: declined")


def test_emissions_that_lack_a_case_are_refused() -> None:
    with pytest.raises(Refusal, match="found nothing for c"):
        align(suite("polarity", Label("l")), Emissions("x", "1", "h", ()), given())


@pytest.mark.parametrize(
    ("value", "modality", "polarity"),
    [
        (None, "FALSIFIABLE", "ASSERTED"),
        (" evaluative ", "EVALUATIVE", "ASSERTED"),
        ("declined", "FALSIFIABLE", "DECLINED"),
        ("Narrative", "NARRATIVE", "ASSERTED"),
        ("no such", "FALSIFIABLE", "ASSERTED"),
    ],
)
def test_values_are_stripped_and_folded_and_unknown_ones_have_their_default(
    value: str | None, modality: str, polarity: str
) -> None:
    claim = Claim("a", 1, modality=value, polarity=value)
    assert (modality_of(claim), polarity_of(claim)) == (modality, polarity)


def test_a_narrative_is_counted_by_case_and_kept_out_of_the_alignment() -> None:
    judge = given(("story", "l", 0.99), ("plain", "l", 0.7))
    claims = (Claim("story", 1, modality="narrative"), Claim("plain", 1, modality="EVALUATIVE"))
    score = score_harness(suite("modality", Label("l", "FALSIFIABLE")), emitted(*claims), judge)
    assert score.confusion == [("FALSIFIABLE", "EVALUATIVE", 1)]
    assert score.figures["narrative_emission_rate"].value == 1.0
    assert score.figures["false_non_falsifiable_rate"].value == 1.0
    quiet = score_harness(suite("modality", Label("l", "FALSIFIABLE"), narrative=False), emitted(*claims), judge)
    assert (quiet.figures["narrative_emission_rate"].value, quiet.figures["narrative_emission_rate"].support) == (
        None,
        0,
    )


def test_dates_are_compared_within_the_tolerance_of_the_suite() -> None:
    labels = (
        Label("durable"),
        Label("near", "", "2026-06-30"),
        Label("far", "", "2026-06-30"),
        Label("none", "", "2026-06-30"),
    )
    claims = (
        Claim("durable", 1, expected_valid_until="2026-01-01"),
        Claim("near", 1, expected_valid_until=" 2026-07-03 "),
        Claim("far", 1, expected_valid_until="2026-07-04"),
        Claim("none", 1),
    )
    judge = given(*[(label.content, label.content, 0.9) for label in labels])
    score = score_harness(suite("validity", *labels), emitted(*claims), judge)
    assert {name: (figure.value, figure.support) for name, figure in score.figures.items()} == {
        "wrong_expiry_rate": (1.0, 1),
        "expiry_precision": (2 / 3, 3),
        "expiry_recall": (2 / 3, 3),
        "date_accuracy": (0.5, 2),
    }
    assert score.by_class is None


def test_a_date_that_is_none_counts_as_none() -> None:
    assert valid_until(Claim("a", 1, expected_valid_until="soon")) is None


@pytest.mark.parametrize("kind", ["modality", "polarity", "validity"])
def test_an_extractor_that_states_nothing_has_no_figure_at_all(kind: Any) -> None:
    label = Label("l", "FALSIFIABLE" if kind == "modality" else "ASSERTED")
    score = score_harness(suite(kind, label, narrative=False), emitted(), given())
    assert {figure.value for figure in score.figures.values()} == {None}
    if score.by_class is not None:
        assert {figure.value for figure in score.by_class.precision.values()} == {None}
    reference = score_harness(suite(kind, label, narrative=False), emitted(), given(), "reference")
    assert {figure.value for figure in reference.figures.values()} <= {0.0, 1.0}


@pytest.mark.parametrize("kind", ["modality", "polarity", "validity"])
def test_the_report_names_every_pair(kind: Any) -> None:
    label = {"modality": Label("l", "EVALUATIVE"), "polarity": Label("l", "DECLINED")}.get(
        kind, Label("l", "", "2026-06-30")
    )
    stated = emitted(Claim("a", 1, modality="EVALUATIVE", polarity="DECLINED", expected_valid_until="2026-06-30"))
    score = score_harness(suite(kind, label), stated, given(("a", "l", 0.9)))
    document = harness_document(score, stated, "given", generated_at="2026-01-01T00:00:00Z")
    check(document, "claims-harness", "x")
    pair = document["per_case"][0]["pairs"][0]
    assert pair["expected"] == pair["emitted"]
    assert (pair["label"], pair["claim"]) == ("l", "a")
    silent = harness_document(score, stated, "given", generated_at="2026-01-01", record_claim_text=False)
    check(silent, "claims-harness", "x")
    assert silent["per_case"][0]["pairs"][0] == {**pair, "claim": None}


@property_over(st.lists(st.tuples(st.sampled_from(POLARITIES), st.sampled_from(POLARITIES)), max_size=20))
def test_every_polarity_figure_is_a_share_and_hidden_is_no_less_than_declined(pairs: Any) -> None:
    classes, rates = measures.polarity(pairs, "default")
    for figure in [*classes.precision.values(), *classes.recall.values(), *rates.values()]:
        assert figure.value is None or 0 <= figure.value <= 1
    if rates["wrong_hidden_rate"].value is not None:
        assert rates["wrong_hidden_rate"].value >= rates["wrong_declined_rate"].value  # type: ignore[operator]
    assert sum(count for _, _, count in measures.confusion(pairs)) == len(pairs)
    assert sum(figure.support for figure in classes.recall.values()) == len(pairs)


@property_over(st.lists(st.tuples(st.sampled_from(MODALITIES), st.sampled_from(MODALITIES)), max_size=20), st.randoms())
def test_the_order_of_pairs_does_not_matter(pairs: Any, chance: Any) -> None:
    shuffled = chance.sample(pairs, len(pairs))
    assert measures.modality(pairs, "default") == measures.modality(shuffled, "default")
    assert measures.confusion(pairs) == measures.confusion(shuffled)


@property_over(st.integers(0, 30), st.integers(-40, 40))
def test_a_date_is_right_up_to_the_tolerance_either_way(tolerance: int, days: int) -> None:
    day = date(2026, 6, 30)
    found = measures.validity([(day, day + timedelta(days=days))], tolerance, "default")
    assert found["date_accuracy"].value == (abs(days) <= tolerance)
