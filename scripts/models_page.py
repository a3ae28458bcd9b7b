"""Step: write models.md, what has been measured of each model, from the published sides."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.atomic import write_text
from idpbench.files.flags import of_results
from idpbench.files.step import run_step
from idpbench.report.models import render
from idpbench.report.shelf import shelf
from idpbench.settings.load import load


def main() -> None:
    """Read the published sides of one backend and the registry of models."""
    given = of_results(__doc__, "folder of the page").parse_args()
    text = render(load(Path()), shelf(given.results), given.results.name)
    write_text(given.output / "models.md", text)


if __name__ == "__main__":
    run_step(main)
