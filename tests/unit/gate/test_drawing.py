"""Draws are added up document by document or several documents at once: the sums are the same."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.gate.paired.drawing import Accumulator, DrawCache, add_all
from idpbench.gate.paired.relabel import Draws
from idpbench.gate.paired.strata import Stratum

COUNT = 500
VALUES = st.lists(st.floats(0.01, 10.0), min_size=1, max_size=4)


@st.composite
def documents(draw):
    made = []
    for number in range(draw(st.integers(1, 8))):
        base, new = draw(VALUES), draw(VALUES)
        stratum = Stratum(f"a|d{number}", base, new)
        if stratum.live:
            made.append(stratum)
    return made


@settings(max_examples=40, deadline=None)
@given(documents(), st.booleans())
def test_looked_up_together_or_one_by_one_the_sums_are_the_same(strata, bill):
    one_by_one, together, half = (Accumulator(COUNT, bill) for _ in range(3))
    cache = DrawCache(COUNT)
    for stratum in strata:
        one_by_one.add(stratum, cache)
    parts = []
    for place, stratum in enumerate(strata):
        parts.append((together, stratum))
        if place % 2:
            parts.append((half, stratum))
    add_all(parts, DrawCache(COUNT))
    for expected, found in zip(one_by_one._orders(), together._orders(), strict=True):
        assert np.allclose(expected, found, rtol=0, atol=1e-12)
    other = Accumulator(COUNT, bill)
    for stratum in strata[1::2]:
        other.add(stratum, cache)
    assert np.allclose(other._orders()[0], half._orders()[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(6, 3), (5, 2), (18, 9), (20, 10)])
def test_draws_are_places_in_the_table_of_relabellings_the_same_for_the_runs_left_over(n, k):
    first, other = Draws("a|x", n, k, COUNT).indices, Draws("a|x", n, n - k, COUNT).indices
    assert (first == other).all()
    assert first.min() >= 0 and first.max() < comb(n, k)
    assert k != 3 or len(np.unique(first)) == comb(n, k), "every one of twenty relabellings is drawn"
