"""Step: write one page a study, and the index of their verdicts, from the published sides."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.flags import of_results
from idpbench.files.step import run_step
from idpbench.report.shelf import shelf
from idpbench.report.studies.definition import load_missing, load_studies
from idpbench.report.studies.page import write
from idpbench.settings.load import load


def main() -> None:
    """Read config/studies and the published sides of one backend, answer each question."""
    given = of_results(__doc__, "folder of the pages").parse_args()
    settings = load(Path())
    sides = shelf(given.results)
    write(settings, load_studies(settings), load_missing(settings), sides, given.results.name, given.output)


if __name__ == "__main__":
    run_step(main)
