"""`idpbench gold verify`: is a suite still what was frozen?"""

from __future__ import annotations

import argparse

from idpbench.cli.goldcommands.common import root_flag, staged_flag

EPILOG = """\
Compares every file with its digest and executes every reference recipe again. A publisher's workbook that is not staged
is reported and is no error.

exit codes: 0 as frozen; 1 problems, one line each; 2 no such suite, or its manifest is broken
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of verification."""
    parser.add_argument("--suite", metavar="ID", help="the suite (default: the current one)")
    staged_flag(parser)
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print problems and absent workbooks."""
    from idpbench.cli.goldcommands.spoken import listed
    from idpbench.files.errors import OK, REGRESSION
    from idpbench.gold.place import open_suite
    from idpbench.gold.suite.verify import verify_suite
    from idpbench.settings.gold import load_gold

    settings = load_gold(arguments.root)
    staged = arguments.staged or arguments.root / settings.staged
    suite = open_suite(arguments.root, arguments.suite or settings.suite, staged)
    found = verify_suite(suite)
    print(listed(found.issues), end="")
    manifest = suite.manifest
    absent = f"{len(found.absent)} not staged" + (f" ({', '.join(found.absent)})" if found.absent else "")
    problems = f"{len(found.issues)} problem{'s' * (len(found.issues) != 1)}"
    print(f"{manifest.suite_id} {manifest.digest}: {len(manifest.members)} members, {absent}; {problems}")
    return REGRESSION if found.issues else OK
