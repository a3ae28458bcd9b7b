"""Step: the run records of one cell become its scores file."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import write_json
from idpbench.files.step import run_step
from idpbench.pricing.card import load_rate_card
from idpbench.scoring.cell import Truths, read_records, score_cell


def main() -> None:
    """Score `--records` against the truths of `--truth-dir` with the rates of `--pricing`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, required=True, help="run records of one cell, JSON lines")
    parser.add_argument("--truth-dir", type=Path, required=True, help="folder of <document>.truth.json")
    parser.add_argument("--pricing", type=Path, required=True, help="rate card")
    parser.add_argument("--output", type=Path, required=True, help="scores file to write")
    given = parser.parse_args()
    truths, card = Truths(given.truth_dir), load_rate_card(given.pricing)
    write_json(given.output, score_cell(given.output.stem, read_records(given.records), truths, card), flat_from=2)


if __name__ == "__main__":
    run_step(main)
