"""results/README.md: which page answers which question, for every backend that has pages."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from idpbench.files.tables import markdown
from idpbench.report import trend
from idpbench.report.figures.catalogue import TREND
from idpbench.report.headline import LOCAL_NOTE
from idpbench.report.ownership import version_key
from idpbench.report.promote import releases
from idpbench.report.retention.page import NAME as RETENTION
from idpbench.report.shelf import shelf
from idpbench.report.templating import fill
from idpbench.stack.classification import SUITE as CLASSIFICATION

BACKENDS = ("aws", "local")
PAGES = (
    ("releases/README.md", "Is it safe to upgrade to a release, and what became cheaper or better?"),
    ("guidance/README.md", "Which configuration suits which document?"),
    ("models.md", "Which models were measured, when, and on which release?"),
    ("studies/README.md", "What did one question, asked once, turn out to be?"),
    ("baseline.json", "Which summary does a new run compare itself with?"),
)
SIBLINGS = (
    ("gold/README.md", "Which model writes recipes that tidy messy spreadsheets?"),
    ("claims/README.md", "Which extractor states the right facts of a source, and is its confidence worth something?"),
)
CLASSES = "Which model tells the classes of pages apart, and does its confidence tell right from wrong?"


def render(results: Path, about_to_exist: Collection[str] = ()) -> str:
    """The landing page of `results`, from the pages that lie there or (`about_to_exist`) are written with it."""

    def there(name: str) -> bool:
        return (results / name).exists() or name in about_to_exist

    sections = []
    for backend in BACKENDS:
        folder = results / backend
        pages = [(question, f"{backend}/{page}") for page, question in PAGES if there(f"{backend}/{page}")]
        pages += [(CLASSES, page.relative_to(results).as_posix()) for page in _classification(folder)]
        if not pages:
            continue
        found = releases(folder)
        lines = trend.table(folder, trend.points(shelf(folder)), found)
        figure = f"{backend}/{trend.FOLDER}/{TREND.stem}"
        sections.append(
            {
                "backend": backend,
                "latest": found[0] if found else None,
                "pages": pages,
                "others": sorted(path.parent.name for path in folder.glob("releases/other/*/README.md")),
                "trend": markdown(trend.HEADERS, lines) if lines else None,
                "figure": figure if len(lines) >= trend.LEAST_RELEASES and there(f"{figure}.png") else None,
            }
        )
    return fill(
        "landing",
        sections=sections,
        siblings=[(question, page) for page, question in SIBLINGS if there(page)],
        local_note=LOCAL_NOTE,
        caption=TREND.caption,
        retention=RETENTION if there(RETENTION) else None,
    )


def _classification(folder: Path) -> list[Path]:
    """Pages of the classification benchmark, newest release first."""
    found = sorted(folder.glob(f"v*/{CLASSIFICATION}__*/README.md"))
    return sorted(found, key=lambda page: version_key(page.relative_to(folder).parts[0]), reverse=True)
