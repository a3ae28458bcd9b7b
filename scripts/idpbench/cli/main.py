"""`idpbench COMMAND ...`: finds the command's module, parses, runs, turns a Refusal into its exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from idpbench import __version__
from idpbench.files import redact
from idpbench.files.errors import Refusal

# Command -> one line of help; the module idpbench.cli.<command> has configure(parser) and run(arguments) -> exit code.
COMMANDS = {
    "plan": "list every run of a suite, what is skipped and why, and its sizes",
    "estimate": "project runs, cost and time of a suite",
    "score": "score one run record against its truth",
    "adopt": "collect and score a grid that the original harness launched",
    "compare": "compare two summaries and give the verdict",
    "price": "price a metering map, or every run of a published side again, with a rate card",
    "retention": "list which published sets may go and why, or remove them",
    "gold": "run, check and report the benchmark of recipes that tidy spreadsheets",
    "claims": "the benchmark of extractors that state facts (validate, bench, score, compare, calibrate, ...)",
    "retry": "ask again for runs whose end says nothing of the release (our deadline, throttling, a lost row)",
    "stack": "serve the local stack, or tell its state",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see `files.errors`)."""
    parser = argparse.ArgumentParser(prog="idpbench", description="Benchmark and release gate for document extraction.")
    parser.add_argument("--version", action="version", version=f"idpbench {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    words = list(sys.argv[1:] if argv is None else argv)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == wanted:  # the other commands' modules, and what they import, stay unread
            importlib.import_module(f"idpbench.cli.{name}").configure(sub)
    arguments = parser.parse_args(words)
    try:
        return int(importlib.import_module(f"idpbench.cli.{arguments.command}").run(arguments))
    except Refusal as refusal:
        print(redact.log(f"idpbench {arguments.command}: {refusal}"), file=sys.stderr)
        return refusal.exit_code
    except BrokenPipeError:  # `idpbench plan | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
