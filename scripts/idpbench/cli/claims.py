"""`idpbench claims ...`: the benchmark of extractors that state facts."""

from __future__ import annotations

import argparse

from idpbench.cli import subcommands

PACKAGE = "claimscommands"

# Subcommand -> its line of help; the module claimscommands.<name> has configure(parser) and run(arguments).
COMMANDS = {
    "validate": "check suite files and list every problem of each",
    "bench": "run an extractor on the suites that measure it",
    "score": "score claims that somebody's extractor stated",
    "compare": "run several extractors on the same suites, side by side",
    "calibrate": "fit what an extractor's stated confidence is worth",
    "estimate": "say what a benchmark would take in calls, and run nothing",
    "conformance": "run the fixtures through the extractors they belong to, and check the form of the claims",
    "harness": "measure modality, polarity or validity of an extractor's claims",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """One parser per subcommand."""
    parser.description = (
        "An extractor reads a source and states facts, each with a confidence; they are compared with the facts that a "
        "person found in it. See docs/claims.md."
    )
    subcommands.configure(parser, PACKAGE, COMMANDS)


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand."""
    return subcommands.run(PACKAGE, arguments)
