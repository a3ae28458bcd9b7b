"""`idpbench score --record R.json`: the row or rows of one run record."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.price import DEFAULT_CARD
from idpbench.files.canonical import pretty, read_json
from idpbench.files.errors import OK
from idpbench.pricing.card import load_rate_card
from idpbench.scoring.row import score_record
from idpbench.scoring.truth import read_truth


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--record", type=Path, required=True, help="run record (idpbench/record/1)")
    parser.add_argument("--truth", type=Path, help="truth of its document (without it: the stack's own evaluation)")
    parser.add_argument("--pricing", type=Path, default=DEFAULT_CARD, help="rate card (default: config/pricing.yaml)")


def run(arguments: argparse.Namespace) -> int:
    """Print the row as JSON, or a list of rows for a labelled set of several documents."""
    record = read_json(arguments.record, "record")
    truth = None if arguments.truth is None else read_truth(read_json(arguments.truth, "truth"), arguments.truth)
    rows = score_record(record, truth, load_rate_card(arguments.pricing))
    print(pretty(rows[0] if len(rows) == 1 else rows), end="")
    return OK
