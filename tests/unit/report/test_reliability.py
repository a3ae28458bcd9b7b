"""Confidence on the release page: pooled by how values were assessed, and a diagram only where it can say something."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from sides import comparison, row, write_side

from idpbench.files.canonical import write_json
from idpbench.report.figures.catalogue import RELIABILITY, SUFFIXES
from idpbench.report.figures.reliability import draw
from idpbench.report.inputs import Inputs, load
from idpbench.report.ownership import Claims, decide
from idpbench.report.release_page import pair_of, render
from idpbench.report.reliability import LEAST_WRONG, abstentions, arms, table
from idpbench.scoring.calibration import build, payload


def assessed(right: int, wrong: int, *, assessment: str = "separate", **more: Any) -> dict[str, Any]:
    """A run with `right` values at 0.95 and `wrong` ones at 0.55."""
    curve = payload(build([(0.95, True)] * right + [(0.55, False)] * wrong), "set", "configuration")
    axes = {"assessment": assessment, "confidence_model": "nova_lite"}
    return row("a-cell", "tiny_form", 0, calibration_curve=curve, resolved=axes, scored_by="truth", **more)


def pair(folder: Path, base: list[dict[str, Any]], new: list[dict[str, Any]]) -> Inputs:
    write_side(folder / "new", "0.6.9", new)
    write_side(folder / "base", "0.6.8", base)
    write_json(folder / "comparison.json", comparison())
    return load(folder / "new", folder / "base", folder / "comparison.json")


def numbers(folder: Path) -> list[dict[str, str]]:
    with (folder / f"{RELIABILITY.stem}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def page(inputs: Inputs, folder: Path) -> str:
    return render(inputs, decide(pair_of(inputs), Claims()), folder)


def test_ways_of_assessing_are_pooled_apart_and_failed_runs_left_out(tmp_path: Path) -> None:
    rows = [assessed(90, 10), assessed(50, 0), assessed(70, 30, assessment="integrated"), assessed(5, 5, success=False)]
    found = arms(pair(tmp_path, rows, rows[:1]))
    assert [arm.name for arm in found] == ["integrated, nova_lite", "separate, nova_lite"]
    integrated, separate = found
    assert integrated.new is None
    assert separate.base is not None and (separate.base["observations"], separate.base["correct"]) == (150, 140)


def test_too_few_wrong_values_on_either_side_are_not_drawn_and_the_numbers_say_why(tmp_path: Path) -> None:
    inputs = pair(tmp_path, [assessed(80, LEAST_WRONG)], [assessed(100, LEAST_WRONG - 1)])
    assert draw(inputs, tmp_path / "figures") is False
    assert [path.name for path in (tmp_path / "figures").iterdir()] == [f"{RELIABILITY.stem}.csv"]
    lines = numbers(tmp_path / "figures")
    assert {line["not_drawn_because"] for line in lines} == {"19 wrong of 119 values on VERSION, fewer than 20"}
    assert {(line["side"], line["bin_start"]): line["wrong"] for line in lines} == {
        ("PREV", "0.5"): "20", ("PREV", "0.9"): "0", ("VERSION", "0.5"): "19", ("VERSION", "0.9"): "0",
    }  # fmt: skip


def test_a_side_without_a_value_is_named(tmp_path: Path) -> None:
    inputs = pair(tmp_path, [row("a-cell", "tiny_form", 0)], [assessed(80, 40)])
    assert abstentions(inputs) == ["separate, nova_lite: no assessed value on PREV"]
    assert draw(inputs, tmp_path / "figures") is False
    assert numbers(tmp_path / "figures")[0]["values"] == "0"


def test_enough_wrong_values_on_both_sides_are_drawn_with_the_same_bytes_each_time(tmp_path: Path) -> None:
    inputs = pair(tmp_path, [assessed(80, 20)], [assessed(60, 40)])
    folders = [tmp_path / "one", tmp_path / "two"]
    assert [draw(inputs, folder) for folder in folders] == [True, True]
    for suffix in SUFFIXES:
        one, two = ((folder / f"{RELIABILITY.stem}{suffix}").read_bytes() for folder in folders)
        assert one == two
    first = numbers(folders[0])[0]
    assert (float(first["mean_confidence"]), float(first["observed_accuracy"])) == (0.55, 0.0)
    assert float(first["low"]) == 0.0 and float(first["high"]) == pytest.approx(0.1611, abs=1e-4)


def test_nothing_assessed_is_neither_drawn_nor_tabled(tmp_path: Path) -> None:
    inputs = pair(tmp_path, [row("a-cell", "tiny_form", 0)], [row("a-cell", "tiny_form", 0)])
    assert draw(inputs, tmp_path / "figures") is False
    assert not (tmp_path / "figures").exists()
    assert table(inputs)[1] == []
    assert "AUROC" not in page(inputs, tmp_path)


def test_the_page_has_the_pooled_statistics_and_says_what_is_not_drawn(tmp_path: Path) -> None:
    inputs = pair(tmp_path, [assessed(80, 20)], [assessed(100, 0)])
    text = page(inputs, tmp_path)
    [line] = [line for line in text.splitlines() if line.startswith("| separate")]
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    assert cells[:6] == ["separate", "`nova_lite`", "100", "20 → 0", "0.150 → 0.050", "1.000 → n/a"]
    assert "- No reliability diagram of separate, nova_lite: 0 wrong of 100 values on VERSION, fewer than 20." in text
