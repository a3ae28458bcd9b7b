"""`idpbench retention`: which published sets stay, which may go and why; `--apply` removes the latter."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from idpbench.files.canonical import pretty
from idpbench.files.errors import OK, bad_input
from idpbench.files.tables import terminal
from idpbench.report.landing import BACKENDS
from idpbench.report.retention.decide import Decision, PublishedSet, decide
from idpbench.report.retention.history import page_lines, recorded
from idpbench.report.retention.remove import listing, remove
from idpbench.report.retention.uses import made_from
from idpbench.report.shelf import shelf
from idpbench.report.spelling import counted
from idpbench.report.studies.definition import load_studies
from idpbench.settings.load import load


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of this command."""
    parser.add_argument("--results", type=Path, default=Path("results"), help="published results (default: results)")
    parser.add_argument("--root", type=Path, default=Path("."), help="the repository (this folder)")
    parser.add_argument("--apply", action="store_true", help="remove what may go, where git HEAD holds it unchanged")
    parser.add_argument("--json", action="store_true", help="print the decisions as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print every decision; with --apply remove what may go, or refuse by name."""
    found = decisions(arguments.results, arguments.root)
    going = [decision.found for decision in found if not decision.keep]
    removed = remove(arguments.results, going) if arguments.apply and going else []
    print(pretty(as_json(found, removed)) if arguments.json else as_text(found, removed) + "\n", end="")
    return OK


def decisions(results: Path, root: Path) -> list[Decision]:
    """A decision for every set of every backend below `results`."""
    if not results.is_dir():
        raise bad_input(results, "", "no such folder", "published results", "give --results FOLDER")
    settings = load(root)
    studies = load_studies(settings)
    sets: list[PublishedSet] = []
    uses: dict[str, list[str]] = {}
    for backend in BACKENDS:
        folder = results / backend
        if folder.is_dir():
            sets += listing(results, backend)
            made = made_from(folder, settings, studies, shelf(folder))
            uses |= {f"{backend}/{address}": pages for address, pages in made.items()}
    idle = [found for found in sets if not found.of_release and not uses.get(found.name)]
    return decide(sets, uses, recorded(idle, page_lines(results) if idle else ()))


def as_text(found: Iterable[Decision], removed: Iterable[str]) -> str:
    """What may go with its reason, then what stays with the first of its reasons."""
    going = [decision for decision in found if not decision.keep]
    staying = [decision for decision in found if decision.keep]
    files = len(list(removed))
    if not going:
        parts = ["Nothing may go: each set is a release's own, or a page is made from it, or none has recorded it."]
    elif files:
        gone = f"{counted(len(going), 'set')}, {counted(files, 'file')}"
        parts = [f"Removed {gone}; commit the removal, and see RETENTION.md to undo it."]
    else:
        parts = [f"{counted(len(going), 'set')} may go ({_size(going)}); nothing was removed (--apply does)."]
    if going:
        parts.append(_table(going))
    if staying:
        parts += [
            f"{counted(len(staying), 'set')} stay{'s' * (len(staying) == 1)} ({_size(staying)}):",
            _table(staying),
        ]
    return "\n\n".join(parts)


def as_json(found: Iterable[Decision], removed: list[str]) -> dict[str, object]:
    """The same for a program: every decision with all its reasons, and the files that were removed."""
    sets = [
        {
            "set": decision.found.name,
            "bytes": decision.found.size,
            "keep": decision.keep,
            "reasons": list(decision.reasons),
        }
        for decision in found
    ]
    return {"schema": "idpbench/retention/1", "sets": sets, "removed": removed}


def _table(found: list[Decision]) -> str:
    return terminal(["set", "size", "why"], [[one.found.name, _size([one]), _why(one)] for one in found])


def _why(decision: Decision) -> str:
    more = len(decision.reasons) - 1
    return decision.reasons[0] + (f" (and {more} more)" if more else "")


def _size(found: Iterable[Decision]) -> str:
    return f"{sum(one.found.size for one in found) / 1e6:.2f} MB"
