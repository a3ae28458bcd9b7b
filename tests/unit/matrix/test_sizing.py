"""Windows, shards and page images: the arithmetic of the benchmarking guide."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.matrix import sizing
from idpbench.matrix.feasibility import page_tokens, pages_per_request, simple_ceiling
from idpbench.settings.model import Settings


def test_a_letter_page_costs_its_area() -> None:
    assert sizing.page_image_tokens(2550, 3300) == 11_220
    assert sizing.page_image_tokens(1275, 1650) == 2_805


def test_a_cap_bounds_the_cost_of_a_page() -> None:
    assert sizing.page_image_tokens(2550, 3301, cap=4770) == 4770
    assert sizing.page_image_tokens(1275, 1650, cap=4770) == 2805


@pytest.mark.parametrize(("window", "usable"), [(200_000, 140_000), (1_000_000, 700_000), (1_050_000, 735_000)])
def test_thirty_percent_of_a_window_stay_free(window: int, usable: int) -> None:
    assert sizing.usable_window(window, 0.30) == usable
    assert sizing.fits(usable, window, 0.30)
    assert not sizing.fits(usable + 1, window, 0.30)


@pytest.mark.parametrize(("window", "budget"), [(200_000, 18_400), (1_000_000, 578_400), (100_000, 2_000)])
def test_shard_budgets_are_the_published_ones(window: int, budget: int) -> None:
    assert sizing.shard_budget(window) == budget


def test_the_ceiling_of_simple_mode_is_a_number_of_pages(settings: Settings) -> None:
    assert page_tokens(settings.models["sonnet5"], 300) == 12_000
    assert simple_ceiling(settings.models["sonnet5"]) == 11
    assert simple_ceiling(settings.models["astra"]) == 61
    assert simple_ceiling(settings.models["sonnet5"], dpi=150) > 3 * 11


def test_every_simple_document_of_the_guide_falls_on_its_side(settings: Settings) -> None:
    """3 and 9 pages fit the smaller window, 17 and 26 only the larger, 66 neither."""
    sonnet, astra = (simple_ceiling(settings.models[name]) for name in ("sonnet5", "astra"))
    assert 9 <= sonnet < 17
    assert 26 <= astra < 66


@pytest.mark.parametrize(
    ("splitting", "prompt", "expected"),
    [
        ("disabled", "current", 6),
        ("page", "current", 1),
        ("llm_determined", "current", 3),
        ("llm_determined", "legacy", 1),
    ],
)
def test_a_request_holds_a_section(splitting: str, prompt: str, expected: int) -> None:
    assert (
        pages_per_request({"section_splitting": splitting, "boundary_prompt": prompt}, pages=6, sections=2) == expected
    )


def test_25_pages_of_text_fit_one_wide_shard() -> None:
    budget = sizing.shard_budget(200_000)
    assert len(sizing.shards([600] * 25, budget, 25)) == 1
    assert [len(shard) for shard in sizing.shards([600] * 12, budget, 5)] == [5, 5, 2]


@given(st.lists(st.integers(0, 3000), max_size=60), st.integers(1, 5000), st.integers(1, 30))
def test_shards_hold_every_page_once_and_keep_both_limits(pages: list[int], budget: int, most: int) -> None:
    shards = sizing.shards(pages, budget, most)
    assert [page for shard in shards for page in shard] == list(range(len(pages)))
    for shard in shards:
        assert 1 <= len(shard) <= most
        assert len(shard) == 1 or sum(pages[page] for page in shard) <= budget
    for left, right in pairwise(shards):
        together = sum(pages[page] for page in left) + pages[right[0]]
        assert len(left) == most or together > budget, "no shard ends early"
