"""A plan holds every run of its suite, names everything it leaves out, and counts itself."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.files.errors import Refusal
from idpbench.files.schema import check
from idpbench.matrix.plan import build_plan
from idpbench.settings.model import Settings

SIZES = {
    "smoke": 4,
    "corefast": 171,
    "coresynth": 133,
    "simplegrid": 63,
    "core": 893,
    "scaling": 14,
    "scalingsimple": 7,
    "cost": 25,
    "intconf": 8,
    "advverify": 8,
    "astravalue": 100,
    "astracap": 12,
    "opus55value": 40,
    "enforcement": 18,
    "forcing": 18,
    "enforcecost": 10,
    "splitcost": 10,
    "restatement": 12,
    "boundary": 30,
    "boundaryctl": 15,
    "multiinstance": 30,
}


@pytest.mark.parametrize(("suite", "runs"), SIZES.items())
def test_suites_have_the_published_sizes(settings: Settings, suite: str, runs: int) -> None:
    assert build_plan(settings, suite).runs_total == runs


def test_a_labelled_set_is_one_launch_of_all_its_documents(settings: Settings) -> None:
    plan = build_plan(settings, "core")
    assert (plan.runs_total, plan.launches_total) == (893, 171)
    sets = [run for run in plan.runs if run.reference]
    assert {(run.document, run.n_docs) for run in sets} == {("realkie", 20), ("ocr_bench", 20)}
    assert len(sets) == 2 * 19


def test_full_is_core_and_sweeps_on_every_document(settings: Settings) -> None:
    plan = build_plan(settings, "full")
    assert set(plan.cells) == {*settings.registries["core"], *settings.registries["sweeps"]}
    assert plan.launches_total == len(plan.cells) * len(settings.groups["all_docs"])


def test_the_core_grid_has_13_simple_and_6_advanced_cells(settings: Settings) -> None:
    modes = Counter(resolved["extraction_mode"] for resolved in build_plan(settings, "corefast").cells.values())
    assert modes == {"simple": 13, "advanced": 6}


def test_cells_that_resolve_alike_are_named_and_keep_their_runs(settings: Settings) -> None:
    plan = build_plan(settings, "corefast")
    assert plan.aliases == {
        "enforce-warn": "core-tt-simple-sep",
        "split-llm": "core-tt-simple-sep",
        "force-off": "core-tt-simple-sep",
        "restate-on": "core-tt-adv-sep",
    }
    assert Counter(run.cell for run in plan.runs)["enforce-warn"] == 9


def test_documents_of_another_class_run_under_that_class(settings: Settings) -> None:
    plan = build_plan(settings, "enforcement")
    assert plan.other_class == {"kv_form": "kv_form"}
    assert {(run.document, run.doc_class) for run in plan.runs} == {
        ("valuenoise_100", "bank_statement"),
        ("small_narrow", "bank_statement"),
        ("kv_form", "kv_form"),
    }


def test_the_control_model_is_refused_at_66_pages_and_not_before(settings: Settings) -> None:
    plan = build_plan(settings, "scaling")
    assert list(plan.expected_fail) == [("core-tt-simple-sep", "scale_3200")]


def test_the_smaller_window_ends_between_9_and_17_pages(settings: Settings) -> None:
    value = build_plan(settings, "astravalue")
    assert set(value.expected_fail) == {("sonnet5-simple-sep", "large_narrow"), ("sonnet5-simple-sep", "dense_250")}
    cap = build_plan(settings, "astracap")
    assert {cell for cell, _ in cap.expected_fail} == {"sonnet5-simple-sep", "astra-simple-sep"}
    assert cap.launches_total == 12, "what is expected to fail is launched all the same: the refusal is the finding"


def test_runs_expected_to_fail_say_why(settings: Settings) -> None:
    (reason,) = build_plan(settings, "scalingsimple").expected_fail.values()
    assert reason.startswith("input too large: 66 pages are about 792,000 tokens, Claude Sonnet 4.6 takes 700,000")


def test_an_override_moves_the_cells_that_leave_the_axis_open(settings: Settings) -> None:
    plan = build_plan(settings, "corefast", {"assessment": "off"})
    assert plan.cells["force-on"]["assessment"] == "separate", "pinned"
    assert "force-on" in plan.pinned["assessment"]
    models = {
        cell: resolved["extraction_model"]
        for cell, resolved in build_plan(settings, "corefast", {"extraction_model": "sonnet5"}).cells.items()
    }
    assert set(models.values()) == {"sonnet5"}


def test_an_override_that_moves_no_cell_is_refused(settings: Settings) -> None:
    with pytest.raises(Refusal, match="whose cells all pin extraction_model"):
        build_plan(settings, "astravalue", {"extraction_model": "haiku55"})


def test_an_override_that_says_the_default_is_none(settings: Settings) -> None:
    assert build_plan(settings, "smoke", {"extraction_model": "sonnet46"}) == build_plan(settings, "smoke")


def test_models_without_an_agentic_path_leave_the_advanced_cells_out(settings: Settings) -> None:
    plan = build_plan(settings, "coresynth", {"extraction_model": "nova_lite"})
    assert {entry.cell for entry in plan.skipped} == {
        c for c, r in plan.cells.items() if r["extraction_mode"] == "advanced"
    }
    assert {entry.reason for entry in plan.skipped} == {"Nova Lite cannot run advanced mode"}
    assert plan.launches_total + sum(entry.launches for entry in plan.skipped) == 133


def test_an_effort_that_a_model_rejects_is_not_launched(settings: Settings) -> None:
    plan = build_plan(settings, "simplegrid", {"extraction_model": "nova_pro", "reasoning_effort": "high"})
    assert plan.runs == ()
    assert "rejects reasoning effort high (accepted: none)" in plan.skipped[0].reason


def test_a_rejected_forced_tool_is_a_caveat(settings: Settings) -> None:
    plan = build_plan(settings, "forcing", {"extraction_model": "opus55"})
    assert any("forcing is not measured" in text for text in plan.caveats["force-on"])
    assert not any("forcing is not measured" in text for text in plan.caveats["force-off"])


def test_historical_prompts_need_a_text_of_the_users_on_aws(settings: Settings) -> None:
    assert build_plan(settings, "boundaryctl").launches_total == 15
    plan = build_plan(settings, "boundaryctl", backend="aws")
    assert plan.runs == ()
    assert all("config/prompts/aws/boundary_legacy.txt" in entry.reason for entry in plan.skipped)


def test_labelled_sets_that_are_absent_are_skipped_by_name(settings: Settings) -> None:
    plan = build_plan(settings, "core", sets_present=["realkie"])
    assert list(plan.docs_unlaunchable) == ["ocr_bench"]
    assert plan.runs_total == 893 - 19 * 20
    assert "reference=FOLDER" in plan.docs_unlaunchable["ocr_bench"]
    left_out = build_plan(settings, "core", no_reference=True)
    assert left_out.runs_total == 133
    assert {entry.document for entry in left_out.skipped} == {"realkie", "ocr_bench"}


def test_repeats_are_replaced_and_settled_pairs_keep_theirs(settings: Settings) -> None:
    assert build_plan(settings, "corefast", repeats=1).launches_total == 57
    plan = build_plan(settings, "corefast", settled={("force-on", "tiny_form"): 9})
    counts = Counter((run.cell, run.document) for run in plan.runs)
    assert counts["force-on", "tiny_form"] == 9
    assert set(counts.values()) == {3, 9}


def test_a_path_that_one_side_does_not_know_is_left_out_at_its_default(settings: Settings) -> None:
    unknown = {"PREV": ["extraction.forced_tool.enabled"]}
    plan = build_plan(settings, "corefast", unknown_paths=unknown)
    assert plan.omitted_paths == ("extraction.forced_tool.enabled",)
    assert list(plan.unsupported) == ["force-on"]
    assert "unsupported by PREV" in plan.unsupported["force-on"]
    assert {entry.cell for entry in plan.skipped} == {"force-on"}
    assert plan.launches_total == 171 - 9


def test_a_plan_for_people_and_machines_is_one_object(settings: Settings) -> None:
    plan = build_plan(settings, "enforcement", {"extraction_model": "opus55"}, sets_present=[])
    printed = plan.to_json()
    check(printed, "suite-plan", "plan")
    assert printed["slug"] == "extraction-model-opus55"
    assert len(printed["launchable"]) == printed["launches_total"] == 18


@pytest.mark.parametrize(
    ("suite", "overrides", "said"),
    [
        ("corefsat", {}, "did you mean corefast"),
        ("corefast", {"extracton_model": "sonnet5"}, "did you mean extraction_model"),
        ("corefast", {"extraction_model": "sonet5"}, "did you mean sonnet5"),
    ],
)
def test_unknown_names_are_refused(settings: Settings, suite: str, overrides: dict[str, str], said: str) -> None:
    with pytest.raises(Refusal, match=said):
        build_plan(settings, suite, overrides)


@given(data=st.data())
def test_whatever_is_planned_every_pair_is_either_run_or_skipped(settings: Settings, data: st.DataObject) -> None:
    suite = data.draw(st.sampled_from(sorted(settings.suites)))
    axis = data.draw(st.sampled_from(sorted(settings.axes)))
    value = data.draw(st.sampled_from(sorted(settings.axes[axis].values)))
    repeats = data.draw(st.none() | st.integers(1, 4))
    try:
        plan = build_plan(settings, suite, {axis: value}, repeats, backend=data.draw(st.sampled_from(["local", "aws"])))
    except Refusal as refusal:
        assert "whose cells all pin" in str(refusal)
        return
    count = repeats or settings.suites[suite].repeats
    runs = Counter((run.cell, run.document) for run in plan.runs)
    skipped = {(entry.cell, entry.document) for entry in plan.skipped}
    assert set(runs.values()) <= {count}
    assert not skipped & set(runs)
    assert len(runs) + len(skipped) == len(plan.cells) * len({document for _, document in [*runs, *skipped]})
    assert len({(run.cell, run.document, run.repeat) for run in plan.runs}) == len(plan.runs)
    for cell, resolved in plan.cells.items():
        for name, pin in settings.cells[cell].pins.items():
            assert resolved[name] == pin
