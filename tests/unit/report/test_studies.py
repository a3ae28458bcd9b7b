"""Studies: arms that differ in one knob, a verdict from the gate, and proof that the arm did anything."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from published import ROOT, broken, publish_side, repeats, settings, sides

from idpbench.files.atomic import write_text
from idpbench.files.errors import Refusal
from idpbench.report.contrast import NO, UNDECIDED, YES
from idpbench.report.guidance.page import render as render_guidance
from idpbench.report.studies.definition import Study, load_missing, load_studies
from idpbench.report.studies.page import render_index, render_study, write
from idpbench.report.studies.result import NOT_MEASURED, Answer, answer
from idpbench.settings.model import Settings
from idpbench.summary.controls import judge_controls

SHIPPED = {
    "forcing", "enforcement", "enforcecost", "splitcost", "boundary", "boundaryctl", "restatement", "intconf",
    "multiinstance", "class_confidence", "astravalue", "astracap", "opus55value",
}  # fmt: skip


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "local"


def study(slug: str) -> Study:
    return next(one for one in load_studies(settings()) if one.slug == slug)


def asked(slug: str, results: Path) -> Answer:
    return answer(study(slug), sides(results))


def forcing(results: Path, accuracy: Any, version: str = "0.6.9", count: int = 3, honoured: int = 1) -> None:
    """The forcing suite: 0.5 without the tool, `accuracy` with it."""
    on = {"forced_tool_attempted": 1, "forced_tool_honored": honoured, "cell_accuracy": accuracy}
    rows = [
        *repeats(count, "force-off", "tiny_form", cell_accuracy=0.5),
        *repeats(count, "force-on", "tiny_form", **on),
    ]
    publish_side(results, version, "forcing", rows)


def changed(tmp_path: Path, slug: str, old: str, new: str) -> Settings:
    """The project's configuration with one text of one study replaced."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    path = tmp_path / "config" / "studies" / f"{slug}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    write_text(path, text.replace(old, new, 1))
    return settings().model_copy(update={"root": tmp_path})


def test_every_study_that_is_promised_is_there_and_its_arms_differ_in_one_axis() -> None:
    found = load_studies(settings())
    assert {one.slug for one in found} == SHIPPED
    for one in found:
        for comparison in one.comparisons:
            assert comparison.values[0] != comparison.values[1], comparison


def test_a_better_arm_that_engaged_is_a_yes(results: Path) -> None:
    forcing(results, 0.9)
    found = asked("forcing", results)
    assert found.verdict == YES
    assert found.latest[0].engagement.text == "forced tool honoured 3/3"


def test_a_worse_arm_is_a_no(results: Path) -> None:
    forcing(results, 0.2)
    assert asked("forcing", results).verdict == NO


def test_no_difference_over_repeats_is_no_effect_above_the_threshold(results: Path) -> None:
    forcing(results, 0.5)
    assert asked("forcing", results).verdict == "no effect above 0.02"


def test_one_repeat_decides_nothing(results: Path) -> None:
    forcing(results, 0.9, count=1)
    assert asked("forcing", results).verdict == UNDECIDED


def test_repeats_that_scatter_decide_nothing(results: Path) -> None:
    forcing(results, [0.2, 0.9, 0.7])
    assert asked("forcing", results).verdict == UNDECIDED


def test_an_arm_that_did_not_engage_decides_nothing_however_large_the_difference(results: Path) -> None:
    forcing(results, 0.9, honoured=0)
    found = asked("forcing", results)
    assert found.verdict == f"{UNDECIDED}: the arm did not engage"
    assert found.latest[0].engagement.text == "forced tool honoured 0/3"


def test_a_study_whose_suite_has_not_run_or_is_partial_is_not_yet_measured(results: Path) -> None:
    assert asked("forcing", results).verdict == NOT_MEASURED
    rows = [*repeats(3, "force-off", "tiny_form"), *repeats(3, "force-on", "tiny_form")]
    publish_side(results, "0.6.9", "forcing", rows, planned=18)
    assert asked("forcing", results).verdict == NOT_MEASURED


