"""Step: copy a new result of the embedded model into results/gold, renew the pages and the feed, and stamp it."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.gold.publish import FOLDER, derived, documents
from idpbench.gold.shelf import shelf
from idpbench.report.pages import with_landing
from idpbench.report.publish import publish


def main() -> None:
    """Read the flags; a result that finds what a committed one found is not published a second time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--result", type=Path, required=True)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--output", type=Path, required=True, help="the stamp; publish-state.json lies beside it")
    given = parser.parse_args()
    found = shelf(given.results / FOLDER, Path())
    found.demand_valid()
    publish(
        documents(given.result.read_bytes(), found), results=given.results,
        state=given.output.with_name("publish-state.json"), stamp=given.output,
        shared=lambda: with_landing(given.results, derived(given.results, Path())),
    )  # fmt: skip


if __name__ == "__main__":
    run_step(main)
