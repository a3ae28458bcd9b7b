"""Who owns an address: the first pair with suite corefast, no overrides, series a; everybody else writes aside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.report.ownership import Claims, Pair, decide, promotion, side_address, version_key

PAIR = Pair("0.6.9", "0.6.8")
OTHER = "0.6.9-0.6.7-corefast"


def test_the_first_pair_owns_the_release_page_and_both_sides() -> None:
    found = decide(PAIR, Claims())
    assert found.owner
    assert (found.page, found.assets) == ("releases/v0.6.9.md", "releases/v0.6.9")
    assert (found.new, found.base) == ("v0.6.9/corefast", "v0.6.8/corefast")
    assert found.write_new
    assert found.write_base


def test_an_owner_stays_the_owner() -> None:
    assert decide(PAIR, Claims(page=PAIR.name, new=PAIR.name, base=PAIR.name)) == decide(PAIR, Claims())


@pytest.mark.parametrize(
    ("pair", "name"),
    [
        (Pair("0.6.9", "0.6.7"), "0.6.9-0.6.7-corefast"),
        (Pair("0.6.9", "0.6.8", suite="smoke"), "0.6.9-0.6.8-smoke"),
        (Pair("0.6.9", "0.6.8", slug="extraction_model=sonnet5"), "0.6.9-0.6.8-corefast__extraction_model=sonnet5"),
        (Pair("0.6.9", "0.6.9", series="b"), "0.6.9-0.6.9-corefast~b"),
        (Pair("0.6.9", "0.6.8", suite="cost", slug="ocr=bda", series="c"), "0.6.9-0.6.8-cost__ocr=bda~c"),
    ],
)
def test_every_other_combination_writes_below_other(pair: Pair, name: str) -> None:
    found = decide(pair, Claims(page=PAIR.name, new=PAIR.name, base=PAIR.name))
    assert not found.owner
    assert found.page == f"releases/other/{name}/README.md"
    assert found.assets == f"releases/other/{name}"
    assert found.new == f"releases/other/{name}/{pair.new_side}"
    assert found.base == f"releases/other/{name}/{pair.base_side}"
    assert found.write_new
    assert found.write_base


def test_another_pair_only_links_a_side_that_holds_the_same_evidence() -> None:
    found = decide(Pair("0.6.9", "0.6.7"), Claims(page=PAIR.name, new=PAIR.name, new_same=True))
    assert (found.new, found.write_new) == ("v0.6.9/corefast", False)
    assert (found.base, found.write_base) == (f"releases/other/{OTHER}/v0.6.7/corefast", True)


@pytest.mark.parametrize(
    ("same", "expected"), [(True, "v0.6.8/corefast"), (False, f"releases/other/{PAIR.name}/v0.6.8/corefast")]
)
def test_an_owner_never_writes_the_side_of_the_pair_before_it(same: bool, expected: str) -> None:
    found = decide(PAIR, Claims(base="0.6.8-0.6.7-corefast", base_same=same))
    assert found.owner
    assert found.base == expected
    assert found.write_base is not same


def test_series_and_overrides_are_part_of_a_side_s_address() -> None:
    assert side_address("0.6.9", "corefast", "ocr=bda", "b") == "v0.6.9/corefast__ocr=bda~b"
    assert Pair("0.6.9", "0.6.9", series="b").base_side == "v0.6.9/corefast"


@pytest.mark.parametrize(
    ("owner", "partial", "verdict", "promoted"),
    [
        (True, False, "pass", True),
        (True, False, "regression", True),
        (True, False, "incomplete", True),
        (False, False, "pass", False),
        (True, True, "pass", False),
        (True, False, "incomparable", False),
    ],
)
def test_promotion_needs_the_address_a_whole_prev_side_and_comparable_sides(
    owner: bool, partial: bool, verdict: str, promoted: bool
) -> None:
    decided, reason = promotion(owner=owner, base_partial=partial, verdict=verdict)
    assert decided is promoted
    assert reason


def test_versions_sort_as_versions() -> None:
    names = ["0.10.0", "0.6.9", "0.6.10", "0.6.9-rc.1", "1.0.0"]
    assert sorted(names, key=version_key) == ["0.6.9-rc.1", "0.6.9", "0.6.10", "0.10.0", "1.0.0"]


@given(
    page=st.sampled_from([None, PAIR.name, OTHER]),
    new=st.sampled_from([None, PAIR.name, OTHER]),
    base=st.sampled_from([None, PAIR.name, OTHER]),
    same=st.booleans(),
    suite=st.sampled_from(["corefast", "smoke"]),
)
def test_nobody_writes_what_another_pair_claimed(
    page: str | None, new: str | None, base: str | None, same: bool, suite: str
) -> None:
    pair = Pair("0.6.9", "0.6.8", suite=suite)
    found = decide(pair, Claims(page, new, base, same, same))
    aside = f"releases/other/{pair.name}/"
    if page == OTHER or suite != "corefast":
        assert found.page.startswith(aside)
    for address, write, claimed in ((found.new, found.write_new, new), (found.base, found.write_base, base)):
        if write and claimed == OTHER:
            assert address.startswith(aside)
