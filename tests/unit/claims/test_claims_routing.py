"""Which suites measure which extractor, what a benchmark would cost, and where gold subjects land."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given as property_over
from hypothesis import strategies as st

from idpbench.claims.estimate import estimate
from idpbench.claims.routing import accepted_suites, matches, owner, suites_for
from idpbench.claims.subjects.base import Ref, Resolution
from idpbench.claims.subjects.judging import OUTCOMES, SubjectRow, fractions, judge_refs, resolve_subjects
from idpbench.claims.subjects.refs import normalised, split_ref
from idpbench.claims.suite.model import GoldSubject, Suite
from idpbench.files.errors import Refusal


class Plugin:
    version = "1"
    deterministic = True
    provider_model = "none"

    def __init__(self, extractor_id: str, types: set[str] | None, must_not: frozenset[str] = frozenset()) -> None:
        self.extractor_id = extractor_id
        self.types = types
        self.must_not = must_not

    def accepts(self, source_type: str) -> bool:
        return self.types is None or source_type in self.types

    def extract(self, data: bytes, source_type: str | None) -> list[Any]:
        return []


COIN, PAGE, ANY = Plugin("coin", {"COIN"}), Plugin("page", {"WEB_PAGE"}), Plugin("general", None, frozenset({"SECRET"}))
REGISTRY = [COIN, PAGE, ANY]


def suite(suite_id: str, *types: str) -> Suite:
    return Suite(suite_id, "S", "1", "d", types, ())


SUITES = [suite("coins", "COIN"), suite("both", "COIN", "PDF"), suite("secret", "SECRET"), suite("none")]


def ids(suites: list[Suite]) -> list[str]:
    return [found.suite_id for found in suites]


def test_an_extractor_is_measured_by_the_suites_of_which_it_owns_a_source_type() -> None:
    assert ids(suites_for("coin", SUITES, REGISTRY)) == ["coins", "both"]
    assert ids(suites_for("general", SUITES, REGISTRY)) == ["both"]
    assert owner("SECRET", REGISTRY) is None
    assert not matches((), "general", REGISTRY)


def test_naming_a_suite_bypasses_routing() -> None:
    assert ids(suites_for("general", SUITES, REGISTRY, "coins")) == ["coins"]


@pytest.mark.parametrize(
    ("extractor", "suite_id", "message"),
    [
        ("coins", None, r"no extractor is named coins; did you mean coin\?"),
        ("coin", "coin", r"no suite is named coin; did you mean coins\?"),
        ("page", None, "no suite has a source type that is routed to page"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest_name(extractor: str, suite_id: str | None, message: str) -> None:
    with pytest.raises(Refusal, match=message) as caught:
        suites_for(extractor, SUITES, REGISTRY, suite_id)
    assert caught.value.exit_code == 2


def test_a_comparison_takes_every_suite_that_any_of_its_extractors_can_read() -> None:
    assert ids(accepted_suites(SUITES, [COIN, PAGE])) == ["coins", "both"]
    assert ids(accepted_suites(SUITES, [ANY])) == ["coins", "both", "secret"]  # it accepts what it must not own


@pytest.mark.parametrize(
    ("size", "calls"), [(0, 0), (1, 1), (15_000, 1), (15_001, 2), (105_001, 8), (120_000, 8), (10**9, 8)]
)
def test_a_source_takes_a_call_for_each_piece_and_eight_at_most(size: int, calls: int) -> None:
    assert estimate([size]).calls == calls


def test_passes_multiply_calls_and_tokens_and_only_several_are_asked_about() -> None:
    found = estimate([100_000] * 9, runs=3)
    assert (found.calls, found.tokens, found.total_bytes) == (189, 675_000, 900_000)
    assert found.needs_confirmation()
    assert not found.needs_confirmation(189)
    assert not estimate([10**6] * 100).needs_confirmation()


class Authority:
    id = "authority"

    def resolve(self, name: str, mention: str) -> Resolution:
        refs = {"Berlin": (Ref("Wikidata", "q64", 0.4),), "Harbor": (Ref("wikidata", "Q1", 0.1),)}
        return Resolution(name.title(), refs.get(name, ()), "no answer" if name == "Zed" else "")


def test_gold_subjects_are_resolved_from_their_mentions_and_judged_at_any_confidence() -> None:
    gold = [
        GoldSubject("c", "Berlin", "wikidata:Q64", "In Berlin."),
        GoldSubject("c", "Harbor", None, "Harbor grew."),
        GoldSubject("c", "Acme", None, "Acme grew."),
        GoldSubject("c", "Zed", "wikidata:Q2", "Zed grew."),
    ]
    rows = resolve_subjects(gold, Authority())
    assert [row.outcome for row in rows] == ["correct", "wrong_ref", "correct", "bare_local"]
    assert rows[0].refs == ("wikidata:Q64@0.40",)
    assert [row.note for row in rows] == ["", "", "", "no answer"]
    figures = fractions(rows)
    assert figures["resolution_accuracy"].value == 0.5
    assert (figures["resolution_accuracy_linked"].value, figures["resolution_wrong_ref_null"].value) == (0.5, 0.5)


def test_a_resolver_that_never_links_is_seen_through_by_the_split() -> None:
    golds = [None] * 22 + ["wikidata:Q1"] * 13
    rows = [SubjectRow("c", str(n), gold, judge_refs(gold, []), "", ()) for n, gold in enumerate(golds)]
    figures = fractions(rows)
    assert round(figures["resolution_accuracy"].value or 0, 2) == 0.63
    assert figures["resolution_accuracy_linked"].value == 0.0
    assert figures["resolution_accuracy_null"].value == 1.0


def test_without_gold_subjects_there_are_no_fractions_and_of_one_kind_the_other_is_null() -> None:
    assert fractions([]) == {}
    one_kind = fractions([SubjectRow("c", "a", None, "correct", "", ())])
    assert (one_kind["resolution_accuracy_linked"].value, one_kind["resolution_accuracy_linked"].support) == (None, 0)


@property_over(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.booleans()), min_size=1, max_size=20))
def test_the_three_fractions_of_a_kind_add_up_to_one(entries: Any) -> None:
    figures = fractions([SubjectRow("c", "a", "n:1" if linked else None, kind, "", ()) for kind, linked in entries])
    for suffix in ("", "_linked", "_null"):
        values = [figures[f"resolution_{name}{suffix}"].value for name in ("accuracy", "wrong_ref", "bare_local")]
        assert None in values or sum(v for v in values if v is not None) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("ref", "parts"),
    [("wikidata:64", ("wikidata", "Q64")), (" ISIN : us:1 ", ("isin", "us:1")), ("wikidata:", None), (":1", None),
     ("wikidata", None), ("lei: 5X ", ("lei", "5X"))],
)  # fmt: skip
def test_a_reference_has_one_spelling(ref: str, parts: Any) -> None:
    assert split_ref(ref) == parts
    if parts:
        assert normalised(normalised(ref)) == normalised(ref) == ":".join(parts)
