"""The worked examples of the metrics, by hand: two regions by two years, four rows of three columns."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idpbench.gold.metrics import METRICS, Scored, absent, composite, macro, millionths, score
from idpbench.gold.mismatches import mismatches, no_mismatches
from idpbench.gold.tidy import Table
from idpbench.gold.trace import HeaderTrace, TraceRow

COLUMNS = ("region", "year", "value")
ROWS = (("N", "2023", "22"), ("N", "2024", "23"), ("S", "2023", "32"), ("S", "2024", "33"))


def trace(rows, sources=None, columns=COLUMNS, direction="left"):
    """A record for each row: the first two columns are headers."""
    return tuple(
        TraceRow(
            f"S!{sources[i] if sources else f'R{i + 2}C9'}",
            tuple(
                HeaderTrace(name, direction, f"S!{text}", text, "resolved")
                for name, text in zip(columns[:-1], row, strict=True)
            ),
        )
        for i, row in enumerate(tuple(row[:-1] for row in rows))
    )


def side(rows=ROWS, sources=None, columns=COLUMNS, **more):
    return Scored(Table(columns, tuple(rows)), trace(rows, sources, columns, **more))


def one_column(texts, sources):
    """A table of one value column without headers."""
    return Scored(Table(("value",), tuple((text,) for text in texts)), tuple(TraceRow(f"S!{s}", ()) for s in sources))


BASE = side()
ADDRESSES = ("R2C9", "R3C9", "R4C9", "R5C9")
EXAMPLES = {
    "one text differs": (
        BASE,
        Scored(Table(COLUMNS, (*ROWS[:3], ("S", "2024", "34"))), BASE.trace),
        "partial",
        (916667, 1_000_000, 1_000_000),
        687500,
    ),
    "last row missing": (BASE, side(ROWS[:3]), "partial", (750000, 857143, 750000), 616071),
    "first row missing": (BASE, side(ROWS[1:], ADDRESSES[1:]), "partial", (166667, 857143, 750000), 528572),
    "extra row": (BASE, side((*ROWS, ("T", "2025", "44"))), "partial", (800000, 888889, 1_000_000), 653333),
    "extra column": (
        BASE,
        side([(*row[:2], "x", row[2]) for row in ROWS], columns=("region", "year", "unit", "value")),
        "partial",
        (750000, 1_000_000, 0),
        562500,
    ),
    "column renamed": (BASE, side(columns=("area", "year", "value")), "partial", (500000, 1_000_000, 0), 525000),
    "same CSV, other direction": (BASE, side(direction="above"), "passed", (1_000_000, 1_000_000, 0), 900000),
    "same CSV from other cells": (
        BASE,
        side(sources=("R2C8", "R3C8", "R4C8", "R5C8")),
        "passed",
        (1_000_000, 0, 0),
        750000,
    ),
    "both empty, same columns": (side([]), side([]), "passed", (1_000_000,) * 3, 1_000_000),
    "both empty, other columns": (side([]), side([], columns=("area", "value")), "partial", (1_000_000,) * 3, 700000),
    "reference empty": (side([]), BASE, "partial", (0, 0, 0), 300000),
    "production empty": (BASE, side([]), "partial", (0, 0, 0), 300000),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_example(name):
    reference, produced, status, rates, total = EXAMPLES[name]
    found = score(reference, produced)
    assert found.status == status
    assert tuple(found.published[metric] for metric in METRICS[2:]) == rates
    assert (found.published["deterministic_pass_rate"], found.composite) == (1_000_000, total)
    assert found.published["exact_output_match"] == 1_000_000 * (status == "passed")


def test_a_dropped_duplicate_row_shifts_the_rest():
    reference = Scored(
        Table(("k", "value"), (("a", "1"), ("a", "1"), ("b", "2"))),
        trace([("a", "1"), ("a", "1"), ("b", "2")], columns=("k", "value")),
    )
    produced = Scored(Table(("k", "value"), (("a", "1"), ("b", "2"))), (reference.trace[0], reference.trace[2]))
    found = score(reference, produced)
    assert [found.metrics[name] for name in METRICS[2:]] == [Fraction(2, 6), Fraction(4, 5), Fraction(2, 3)]
    assert found.composite == 536667


def test_an_address_that_is_produced_twice_counts_once():
    produced = side((ROWS[0], ROWS[0], *ROWS[1:]), ("R2C9", "R2C9", *ADDRESSES[1:]))
    found = score(BASE, produced)
    assert found.counts.cells_union == 15
    assert found.metrics["value_address_f1"] == 1
    assert found.metrics["header_accuracy"] == 1
    assert found.metrics["cell_match_rate"] == Fraction(5, 15)
    assert found.composite == 600000


def test_one_of_128_is_rounded_half_up_and_the_composite_is_taken_from_rounded_values():
    reference = one_column([f"{i}" for i in range(128)], [f"R{i}C1" for i in range(1, 129)])
    produced = one_column(["0"] + ["x"] * 127, ["R1C1"] + [f"R{i}C2" for i in range(127)])
    found = score(reference, produced)
    assert [found.published[name] for name in METRICS] == [1_000_000, 0, 7813, 7813, 7813]
    assert found.composite == 303125


def test_the_macro_average_is_taken_from_exact_values_over_all_members():
    third = one_column(["a", "b", "c"], ["R1C1", "R2C1", "R3C1"])
    two = score(third, one_column(["a", "b", "x"], ["R1C1", "R2C1", "R9C1"]))
    mean = macro([two, two, absent("failed")])
    assert mean["cell_match_rate"] == Fraction(4, 9)
    assert millionths(mean["cell_match_rate"]) == 444444
    assert macro([two, absent("skipped")])["value_address_f1"] == Fraction(1, 3)


def test_the_mean_of_no_members_is_an_error():
    with pytest.raises(ValueError):
        macro([])


@pytest.mark.parametrize("status", ["failed", "skipped"])
@pytest.mark.parametrize("reference", [BASE, side([])], ids=["rows", "empty"])
def test_what_produced_nothing_scores_zero_whatever_the_reference_is(status, reference):
    found = score(reference, None, status)
    assert (found.status, found.counts, found.composite) == (status, None, 0)
    assert set(found.published.values()) == {0}


def test_headers_are_compared_by_name_whatever_their_order():
    turned = tuple(TraceRow(row.source, row.headers[::-1]) for row in BASE.trace)
    assert score(BASE, Scored(BASE.table, turned)).metrics["header_accuracy"] == 1


@pytest.mark.parametrize("field", ["direction", "source", "value", "state"])
def test_each_part_of_a_header_counts(field):
    first = BASE.trace[0]
    changed = first.headers[0]._replace(**{field: "ambiguous" if field == "state" else "other"})
    other = (TraceRow(first.source, (changed, *first.headers[1:])), *BASE.trace[1:])
    assert score(BASE, Scored(BASE.table, other)).metrics["header_accuracy"] == Fraction(3, 4)


words = st.sampled_from(["", "a", "b"])
places = st.sampled_from(["S!R1C1", "S!R1C2", "S!R2C1"])


@st.composite
def sides(draw):
    columns = draw(st.lists(st.sampled_from(["j", "k", "v"]), min_size=1, unique=True).map(tuple))
    rows = draw(st.lists(st.tuples(*[words] * len(columns)), max_size=4))
    traces = [TraceRow(draw(places), (HeaderTrace("k", "left", None, draw(words), "resolved"),)) for _ in rows]
    return Scored(Table(columns, tuple(rows)), tuple(traces))


@given(sides(), sides())
def test_all_metrics_lie_between_zero_and_one_and_exact_output_has_all_cells(reference, produced):
    found = score(reference, produced)
    assert all(0 <= found.metrics[name] <= 1 for name in METRICS)
    assert 0 <= found.composite <= 1_000_000
    if found.status == "passed":
        assert found.metrics["cell_match_rate"] == 1
        assert mismatches(reference, produced)["mismatch_total"] == 0


@given(sides())
def test_a_production_that_is_the_reference_scores_one(one):
    found = score(one, one)
    assert (found.status, found.composite) == ("passed", 1_000_000)
    assert set(found.metrics.values()) == {Fraction(1)}


@given(sides(), sides())
def test_counts_agree_with_counting_cell_by_cell(reference, produced):
    def cells(one):
        return {
            (index, name): text
            for index, row in enumerate(one.table.rows)
            for name, text in zip(one.table.columns, row, strict=True)
        }

    ours, theirs = cells(reference), cells(produced)
    counts = score(reference, produced).counts
    assert counts.cells_union == len(ours.keys() | theirs.keys())
    assert counts.cells_matched == len(ours.items() & theirs.items())


@given(st.fractions(0, 1))
def test_millionths_are_the_nearest_halves_up(value):
    found = millionths(value)
    assert found - Fraction(1, 2) <= value * 1_000_000 < found + Fraction(1, 2)


@given(st.lists(st.integers(0, 1_000_000), min_size=5, max_size=5))
def test_the_composite_is_the_weighted_sum_rounded_half_up(parts):
    exact = sum(Fraction(w, 100) * p for w, p in zip((30, 30, 15, 15, 10), parts, strict=True))
    assert composite(dict(zip(METRICS, parts, strict=True))) == int(exact + Fraction(1, 2))


def test_a_mismatch_sample_names_columns_rows_and_sources():
    produced = side([("N", "2023", "22"), ("N", "2024", "x" * 130)], columns=("region", "year", "value"))
    sample = mismatches(BASE, produced)
    assert (sample["mismatch_total"], sample["columns_missing"], sample["columns_extra"]) == (3, [], [])
    different, missing, _ = sample["rows"]
    assert (different["row"], different["kind"], different["columns"]) == (2, "different", ["value"])
    assert different["produced"]["value"] == "x" * 120 + "..."
    assert (missing["kind"], missing["columns"], missing["produced"]) == ("missing", [], None)
    assert (missing["source_reference"], missing["source_produced"]) == ("S!R4C9", None)


def test_a_column_that_one_side_lacks_differs_in_every_row():
    sample = mismatches(BASE, side([row[1:] for row in ROWS], columns=("year", "value")))
    assert (sample["columns_missing"], sample["columns_extra"]) == (["region"], [])
    assert [row["columns"] for row in sample["rows"]] == [["region"]] * 4
    extra = mismatches(side(ROWS[:1]), BASE)["rows"]
    assert [row["kind"] for row in extra] == ["extra"] * 3
    assert extra[0]["reference"] is None


def test_at_most_twenty_rows_are_sampled():
    many = one_column([str(i) for i in range(50)], [f"R{i}C1" for i in range(1, 51)])
    sample = mismatches(many, one_column([], []))
    assert (sample["mismatch_total"], len(sample["rows"])) == (50, 20)
    assert no_mismatches().keys() == sample.keys()
