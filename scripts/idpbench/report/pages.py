"""Publishing the pages that are made from results/ itself: models, guidance, studies, with the landing page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from idpbench.report import landing
from idpbench.report.figures.catalogue import SUFFIXES

PLACES = {"models": "", "guidance": "guidance/", "studies": "studies/"}
_STUDY = re.compile(r"\A---\n(?:[^\n]*\n)*?study: ([^\n]+)\n")


def page_files(made: Path, backend: str, page: str) -> dict[str, bytes]:
    """Destination below results/ -> bytes of everything that a page's step made."""
    folder = f"{backend}/{PLACES[page]}"
    return {f"{folder}{path.name}": path.read_bytes() for path in sorted(made.glob("[!.]*"))}


def with_landing(results: Path, files: dict[str, bytes]) -> dict[str, bytes]:
    """The files and the landing page that links them; those of an earlier time that are not made any more go."""
    for path in leftovers(results, files):
        path.unlink()
    page = landing.render(results, about_to_exist=set(files))
    return {**files, "README.md": page.encode("utf-8")}


def leftovers(results: Path, files: Iterable[str]) -> list[Path]:
    """Pages of studies and figures in the folders of `files` that are ours, and not among them.

    Ours is a page whose front matter names a study, and a drawing that lies there with its table of numbers.
    """
    kept = {results / name for name in files}
    found = []
    for folder in sorted({path.parent for path in kept if path.parent.name in ("guidance", "studies")}):
        for path in sorted(folder.glob("*.md")):
            if path not in kept and _STUDY.match(path.read_text(encoding="utf-8")):
                found.append(path)
        for path in sorted(folder.glob("*.svg")):
            parts = [path.with_suffix(suffix) for suffix in SUFFIXES]
            if path not in kept and all(part.exists() for part in parts):
                found += parts
    return found
