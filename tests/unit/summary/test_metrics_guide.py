"""docs/metrics.md explains whatever a summary holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from idpbench.pricing.card import RateCard
from idpbench.scoring.columns import ROW_KEYS
from idpbench.summary.stats import cell_stats
from idpbench.summary.summarize import summarize_side
from idpbench.summary.tabular import CELL_COLUMNS

GUIDE = (Path(__file__).resolve().parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")
EXPLAINED = set(re.findall(r"`([^`\n]+)`", GUIDE))
META = set(summarize_side([], {}, RateCard({}))["meta"])
CELL = set(cell_stats([{"cell": "c", "doc": "d.pdf", "repeat": 0}])["c"])


@pytest.mark.parametrize(
    ("what", "names"),
    [("a row", set(ROW_KEYS)), ("meta", META), ("a cell's statistics", CELL)],
    ids=["rows", "meta", "cells"],
)
def test_every_name_in_a_summary_is_explained(what: str, names: set[str]) -> None:
    assert names - EXPLAINED == set(), f"docs/metrics.md says nothing of these names of {what}"


def test_the_short_table_of_cells_holds_what_the_long_one_explains() -> None:
    stems = {name.rsplit("_", 1)[0] for name in CELL_COLUMNS if name.endswith(("mean", "stdev", "cv", "min", "max"))}
    assert stems == {"cost", "recall", "acc", "wall"} and "cell_stats.csv" in EXPLAINED


def test_the_guide_names_nothing_that_no_longer_exists() -> None:
    """First column of the tables of columns: each name is one that a summary has."""
    tables = GUIDE[GUIDE.index("## The columns of a row") : GUIDE.index("## A cell's statistics")]
    listed = re.findall(r"^\| (`[^|]*) \|", tables, flags=re.MULTILINE)
    names = {name for cell in listed for name in re.findall(r"`([^`]+)`", cell)}
    assert len(names) > 60
    assert names - ROW_KEYS == set()
