"""`idpbench claims conformance`: is what an extractor emits in form?"""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.claimscommands.common import root_flag

EPILOG = """\
Runs every fixture through the extractor that its source type belongs to. The digest of the fixtures is part of the
report: two reports are comparable only where it is the same.

exit codes: 0 every fixture is in form; 1 one is not; 2 wrong use or input; 3 an extractor cannot work
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the check."""
    parser.add_argument("extractor", nargs="?", metavar="EXTRACTOR", help="only the fixtures of this one")
    parser.add_argument("--fixtures", type=Path, help="folder of fixtures (default: `fixtures` of config/claims.yaml)")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run and print."""
    from idpbench.claims.bench.installed import installed as extractors_of
    from idpbench.claims.extractors.conformance import conformance
    from idpbench.claims.pages.terminal import conformance_text
    from idpbench.claims.routing import extractor_named
    from idpbench.cli.claimscommands.common import fixtures_of, settings_of
    from idpbench.files.canonical import pretty
    from idpbench.files.errors import OK, REGRESSION

    settings = settings_of(arguments)
    installed = extractors_of(settings, arguments.root)
    if arguments.extractor is not None:
        extractor_named(arguments.extractor, installed)
    report = conformance(fixtures_of(arguments, settings), installed, arguments.extractor)
    print(pretty(report) if arguments.format == "json" else conformance_text(report), end="")
    return OK if report["passed"] else REGRESSION
