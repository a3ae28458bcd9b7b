"""Step: write the configuration guidance and its figures from the published sides."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.flags import of_results
from idpbench.files.step import run_step
from idpbench.report.guidance.page import write
from idpbench.report.shelf import shelf
from idpbench.settings.load import load


def main() -> None:
    """Read the published sides of one backend, write README.md and the figures that there are numbers for."""
    given = of_results(__doc__, "folder of the page").parse_args()
    write(load(Path()), shelf(given.results), given.results.name, given.output)


if __name__ == "__main__":
    run_step(main)
