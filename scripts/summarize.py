"""Step: the scores of a side's cells become its summary files."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import read_json
from idpbench.files.schema import check
from idpbench.files.step import run_step
from idpbench.pricing.card import load_rate_card
from idpbench.summary.files import write_side
from idpbench.summary.summarize import summarize_side


def main() -> None:
    """Summarize `--scores` under the `--plan` they were made for, and join the run records that `--landed` names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="plan of the side")
    parser.add_argument("--landed", type=Path, required=True, help="what landed, with the record file of each cell")
    parser.add_argument("--pricing", type=Path, required=True, help="rate card the scores were made with")
    parser.add_argument("--scores", type=Path, nargs="+", required=True, help="scores file of each cell")
    parser.add_argument("--output", type=Path, required=True, help="folder of the five files")
    given = parser.parse_args()
    scores = [read_json(path, "scores") for path in given.scores]
    landed = read_json(given.landed)
    summary = summarize_side(scores, read_json(given.plan), load_rate_card(given.pricing), landed.get("stopped"))
    check(summary, "summary", given.output / "summary.json")
    records = [Path(cell["records"]) for cell in landed["cells"].values()]
    write_side(given.output, summary, records)


if __name__ == "__main__":
    run_step(main)
