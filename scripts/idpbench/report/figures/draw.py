"""Drawing all figures of a page into one folder."""

from __future__ import annotations

from pathlib import Path

from idpbench.report.figures import cost, quality, series
from idpbench.report.figures.catalogue import FIGURES, SUFFIXES
from idpbench.report.inputs import Inputs


def draw_all(inputs: Inputs, folder: Path) -> list[str]:
    """Draw every figure for which there are numbers and return their stems; old files of the others are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for figure, draw in zip(FIGURES, (cost.draw, quality.draw, series.draw), strict=True):
        if draw(inputs, folder):
            drawn.append(figure.stem)
        else:
            for suffix in SUFFIXES:
                (folder / f"{figure.stem}{suffix}").unlink(missing_ok=True)
    return drawn
