"""Labelled sets of real documents: the committed baselines with the PDFs of ../shared beside them."""

from __future__ import annotations

import shutil
from pathlib import Path

from shared_data import shared

BASELINES = Path(__file__).resolve().parents[1] / "data" / "reference"
PLACES = {"w2_real": "data/idp/documents/w2", "bank_real": "data/idp/documents"}


def labelled(name: str, folder: Path, names: tuple[str, ...] | None = None) -> Path:
    """Assemble a set as `<folder>/<name>`, all of it or the documents `names`; skips where the PDFs are absent."""
    source, place = shared(PLACES[name]), folder / name
    (place / "input").mkdir(parents=True)
    shutil.copy2(BASELINES / name / "classes.yaml", place)
    for baseline in sorted((BASELINES / name / "baseline").iterdir()):
        if names is None or baseline.name in names:
            shutil.copytree(baseline, place / "baseline" / baseline.name)
            shutil.copy2(source / baseline.name, place / "input")
    return place
