"""`idpbench claims score`: claims from anywhere, against a suite."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.cli.claimscommands.common import EXIT_CODES, judge_flags, root_flag

EPILOG = f"""\
--emitted takes a file of schema idpbench/claims-emitted/1, a result of ours (a kept pass, or a published file with all
its passes), or a saved report of the reference implementation. --similarity takes [[stated claim, gold claim,
similarity], ...], and no model is then needed.

{EXIT_CODES}"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of scoring."""
    parser.add_argument("--suite", type=Path, required=True, metavar="FILE", help="the suite's YAML file")
    parser.add_argument("--emitted", type=Path, required=True, metavar="FILE", help="what was stated")
    parser.add_argument("--similarity", type=Path, metavar="FILE", help="similarities that were measured before")
    judge_flags(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the result document, of several passes their aggregate"
    )
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score and print; nothing is kept."""
    from idpbench.claims.bench.passes import Bench, resolved, score_emissions
    from idpbench.claims.bench.resolving import resolver_of
    from idpbench.claims.pages.terminal import report_text
    from idpbench.claims.recordings import read_passes
    from idpbench.claims.report import aggregate_document
    from idpbench.claims.suite.load import load_suite
    from idpbench.cli.claimscommands.common import judging_of, now, settings_of
    from idpbench.files.canonical import pretty
    from idpbench.files.errors import OK, Refusal

    if arguments.similarity and arguments.judge:
        raise Refusal("--similarity and --judge: found both, expected one of them; leave one out")
    settings = settings_of(arguments)
    suite = load_suite(arguments.suite, arguments.mode)
    passes = read_passes(arguments.emitted)
    judging = judging_of(arguments, settings, arguments.similarity)
    bench = Bench(judging, now, resolver_of(settings, arguments.root), settings.benchmark.record_claim_text)
    subjects = resolved(suite, bench.resolver)
    results = [score_emissions(bench, suite, emissions, subjects) for emissions in passes]
    aggregate = aggregate_document(results)
    if arguments.json:
        print(pretty(results[0] if len(results) == 1 else aggregate), end="")
    else:
        print(report_text(aggregate))
    return OK
