"""Calibration: known figures, and that pooling payloads is the same as scoring the union."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.scoring.calibration import Curve, bin_of, build, payload, pool, pooled, statistics, wilson

observations = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60)


def stored(curve: Curve) -> dict[str, Any]:
    return payload(curve, "set", "configuration")


@given(observations, observations, observations)
def test_pooling_payloads_is_the_curve_of_all_observations(
    a: list[tuple[float, bool]], b: list[tuple[float, bool]], c: list[tuple[float, bool]]
) -> None:
    together = pool([stored(build(part)) for part in (b, c, a)])
    assert statistics(together) == statistics(build([*a, *b, *c]))
    assert stored(together) == stored(build([*c, *b, *a]))


@given(observations, observations)
def test_a_missing_tally_costs_the_unbinned_auroc_and_nothing_else(
    a: list[tuple[float, bool]], b: list[tuple[float, bool]]
) -> None:
    whole = statistics(build([*a, *b]))
    bare = statistics(pool([stored(build(a)) | {"valueTally": None}, stored(build(b))]))
    assert bare["auroc_unbinned"] is None
    for name in whole.keys() - {"auroc_unbinned"}:
        same = bare[name] == whole[name]
        assert same or math.isclose(bare[name], whole[name], abs_tol=1.1e-4), name  # a sum of sums, rounded


@given(observations)
def test_every_statistic_lies_where_it_must(values: list[tuple[float, bool]]) -> None:
    found = statistics(build(values))
    for name in ("accuracy", "ece", "ece_mean_conf", "auroc", "auroc_unbinned", "brier"):
        assert found[name] is None or 0 <= found[name] <= 1
    assert found["observations"] == len(values)
    one_outcome = len({correct for _, correct in values}) < 2
    assert (found["auroc_unbinned"] is None) == one_outcome


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=30))
def test_unbinned_auroc_is_the_share_of_pairs_in_the_right_order(values: list[tuple[float, bool]]) -> None:
    right = [confidence for confidence, correct in values if correct]
    wrong = [confidence for confidence, correct in values if not correct]
    if right and wrong:
        wins = sum((r > w) + (r == w) / 2 for r in right for w in wrong)
        assert statistics(build(values))["auroc_unbinned"] == pytest.approx(wins / len(right) / len(wrong), abs=1e-4)


def test_all_right_at_full_confidence_has_the_floor_of_binned_ece() -> None:
    found = statistics(build([(1.0, True)] * 50))
    assert (found["ece"], found["ece_mean_conf"], found["brier"], found["auroc"]) == (0.05, 0.0, 0.0, None)
    assert (found["degenerate"], found["reliable"]) == (True, False)  # one bin says nothing about the others


def test_confident_and_wrong_is_overconfident() -> None:
    found = statistics(build([(0.95, False)] * 10 + [(0.75, True)] * 5 + [(0.2, True)] * 5))
    assert found["overconfident"] is True and found["reliable"] is False


def test_confidence_that_does_not_tell_right_from_wrong_is_undiscriminating_from_100_on() -> None:
    mix = [(0.55, True), (0.55, False), (0.45, True), (0.45, False), (0.65, True), (0.65, False)]
    assert statistics(build(mix * 16))["undiscriminating"] is False
    assert statistics(build(mix * 17))["undiscriminating"] is True


@pytest.mark.parametrize(
    ("confidence", "place"),
    [(0, 0), (0.1, 1), (0.3, 2), (0.6, 5), (0.7, 6), (0.95, 9), (1, 9), (-0.1, None), (1.5, None)],
)
def test_bins_keep_the_division_artefacts_of_the_published_curves(confidence: float, place: int | None) -> None:
    assert bin_of(confidence) == place


def test_a_confidence_beyond_one_counts_in_brier_and_in_no_bin() -> None:
    curve = build([(95.0, True), (0.5, True)])
    assert sum(curve.total) == 1 and curve.observations == 2
    assert statistics(curve)["brier"] == round((94**2 + 0.25) / 2, 4)


def test_the_tally_is_kept_up_to_256_distinct_values() -> None:
    assert len(stored(build([(n / 255, True) for n in range(256)]))["valueTally"]) == 256
    assert stored(build([(n / 256, True) for n in range(257)]))["valueTally"] is None


def test_wilson_reproduces_the_published_interval() -> None:
    assert wilson(1230, 1230) == (0.9968865863655079, 1.0)
    assert wilson(0, 0) == (None, None)


@pytest.mark.parametrize(
    ("values", "standing"),
    [
        ([], "prior"),
        ([(0.9, True)] * 5 + [(0.5, False)], "partially-measured"),
        ([(0.95, True)] * 80 + [(0.5, False)] * 10 + [(0.15, False)] * 20, "measured"),
        ([(0.95, False)] * 60, "unreliable"),
    ],
)
def test_an_estimate_says_how_far_it_can_be_trusted(values: list[tuple[float, bool]], standing: str) -> None:
    found = pooled([stored(build(values))])
    assert found is not None and found["estimate_confidence"] == standing
    assert sum(item["observations"] for item in found["bins"]) == len(values)


def test_nothing_to_pool_is_nothing() -> None:
    assert pooled([]) is None
