"""Calibration: every refusal, order that does not matter, and which recorded runs may check a fit."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from claimhelp import given, golds, judging, one_case
from hypothesis import given as property_over
from hypothesis import settings
from hypothesis import strategies as st

from idpbench.claims.calibrate.fit import Calibration, enough, fit
from idpbench.claims.calibrate.heldout import Wanted, choose, select
from idpbench.claims.calibrate.isotonic import apply_isotonic, fit_isotonic
from idpbench.claims.calibrate.record import applies, calibration_of, record_document, refusal_text
from idpbench.claims.calibrate.temperature import apply_temperature, fit_temperature, on_bound, separable
from idpbench.claims.emitted import Claim
from idpbench.claims.pages.terminal import fit_text
from idpbench.claims.report import result_document
from idpbench.claims.score import score_pass
from idpbench.files.canonical import write_json
from idpbench.files.errors import Refusal
from idpbench.files.tables import MISSING

OVERCONFIDENT = [
    (0.95, True), (0.9, False), (0.92, True), (0.85, True), (0.8, False),
    (0.99, True), (0.7, False), (0.6, True), (0.75, True), (0.9, False),
]  # fmt: skip
PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=25)


def test_a_sound_fit_is_kept() -> None:
    found = fit(OVERCONFIDENT, [(0.9, True), (0.95, False), (0.9, False)])
    assert found.persistable
    assert found.ece_after < found.ece_before


@pytest.mark.parametrize(
    ("pairs", "refusals"),
    [
        ([(0.6, True), (0.7, True), (0.2, True)], {"degenerate labels"}),
        ([(0.6, True), (0.7, True), (0.8, True)], {"degenerate labels", "separable labels"}),
        ([(0.8, True)] * 4 + [(0.8, False)] * 2, {"predictor degeneracy"}),
        ([(1.0, True), (0.0, False)], {"no fittable pairs", "non-improving fit"}),
        ([(0.9, False), (0.8, False), (0.7, False), (0.9, True)], {"fit landed on the optimizer bound"}),
        ([(1.0, False)] * 20 + [(0.9, True), (0.7, False), (0.6, True), (0.8, True)], {"non-improving fit"}),
        ([(0.5, True), (0.5, False)], {"predictor degeneracy", "separable labels"}),
    ],
)
def test_each_refusal_is_named(pairs: Any, refusals: set[str]) -> None:
    assert refusals <= set(fit(pairs).refusals)


def test_labels_that_a_threshold_separates_have_no_finite_optimum_and_are_refused() -> None:
    pairs = [(confidence, confidence > 0.5) for confidence in (0.6, 0.65, 0.7, 0.55, 0.8, 0.4, 0.3)]
    assert not on_bound(fit_temperature(pairs))
    assert fit(pairs, mode="reference").persistable
    assert fit(pairs).refusals == ("separable labels",)
    assert fit([*pairs, (0.45, True)]).refusals == ()


def test_a_saturated_pair_on_the_wrong_side_does_not_hide_it() -> None:
    assert separable([(0.6, True), (0.4, False), (1.0, False)])
    assert not separable([(1.0, True), (0.0, False)])
    assert not separable([])


@pytest.mark.parametrize(
    ("heldout", "refusals"),
    [
        (None, ()),
        ([], ("no held-out check",)),
        ([(0.9, True), (0.95, True), (0.9, True)], ("held-out regression",)),
        ([(1.0, True), (0.0, True)], ()),  # a map that moves nothing of it leaves the error as it was: allowed
    ],
)
def test_held_out_claims_refuse_only_a_fit_that_makes_them_worse(heldout: Any, refusals: tuple[str, ...]) -> None:
    assert fit(OVERCONFIDENT, heldout).refusals == refusals


def test_a_fit_that_changes_nothing_is_not_an_improvement() -> None:
    assert "non-improving fit" in fit([(1.0, True), (1.0, True)]).refusals
    assert "non-improving fit" in fit([]).refusals


def test_fewer_than_two_claims_are_not_fitted() -> None:
    with pytest.raises(Refusal, match=r"calibrate x: found 1 stated claims") as caught:
        enough([(0.5, True)], "x")
    assert caught.value.exit_code == 1
    enough([(0.5, True)] * 2, "x")


def test_the_guards_of_calibration_bin_as_everything_else_does() -> None:
    pairs = [(0.6, False), (0.6, False), (0.6, True), (0.62, True)]
    assert fit(pairs).ece_before == pytest.approx(0.105)
    assert fit(pairs, mode="reference").ece_before == pytest.approx(0.38 / 4)


@settings(deadline=None, max_examples=40)
@property_over(PAIRS, st.sampled_from(["temperature", "isotonic"]), st.randoms(use_true_random=False))
def test_the_order_of_claims_changes_no_fit(pairs: Any, method: Any, chance: Any) -> None:
    assert fit(chance.sample(pairs, len(pairs)), method=method) == fit(pairs, method=method)


@settings(deadline=None, max_examples=40)
@property_over(PAIRS, st.sampled_from(["temperature", "isotonic"]), st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_a_map_is_monotone_and_gives_shares(pairs: Any, method: Any, probes: list[float]) -> None:
    found = fit(pairs, method=method, min_block=2).calibration
    moved = [found.apply(probe) for probe in sorted(probes)]
    assert all(0 <= value <= 1 for value in moved)
    assert all(low <= high + 1e-12 for low, high in itertools.pairwise(moved))


@property_over(st.floats(0.01, 10))
def test_certainty_stays_certain_at_any_temperature(temperature: float) -> None:
    assert apply_temperature(0.0, temperature) == 0.0
    assert apply_temperature(1.0, temperature) == 1.0
    assert apply_temperature(0.5, temperature) == 0.5


def test_equal_confidences_are_pooled_before_anything_else() -> None:
    wrong_first = [(0.8, False)] * 10 + [(0.8, True)] * 10
    assert fit_isotonic(wrong_first) == fit_isotonic(wrong_first[::-1]) == ((0.8, 0.5),)
    assert len(fit_isotonic(wrong_first, mode="reference")) == 2


def test_small_blocks_join_their_smaller_neighbour_the_first_one_first_and_the_left_of_equals() -> None:
    def block(place: float, right: int, count: int) -> list[tuple[float, bool]]:
        return [(place, index < right) for index in range(count)]

    pairs = block(0.1, 0, 10) + block(0.5, 1, 2) + block(0.9, 10, 10)
    assert [round(place, 6) for place, _ in fit_isotonic(pairs)] == [round(2 / 12, 6), 0.9]
    pairs = block(0.1, 0, 11) + block(0.5, 1, 2) + block(0.9, 10, 10)
    assert [round(place, 6) for place, _ in fit_isotonic(pairs)] == [0.1, round(10 / 12, 6)]
    pairs = block(0.1, 0, 1) + block(0.3, 1, 2) + block(0.9, 10, 10)
    assert len(fit_isotonic(pairs)) == 1


def test_an_isotonic_map_is_flat_outside_and_linear_between_its_points() -> None:
    points = ((0.2, 0.1), (0.6, 0.5))
    assert [apply_isotonic(place, points) for place in (0.0, 0.2, 0.4, 0.6, 1.0)] == pytest.approx(
        [0.1, 0.1, 0.3, 0.5, 0.5]
    )
    assert apply_isotonic(0.4, ()) == 0.4


def saved(**changes: Any) -> dict[str, Any]:
    """A saved pass of ours with one matched and one spurious claim."""
    suite, emissions = one_case(golds("g"), [Claim("e", 0.9), Claim("f", 0.7)])
    how = judging(given(("e", "g", 0.9)))
    document = result_document(suite, emissions, score_pass(suite, emissions, how), how, generated_at="2026-01-01")
    return {**document, **changes}


WANTED = Wanted("x", "1", "none", frozenset({"cal"}), judge_id="given", threshold=0.8)


def test_a_saved_run_of_the_same_extractor_counts() -> None:
    chosen = choose([("a.json", saved())], WANTED)
    assert chosen.pairs == ((0.9, True), (0.7, False))
    assert (chosen.suites, chosen.warnings) == (("s",), ())


@pytest.mark.parametrize(
    "changes",
    [{"extractor_id": "y"}, {"extractor_version": "2"}, {"provider_model": "p:other"}, {"suite_id": "cal"},
     {"per_case": []}, {"schema": "idpbench/other/1"}],
)  # fmt: skip
def test_a_run_of_something_else_or_without_claims_is_passed_over(changes: dict[str, Any]) -> None:
    chosen = choose([("a.json", saved(**changes))], WANTED)
    assert (chosen.runs, chosen.warnings) == ((), ())


@pytest.mark.parametrize("judge", [{"id": "other", "threshold": 0.8}, {"id": "given", "threshold": 0.7}])
def test_a_run_under_another_judge_or_threshold_is_left_out_with_a_warning(judge: dict[str, Any]) -> None:
    chosen = choose([("a.json", saved(judge=judge))], WANTED)
    assert chosen.runs == ()
    assert "a.json: found judge" in chosen.warnings[0]
    lax = Wanted("x", "1", "none", frozenset(), mode="reference")
    assert len(choose([("a.json", saved(judge=judge))], lax).runs) == 1


def test_a_run_whose_judge_failed_at_times_has_wrong_labels_and_is_left_out_with_a_warning() -> None:
    chosen = choose([("a.json", saved(judge_failures=2)), ("b.json", saved(judge_failures=0))], WANTED)
    assert len(chosen.runs) == 1
    assert "a.json: found 2 failed replies of its judge" in chosen.warnings[0]


def test_no_kept_pass_is_no_error_of_zero() -> None:
    seen = fit(OVERCONFIDENT, [])
    line = next(line for line in fit_text(seen, []).splitlines() if line.startswith("no kept pass"))
    assert line.split()[-3:] == ["0", MISSING, MISSING]
    assert refusal_text(seen, "x").endswith("no held-out check; run `claims bench x` first")


@pytest.mark.parametrize(
    "changes",
    [{"per_case": None}, {"judge_failures": "some"},
     {"per_case": [{}]}, {"judge": None}, {"per_case": [{"emitted_claims": [{"confidence": 1}]}]},
     {"per_case": [{"emitted_claims": [{"confidence": 2, "outcome": "matched"}]}]},
     {"per_case": [{"emitted_claims": [None]}]}],
)  # fmt: skip
def test_a_damaged_run_is_left_out_with_a_warning(changes: dict[str, Any]) -> None:
    chosen = choose([("a.json", saved(**changes)), ("b.json", saved())], WANTED)
    assert len(chosen.runs) == 1
    assert len(chosen.warnings) == 1


def test_runs_are_found_in_their_folder_and_an_unreadable_one_stops_nothing(tmp_path: Path) -> None:
    write_json(tmp_path / "20260101T000000Z-benchmark-x-s.json", saved())
    write_json(tmp_path / "20260101T000000Z-benchmark-x-s-2.json", saved())
    write_json(tmp_path / "20260101T000000Z-benchmark-y-s.json", saved())
    (tmp_path / "20260102T000000Z-benchmark-x-s.json").write_text("{")
    found = select(tmp_path, WANTED)
    assert (len(found.runs), len(found.warnings)) == (2, 1)
    assert select(tmp_path / "gone", WANTED).runs == ()


def record(method: Any = "temperature") -> dict[str, Any]:
    return record_document(
        fit(OVERCONFIDENT, [(0.9, False)], method, 5),
        extractor_id="x", extractor_version="1", provider_model="none", suites=["a", "b"], heldout_suites=["s"],
        label_judge="given", label_threshold=0.8, runs=2, fitted_at="2026-01-01T00:00:00Z", mode="default",
    )  # fmt: skip


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_a_stored_record_gives_the_map_back(method: Any) -> None:
    kept = record(method)
    made = fit(OVERCONFIDENT, method=method, min_block=5).calibration
    assert calibration_of(kept) == made
    assert (kept["benchmark_suite_id"], kept["heldout_size"]) == ("a+b", 1)
    assert Calibration("temperature").apply(0.7) == pytest.approx(0.7)


def test_a_record_applies_to_its_extractor_version_and_model_alone() -> None:
    kept = record()
    assert applies(kept, "x", "1", "none")
    for other in (("y", "1", "none"), ("x", "2", "none"), ("x", "1", "p:m")):
        assert not applies(kept, *other)


def test_a_refused_fit_has_no_record() -> None:
    with pytest.raises(Refusal, match="not stored: degenerate labels; separable labels") as caught:
        record_document(
            fit([(0.6, True), (0.7, True)]),
            extractor_id="x", extractor_version="1", provider_model="none", suites=["a"], heldout_suites=[],
            label_judge="given", label_threshold=0.8, runs=1, fitted_at="", mode="default",
        )  # fmt: skip
    assert caught.value.exit_code == 1
