"""Whatever the source is, an extractor gives claims in form or a ValueError, in bounded time, and the same again."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.claims.emitted import Claim
from idpbench.claims.extractors.base import Extractor
from idpbench.claims.extractors.registry import OWN
from idpbench.claims.suite.fixtures import fixture_ids, load_fixture

FIXTURES = Path(__file__).resolve().parents[3] / "corpus" / "claims" / "fixtures"
SOURCES = [load_fixture(FIXTURES, name).data.decode("utf-8") for name in fixture_ids(FIXTURES)]
every = pytest.mark.parametrize("extractor", [make() for make in OWN], ids=lambda extractor: extractor.extractor_id)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["title", "name", "value", "unit", "from", "to", "note", "text", "b c"]), inner
        )
    ),
    max_leaves=20,
)


def claims(extractor: Extractor, text: str) -> list[Claim] | None:
    try:
        return extractor.extract(text.encode("utf-8", errors="surrogatepass"), None)
    except ValueError:
        return None


def in_form(found: list[Claim] | None) -> bool:
    return found is None or all(
        claim.content.strip() and 0 < claim.confidence <= 1 and all(name.strip() for name in claim.subjects)
        for claim in found
    )


@every
@settings(max_examples=25, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text(extractor: Extractor, text: str) -> None:
    assert in_form(claims(extractor, text))


@every
@settings(max_examples=20, deadline=None)
@given(source=st.sampled_from(SOURCES), cut=st.integers(0, 2000), more=st.text(max_size=10))
def test_any_source_of_another_kind_or_cut_short(extractor: Extractor, source: str, cut: int, more: str) -> None:
    text = source[:cut] + more + source[cut + 5 :]
    first = claims(extractor, text)
    assert in_form(first)
    assert claims(extractor, text) == first


@settings(max_examples=50, deadline=None)
@given(value=JSON)
def test_any_json_as_a_catalogue_record(value: object) -> None:
    extractor = next(make() for make in OWN if make().extractor_id == "catalogue-record")
    assert in_form(claims(extractor, json.dumps(value)))


@every
@pytest.mark.parametrize(
    "text", ["total" + " " * 9000 + "x", "A: " * 3000, "| " * 4000, "@a{" * 3000, "will on " * 1000, "1 May " * 1500]
)
def test_no_line_holds_an_extractor_up(extractor: Extractor, text: str) -> None:
    start = time.process_time()
    claims(extractor, text)
    assert time.process_time() - start < 3
