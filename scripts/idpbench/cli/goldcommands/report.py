"""`idpbench gold report`: the pages from the committed results."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.goldcommands.common import RESULTS, results_flag, root_flag

EPILOG = """\
Writes README.md (the leaderboard) and <suite>/README.md for every suite of corpus/gold, from valid results only. The
same results give the same bytes.

exit codes: 0 written; 2 a result is not valid (see idpbench gold validate)
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the report."""
    results_flag(parser)
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where to write (default: beside the results)")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the pages where they differ."""
    from idpbench.files.atomic import write_if_changed
    from idpbench.files.errors import OK
    from idpbench.gold.shelf import pages_of, shelf

    folder = arguments.results or arguments.root / RESULTS
    found = shelf(folder, arguments.root)
    found.demand_valid()
    target = arguments.output or folder
    for name, data in pages_of(found, arguments.root).items():
        path = target / name
        print(f"{path}: {'written' if write_if_changed(path, data) else 'unchanged'}")
    return OK
