"""The figures of the verdict: effects, changes by cell and document, single runs. The CSV holds what is drawn."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from sides import comparison, failed, row, write_side

from idpbench.files.canonical import read_json, write_json
from idpbench.gate.verdict import make_comparison
from idpbench.report.figures import effects, heat, repeats
from idpbench.report.inputs import Inputs, load

ROW_NOISE = (0.97, 1.0, 1.03)


def sides(folder: Path, new: list[dict[str, Any]], base: list[dict[str, Any]]) -> Inputs:
    write_side(folder / "new", "0.6.9", new)
    write_side(folder / "base", "0.6.8", base)
    summaries = (read_json(folder / side / "summary.json") for side in ("new", "base"))
    write_json(folder / "comparison.json", make_comparison(*summaries))
    return load(folder / "new", folder / "base", folder / "comparison.json", with_runs=False)


def grid(**more: Any) -> list[dict[str, Any]]:
    return [
        row(cell, doc, repeat, cost=round(0.1 * noise, 4), **more)
        for cell in ("plain", "lossy")
        for doc in ("form", "list")
        for repeat, noise in enumerate(ROW_NOISE)
    ]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Cell lossy loses half of a list, and one run of it fails; nothing else moves."""
    new = grid()
    for place, line in enumerate(new):
        if (line["cell"], line["doc"]) == ("lossy", "list.pdf"):
            new[place] = line | {"completeness_recall": 0.5}
    new[-1] = failed("lossy", "list", 2, "ThrottlingException: too many")
    return sides(tmp_path_factory.mktemp("sides"), new, grid())


def table(folder: Path, stem: str) -> list[dict[str, str]]:
    with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_effects_show_what_moved_with_interval_threshold_and_what_could_be_seen(inputs: Inputs, tmp_path: Path) -> None:
    assert effects.draw(inputs, tmp_path)
    lines = {(line["level"], line["key"], line["metric"]): line for line in table(tmp_path, "effects")}
    lost = lines["row", "lossy|list.pdf", "completeness_recall"]
    assert (float(lost["effect"]), float(lost["threshold"]), lost["low"]) == (-0.5, 0.02, "")
    cost = lines["cell", "plain", "cost"]
    assert float(cost["low"]) < float(cost["effect"]) == 0.0 < float(cost["high"]) < float(cost["detectable"])
    assert float(cost["threshold"]) == pytest.approx(math.log(1.15))


def test_what_is_exactly_equal_is_not_drawn(inputs: Inputs) -> None:
    names = {(test["key"], test["metric"]) for test in effects.chosen(inputs.comparison, logarithmic=False)}
    assert ("plain", "scalar_accuracy") not in names and ("lossy|form.pdf", "completeness_recall") not in names


def test_the_most_harmful_effect_of_a_level_comes_first(inputs: Inputs) -> None:
    found = effects.chosen(inputs.comparison, logarithmic=False)
    order = ["grid", "cell", "row"]
    assert [test["level"] for test in found] == sorted((test["level"] for test in found), key=order.index)
    rows = [test["harm"] / test["threshold"] for test in found if test["level"] == "row"]
    assert rows == sorted(rows, reverse=True)


def test_a_square_names_the_metric_that_moved_most_and_its_failures(inputs: Inputs, tmp_path: Path) -> None:
    assert heat.draw(inputs, tmp_path)
    lines = {(line["cell"], line["document"]): line for line in table(tmp_path, "changes")}
    lost = lines["lossy", "list"]
    assert (lost["quality_metric"], float(lost["quality_change"])) == ("completeness_recall", -0.5)
    assert (lost["runs_version"], lost["failed_prev"], lost["failed_version"]) == ("3", "0", "1")
    assert float(lines["plain", "form"]["quality_change"]) == 0.0 == float(lines["plain", "form"]["cost_change_log"])
    svg = (tmp_path / "changes.svg").read_text(encoding="utf-8")
    assert "PREV 0 of 12, VERSION 1 of 12" in svg and "<pattern" in svg


def test_what_was_not_measured_on_both_sides_has_no_number(tmp_path: Path) -> None:
    base = [*grid(), row("extra", "form", 0)]
    gone = [failed("plain", "form", n, "ValidationException: input is too long") for n in range(3)]
    new = [line for line in grid() if (line["cell"], line["doc"]) != ("plain", "form.pdf")] + gone
    found = heat.squares(sides(tmp_path, new, base))
    assert found["plain", "form"] == heat.Square((3, 3), (0, 3), None, None, None)
    assert found["extra", "form"].runs == (1, 0) and found["extra", "form"].quality is None


def test_every_completed_run_is_one_mark(inputs: Inputs, tmp_path: Path) -> None:
    assert repeats.draw(inputs, tmp_path)
    lines = table(tmp_path, "repeats")
    costs = [line for line in lines if line["metric"] == "cost"]
    assert len(costs) == 12 + 11
    first = next(line for line in costs if line["side"] == "PREV")
    assert float(first["shown"]) == pytest.approx(math.log(float(first["value"]) / float(first["prev_mean"])))
    assert {line["metric"] for line in lines} == {"cost", "completeness_recall"}


def test_there_is_no_figure_of_nothing(tmp_path: Path) -> None:
    write_side(tmp_path / "new", "0.6.9", [row("plain", "form", 0)])
    write_side(tmp_path / "base", "0.6.8", [row("plain", "form", 0)])
    write_json(tmp_path / "comparison.json", comparison())
    single = load(tmp_path / "new", tmp_path / "base", tmp_path / "comparison.json", with_runs=False)
    assert not effects.draw(single, tmp_path) and not repeats.draw(single, tmp_path)
    assert not list(tmp_path.glob("*.png"))
