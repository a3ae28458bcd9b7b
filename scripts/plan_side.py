"""Step: write the plan of a side, its runs by key and its configurations."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from idpbench.files.canonical import write_json
from idpbench.files.errors import bad_input
from idpbench.files.step import run_step
from idpbench.settings.load import load
from idpbench.stack.request import side_named


def main() -> None:
    """Build the side that `--request` names; its digest must be the one that the workflow saw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--request", type=json.loads, required=True, help="the side asked for, as JSON")
    parser.add_argument("--expect", required=True, help="digest of the side when the workflow was read")
    parser.add_argument("--output", type=Path, required=True, help="the plan")
    given = parser.parse_args()
    root = Path()
    side = side_named(load(root), root, given.request)
    if side.digest != given.expect:
        raise bad_input("config/", side.address, "another plan than a moment ago", "unchanged files", "run it again")
    write_json(given.output, side.to_json(), flat_from=3)


if __name__ == "__main__":
    run_step(main)
