"""Configuration guidance: what it finds, and what it takes back when the evidence is gone or old."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import broken, line, publish_side, repeats, settings, sides

from idpbench.report.guidance import grid, hazards, scaling
from idpbench.report.guidance.page import render, write
from idpbench.report.guidance.recommend import Desk, Recommendation, recommendations
from idpbench.report.guidance.sweeps import sweep

SIMPLE, ADVANCED, INTEGRATED = "core-tt-simple-sep", "core-tt-adv-sep", "core-tt-simple-int"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results" / "local"


def series(version: str, results: Path) -> None:
    """A size series: simple mode loses rows at 1,200 and fails at 3,200, advanced mode keeps all."""
    rows = []
    for size, recall in ((25, 1.0), (400, 1.0), (800, 1.0), (1200, 0.8), (3200, None)):
        about = {"rows_truth": size, "fields_total": 3 * size}
        rows.append(line(ADVANCED, f"scale_{size}", cost=size / 500 + 0.01, correct_fields=3 * size, **about))
        if recall is None:
            rows.append(broken(SIMPLE, f"scale_{size}", **about))
        else:
            right = round(3 * size * recall)
            rows.append(
                line(
                    SIMPLE, f"scale_{size}", cost=size / 1000, completeness_recall=recall, correct_fields=right, **about
                )
            )
    publish_side(results, version, "scaling", rows)


def matrix(version: str, results: Path, suite: str = "corefast") -> None:
    """A grid of three cells: the cheap one misses a field in two, the dear one nothing."""
    rows = [
        *repeats(3, "core-tl-simple-sep", "tiny_form", cost=[0.05, 0.051, 0.05], correct_fields=12),
        *repeats(3, SIMPLE, "tiny_form", cost=[0.10, 0.101, 0.10]),
        *repeats(3, ADVANCED, "tiny_form", cost=[0.20, 0.22, 0.21]),
    ]
    publish_side(results, version, suite, rows)


def of(results: Path, release: str = "0.6.9") -> dict[str, Recommendation]:
    return {line.situation: line for line in recommendations(Desk(sides(results), release))}


def test_the_cliff_is_between_the_last_whole_size_and_the_first_that_is_not(results: Path) -> None:
    series("0.6.9", results)
    found = scaling.sizes(sides(results)[0])
    edge = scaling.cliff(found, "simple")
    assert (edge.last_whole, edge.first_loss, edge.silent, edge.refused) == (800, 1200, (1200,), (3200,))
    assert scaling.cliff(found, "advanced").first_loss is None
    assert scaling.located(edge) == (
        "Simple mode returned every row up to 800 rows; the first size that is not whole has 1,200 rows "
        "(rows missing from a COMPLETED run at 1,200 rows; FAILED at 3,200 rows)."
    )


def test_a_size_that_recovers_beyond_the_cliff_does_not_move_it(results: Path) -> None:
    rows = [
        line(SIMPLE, f"scale_{size}", rows_truth=size, completeness_recall=recall)
        for size, recall in ((25, 1.0), (400, 0.5), (800, 1.0))
    ]
    publish_side(results, "0.6.9", "scaling", rows)
    edge = scaling.cliff(scaling.sizes(sides(results)[0]), "simple")
    assert (edge.last_whole, edge.first_loss) == (25, 400)


def test_a_failed_run_has_nothing_correct(results: Path) -> None:
    rows = [line(SIMPLE, "tiny_form", 0), broken(SIMPLE, "tiny_form", 1)]
    publish_side(results, "0.6.9", "corefast", rows)
    cell = grid.cell_lines(sides(results)[0])[0]
    assert (cell.correct, cell.recall, cell.failed, cell.runs) == (0.5, 1.0, 1, 2)


@given(st.lists(st.tuples(st.floats(0.01, 5), st.floats(0, 1)), min_size=1, max_size=12))
def test_no_cell_beats_one_of_the_frontier_in_both(points: list[tuple[float, float]]) -> None:
    lines = [
        grid.CellLine(str(n), {}, 1, 1, 0, correct, *[None] * 3, cost, *[None] * 4)  # type: ignore[arg-type]
        for n, (cost, correct) in enumerate(points)
    ]
    best = grid.frontier(lines)
    assert best
    for one in best:
        assert not [
            other
            for other in lines
            if (other.cost or 0) <= (one.cost or 0) and (other.correct or 0) > (one.correct or 0) + 1e-6
        ]


def test_a_completed_run_without_its_rows_is_a_silent_loss(results: Path) -> None:
    rows = repeats(4, INTEGRATED, "longdesc_100", completeness_recall=[0.87, 1.0, 0.5, 1.0], rows_truth=100)
    publish_side(results, "0.6.9", "intconf", rows)
    (loss,) = hazards.silent(hazards.losses(sides(results)[0]))
    assert (loss.silent, loss.completed, loss.least) == (2, 4, 0.5)


def test_the_cheapest_cell_that_is_good_enough_is_recommended_and_not_the_cheapest(results: Path) -> None:
    matrix("0.6.9", results)
    line = of(results)["A document of up to 5 rows, cost decides"]
    assert line.configuration == f"`{SIMPLE}`"
    assert line.evidence is not None and line.evidence.line() == "0.6.9, corefast: 9 runs, 0 failed, 2026-11-10"


def test_lists_are_recommended_by_the_sizes_that_came_back_whole(results: Path) -> None:
    series("0.6.9", results)
    found = of(results)
    assert found["A list of up to 800 rows"].configuration == "extraction_mode = simple"
    assert found["A list of more than 800 and up to 3,200 rows"].configuration == "extraction_mode = advanced"


def test_beyond_what_any_mode_returned_whole_nothing_is_recommended(results: Path) -> None:
    rows = [
        line(SIMPLE, f"scale_{size}", rows_truth=size, completeness_recall=recall)
        for size, recall in ((25, 1.0), (400, 0.5))
    ]
    publish_side(results, "0.6.9", "scaling", rows)
    assert of(results)["A list of more than 25 rows"].configuration is None


def test_integrated_confidence_that_loses_rows_is_not_recommended(results: Path) -> None:
    lossy = repeats(4, INTEGRATED, "longdesc_100", completeness_recall=0.87, cost=0.1)
    publish_side(results, "0.6.9", "intconf", [*lossy, *repeats(4, SIMPLE, "longdesc_100", cost=0.2)])
    found = of(results)["Confidence is needed"]
    assert found.configuration == "assessment = separate"
    assert "lost rows in 4 of 4 COMPLETED runs, down to a recall of 0.870" in found.why


def test_evidence_of_an_older_release_withdraws_a_recommendation(results: Path) -> None:
    matrix("0.6.8", results)
    series("0.6.9", results)
    line = of(results)["A document, cost decides"]
    assert line.configuration is None
    assert line.why == "the newest evidence is of 0.6.8, older than 0.6.9"
    matrix("0.6.9", results)
    assert of(results)["A document of up to 5 rows, cost decides"].configuration is not None


def test_a_partial_grid_and_an_absent_one_recommend_nothing(results: Path) -> None:
    publish_side(results, "0.6.9", "corefast", [line(SIMPLE, "tiny_form")], planned=9)
    assert {found.configuration for found in of(results).values()} == {None}
    assert "PARTIAL" in of(results)["A document, cost decides"].why
    assert of(results)["A budget is set"].why == "suite cost has not been run"


def test_every_recommendation_has_a_line_of_evidence_on_the_page(results: Path) -> None:
    matrix("0.6.9", results)
    series("0.6.9", results)
    text = render(settings(), sides(results), "local")
    for found in of(results).values():
        if found.configuration is not None:
            assert found.evidence is not None and found.evidence.line() in text


def test_a_section_of_an_older_release_says_so(results: Path) -> None:
    series("0.6.8", results)
    matrix("0.6.9", results)
    text = render(settings(), sides(results), "local")
    section = text[text.index("## 5. Scaling") : text.index("## 6.")]
    assert "Evidence: 0.6.8, scaling: 10 runs, 1 failed, 2026-11-09." in section
    assert "**Older than 0.6.9**: not measured on it." in section
    assert "Older than" not in text[text.index("## 3.") : text.index("## 4.")]


def test_a_model_is_held_against_the_default_where_both_ran_and_nowhere_else(results: Path) -> None:
    moved = {"axes": {"extraction_model": "sonnet5"}}
    rows = [
        line(SIMPLE, "tiny_form", cost=0.1),
        line(SIMPLE, "small_narrow", cost=5.0),
        line(SIMPLE, "tiny_form", cost=0.2, **moved),
        line(SIMPLE, "large_narrow", cost=9.0, **moved),
    ]
    publish_side(results, "0.6.9", "full", rows)
    models = {"sonnet46": settings().models["sonnet46"].model_id, "sonnet5": settings().models["sonnet5"].model_id}
    found = sweep(sides(results), "extraction_model", models, "sonnet46", "0.6.9", ["cost"])
    cost = found[1].numbers["cost"]
    assert (found[1].value, cost.control, cost.value, cost.strata) == ("sonnet5", 0.1, 0.2, 1)


def test_a_model_without_a_run_has_no_figure(results: Path) -> None:
    matrix("0.6.9", results)
    text = render(settings(), sides(results), "aws")
    section = text[text.index("## 7.") : text.index("## 8.")]
    table = [row for row in section.splitlines() if row.startswith("|")][2:]
    assert [row.split("|")[1].strip() for row in table] == ["Claude Sonnet 4.6 (default)"]
    assert "Claude Opus 5.5" in section[section.index("No run, so no figure") :]


def test_the_local_page_is_marked_and_names_no_vendors_model(results: Path) -> None:
    matrix("0.6.9", results)
    series("0.6.9", results)
    text = render(settings(), sides(results), "local")
    assert text.index("***Self-test: local stack, projected cost, nothing was billed.") < text.index("## 1.")
    assert not [model.label for model in settings().models.values() if model.label in text]
    assert "Self-test" not in render(settings(), sides(results), "aws")


def test_without_a_published_side_the_page_recommends_nothing(results: Path) -> None:
    text = render(settings(), sides(results), "aws")
    assert "Nothing has been published" in text and "## 9." not in text


def test_page_and_figures_are_the_same_bytes_again(results: Path, tmp_path: Path) -> None:
    matrix("0.6.9", results)
    series("0.6.9", results)
    made = []
    for name in ("once", "again"):
        write(settings(), sides(results), "local", tmp_path / name)
        made.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert made[0] == made[1]
    assert {name.rpartition(".")[2] for name in made[0]} == {"md", "png", "svg", "csv"}


def test_the_numbers_of_the_cliff_lie_beside_it(results: Path, tmp_path: Path) -> None:
    series("0.6.9", results)
    write(settings(), sides(results), "local", tmp_path / "page")
    with (tmp_path / "page" / "completeness_cliff.csv").open(encoding="utf-8") as stream:
        found = {(row["mode"], row["rows"]): (row["recall"], row["failed"]) for row in csv.DictReader(stream)}
    assert found["simple", "1200"] == ("0.8", "0")
    assert found["simple", "3200"] == ("", "1")
    assert not (tmp_path / "page" / "cost_and_correctness.png").exists()
