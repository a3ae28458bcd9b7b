"""`idpbench gold freeze`: from a draft to a suite."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from idpbench.cli.goldcommands.common import root_flag, staged_flag

EPILOG = """\
Every reference recipe runs twice, in two processes, and must give the same bytes. The suite is written to
corpus/gold/<suite id>/. Freezing the same draft again changes nothing; another draft needs another suite id.

exit codes: 0 frozen; 2 the draft cannot be frozen, with every reason; 3 a workbook is not staged
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of freezing."""
    parser.add_argument("draft", type=Path, help="folder of the draft, with draft.json")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where suites lie (default: corpus/gold)")
    staged_flag(parser)
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Freeze, and say what was frozen."""
    from idpbench.files.errors import OK
    from idpbench.gold.place import SUITES
    from idpbench.gold.suite.freeze import freeze_suite
    from idpbench.gold.suite.load import load_suite
    from idpbench.settings.gold import load_gold

    staged = arguments.staged or arguments.root / load_gold(arguments.root).staged
    print("running every reference twice", file=sys.stderr, flush=True)
    folder = freeze_suite(arguments.draft, arguments.output or arguments.root / SUITES, staged)
    manifest = load_suite(folder).manifest
    print(f"{folder}: {manifest.summary.members} members, digest {manifest.digest}")
    return OK