def test_the_newest_release_gives_the_verdict_and_the_earlier_ones_stay(results: Path) -> None:
    forcing(results, 0.9, version="0.6.8")
    forcing(results, 0.5, version="0.6.10")
    found = asked("forcing", results)
    assert [result.version for result in found.latest] == ["0.6.10"]
    assert [(result.version, result.verdict) for result in found.earlier] == [("0.6.8", YES)]
    page = render_study(settings(), found, "local")
    assert "## Earlier releases" in page and "| 0.6.8 " in page


def test_arms_may_lie_in_two_suites_of_one_release(results: Path) -> None:
    publish_side(
        results, "0.6.9", "boundary", repeats(5, "split-llm", "small_narrow", sections_correct=1.0, sections=1)
    )
    first = repeats(5, "split-llm-legacyprompt", "small_narrow", sections_correct=0.0, sections=3)
    publish_side(results, "0.6.8", "boundaryctl", first)
    assert asked("boundaryctl", results).verdict == NOT_MEASURED
    publish_side(results, "0.6.9", "boundaryctl", first)
    found = asked("boundaryctl", results)
    assert found.verdict == YES
    assert found.latest[0].engagement.text == "cut 5 sections, the other arm 15"


def test_an_arm_under_overrides_is_read_from_its_own_address(results: Path) -> None:
    def phase(tokens: int) -> dict[str, Any]:
        return {"tokens_by_phase": {"Classification": {"outputTokens": tokens}}}

    rows = repeats(5, "split-llm", "small_narrow", cost=[0.2, 0.201, 0.2, 0.2, 0.199], **phase(90))
    publish_side(results, "0.6.9", "splitcost", rows)
    off = repeats(
        5,
        "split-llm",
        "small_narrow",
        cost=[0.1, 0.101, 0.1, 0.1, 0.099],
        axes={"class_confidence": "off"},
        **phase(30),
    )
    publish_side(results, "0.6.9", "splitcost", off, slug="class-confidence-off")
    found = asked("class_confidence", results)
    assert found.verdict == YES
    assert found.latest[0].engagement.text == "450 output tokens of classification, the other arm 150"


def test_failed_runs_are_judged_where_failing_is_the_question(results: Path) -> None:
    def arms(mode: str, metered: str) -> list[dict[str, Any]]:
        return repeats(2, f"astra-{mode}", "scale_3200", rows_truth=3200, tokens_by_model={metered: {"inputTokens": 1}})

    rows = [
        *(broken("sonnet5-simple-sep", "scale_3200", n, rows_truth=3200) for n in range(2)),
        *arms("simple-sep", "a"), *arms("adv-sep", "a"), *repeats(2, "sonnet5-adv-sep", "scale_3200", rows_truth=3200),
    ]  # fmt: skip
    publish_side(results, "0.6.9", "astracap", rows)
    found = {result.asked.name: result for result in asked("astracap", results).latest}
    assert found["simple mode"].found.effect == -1.0
    assert found["simple mode"].verdict == UNDECIDED  # two repeats a side: one relabelling in six gives as much
    assert found["advanced, shards of 5 pages"].verdict == "no effect above 50 points"


def premium(results: Path, *costs: float) -> None:
    """Suite astravalue on its control in simple mode, all equal but the two models' cost per run; with its control."""
    cells = ("sonnet5-simple-sep", "astra-simple-sep")
    rows = [
        row
        for cell, cost in zip(cells, costs, strict=True)
        for row in repeats(5, cell, "small_narrow", cost=cost, tokens_by_model={cell: {"inputTokens": 1}})
    ]
    (control, _) = settings().suites["astravalue"].controls
    planned = {"document": control.document, "cheaper": control.cheaper, "dearer": control.dearer}
    publish_side(results, "0.6.9", "astravalue", rows, controls=judge_controls(rows, [planned]))


def test_a_control_that_the_premium_model_loses_stands_on_the_page(results: Path) -> None:
    premium(results, 0.1, 0.4)
    found = asked("astravalue", results)
    page = render_study(settings(), found, "local")
    assert found.latest[0].verdict == NO
    assert "- 0.6.9: control small_narrow holds: the dearer cell loses (astra-simple-sep 0.023529 against" in page
    assert "BROKEN" not in page


