"""Ranks, feed and pages: who is compared with whom, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gold_case import Case
from gold_small import MEMBERS, SUITE
from hypothesis import given, settings
from hypothesis import strategies as st

from idpbench.gold.board import cost_per_solved, latest, over_present, present, standings
from idpbench.gold.feed import feed, feed_bytes
from idpbench.gold.metrics import METRICS
from idpbench.gold.result.document import assemble, document_digest
from idpbench.gold.result.schema import Result

MODELS = {"maker/a": "A", "maker/b": "B", "maker/c": "C"}
Made = Callable[..., Result]


@pytest.fixture(scope="session")
def made(case: Case) -> Made:
    """A result like the one of the run, with what a test wants to differ."""
    base = case.document

    def make(
        model: str = "maker/a",
        *,
        composite: float | None = None,
        finished: str = "2026-11-30T12:00:09.000Z",
        suite: str = SUITE,
        mode: str = "contract",
        staged: bool = False,
        cost: float | None = 1.0,
        passed: int = 1,
    ) -> Result:
        document: dict[str, Any] = json.loads(json.dumps(base))
        document["model"]["requested_id"] = model
        document["time"]["finished_at"] = finished
        document["suite"]["suite_id"] = suite
        document["prompt"]["mode"] = mode
        if composite is not None:
            document["composite"] = composite
        document["totals"]["cost"] = {"currency": "USD", "total": cost or 0.0, "complete": cost is not None}
        for member in document["members"]:
            if member["member_id"] == "gamma-staged" and staged:
                member["status"], member["skip"] = "failed", None
                member["failure"] = {"code": "transport_error", "message": ""}
            if member["member_id"] == "beta-table" and passed == 2:
                member["status"] = "passed"
            if member["member_id"] == "alpha-table" and passed == 0:
                member["status"] = "partial"
        return Result.model_validate({**document, "digest": document_digest(document)})

    return make


def ranks(results: list[Result]) -> list[tuple[str, int, int]]:
    return [(one.result.model.requested_id, one.rank, one.ranked) for one in standings(results)]


def blocks(results: list[Result], suite: str = SUITE, models: dict[str, str] = MODELS) -> dict[str, Any]:
    return {entry["id"]: entry.get("benchmark") for entry in feed(models, suite, results)["models"]}


def test_the_newest_result_of_a_model_counts_and_ties_go_by_digest(made: Made) -> None:
    old, new = made(finished="2026-11-29T00:00:00.000Z", composite=0.9), made(composite=0.1)
    assert latest([new, old]) == latest([old, new]) == [new]
    one, other = made(cost=1.0), made(cost=2.0)
    assert latest([one, other]) == latest([other, one]) == [max(one, other, key=lambda result: result.digest)]


def test_ranks_go_by_composite_and_then_by_id_without_gaps(made: Made) -> None:
    results = [made("maker/c", composite=0.5), made("maker/a", composite=0.5), made("maker/b", composite=0.75)]
    assert ranks(results) == [("maker/b", 1, 3), ("maker/a", 2, 3), ("maker/c", 3, 3)]


def test_only_results_of_the_same_suite_mode_and_members_are_ranked_together(made: Made) -> None:
    results = [
        made("maker/a", composite=0.2),
        made("maker/b", composite=0.9, staged=True),
        made("maker/c", composite=0.5, mode="blind"),
        made("maker/d", composite=0.1, suite="gold-2026.02"),
    ]
    assert ranks(results) == [("maker/d", 1, 1), ("maker/b", 1, 1), ("maker/a", 1, 1), ("maker/c", 1, 1)]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 4), st.booleans()), unique_by=lambda item: item[0]))
def test_every_group_counts_from_one_without_gaps(made: Made, entries: list[tuple[str, int, bool]]) -> None:
    found = standings([made(f"maker/{name}", composite=part / 4, staged=staged) for name, part, staged in entries])
    for here in (True, False):
        group = [one for one in found if (len(present(one.result)) == len(MEMBERS)) is here]
        assert [one.rank for one in group] == list(range(1, len(group) + 1))
        assert all(one.ranked == len(group) for one in group)
        keys = [(-one.result.composite, one.result.model.requested_id) for one in group]
        assert keys == sorted(keys)


def test_averages_over_the_members_present_leave_the_absent_out(case: Case, made: Made) -> None:
    result = case.ran.result
    found = over_present(result)
    assert found is not None and found.members == 3
    assert result.metrics.exact_output_match == 0.25 and found.metrics["exact_output_match"] == 0.333333
    whole = over_present(made(staged=True))
    assert whole is not None and whole.members == 4 and whole.metrics["exact_output_match"] == 0.25


def test_cost_per_solved_is_rounded_halves_up_and_absent_where_it_is_not_known(made: Made) -> None:
    assert cost_per_solved(made(cost=0.000001, passed=2)) == 0.000001  # half a millionth, up
    assert cost_per_solved(made(cost=1.0, passed=2)) == 0.5
    assert cost_per_solved(made(cost=None)) is None
    assert cost_per_solved(made(passed=0)) is None


def test_the_feed_keeps_its_models_in_order_and_gives_no_block_without_a_result(made: Made) -> None:
    assert feed(MODELS, SUITE, []) == {
        "schema": "gold-feed/1",
        "suite_id": SUITE,
        "models": [{"id": name, "name": words} for name, words in MODELS.items()],
    }
    found = blocks([made("maker/b")])
    assert found["maker/a"] is None and found["maker/c"] is None and found["maker/b"]["rank"] == 1


def test_a_block_says_what_was_measured(made: Made) -> None:
    result = made("maker/a", cost=3.0)
    block = blocks([result])["maker/a"]
    assert block == {
        "suite_id": SUITE,
        "result_sha256": result.digest,
        "finished_at": "2026-11-30T12:00:09.000Z",
        "metrics": result.metrics.model_dump(),
        "composite": result.composite,
        "composite_version": "provisional-1",
        "cost_per_solved": 3.0,
        "by_tag": {
            "single_table": {"members": 4, "pass_rate": 0.5},
            "time_series": {"members": 2, "pass_rate": 0.5},
        },
        "rank": 1,
        "ranked_models": 1,
    }
    assert set(block["metrics"]) == set(METRICS)
    assert "cost_per_solved" not in blocks([made("maker/a", cost=None)])["maker/a"]


def test_models_that_are_not_curated_are_neither_listed_nor_counted_in_ranks(made: Made) -> None:
    results = [made("other/x", composite=1.0), made("maker/a", composite=0.2), made("maker/b", composite=0.1)]
    found = blocks(results)
    assert set(found) == set(MODELS) and (found["maker/a"]["rank"], found["maker/a"]["ranked_models"]) == (1, 2)


def test_of_several_suites_the_current_one_is_shown_else_the_newest(made: Made) -> None:
    first, second = made("maker/a", composite=0.9), made("maker/a", composite=0.3, suite="gold-2026.02")
    rival = made("maker/b", composite=0.5)
    assert blocks([first, second, rival])["maker/a"]["suite_id"] == SUITE
    assert blocks([first, second, rival], "gold-2026.02")["maker/a"]["suite_id"] == "gold-2026.02"
    assert blocks([first, second, rival], "gold-2026.03")["maker/a"]["suite_id"] == "gold-2026.02"
    # a rank is of its own suite, whichever the other model shows
    assert blocks([first, second, rival], "gold-2026.02")["maker/b"] == blocks([first, rival])["maker/b"]


def test_blind_results_are_not_in_the_feed(made: Made) -> None:
    assert blocks([made("maker/a", mode="blind")])["maker/a"] is None


def test_the_feed_does_not_depend_on_the_order_of_results(made: Made) -> None:
    results = [made("maker/a", composite=0.5), made("maker/b", composite=0.5), made("maker/c", staged=True)]
    assert feed_bytes(feed(MODELS, SUITE, results)) == feed_bytes(feed(MODELS, SUITE, results[::-1]))


def test_assembling_the_same_members_again_gives_the_same_document(case: Case) -> None:
    from idpbench.gold.run.plan import read

    result = case.ran.result
    again = assemble(
        read(case.ran.folder.plan),
        case.suite.manifest,
        result.members,
        returned_ids=result.model.returned_ids,
        finished_at=result.time.finished_at,
        invocation=result.runner.invocation,
    )
    assert again == result and isinstance(case.root, Path)
