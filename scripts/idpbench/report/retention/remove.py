"""Taking sets out of results/: only what git HEAD holds byte for byte, so that each can be had back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from idpbench.files.errors import Refusal
from idpbench.report.evidence import git_head
from idpbench.report.retention.decide import PublishedSet

Head = Callable[[Path], bytes | None]


def listing(results: Path, backend: str) -> list[PublishedSet]:
    """The sets of results/<backend>: folders of a release, or beside the page of another comparison, with files."""
    folder = results / backend
    places = sorted([*folder.glob("v*/*/"), *folder.glob("releases/other/*/v*/*/")])
    return [
        PublishedSet(
            backend,
            place.relative_to(folder).as_posix(),
            tuple((path.relative_to(place).as_posix(), path.stat().st_size) for path in files),
        )
        for place in places
        if (files := sorted(path for path in place.rglob("*") if path.is_file()))
    ]


def remove(results: Path, sets: Sequence[PublishedSet], head: Head = git_head) -> list[str]:
    """Remove every file of `sets` and return their names below `results`.

    Refused by name, and nothing removed, where a file is not in git HEAD or differs from it, or where a committed page
    is missing, since what it was made from cannot be told.
    """
    files = [f"{found.name}/{name}" for found in sets for name, _ in found.files]
    foreign = [name for name in files if head(results / name) != (results / name).read_bytes()]
    gone = missing_pages(results)
    if foreign or gone:
        parts = [f"  {results / name}: not as in git HEAD, so it could not be had back" for name in foreign]
        parts += [f"  {results / name}: a committed page that is missing" for name in gone]
        text = "\n".join(parts)
        raise Refusal(f"nothing was removed:\n{text}\ncommit these files or restore them with git, then try again")
    for name in files:
        (results / name).unlink()
    for found in sets:
        _remove_empty(results / found.name, results)
    return files


def missing_pages(results: Path) -> list[str]:
    """Pages, and the entries of releases, that git HEAD holds below `results` and that do not lie there."""
    try:
        command = ["git", "ls-tree", "-r", "-z", "--name-only", "HEAD", "."]
        shown = subprocess.run(command, cwd=results, capture_output=True, check=False)
    except OSError:
        return []
    names: Iterable[str] = shown.stdout.decode("utf-8").split("\0") if shown.returncode == 0 else ()
    pages = (name for name in names if name.endswith((".md", "/release.json", "/baseline.json")))
    return sorted(name for name in pages if not (results / name).exists())


def _remove_empty(folder: Path, stop: Path) -> None:
    """Remove a folder and those above it that have become empty, below `stop`."""
    for inner in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        inner.rmdir()
    while folder != stop and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
