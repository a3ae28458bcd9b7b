"""The simulation study of the gate runs, and says what it says about every kind of release it simulates."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "study"))

import gate_study
import gate_study_page

from idpbench.gate.paired import chances, units
from idpbench.gate.paired.relabel import DRAWS, Draws


@pytest.fixture(scope="module")
def small():
    return gate_study.study({1: 1, 3: 2})


def test_every_grid_and_every_change_has_its_rate(small):
    lines = gate_study.lines_of(small)
    kinds = {(kind, grid) for kind, grid, *_ in lines}
    assert {(kind, grid) for kind in ("regression", "exit 4", "classic") for grid in gate_study.GRIDS} <= kinds
    assert len(lines) == 2 * (3 * len(gate_study.GRIDS) + len(gate_study.POWER_GRIDS) * len(gate_study.CHANGES))
    assert all(0 <= hits <= of == {1: 1, 3: 2}[n] for _, _, _, n, hits, of, *_ in lines)


def test_nothing_is_found_where_nothing_scatters(small):
    assert all(rate.hits == 0 for rates in small.alarms["exact"].values() for rate in rates.values())


def test_a_document_that_always_fails_is_found_at_three_repeats_and_not_at_one(small):
    found = small.power["quiet"]["a document fails always"]
    assert (found[1].hits, found[3].hits) == (0, 2)


def test_the_page_shows_every_table_and_the_figure_is_drawn(small, tmp_path):
    page = gate_study_page.page(small)
    assert all(name in page for name in (*gate_study.GRIDS, *gate_study.CHANGES))
    gate_study_page.figure(small, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["gate-study.png"]


def test_the_gate_is_as_it_was_after_the_study(small):
    assert (chances.DRAWS, units.DRAWS, units.Draws) == (DRAWS, DRAWS, Draws)


def test_the_same_seed_is_the_same_release():
    grid = gate_study.GRIDS["rare failures"]
    assert gate_study.side(grid, 3, "x") == gate_study.side(grid, 3, "x") != gate_study.side(grid, 3, "y")


def test_one_number_of_repeats_can_be_simulated_again_and_the_others_kept(small, tmp_path):
    path = tmp_path / "gate-study.csv"
    headers = "kind,grid,change,repeats,hits,releases,low,high"
    path.write_text("\n".join([headers, *(",".join(map(str, line)) for line in gate_study.lines_of(small))]))
    kept = gate_study.read_study(path)
    assert gate_study.lines_of(kept) == gate_study.lines_of(small)
    again = gate_study.with_others(gate_study.study({3: 1}), kept)
    assert again.releases == {1: 1, 3: 1}
    assert all(rate.of == again.releases[n] for by in again.alarms.values() for n in by for rate in by[n].values())
    assert "1 at n=1, 1 at n=3" in gate_study_page.page(again).replace("\n", " ")
