"""Step: write one page a study, and the index of their verdicts, from the published sides."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.files.step import run_step
from idpbench.report.shelf import shelf
from idpbench.report.studies.definition import load_missing, load_studies
from idpbench.report.studies.page import write
from idpbench.settings.load import load


def main() -> None:
    """Read config/studies and the published sides of one backend, answer each question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="results/<backend>")
    parser.add_argument("--output", type=Path, required=True, help="folder of the pages")
    given = parser.parse_args()
    settings = load(Path())
    sides = shelf(given.results)
    write(settings, load_studies(settings), load_missing(settings), sides, given.results.name, given.output)


if __name__ == "__main__":
    run_step(main)
