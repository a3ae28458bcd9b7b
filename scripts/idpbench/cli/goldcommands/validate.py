"""`idpbench gold validate`: everything that is committed, from the suites to the feed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from idpbench.cli.goldcommands.common import RESULTS, results_flag, root_flag, staged_flag

EPILOG = """\
Without paths: every suite of corpus/gold, every result of results/gold, and that the feed is up to date. With paths:
those results, and the suites. Opens no connection, so it can run on a build server.

Prints one line per problem, `path: code: message`, on standard output; progress goes to standard error.

exit codes: 0 no problem; 1 problems
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of validation."""
    parser.add_argument("paths", type=Path, nargs="*", metavar="RESULT", help="result documents (default: all)")
    parser.add_argument("--rescore", action="store_true", help="execute every inline recipe whose workbook is at hand")
    results_flag(parser)
    staged_flag(parser)
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what is wrong, and how much was checked."""
    from idpbench.cli.goldcommands.spoken import listed
    from idpbench.files.errors import OK, REGRESSION
    from idpbench.gold.shelf import validate

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    issues = validate(
        arguments.root,
        arguments.results or arguments.root / RESULTS,
        arguments.paths,
        rescore=arguments.rescore,
        staged=arguments.staged,
        tell=tell,
    )
    sys.stdout.write(listed(issues))
    tell(f"{len(issues)} problem{'s' * (len(issues) != 1)}")
    return REGRESSION if issues else OK
