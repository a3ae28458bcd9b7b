"""results/README.md: which page answers which question, for every backend that has pages."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from idpbench.report.headline import LOCAL_NOTE
from idpbench.report.promote import releases
from idpbench.report.release_page import environment

BACKENDS = ("aws", "local")
PAGES = (
    ("releases/README.md", "Is it safe to upgrade to a release, and what became cheaper or better?"),
    ("guidance/README.md", "Which configuration suits which document?"),
    ("models.md", "Which models were measured, when, and on which release?"),
    ("studies/README.md", "What did one question, asked once, turn out to be?"),
    ("baseline.json", "Which summary does a new run compare itself with?"),
)


def render(results: Path, about_to_exist: Collection[str] = ()) -> str:
    """The landing page of `results`, from the pages that lie there or (`about_to_exist`) are written with it."""
    sections = []
    for backend in BACKENDS:
        folder = results / backend
        pages = [
            (question, f"{backend}/{page}")
            for page, question in PAGES
            if (folder / page).exists() or f"{backend}/{page}" in about_to_exist
        ]
        if pages:
            found = releases(folder)
            others = sorted(path.parent.name for path in folder.glob("releases/other/*/README.md"))
            sections.append((backend, found[0] if found else None, pages, others))
    return environment().get_template("landing.md.j2").render(sections=sections, local_note=LOCAL_NOTE)
