"""Commands that have commands of their own: a module each, which imports what it needs only when it runs."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from types import ModuleType


def configure(parser: argparse.ArgumentParser, package: str, commands: Mapping[str, str]) -> None:
    """A parser for each of `commands` (name -> line of help); `idpbench.cli.<package>.<name>` has configure and run.

    A module may hold EPILOG, the text below its flags.
    """
    added = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND")
    for name, text in commands.items():
        module = _module(package, name)
        sub = added.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(sub)


def run(package: str, arguments: argparse.Namespace) -> int:
    """Run the one that was asked for."""
    return int(_module(package, arguments.subcommand).run(arguments))


def _module(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"idpbench.cli.{package}.{name}")
