"""Folders in which a test set is assembled before it is brought to a stack."""

from __future__ import annotations

import shutil
from pathlib import Path

from idpbench.files.atomic import write_bytes, write_text
from idpbench.files.canonical import file_digest, write_json
from idpbench.settings.model import Settings
from idpbench.stack.classification import own_sets
from idpbench.stack.reference import BASELINE, CLASSES, INPUT

SCHEMA = "idpbench/testset/1"


def empty(folder: Path) -> None:
    """Remove what an earlier assembly left, and nothing else."""
    for part in (INPUT, BASELINE):
        shutil.rmtree(folder / part, ignore_errors=True)


def copy_own(source: Path, folder: Path, settings: Settings, sample: int | None) -> None:
    """Copy the first documents of a user's folder with their baselines and classes; each is checked before."""
    classes = []
    for one in own_sets(source, settings, sample).values():
        for document in one.documents:
            for number, path in document.baseline:
                place = folder / BASELINE / document.name / "sections" / number / "result.json"
                write_bytes(place, path.read_bytes())
            write_bytes(folder / INPUT / document.name, document.path.read_bytes())
            classes.append(f'"{document.name}": {one.doc_class}\n')
    write_text(folder / CLASSES, "".join(classes))


def stamp(path: Path) -> None:
    """Write what lies in the folder of `path`, once all of it is there."""
    documents = {pdf.name: file_digest(pdf) for pdf in sorted((path.parent / INPUT).iterdir())}
    write_json(path, {"schema": SCHEMA, "documents": documents})
