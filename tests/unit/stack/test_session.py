"""What surrounds a landing: leave to spend, reuse, progress, flags."""

from __future__ import annotations

import argparse
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import make_side

from idpbench.files.errors import Refusal
from idpbench.pricing.card import RateCard, load_rate_card
from idpbench.settings.load import load
from idpbench.settings.options import Options, parse_options
from idpbench.stack.flags import add_flags, flags_of
from idpbench.stack.journal import Journal
from idpbench.stack.launcher import Tally
from idpbench.stack.model import Where
from idpbench.stack.prepare import refuse_other_stack
from idpbench.stack.progress import Progress
from idpbench.stack.reuse import refuse_silent_reuse
from idpbench.stack.session import record_cost, refuse_stale_engine
from idpbench.stack.sides import build_side
from idpbench.stack.tasks import connection_of, refuse_unpriced, task_of
from idpbench.stack.vault import Vault

ROOT = Path(__file__).resolve().parents[3]
AWS = Where("aws", "0.6.9", account="111122223333", build="b1", stack="IDP")


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_flags(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize("base", [False, True])
def test_the_step_understands_the_flags_that_the_workflow_writes(base: bool) -> None:
    options = parse_options(
        {
            "max_inflight": 7,
            "budget_usd": 12.5,
            "reuse": True,
            "confirm": True,
            "template": "https://x/{version}.yaml",
            "build_command": "make {version}",
            "stack_parameters": "AdminEmail=a@b.c",
            "teardown": True,
            "aws_profile": "me",
        },
        pair=False,
    )
    given = parsed(*flags_of(options, "0.6.9-0.6.8-corefast", base))
    assert (given.max_inflight, given.budget, given.pair, given.base) == (7, 12.5, "0.6.9-0.6.8-corefast", base)
    assert (given.reuse, given.confirm, given.profile, given.template) == (True, True, "me", "https://x/{version}.yaml")
    assert given.build_command == (None if base else "make {version}"), "PREV is as it was published"
    assert given.stack_parameters == "AdminEmail=a@b.c" and given.teardown
    assert parsed(*flags_of(Options())).budget is None


@pytest.mark.parametrize(("base", "last"), [(False, True), (True, False)])
def test_the_stack_outlives_the_earlier_side_and_is_known_to_be_disposable_from_the_start(
    base: bool, last: bool
) -> None:
    side = build_side(load(ROOT), ROOT, AWS, suite="smoke")
    words = ("--teardown", *(["--base"] if base else []))
    assert (task_of(side, ROOT, parsed(*words)).disposable, task_of(side, ROOT, parsed(*words)).teardown) == (
        False,
    ) * 2
    task = task_of(side, ROOT, parsed("--confirm", *words))
    assert (task.disposable, task.teardown) == (True, last)


def test_the_stack_is_only_changed_with_a_template_and_the_word_for_it() -> None:
    side = build_side(load(ROOT), ROOT, AWS, suite="smoke")
    template = "https://x/{version}.yaml"

    def deployment(*words: str) -> Any:
        return connection_of(side, parsed(*words), lambda: "").deployment("0.6.9")

    assert deployment("--template", template) is deployment("--confirm") is None
    assert deployment("--template", template, "--confirm").template_url == "https://x/0.6.9.yaml"
    local = build_side(load(ROOT), ROOT, Where("local", "0.6.9"), suite="smoke")
    how = connection_of(local, parsed(), lambda: "").deployment("0.6.9")
    assert how is not None and str(how.template_url).endswith("/idp-main_0.6.9.yaml")


def test_money_is_spent_only_after_the_word_for_it() -> None:
    side = build_side(load(ROOT), ROOT, AWS, suite="smoke")
    with pytest.raises(
        Refusal, match=r"found false, and 4 paid runs to launch on stack IDP in us-west-2, 1+2+3+, build b1"
    ):
        task_of(side, ROOT, parsed()).check(list(side.runs))
    task_of(side, ROOT, parsed("--confirm")).check(list(side.runs))
    task_of(side, ROOT, parsed()).check([])


def test_a_budget_below_the_projection_is_exit_code_5() -> None:
    side = build_side(load(ROOT), ROOT, Where("local", "0.6.9"), suite="smoke")
    with pytest.raises(Refusal) as refused:
        task_of(side, ROOT, parsed("--budget", "0.0001")).check(list(side.runs))
    assert refused.value.exit_code == 5


def test_a_model_without_a_price_is_not_launched_for_money() -> None:
    settings = load(ROOT)
    side = build_side(settings, ROOT, AWS, suite="smoke")
    refuse_unpriced(settings, side, list(side.runs), load_rate_card(settings.pricing))
    with pytest.raises(Refusal, match="bedrock/us.anthropic.claude-sonnet-4-6"):
        refuse_unpriced(settings, side, list(side.runs), RateCard({}))


def test_a_plan_for_another_engine_is_refused() -> None:
    settings = load(ROOT)
    side = build_side(settings, ROOT, Where("local", "0.6.9"), suite="smoke")
    refuse_stale_engine(side, settings)
    old = [replace(run, identity={**run.identity, "engine": "0" * 64}) for run in side.runs]
    with pytest.raises(Refusal, match="another build of the local engine"):
        refuse_stale_engine(replace(side, runs=tuple(old)), settings)


def intents(folder: Path, pair: str | None) -> Journal:
    journal = Journal(folder / "journal.jsonl")
    for run in make_side(2).runs:
        journal.append("intent", run.key, pair=pair)
    return journal


def test_runs_of_another_comparison_are_not_passed_off_as_this_ones(tmp_path: Path) -> None:
    side = make_side(2)
    with pytest.raises(Refusal, match="reuse=true") as refused:
        refuse_silent_reuse(side, set(side.keys), intents(tmp_path, "another"), "this", {})
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(
    ("held", "pair", "committed"),
    [
        ("all", "this", {}),  # launched for this comparison, perhaps before a crash
        ("some", "another", {}),  # something will be launched now
        ("all", "another", {"pair": "this"}),  # this comparison's own committed evidence
    ],
)
def test_runs_of_this_comparison_pass(tmp_path: Path, held: str, pair: str, committed: dict[str, str]) -> None:
    side = make_side(2)
    keys = set(side.keys) if held == "all" else {side.runs[0].key}
    refuse_silent_reuse(side, keys, intents(tmp_path, pair), "this", committed)


def test_two_builds_are_not_mixed_under_one_label(tmp_path: Path) -> None:
    from fakes import prepared

    from idpbench.stack.land import land
    from idpbench.stack.launcher import Options as Limits

    side = make_side(1)
    stack = prepared(side)
    vault = Vault(tmp_path / "vault")
    journal = Journal(tmp_path / "j.jsonl", stack.clock().now)
    ours = {"name": "IDP", "region": "us-west-2", "account": "000000000000", "template_digest": "t1"}
    target = replace(stack.target(), identity=ours)
    land(side, target, vault, journal, Limits(interval=1), files=lambda run: ("d.pdf",), clock=stack.clock())
    refuse_other_stack(side, vault, ours)
    refuse_other_stack(side, vault, {**ours, "template_digest": None})
    with pytest.raises(Refusal, match="its template is t2.*build= label"):
        refuse_other_stack(side, vault, {**ours, "template_digest": "t2"})
    with pytest.raises(
        Refusal, match="account: found account-995354, expected account-[0-9a-f]{6}, where stack IDP is"
    ):
        refuse_other_stack(side, vault, {**ours, "account": "999988887777"})


def test_progress_says_how_far_it_is_and_what_it_costs() -> None:
    screen = io.StringIO()
    progress = Progress("local/v0.6.9/smoke", lambda record: record["cost"], every=0.0, stream=screen)
    tally = Tally(planned=171, held=114, launched=50, adopted=7, landed=40, failed=1)
    for cost in (1.0, 0.23, None):
        progress.on_record({"cost": cost})
    progress(tally)
    progress(tally)
    assert screen.getvalue() == (
        "local/v0.6.9/smoke: launched 57/57, landed 40, failed 1, 114 kept from before,"
        " $1.23 projected without 1 runs that have no price\n"
    )


@pytest.mark.parametrize(
    ("metering", "cost"),
    [({"state": "present", "value": {"a": 1}}, 2.0), ({"state": "failed", "value": None}, None)],
)
def test_a_cost_that_is_not_known_is_not_zero(metering: dict[str, Any], cost: float | None) -> None:
    record = {"documents": [{"metering": metering, "sections": []}]}
    assert record_cost(record, lambda used, requests: 2.0) == cost
    assert record_cost({"documents": []}, lambda used, requests: 2.0) is None
