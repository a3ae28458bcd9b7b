"""`idpbench gold ...`: the benchmark of recipes that tidy spreadsheets."""

from __future__ import annotations

import argparse

from idpbench.cli import subcommands
from idpbench.files.errors import Refusal

PACKAGE = "goldcommands"

# Subcommand -> its line of help; the module idpbench.cli.goldcommands.<name> has configure(parser) and run(arguments).
COMMANDS = {
    "run": "ask a model for a recipe of every member of a suite, and score what it writes",
    "draft": "write the draft of the members that this project makes itself",
    "freeze": "freeze a draft into a suite that nothing changes any more",
    "verify": "check a frozen suite: every digest, and that every recipe still makes its table",
    "validate": "check committed results: form, sums, status, secrets; with --rescore also the scores",
    "feed": "write the feed for a model picker from the committed results, or check it",
    "report": "write the leaderboard and the suite pages from the committed results",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """One parser per subcommand."""
    parser.description = (
        "A model is shown one messy sheet and writes a recipe; a program runs the recipe, and the tidy table is "
        "compared with a frozen reference. See docs/gold.md."
    )
    subcommands.configure(parser, PACKAGE, COMMANDS)


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand."""
    from idpbench.gold.issues import Unusable

    try:
        return subcommands.run(PACKAGE, arguments)
    except Unusable as error:
        raise Refusal(str(error)) from None
