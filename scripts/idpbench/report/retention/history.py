"""Which committed page told of a published set: read once from the history of the pages in git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from idpbench.report.retention.decide import PublishedSet, tells_of

Told = tuple[str, str, str]  # commit, page below results/, one line that the commit wrote into it
OVERVIEWS = ("README.md", "RETENTION.md")  # of results/ itself: they list, they record nothing


def recorded(sets: Iterable[PublishedSet], lines: Iterable[Told]) -> dict[str, str]:
    """Name of a set -> `guidance/README.md at 1a2b3c4`, from lines in the order of commits, newest first.

    A page tells of its own backend's sets; of a set that lies beside another comparison's page, only that page does.
    """
    wanted = {found.name: found for found in sets}
    places: dict[str, str] = {}
    for commit, page, line in lines:
        if not wanted:
            break
        for name, found in list(wanted.items()):
            home = f"{found.backend}/" + (f"releases/other/{found.pair}/" if found.pair else "")
            if page.startswith(home) and tells_of(line, found.release, found.grid):
                places[name] = f"{page} at {commit}"
                del wanted[name]
    return places


def page_lines(results: Path) -> Iterator[Told]:
    """Every line that a commit up to HEAD wrote into a page below `results`, newest commit first; none without git."""
    command = [
        "git",
        "log",
        "--format=%x00%h",
        "-p",
        "-U0",
        "--no-color",
        "--no-ext-diff",
        "--no-renames",
        "--relative",
    ]
    try:
        process = subprocess.Popen(
            [*command, "--", ":(glob)**/*.md"], cwd=results, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError:
        return
    with process:
        assert process.stdout is not None
        commit = page = ""
        for line in process.stdout:
            if line.startswith("\0"):
                commit = line[1:].strip()
            elif line.startswith("+++ "):
                page = line[4:].strip().removeprefix("b/")
            elif line.startswith("+") and page not in OVERVIEWS:
                yield commit, page, line[1:].rstrip("\n")
        process.terminate()
