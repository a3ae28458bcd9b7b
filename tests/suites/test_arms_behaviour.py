"""`idpbench compare --arms`: two cells of one suite, or one suite under two overrides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inprocess import Grid

from idpbench.cli import main
from idpbench.files.canonical import write_json

OLD, NEW = "opus5-simple-sep", "opus55-simple-sep"
CELLS = [OLD, NEW]


@pytest.fixture(scope="module")
def unset(grid: Grid, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory, "unset", grid.run("opus55value", cells=CELLS))


@pytest.fixture(scope="module")
def high(grid: Grid, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory, "high", grid.run("opus55value", cells=CELLS, reasoning_effort="high"))


def written(factory: pytest.TempPathFactory, name: str, summary: dict[str, Any]) -> Path:
    path = factory.mktemp("arms") / f"{name}.json"
    write_json(path, summary, flat_from=3)
    return path


def compared(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any]]:
    code = main(["compare", *map(str, arguments), "--format", "json"])
    return code, json.loads(capsys.readouterr().out)


def test_two_models_of_one_summary(unset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, comparison = compared(capsys, unset, unset, "--arms", f"{NEW}={OLD}")
    assert comparison["arms"] == [NEW, OLD] and comparison["differences"] == []
    found = {(one["key"], one["metric"]) for one in comparison["rows"]["improvements"]}
    assert found == {(f"{NEW}={OLD}|{name}.pdf", "cost") for name in ("small_narrow", "med_narrow")}
    assert code == 0 and comparison["verdict"] == "pass"
    back, worse = compared(capsys, unset, unset, "--arms", f"{OLD}={NEW}")
    assert back == 1 and {one["metric"] for one in worse["rows"]["regressions"]} == {"cost"}


def test_one_suite_under_two_overrides(unset: Path, high: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, comparison = compared(capsys, high, unset, "--arms", "reasoning-effort-high=default")
    assert code in (0, 1, 4) and comparison["differences"] == [] and comparison["coverage"]["complete"]
    tests = {(one["key"], one["metric"]): one["delta"] for one in comparison["tests"] if one["key"].count("|")}
    # the older model's own default is high, so that only the newer one pays for being told
    assert tests[f"{OLD}|small_narrow.pdf", "cost"] == pytest.approx(0, abs=1e-9)
    assert tests[f"{NEW}|small_narrow.pdf", "cost"] > 0.01


def test_without_arms_two_overrides_are_not_comparable_and_the_axis_is_named(
    unset: Path, high: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, comparison = compared(capsys, high, unset)
    assert code == 3 and comparison["verdict"] == "incomparable"
    assert "reasoning_effort" in {one["field"] for one in comparison["differences"]}


def test_arms_across_the_two_overrides_differ_in_two_axes_and_are_refused(
    unset: Path, high: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, comparison = compared(capsys, high, unset, "--arms", f"{NEW}={OLD}")
    assert code == 3 and comparison["verdict"] == "incomparable"
    assert {"extraction_model", "reasoning_effort"} <= {one["field"] for one in comparison["differences"]}


def test_an_arm_that_neither_side_has_is_bad_input_that_names_the_nearest(
    unset: Path, high: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(unset), str(unset), "--arms", f"opus55-simple={OLD}"]) == 2
    assert NEW in capsys.readouterr().err
    assert main(["compare", str(high), str(unset), "--arms", "reasoning-effort-hi=default"]) == 2
    assert "reasoning-effort-high" in capsys.readouterr().err


def test_the_text_says_which_arm_stands_on_which_side(
    unset: Path, high: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["compare", str(high), str(unset), "--arms", "reasoning-effort-high=default"])
    assert "arms: reasoning-effort-high (new) against default (base)" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "junit", "github"])
def test_every_spelling_names_the_pair(unset: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    main(["compare", str(unset), str(unset), "--arms", f"{OLD}={NEW}", "--format", form])
    assert f"{OLD}={NEW}" in capsys.readouterr().out
