"""`idpbench claims bench`: one extractor on the suites that measure it."""

from __future__ import annotations

import argparse
import sys

from idpbench.cli.claimscommands.common import EXIT_CODES, judge_flags, limit, root_flag, run_flags, suite_flags

EPILOG = f"""\
Without --suite the suites are those whose source types belong to the extractor. Every pass is kept under
benchmark.runs_dir of config/claims.yaml, where `calibrate` looks for held-out claims. --fail-on judges the mean over
the passes; a figure that was not measured fails.

{EXIT_CODES}"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the benchmark."""
    parser.add_argument("extractor", metavar="EXTRACTOR", help="id of an installed extractor")
    suite_flags(parser)
    run_flags(parser)
    judge_flags(parser)
    parser.add_argument("--estimate", action="store_true", help="print the projected calls and stop")
    parser.add_argument("--fail-on", choices=("none", "precision", "recall", "calibration"), default="none")
    parser.add_argument("--fail-threshold", type=limit, default=0.9, metavar="T", help="its threshold (0.9)")
    parser.add_argument("--no-save", action="store_true", help="keep nothing under benchmark.runs_dir")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: one document per suite")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run, print, keep; the exit code says whether a suite fails."""
    from idpbench.claims.bench.installed import installed as extractors_of
    from idpbench.claims.bench.passes import Bench, expected_calls, measure
    from idpbench.claims.bench.resolving import resolver_of
    from idpbench.claims.bench.saved import save_pass
    from idpbench.claims.bench.sources import sources_of
    from idpbench.claims.failon import fails
    from idpbench.claims.pages.terminal import estimate_text, report_text
    from idpbench.claims.report import means
    from idpbench.claims.routing import extractor_named, suites_for
    from idpbench.cli.claimscommands.common import confirmed, fixtures_of, judging_of, now, settings_of, suites_of
    from idpbench.files.canonical import pretty
    from idpbench.files.errors import OK, REGRESSION

    settings = settings_of(arguments)
    installed = extractors_of(settings, arguments.root)
    extractor = extractor_named(arguments.extractor, installed)
    suites = suites_for(arguments.extractor, suites_of(arguments, settings), installed, arguments.suite)
    fixtures = fixtures_of(arguments, settings)
    sources = {suite.suite_id: sources_of(suite, fixtures) for suite in suites}
    projected = [expected_calls([(extractor, sources[suite.suite_id])], arguments.runs) for suite in suites]
    if arguments.estimate or arguments.runs > 1:
        for suite, found in zip(suites, projected, strict=True):
            print(f"{suite.suite_id}: {estimate_text(found)}", file=sys.stderr)
    if arguments.estimate:
        return OK
    if not all(confirmed(found, arguments, settings) for found in projected):
        return REGRESSION
    folder = arguments.root / settings.benchmark.runs_dir

    def keep(result: object) -> None:
        if not arguments.no_save and (path := save_pass(folder, result, now())):  # type: ignore[arg-type]
            print(f"kept {path}", file=sys.stderr)

    bench = Bench(
        judging_of(arguments, settings),
        now,
        resolver_of(settings, arguments.root),
        settings.benchmark.record_claim_text,
        keep,
    )
    failed = False
    for number, suite in enumerate(suites):
        aggregate = measure(bench, suite, extractor, sources[suite.suite_id], arguments.runs)
        if arguments.format == "json":
            print(pretty(aggregate), end="")
        else:
            print("\n" * bool(number) + report_text(aggregate))
        if fails(means(aggregate), arguments.fail_on, arguments.fail_threshold):
            failed = True
            print(f"{suite.suite_id}: fails on {arguments.fail_on} at {arguments.fail_threshold:g}", file=sys.stderr)
    return REGRESSION if failed else OK
