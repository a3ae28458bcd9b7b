"""`idpbench gold draft`: the members that this project makes itself, as a draft to freeze."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.goldcommands.common import root_flag

EPILOG = """\
Writes workbooks, recipes and tasks of idpbench.gold.members, the same bytes each time; publishers' workbooks are named
only. Freeze it with: idpbench gold freeze FOLDER

exit codes: 0 written; 2 wrong use
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the draft."""
    parser.add_argument("output", type=Path, metavar="FOLDER", help="where to write it")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write, and say where."""
    from idpbench.files.errors import OK, bad_input
    from idpbench.gold.members.catalogue import MEMBERS, VOCABULARY, write_draft
    from idpbench.gold.place import SUITES

    vocabulary = arguments.root / SUITES / VOCABULARY
    if not vocabulary.is_file():
        raise bad_input(
            vocabulary, "", "nothing", "the vocabulary of features", "run in the repository, or give --root"
        )
    print(f"{write_draft(arguments.output, vocabulary.read_bytes())}: {len(MEMBERS)} members")
    return OK
