"""`idpbench claims validate`: suite files, and every problem of each."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.claimscommands.common import root_flag

EPILOG = """\
Without PATHS all suites that config/claims.yaml names are checked, those of the harnesses too.

exit codes: 0 all can be used; 2 a problem, each on a line of its own
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the check."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a suite file, or a folder of them")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the problems, or what was found in order."""
    from idpbench.claims.suite.discover import suite_files, validate
    from idpbench.files.errors import OK, USAGE, bad_input
    from idpbench.settings.claims import load_claims

    settings = load_claims(arguments.root)
    kinds = (settings.suites, settings.calibration, settings.modality, settings.polarity, settings.validity)
    paths = arguments.paths or [arguments.root / folder for folder in kinds]
    files = [file for path in paths for file in (suite_files(path) if path.is_dir() else [path])]
    if not files:
        found = ", ".join(str(path) for path in paths)
        raise bad_input(found, "", "no suite", "a YAML file, or a folder of them", "correct the path")
    problems = validate(paths)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{len(files)} suites can be used")
    return USAGE if problems else OK
