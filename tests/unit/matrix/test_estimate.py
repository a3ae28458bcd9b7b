"""Projections prefer what was measured, say what they rest on, and never make a number out of nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idpbench.files.schema import check
from idpbench.matrix.arithmetic import answer_tokens, usage
from idpbench.matrix.estimate import Observation, Projection, project
from idpbench.matrix.plan import build_plan
from idpbench.matrix.words import duration, projection_text
from idpbench.pricing.card import load_rate_card
from idpbench.pricing.price import price
from idpbench.settings.model import Settings
from idpbench.stack.priors import observations, read_priors


def a_dollar(metering: Mapping[str, Any], requests: Sequence[Mapping[str, Any]]) -> float:
    return 1.0


def seen(cell: str, document: str, cost: float, pages: int = 1, **resolved: str) -> Observation:
    return Observation(cell, document, pages, cost, 10.0, resolved)


def projection(settings: Settings, suite: str, priors: Sequence[Observation] = (), **options: Any) -> Projection:
    plan = build_plan(settings, suite)
    return project(settings, plan.runs, plan.cells, priors, options.pop("price", a_dollar), **options)


def row(found: Projection, cell: str, document: str) -> Any:
    return next(row for row in found.rows if (row.cell, row.document) == (cell, document))


def test_earlier_runs_of_the_same_document_come_first(settings: Settings) -> None:
    priors = [seen("core-tt-simple-sep", "tiny_form", cost) for cost in (0.02, 0.03, 0.07)]
    one = row(projection(settings, "corefast", priors), "core-tt-simple-sep", "tiny_form")
    assert one.source == "document"
    assert one.cost.to_json() == {"low": 0.06, "expected": 0.12, "high": 0.21}, "three launches of each"


def test_then_runs_of_the_same_cell_on_as_many_pages(settings: Settings) -> None:
    priors = [seen("core-tt-simple-sep", "wide_400", cost, pages=9) for cost in (1.0, 2.0, 3.0)]
    found = projection(settings, "coresynth", priors)
    assert row(found, "core-tt-simple-sep", "med_narrow").source == "pages"
    assert row(found, "core-tt-simple-sep", "med_narrow").cost.expected == pytest.approx(2.0)
    assert row(found, "core-tt-simple-sep", "small_narrow").source == "arithmetic"
    assert row(found, "core-tt-adv-sep", "med_narrow").source == "arithmetic"
    assert found.with_prior == 3 and found.prior_share == pytest.approx(3 / 133)


def test_a_run_of_other_axes_is_no_prior(settings: Settings) -> None:
    priors = [seen("core-tt-simple-sep", "tiny_form", 9.0, extraction_model="sonnet5")]
    assert projection(settings, "smoke", priors).with_prior == 0
    same = [seen("core-tt-simple-sep", "tiny_form", 9.0, extraction_model="sonnet46", an_axis_we_lack="x")]
    assert projection(settings, "smoke", same).with_prior == 1


def test_one_observation_gives_a_wider_range_than_its_own_value(settings: Settings) -> None:
    cost = row(
        projection(settings, "smoke", [seen("core-tt-adv-sep", "tiny_form", 1.0)]), "core-tt-adv-sep", "tiny_form"
    ).cost
    assert (cost.low, cost.expected, cost.high) == pytest.approx((0.8, 1.0, 1.25))


def test_what_cannot_be_priced_is_unknown_and_not_zero(settings: Settings) -> None:
    found = projection(settings, "smoke", price=lambda metering, requests: None)
    assert [row.source for row in found.rows] == ["none"] * 4
    assert (found.priced, found.cost.expected) == (0, 0.0)
    assert "4 launches have no projection of cost and are not in the sums" in projection_text(found)
    assert found.to_json()["rows"][0]["cost_usd"] is None


def test_a_labelled_set_without_priors_is_unknown_and_with_them_counts_its_documents(settings: Settings) -> None:
    assert row(projection(settings, "core"), "force-on", "realkie").cost is None
    known = row(projection(settings, "core", [seen("force-on", "realkie", 0.5)] * 3), "force-on", "realkie")
    assert (known.launches, known.runs) == (1, 20)
    assert known.cost.expected == pytest.approx(10.0)


def test_time_is_shared_by_the_runs_in_flight(settings: Settings) -> None:
    one = projection(settings, "corefast", backend="aws", inflight=1).elapsed.expected
    assert projection(settings, "corefast", backend="aws", inflight=20).elapsed.expected == pytest.approx(one / 20)


def test_the_local_stack_works_on_two_documents_however_many_are_in_flight(settings: Settings) -> None:
    assert projection(settings, "corefast", inflight=50).inflight == 2


def test_a_printed_projection_states_share_prices_and_that_nothing_is_billed(settings: Settings) -> None:
    found = projection(settings, "smoke", pricing="a" * 64)
    text = projection_text(found)
    assert "0 of 4 launches (0%) rest on earlier runs; rate card aaaaaaaaaaaa" in text
    assert "nothing is billed" in text
    check(found.to_json(), "estimate", "estimate")
    assert projection_text(project(settings, [], {}, [], a_dollar)) == "Nothing to launch."


def test_the_parts_of_a_projection_add_up(settings: Settings) -> None:
    card = load_rate_card(settings.pricing)
    found = projection(settings, "full", price=lambda metering, requests: price(metering, card, requests).cost)
    for part in ("low", "expected", "high"):
        assert getattr(found.cost, part) == pytest.approx(sum(getattr(r.cost, part) for r in found.rows if r.cost))
    assert all(r.cost.low <= r.cost.expected <= r.cost.high for r in found.rows if r.cost)
    assert found.priced == sum(r.launches for r in found.rows if r.cost)
    unpriced = {r.document for r in found.rows if r.cost is None}
    assert unpriced == {"realkie", "ocr_bench", "bank_real"}, "every generated document has a price in every cell"


def test_arithmetic_is_near_the_published_price_of_400_rows(settings: Settings) -> None:
    """Five published repeats of the control cell on nine pages cost $0.777 +- 0.003."""
    card = load_rate_card(settings.pricing)
    found = projection(settings, "cost", price=lambda metering, requests: price(metering, card, requests).cost)
    cost = row(found, "core-tt-simple-sep", "med_narrow").cost.times(1 / 5)
    assert cost.low < 0.777 < cost.high
    assert cost.expected == pytest.approx(0.777, rel=0.1)


def test_the_output_cap_bounds_what_a_simple_request_answers(settings: Settings) -> None:
    resolved = build_plan(settings, "scaling").cells["core-tt-simple-sep"]
    cap = settings.models["sonnet46"].output_cap
    for name, capped in (("scale_800", False), ("scale_1200", True)):
        document = settings.documents[name]
        extraction = [r for r in usage(settings, resolved, document, 0, 5).requests if r["phase"] == "Extraction"]
        assert len(extraction) == 1
        assert (extraction[0]["outputTokens"] == cap) is capped
        assert (answer_tokens(document, resolved) > cap) is capped


def test_a_request_that_is_refused_pays_only_what_came_before(settings: Settings) -> None:
    resolved = build_plan(settings, "scaling").cells["core-tt-simple-sep"]
    spent = usage(settings, resolved, settings.documents["scale_3200"], 0, 5)
    assert {request["phase"] for request in spent.requests} == {"Classification"}
    assert spent.metering["OCR/textract/analyze_document-Tables"] == {"pages": 66}


def test_later_repeats_read_the_cache_that_the_first_wrote(settings: Settings) -> None:
    resolved = build_plan(settings, "smoke").cells["core-tt-simple-sep"]
    key = "Extraction/bedrock/us.anthropic.claude-sonnet-4-6"
    first, later = (usage(settings, resolved, settings.documents["tiny_form"], n, 5).metering[key] for n in (0, 1))
    assert first["cacheWriteInputTokens"] == later["cacheReadInputTokens"] > 0
    assert first["cacheReadInputTokens"] == later["cacheWriteInputTokens"] == 0


def test_a_metering_is_the_sum_of_its_requests(settings: Settings) -> None:
    for cell, resolved in build_plan(settings, "full").cells.items():
        spent = usage(settings, resolved, settings.documents["wide_400"], 1, 8)
        for key, units in spent.metering.items():
            phase, service, *rest = key.split("/", 2)
            if service == "bedrock":
                own = [r for r in spent.requests if (r["phase"], r["model"]) == (phase, rest[0])]
                assert units == {unit: sum(r[unit] for r in own) for unit in units}, cell


def test_priors_are_finished_documents_of_a_summary() -> None:
    summary = {
        "rows": [
            {
                "cell": "c",
                "doc": "tiny_form.pdf",
                "success": True,
                "cost": 0.5,
                "wall_s": 3.0,
                "page_count": 1.0,
                "resolved": {"ocr": "bda"},
            },
            {
                "cell": "c",
                "doc": "realkie",
                "sub_doc": "x.pdf",
                "success": True,
                "cost": None,
                "wall_s": None,
                "page_count": None,
            },
            {"cell": "c", "doc": "tiny_form.pdf", "success": False, "cost": 0.1},
        ]
    }
    first, second = observations(summary, "summary.json")
    assert first == Observation("c", "tiny_form", 1, 0.5, 3.0, {"ocr": "bda"})
    assert second == replace(first, document="realkie", pages=None, cost=None, seconds=None, resolved={})


def test_the_newest_release_up_to_the_one_asked_for_is_the_prior(tmp_path: Path) -> None:
    for version, cost in (("0.6.9", 0.9), ("0.10.0", 1.0), ("0.6.8", 0.8)):
        folder = tmp_path / "local" / f"v{version}" / "corefast"
        folder.mkdir(parents=True)
        rows = [{"cell": "c", "doc": f"{doc}.pdf", "success": True, "cost": cost} for doc in ("a", version)]
        (folder / "summary.json").write_text(json.dumps({"rows": rows}))
    (tmp_path / "local" / "releases").mkdir()

    def costs(version: str | None) -> dict[str, float | None]:
        return {found.document: found.cost for found in read_priors(tmp_path, "local", version)}

    assert costs(None) == {"a": 1.0, "0.10.0": 1.0, "0.6.9": 0.9, "0.6.8": 0.8}
    assert costs("0.6.9") == {"a": 0.9, "0.6.9": 0.9, "0.6.8": 0.8}
    assert read_priors(tmp_path, "aws") == []


def test_durations_read_like_speech() -> None:
    assert [duration(s) for s in (4.4, 600, 7200)] == ["4 s", "10 min", "2.0 h"]
