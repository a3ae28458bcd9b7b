"""`idpbench claims estimate`: what a benchmark would take."""

from __future__ import annotations

import argparse

from idpbench.cli.claimscommands.common import positive, root_flag, suite_flags

EPILOG = """\
Counts a call for each 15,000 bytes of a source, at most eight a source, as if the extractor asked a language model.

exit codes: 0 said; 2 wrong use or input
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the estimate."""
    parser.add_argument("extractor", metavar="EXTRACTOR", help="id of an installed extractor")
    suite_flags(parser)
    parser.add_argument("--runs", type=positive, default=1, metavar="N", help="independent passes (1)")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each suite."""
    from idpbench.claims.bench.installed import installed as extractors_of
    from idpbench.claims.bench.passes import expected_calls
    from idpbench.claims.bench.sources import sources_of
    from idpbench.claims.pages.terminal import estimate_text
    from idpbench.claims.routing import extractor_named, suites_for
    from idpbench.cli.claimscommands.common import fixtures_of, settings_of, suites_of
    from idpbench.files.errors import OK

    settings = settings_of(arguments)
    installed = extractors_of(settings, arguments.root)
    extractor = extractor_named(arguments.extractor, installed)
    for suite in suites_for(arguments.extractor, suites_of(arguments, settings), installed, arguments.suite):
        sources = sources_of(suite, fixtures_of(arguments, settings))
        found = expected_calls([(extractor, sources)], arguments.runs)
        print(f"{suite.suite_id}: {estimate_text(found)}")
    return OK
