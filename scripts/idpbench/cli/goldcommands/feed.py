"""`idpbench gold feed`: the picker's feed from the committed results."""

from __future__ import annotations

import argparse

from idpbench.cli.goldcommands.common import RESULTS, results_flag, root_flag

EPILOG = """\
The feed lists the models of config/gold.yaml in their order, each with its latest valid result on the current suite (or
on its newest one). A model without a result has no block. Ranks are among the listed models only, on the same suite and
with the same members present.

exit codes: 0 written, or with --check up to date; 1 with --check out of date; 2 a result is not valid
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the feed."""
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    results_flag(parser)
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write results/gold/feed.json where it differs, or say that it does."""
    from idpbench.files.atomic import write_if_changed
    from idpbench.files.errors import OK, REGRESSION
    from idpbench.gold.feed import FILE, feed_bytes
    from idpbench.gold.shelf import feed_of, shelf

    folder = arguments.results or arguments.root / RESULTS
    found = shelf(folder, arguments.root)
    found.demand_valid()
    data = feed_bytes(feed_of(found, arguments.root))
    path = folder / FILE
    if arguments.check:
        same = path.exists() and path.read_bytes() == data
        print(f"{path}: {'up to date' if same else 'FEED: out of date; write it by: idpbench gold feed'}")
        return OK if same else REGRESSION
    print(f"{path}: {'written' if write_if_changed(path, data) else 'up to date'}")
    return OK
