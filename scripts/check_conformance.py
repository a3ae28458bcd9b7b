"""Step: every fixture goes through the extractor that its source type belongs to."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.claims.extractors.conformance import conformance
from idpbench.claims.extractors.registry import registry
from idpbench.files.canonical import write_json
from idpbench.files.step import run_step


def main() -> None:
    """Write the report; an extractor that fails is a finding in it, not a failed step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixtures", type=Path, required=True, help="folder of fixtures")
    parser.add_argument("--output", type=Path, required=True, help="the report to write")
    given = parser.parse_args()
    write_json(given.output, conformance(given.fixtures, registry()))


if __name__ == "__main__":
    run_step(main)
