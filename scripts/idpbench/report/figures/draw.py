"""Drawing all figures of a page into one folder."""

from __future__ import annotations

from pathlib import Path

from idpbench.report.figures import cost, effects, heat, quality, reliability, repeats, series
from idpbench.report.figures.catalogue import FIGURES, SUFFIXES
from idpbench.report.inputs import Inputs

DRAWN = (
    effects.draw,
    heat.draw,
    cost.draw,
    repeats.draw,
    quality.draw,
    series.draw,
    reliability.draw,
)  # in the catalogue's order


def draw_all(inputs: Inputs, folder: Path) -> list[str]:
    """Draw every figure for which there are numbers and return their stems; old files of all are removed first."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for figure, draw in zip(FIGURES, DRAWN, strict=True):
        for suffix in SUFFIXES:
            (folder / f"{figure.stem}{suffix}").unlink(missing_ok=True)
        if draw(inputs, folder):
            drawn.append(figure.stem)
    return drawn
