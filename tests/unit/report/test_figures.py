"""Figures: the same numbers give the same bytes, and the CSV beside a figure holds what it shows."""

from __future__ import annotations

import csv
import re
from itertools import product
from pathlib import Path

import pytest
from sides import comparison, row, write_side

from idpbench.files.canonical import read_json, write_json
from idpbench.gate.verdict import make_comparison
from idpbench.report.figures.catalogue import COST, FIGURES, QUALITY, SERIES, SUFFIXES
from idpbench.report.figures.draw import draw_all
from idpbench.report.figures.quality import _free, _natural
from idpbench.report.figures.series import series_cells
from idpbench.report.inputs import Inputs, load
from idpbench.scoring.calibration import build, payload

CURVE = payload(build([(0.95, True)] * 80 + [(0.55, False)] * 20), "set", "configuration")
SIZES = {"scale_25": 25, "scale_100": 100, "scale_400": 400, "scale_1200": 1200}


@pytest.fixture(scope="module")
def sized(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """One cell over four sizes, two repeats; VERSION loses rows on the largest, one run of it failed."""
    folder = tmp_path_factory.mktemp("sized")
    for version, side, recall in (("0.6.9", "new", 0.1), ("0.6.8", "base", 1.0)):
        lines = [
            row("a-cell", doc, repeat, rows_truth=rows, cost=round(rows / 1000 + repeat / 100, 4),
                completeness_recall=recall if rows == 1200 else 1.0, calibration_curve=CURVE)
            for (doc, rows), repeat in product(SIZES.items(), range(2))
        ]  # fmt: skip
        if side == "new":
            lines[-1] |= {"success": False, "status": "FAILED", "cost": None, "completeness_recall": 0.0}
        write_side(folder / side, version, lines)
    sides = (read_json(folder / side / "summary.json") for side in ("new", "base"))
    write_json(folder / "comparison.json", make_comparison(*sides))
    return load(folder / "new", folder / "base", folder / "comparison.json")


@pytest.fixture(scope="module")
def drawn(sized: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    assert draw_all(sized, folder) == [figure.stem for figure in FIGURES]
    return folder


def table(folder: Path, stem: str) -> list[dict[str, str]]:
    with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_each_figure_is_a_png_an_svg_and_its_numbers(drawn: Path) -> None:
    assert {path.name for path in drawn.iterdir()} == {f.stem + suffix for f in FIGURES for suffix in SUFFIXES}


def test_the_same_inputs_give_the_same_bytes(sized: Inputs, drawn: Path, tmp_path: Path) -> None:
    draw_all(sized, tmp_path)
    for path in sorted(drawn.iterdir()):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_no_figure_names_a_date_or_a_program(drawn: Path) -> None:
    for figure in FIGURES:
        svg = (drawn / f"{figure.stem}.svg").read_text(encoding="utf-8")
        assert not re.search(r"20\d\d-\d\d-\d\d|Matplotlib v|dc:creator", svg)
        assert b"Software" not in (drawn / f"{figure.stem}.png").read_bytes()


def test_a_figure_states_n_source_and_that_nothing_was_billed(drawn: Path) -> None:
    svg = (drawn / f"{COST.stem}.svg").read_text(encoding="utf-8")
    assert "n = 8 completed runs of 0.6.8, 7 of 0.6.9" in svg
    assert "Source: summary.json of both sides" in svg
    assert "nothing was billed" in svg


def test_the_cost_csv_holds_the_means_of_completed_runs(drawn: Path) -> None:
    lines = {(line["side"], line["document"]): line for line in table(drawn, COST.stem)}
    assert len(lines) == 8
    assert float(lines["PREV", "scale_400"]["document_mean_usd"]) == pytest.approx(0.405)
    assert lines["VERSION", "scale_1200"]["document_runs"] == "1"
    means = [float(line["document_mean_usd"]) for (side, _), line in lines.items() if side == "PREV"]
    assert float(lines["PREV", "scale_25"]["mean_usd"]) == pytest.approx(sum(means) / 4)


def test_the_paired_csv_holds_both_sides_of_each_key(drawn: Path) -> None:
    lines = [line for line in table(drawn, QUALITY.stem) if line["metric"] == "completeness_recall"]
    assert {line["document"]: (float(line["prev"]), float(line["version"])) for line in lines} == {
        "scale_25": (1, 1), "scale_100": (1, 1), "scale_400": (1, 1), "scale_1200": (1, 0.1),
    }  # fmt: skip


def test_the_series_is_in_the_order_of_size(drawn: Path) -> None:
    lines = [line for line in table(drawn, SERIES.stem) if (line["metric"], line["side"]) == ("cost", "VERSION")]
    assert [int(line["rows"]) for line in lines] == [25, 100, 400, 1200]


def test_without_a_size_series_there_is_no_such_figure_and_an_old_one_goes(tmp_path: Path) -> None:
    lines = [row("a-cell", doc, 0) for doc in ("tiny_form", "small_narrow")]
    write_side(tmp_path / "new", "0.6.9", lines)
    write_side(tmp_path / "base", "0.6.8", [line | {"cost": None, "completeness_recall": None} for line in lines])
    write_json(tmp_path / "comparison.json", comparison())
    inputs = load(tmp_path / "new", tmp_path / "base", tmp_path / "comparison.json")
    assert series_cells(inputs) == []
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / f"{SERIES.stem}.png").write_bytes(b"old")
    draw_all(inputs, tmp_path / "figures")
    assert not (tmp_path / "figures" / f"{SERIES.stem}.png").exists()


def test_labels_never_share_a_place() -> None:
    taken: list[float] = []
    for wanted in (1.0, 1.0, 0.99, 0.5):
        _free(wanted, taken, 0.05)
    assert min(abs(a - b) for i, a in enumerate(taken) for b in taken[:i]) >= 0.05 - 1e-9
    assert taken[3] == 0.5


def test_documents_are_listed_by_size() -> None:
    assert sorted(SIZES, key=_natural) == list(SIZES)
