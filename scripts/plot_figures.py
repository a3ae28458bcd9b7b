"""Draw the figures of a release page: each as .png and .svg, with a .csv of the numbers it shows."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.flags import reporting
from idpbench.files.step import run_step
from idpbench.report.figures.draw import draw_all
from idpbench.report.inputs import load


def main() -> None:
    """Read the flags and both sides, draw what there are numbers for."""
    parser = reporting(__doc__)
    parser.add_argument("--output", type=Path, required=True, help="folder of the figures")
    arguments = parser.parse_args()
    inputs = load(arguments.new_side, arguments.base_side, arguments.comparison, with_runs=False)
    draw_all(inputs, arguments.output)


if __name__ == "__main__":
    run_step(main)
