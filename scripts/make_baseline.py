"""Write baseline.json: PREV's summary with its address below results/ and its digest inside."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.canonical import read_json, write_json
from idpbench.files.step import run_step
from idpbench.report.promote import baseline


def main() -> None:
    """Read the flags, make the baseline, write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--summary", type=Path, required=True, help="PREV's summary.json")
    parser.add_argument("--source", required=True, help="address of PREV's side, e.g. local/v0.6.8/corefast")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    read_json(arguments.summary)
    write_json(arguments.output, baseline(arguments.summary.read_bytes(), f"{arguments.source}/summary.json"))


if __name__ == "__main__":
    run_step(main)
