"""Matching: greedy, one to one, the later claim on a tie, and the same pairs at any size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from claimhelp import Model, Vectors, given, golds, judging, one_case, scores_from
from hypothesis import given as property_over
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from idpbench.claims.emitted import Claim
from idpbench.claims.judge.base import JudgeUnavailable, reads_as_aligned
from idpbench.claims.matching.greedy import assign
from idpbench.claims.matching.numbers import NumbersVeto, numbers_in
from idpbench.claims.matching.renderings import qualified, subject_qualified
from idpbench.claims.matching.scores import BLOCK, noise, scores_of
from idpbench.claims.score import score_pass

SHAPES = st.tuples(st.integers(0, 7), st.integers(0, 7))
COARSE = arrays.arrays(np.int32, SHAPES, elements=st.sampled_from([0, 650_000, 700_000, 800_000, 900_000, 1_000_000]))
FINE = arrays.arrays(np.float64, SHAPES, elements=st.floats(0, 1))


def by_full_sort(matrix: Any, floor: float, sure: float | None = None, ask: Any = None, barred: Any = ()) -> Any:
    """The definition: all candidate pairs sorted by (similarity, stated, gold) descending, each taken if free."""
    rows, columns = matrix.shape
    ordered = sorted(((matrix[e, g], e, g) for e in range(rows) for g in range(columns)), reverse=True)
    pairs: list[tuple[int, int]] = []
    for value, emitted, gold in ordered:
        free = all(emitted != e and gold != g for e, g in pairs)
        if value < floor or not free or (emitted, gold) in barred:
            continue
        if ask is None or value >= sure or ask(emitted, gold):
            pairs.append((emitted, gold))
    return pairs


@property_over(COARSE, st.booleans())
def test_the_heap_gives_the_pairs_of_the_full_sort_in_its_order(matrix: Any, by_gold: bool) -> None:
    assert assign(scores_from(matrix), 0.8, by_gold=by_gold) == by_full_sort(matrix, 800_000)


@property_over(FINE, st.floats(0, 1), st.booleans())
def test_the_same_over_given_similarities(matrix: Any, threshold: float, by_gold: bool) -> None:
    assert assign(scores_from(matrix, 1), threshold, by_gold=by_gold) == by_full_sort(matrix, threshold)


@property_over(COARSE, st.booleans(), st.sampled_from([0.5, 0.8, 0.9]), st.data())
def test_a_model_is_asked_in_the_order_of_the_full_sort(
    matrix: Any, by_gold: bool, threshold: float, data: Any
) -> None:
    verdicts = data.draw(arrays.arrays(np.bool_, matrix.shape))
    asked: list[list[tuple[int, int]]] = [[], []]

    def ask(calls: list[tuple[int, int]]) -> Any:
        return lambda emitted, gold: calls.append((emitted, gold)) or bool(verdicts[emitted, gold])

    found = assign(scores_from(matrix), threshold, ask(asked[0]), by_gold=by_gold)
    assert found == by_full_sort(matrix, 650_000, threshold * 1_000_000, ask(asked[1]))
    assert asked[0] == asked[1]


@property_over(COARSE, st.booleans(), st.data())
def test_a_barred_pair_frees_both_sides(matrix: Any, by_gold: bool, data: Any) -> None:
    barred = data.draw(arrays.arrays(np.bool_, matrix.shape))

    class Barred:
        def golds_barred(self, emitted: int) -> Any:
            return barred[emitted]

        def emitted_barred(self, gold: int) -> Any:
            return barred[:, gold]

    pairs = {(int(e), int(g)) for e, g in np.argwhere(barred)}
    expected = by_full_sort(matrix, 700_000, barred=pairs)
    assert assign(scores_from(matrix), 0.7, veto=Barred(), by_gold=by_gold) == expected


@property_over(FINE.filter(lambda matrix: np.unique(matrix).size == matrix.size), st.randoms(use_true_random=False))
def test_without_ties_the_order_of_claims_does_not_matter(matrix: Any, chance: Any) -> None:
    rows, columns = (chance.sample(range(size), size) for size in matrix.shape)
    shuffled = matrix[np.ix_(rows, columns)] if matrix.size else matrix
    found = {(rows[e], columns[g]) for e, g in assign(scores_from(shuffled, 1), 0.3)}
    assert found == set(assign(scores_from(matrix, 1), 0.3))


@pytest.mark.parametrize("kind", ["hub golds", "hub claims", "even", "one value"])
def test_both_kinds_of_lines_give_one_result_on_matrices_of_hundreds(kind: str) -> None:
    chance = np.random.default_rng(5)
    size = (230, 310)
    matrix = np.full(size, 850_000)
    if kind == "hub golds":
        matrix += chance.integers(0, 90_000, (1, size[1])) + chance.integers(0, 3, size)
    elif kind == "hub claims":
        matrix += chance.integers(0, 90_000, (size[0], 1)) + chance.integers(0, 3, size)
    elif kind == "even":
        matrix += chance.integers(-90_000, 90_000, size)
    expected = by_full_sort_quick(matrix, 800_000)
    for by_gold in (False, True, None):
        assert assign(scores_from(matrix), 0.8, by_gold=by_gold) == expected


def by_full_sort_quick(matrix: Any, floor: int) -> list[tuple[int, int]]:
    rows, columns = np.nonzero(matrix >= floor)
    free_rows, free_columns, pairs = set(rows.tolist()), set(columns.tolist()), []
    for index in np.lexsort((columns, rows, matrix[rows, columns]))[::-1]:
        emitted, gold = int(rows[index]), int(columns[index])
        if emitted in free_rows and gold in free_columns:
            free_rows.remove(emitted)
            free_columns.remove(gold)
            pairs.append((emitted, gold))
    return pairs


def test_computed_similarities_are_cosines_clamped_and_rounded_to_millionths() -> None:
    judge = Vectors({"e": (1, 0), "g": (1, 0), "turned": (-1, 0), "half": (1, 1)})
    scores = scores_of([Claim("e", 0.5)], ["g", "turned", "half"], judge)
    assert [scores.at(0, gold) for gold in range(3)] == [1.0, 0.0, 0.707107]


def test_one_text_is_as_alike_to_itself_as_can_be_whatever_its_vector() -> None:
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(300, 384))
    rows *= (1 + chance.uniform(-9e-4, 9e-4, size=(300, 1))) / np.linalg.norm(rows, axis=1, keepdims=True)

    class Inexact:
        id = "inexact"

        def embed(self, texts: Any) -> Any:
            return np.array([rows[int(text)] for text in texts], dtype=np.float32)

    names = [str(index) for index in range(300)]
    scores = scores_of([Claim(name, 1) for name in names], names, Inexact())
    assert {scores.at(index, index) for index in range(300)} == {1.0}


def test_more_claims_than_a_block_are_compared_as_one() -> None:
    chance = np.random.default_rng(0)
    claims, texts = [f"e{n}" for n in range(BLOCK + 70)], [f"g{n}" for n in range(9)]
    judge = Vectors({text: chance.normal(size=8) for text in claims + texts + [f"S: {text}" for text in claims]})
    scores = scores_of([Claim(text, 0.5, ("S",) if n % 2 else ()) for n, text in enumerate(claims)], texts, judge)
    for emitted in (0, 1, BLOCK - 1, BLOCK, BLOCK + 69):
        for gold in (0, 7, 8):
            bare, second = (
                max(0.0, float(judge.embed([text])[0] @ judge.embed([texts[gold]])[0]))
                for text in (claims[emitted], f"S: {claims[emitted]}")
            )
            wins = emitted % 2 == 1 and round(second, 6) > round(bare, 6)
            assert scores.at(emitted, gold) == pytest.approx(second if wins else bare, abs=1e-6)
            assert scores.rendering(emitted, gold) == (f"S: {claims[emitted]}" if wins else claims[emitted])


@pytest.mark.parametrize("vectors", [np.zeros((1, 3)), np.full((1, 3), np.nan), np.ones((2, 3)), np.ones(3)])
def test_a_judge_without_a_usable_vector_is_an_error_never_a_similarity_of_zero(vectors: Any) -> None:
    class Broken:
        id = "broken"

        def embed(self, texts: Any) -> Any:
            return vectors

    suite, emissions = one_case(golds("g"), [Claim("e", 0.9)])
    with pytest.raises(JudgeUnavailable, match="broken: found") as caught:
        score_pass(suite, emissions, judging(Broken()))
    assert caught.value.exit_code == 3


def test_nothing_is_embedded_where_there_is_nothing_to_compare() -> None:
    judge = Vectors({})
    assert assign(scores_of([], ["g"], judge), 0.8) == assign(scores_of([Claim("e", 1)], [], judge), 0.8) == []
    assert judge.asked == []


def test_a_subject_named_twice_stands_twice_and_order_is_kept() -> None:
    assert subject_qualified("won", ["Acme", " Beta ", "Acme"]) == "Acme, Beta, Acme: won"


def test_a_subject_counts_as_named_wherever_its_letters_occur() -> None:
    assert subject_qualified("The category grew.", ["GO", "Acme"]) == "Acme: The category grew."
    assert subject_qualified("x", ["Q42", "q42", "Q42a", "Q"]) == "q42, Q42a, Q: x"


def test_no_second_rendering_without_subject_awareness_or_absent_subjects() -> None:
    claim = Claim("Costs rose.", 0.9, ("Acme",))
    assert qualified(claim, True) == "Acme: Costs rose."
    assert qualified(claim, False) is None
    assert qualified(Claim("Acme costs rose.", 0.9, ("acme",)), True) is None


def test_a_threshold_below_the_band_has_no_effect_below_it_with_a_model() -> None:
    judge = given(("e1", "g1", 0.64), ("e2", "g2", 0.66))
    suite, emissions = one_case(golds("g1", "g2"), [Claim("e1", 1), Claim("e2", 1)])
    model = Model(lambda *_: False)
    score = score_pass(suite, emissions, judging(judge, asked=model, threshold=0.5))
    assert score.cases[0].outcomes == ("spurious", "matched")
    assert model.calls == []
    without = score_pass(suite, emissions, judging(judge, threshold=0.5))
    assert without.cases[0].outcomes == ("matched", "matched")


def test_a_failed_call_rejects_its_pair_and_is_noted_and_no_model_at_all_ends_the_run() -> None:
    def failing(rendering: str, gold: str) -> bool:
        raise ConnectionError("reset")

    suite, emissions = one_case(golds("g"), [Claim("e", 1)])
    judge = given(("e", "g", 0.7))
    score = score_pass(suite, emissions, judging(judge, asked=Model(failing)))
    assert score.cases[0].outcomes == ("spurious",)
    assert score.judge_failures == 1
    assert score.notes == ("calls of the judge that failed, each rejecting its pair: 1",)

    def absent(rendering: str, gold: str) -> bool:
        raise JudgeUnavailable("no key")

    with pytest.raises(JudgeUnavailable):
        score_pass(suite, emissions, judging(judge, asked=Model(absent)))


@pytest.mark.parametrize(
    ("reply", "accepts"),
    [("aligned", True), (" Aligned.", True), ("ALIGNED: same fact", True), ("not aligned", False), ("", False),
     ("yes", False), ("misaligned", False), ("\naligned", True)],
)  # fmt: skip
def test_a_reply_accepts_if_it_starts_with_aligned(reply: str, accepts: bool) -> None:
    assert reads_as_aligned(reply) == accepts


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Costs were $940,000 in 2025.", ("2025", "940000")),
        ("1,200 and 1200.0 and twelve hundred", ("1200", "1200", "1200")),
        ("five per cent, 5%, 5 percent, 5 %", ("5%", "5%", "5%", "5%")),
        ("twenty-five thousand and three", ("25003",)),
        ("two hundred and five thousand", ("205000",)),
        ("one, two", ("1", "2")),
        ("nineteen eighty", ("19", "80")),
        ("$1.2 million and 3 hundred", ("1200000", "300")),
        ("on 1990-12-31, paper A4, 05", ("12", "1990", "31", "4", "5")),
        ("0.50 and .5 and 10", ("0.5", "0.5", "10")),
        ("from 1,200, to 940,000, or 1,2,3", ("1", "1200", "2", "3", "940000")),
        ("doi 10.5555/awe.2021.0372", ("10.5555", "2021.0372")),
        ("someone, a tenant, often", ()),
        ("100", ("100",)),
    ],
)
def test_numbers_of_a_text_are_spelt_one_way(text: str, numbers: tuple[str, ...]) -> None:
    assert numbers_in(text) == numbers


@property_over(st.text(alphabet="0123456789,.% -onetwhudrampilc", max_size=40))
def test_any_text_has_sorted_numbers(text: str) -> None:
    found = numbers_in(text)
    assert list(found) == sorted(found)


def test_numbers_bar_a_pair_only_if_no_rendering_has_those_of_the_gold() -> None:
    judge = Vectors(dict.fromkeys(("rose by 5", "Plan 2025: rose by 5", "rose by 5 in 2025", "rose by 6"), (1.0, 0.0)))
    scores = scores_of([Claim("rose by 5", 1, ("Plan 2025",))], ["rose by 5 in 2025", "rose by 5", "rose by 6"], judge)
    veto = NumbersVeto(scores)
    assert veto.golds_barred(0).tolist() == [False, False, True]
    assert [bool(veto.emitted_barred(gold)[0]) for gold in range(3)] == [False, False, True]


@settings(max_examples=30)
@property_over(st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=3))
def test_noise_counts_the_alike_pairs_within_a_case(cases: list[list[str]]) -> None:
    judge = Vectors({"a": (1, 0), "b": (1, 0.5), "c": (0, 1)})  # a and b are alike (0.894), c is like neither
    pairs = [(x, y) for case in cases for n, x in enumerate(case) for y in case[n + 1 :]]
    alike = [pair for pair in pairs if pair[0] == pair[1] or set(pair) == {"a", "b"}]
    assert noise(cases, judge, 0.65) == (len(alike), len(pairs))
