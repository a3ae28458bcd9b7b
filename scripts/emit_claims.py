"""Step: an extractor reads the sources of a suite and states its claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.claims.bench.extraction import extract_pass
from idpbench.claims.bench.sources import sources_of
from idpbench.claims.extractors.registry import by_id
from idpbench.claims.recordings import write_emissions
from idpbench.claims.suite.load import load_suite
from idpbench.files.step import run_step


def main() -> None:
    """One pass, written as idpbench/claims-emitted/1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", type=Path, required=True, help="the suite's YAML file")
    parser.add_argument("--extractor", required=True, help="id of an installed extractor")
    parser.add_argument("--fixtures", type=Path, required=True, help="folder of the fixtures that cases name")
    parser.add_argument("--output", type=Path, required=True, help="the emissions to write")
    given = parser.parse_args()
    suite = load_suite(given.suite)
    write_emissions(given.output, extract_pass(suite, by_id(given.extractor), sources_of(suite, given.fixtures)))


if __name__ == "__main__":
    run_step(main)
