"""The words of a study, from the gate's effect and interval."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import line, publish_side, repeats, sides

from idpbench.report.contrast import NO, PER_CORRECT, UNDECIDED, YES, Contrast, arm, contrast, judge

NONE_ABOVE = "no effect above 0.02"


def found(effect: float | None, low: float | None, high: float | None, **more: object) -> Contrast:
    content = {
        "metric": "cell_accuracy", "base": 0.5, "new": 0.5, "effect": effect, "low": low, "high": high, "exact": False,
        "p": 0.01, "documents": 2, "runs": (6, 6), "failed": (0, 0), **more,
    }  # fmt: skip
    return Contrast(**content)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("effect", "low", "high", "word"),
    [
        (0.10, 0.05, 0.15, YES),
        (0.10, -0.05, 0.25, UNDECIDED),
        (-0.10, -0.15, -0.05, NO),
        (-0.10, -0.30, 0.01, NO),
        (0.00, -0.01, 0.01, NONE_ABOVE),
        (0.01, 0.005, 0.015, NONE_ABOVE),
        (0.01, 0.005, 0.03, UNDECIDED),
        (0.10, None, None, UNDECIDED),
        (None, None, None, UNDECIDED),
    ],
)
def test_each_word_has_its_interval(effect: float | None, low: float | None, high: float | None, word: str) -> None:
    assert judge(found(effect, low, high), "higher", 0.02) == word


def test_what_relabelling_gives_as_often_is_not_said() -> None:
    assert judge(found(0.10, 0.05, 0.15, p=0.2), "higher", 0.02) == UNDECIDED
    assert judge(found(0.5, None, None, exact=True, p=1 / 6), "higher", 0.02) == UNDECIDED
    assert judge(found(-0.5, None, None, exact=True, p=1 / 6), "higher", 0.02) == UNDECIDED


def test_repeats_that_do_not_differ_are_their_own_interval() -> None:
    assert judge(found(0.5, None, None, exact=True, p=0.05), "higher", 0.02) == YES
    assert judge(found(0.0, None, None, exact=True, p=1.0), "higher", 0.02) == NONE_ABOVE


def test_money_is_judged_on_the_scale_of_ratios() -> None:
    cheaper = found(-0.5, -0.52, -0.48, metric="cost")
    assert judge(cheaper, "lower", 0.5) == YES
    assert judge(found(1.0, 0.9, 1.1, metric="cost"), "higher", 1.0) == YES


numbers = st.floats(-0.9, 0.9)


@given(numbers, st.floats(0, 0.5), st.sampled_from([0.01, 0.05, 0.2]), st.floats(0, 1))
def test_exchanging_the_arms_and_the_direction_asked_changes_no_word(
    effect: float, half: float, least: float, p: float
) -> None:
    one = judge(found(effect, effect - half, effect + half, p=p), "higher", least)
    other = judge(found(-effect, -effect - half, -effect + half, p=p), "lower", least)
    assert one == other


@given(numbers, st.floats(0.001, 0.5), st.sampled_from([0.01, 0.05, 0.2]))
def test_no_effect_is_never_asked_away(effect: float, half: float, least: float) -> None:
    """`no effect above X` does not depend on the direction; yes in one direction is no in the other."""
    seen = found(effect, effect - half, effect + half)
    words = judge(seen, "higher", least), judge(seen, "lower", least)
    assert words[0].startswith("no effect") == words[1].startswith("no effect")
    if YES in words:
        assert set(words) == {YES, NO}


def test_two_arms_of_one_side_are_held_against_each_other(tmp_path: Path) -> None:
    results = tmp_path / "local"
    rows = [
        *repeats(3, "force-off", "tiny_form", cell_accuracy=0.5, cost=[0.1, 0.11, 0.1], correct_fields=10),
        *repeats(3, "force-on", "tiny_form", cell_accuracy=0.9, cost=[0.2, 0.21, 0.2], correct_fields=20),
    ]
    publish_side(results, "0.6.9", "forcing", rows)
    item = sides(results)[0]
    seen = contrast(arm(item, "force-off"), arm(item, "force-on"), "cell_accuracy")
    assert (round(seen.effect or 0, 6), seen.exact, seen.p, seen.runs) == (0.4, True, 0.05, (3, 3))
    each = contrast(arm(item, "force-off"), arm(item, "force-on"), PER_CORRECT)
    assert each.base == pytest.approx(0.31 / 30) and each.new == pytest.approx(0.61 / 60)


def test_arms_that_differ_in_two_axes_have_no_effect_and_say_why(tmp_path: Path) -> None:
    results = tmp_path / "local"
    rows = [
        *repeats(3, "force-off", "tiny_form"),
        *repeats(3, "force-on", "tiny_form", axes={"ocr": "bda"}, cell_accuracy=0.5),
    ]
    publish_side(results, "0.6.9", "forcing", rows)
    item = sides(results)[0]
    seen = contrast(arm(item, "force-off"), arm(item, "force-on"), "cell_accuracy")
    assert seen.effect is None and "configuration differs" in seen.reason
    assert contrast(arm(item, "force-off"), arm(item, "force-on"), "cell_accuracy", free=True).effect == -0.5


def test_one_run_an_arm_has_no_interval(tmp_path: Path) -> None:
    results = tmp_path / "local"
    publish_side(results, "0.6.9", "forcing", [line("force-off", "tiny_form"), line("force-on", "tiny_form")])
    item = sides(results)[0]
    seen = contrast(arm(item, "force-off"), arm(item, "force-on"), "cell_accuracy")
    assert seen.interval is None and judge(seen, "higher", 0.02) == UNDECIDED
    assert contrast(arm(item, "force-off"), arm(item, "absent"), "cell_accuracy").reason == "an arm has no run"