def test_a_control_that_the_premium_model_wins_breaks_the_suite_and_the_page_says_so_first(results: Path) -> None:
    premium(results, 0.4, 0.1)
    found = asked("astravalue", results)
    page = render_study(settings(), found, "local")
    assert found.latest[0].verdict == f"{UNDECIDED}: the suite is broken"
    assert page.index("**THE SUITE IS BROKEN: on its control small_narrow") < page.index("## Why")
    assert "the suite is broken" in render_index(settings(), [found], [], "local")
    guidance = render_guidance(settings(), sides(results), "local")
    assert "v0.6.9/astravalue: THE SUITE IS BROKEN" in guidance


def test_the_page_shows_engagement_interval_and_evidence(results: Path) -> None:
    rows = [
        *repeats(3, "enforce-off", "valuenoise_100", typed_accuracy=0.6, cell_accuracy=0.6),
        *repeats(3, "enforce-warn", "valuenoise_100", coercions=27, coercion_refusals=2),
    ]
    for row in rows:
        row.setdefault("typed_accuracy", 1.0)
    publish_side(results, "0.6.9", "enforcement", rows)
    page = render_study(settings(), asked("enforcement", results), "local")
    assert "coerced 81 values, refused 6 as ambiguous in 3 runs" in page
    assert "0.6.9, enforcement: 6 runs, 0 failed, 2026-11-10" in page
    assert "no run differed from its repeats" in page
    assert "***Self-test" in page
    assert "**Verdict: yes.**" in page


def test_the_index_has_every_verdict_and_what_needs_an_axis(results: Path, tmp_path: Path) -> None:
    forcing(results, 0.9)
    write(settings(), load_studies(settings()), load_missing(settings()), sides(results), "local", tmp_path / "made")
    text = (tmp_path / "made" / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in (tmp_path / "made").glob("*.md")} == SHIPPED | {"README"}
    line = next(line for line in text.splitlines() if "(forcing.md)" in line)
    assert "| yes" in line and "`forcing` = off by default" in line
    assert text.count(NOT_MEASURED) == 2 * (len(SHIPPED) - 1)
    assert "prompt caching" in text[text.index("## Needs an axis: not yet") :]
    assert "reedy decoding" in text[text.index("## Needs an axis: not yet") :]


def test_the_index_names_no_vendors_model_on_the_local_backend(results: Path) -> None:
    answers = [answer(one, sides(results)) for one in load_studies(settings())]
    text = render_index(settings(), answers, load_missing(settings()), "local")
    text += "".join(render_study(settings(), found, "local") for found in answers)
    assert not [model.label for model in settings().models.values() if model.label in text]


@pytest.mark.parametrize(
    ("slug", "old", "new", "message"),
    [
        (
            "forcing",
            "new: {cell: force-on}",
            "new: {cell: force-on, set: {geometry: llm}}",
            "differ in geometry, forcing",
        ),
        ("forcing", "new: {cell: force-on}", "new: {cell: force-on, set: {ocr: bda}}", "which cell force-on pins"),
        ("forcing", "new: {cell: force-on}", "new: {cell: force-off}", "differ in nothing"),
        ("forcing", "cell: force-on", "cell: force-no", r"comparisons\.0\.new\.cell.*force-on"),
        ("forcing", "suite: forcing", "suite: forsing", "suite: found 'forsing'.*forcing"),
        ("forcing", "metric: cell_accuracy", "metric: cell_acuracy", "metric: .*cell_accuracy"),
        ("forcing", "engagement: forced_tool", "engagement: forced", "engagement: .*forced_tool"),
        ("forcing", "asked: higher", "asked: more", "asked"),
        ("forcing", "repeats: 3", "repeats: 3\nrepeat: 3", "repeat: .*repeats"),
        ("needs_axis", "needs_axis:", "needs_axes:", "needs_axis"),
    ],
)
def test_a_wrong_study_is_refused_by_file_and_key(tmp_path: Path, slug: str, old: str, new: str, message: str) -> None:
    known = changed(tmp_path, slug, old, new)
    with pytest.raises(Refusal, match=message) as caught:
        load_studies(known)
        load_missing(known)
    assert f"{slug}.yaml" in str(caught.value)
