"""`idpbench claims calibrate`: what an extractor's stated confidence is worth."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.cli.claimscommands.common import judge_flags, root_flag, run_flags, suite_flags

THRESHOLD = 0.80  # of every fit, so that labels of two fits mean the same

EPILOG = """\
Fits a map from stated confidence to observed correctness on the calibration suites of the extractor, and checks it on
the passes that `claims bench` kept. A fit that cannot mean anything is refused with its reasons and not kept.

exit codes: 0 kept (or, with --dry-run, could be); 1 refused, not confirmed, or already there; 2 wrong use or input;
3 no judge, or the extractor cannot work
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the fit."""
    parser.add_argument("extractor", metavar="EXTRACTOR", help="id of an installed extractor")
    suite_flags(parser, "calibration")
    run_flags(parser)
    judge_flags(parser, THRESHOLD)
    parser.add_argument("--method", choices=("temperature", "isotonic"), default="temperature")
    parser.add_argument("--dry-run", action="store_true", help="fit and judge, keep nothing")
    parser.add_argument("--regenerate", action="store_true", help="replace a fit that is kept already")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Fit, judge, print, keep."""
    from idpbench.claims.bench.installed import installed as extractors_of
    from idpbench.claims.bench.passes import Bench, expected_calls, measure
    from idpbench.claims.bench.sources import sources_of
    from idpbench.claims.calibrate.fit import enough, fit
    from idpbench.claims.calibrate.heldout import Wanted, select
    from idpbench.claims.calibrate.record import record_document
    from idpbench.claims.pages.terminal import estimate_text, fit_text
    from idpbench.claims.routing import extractor_named, suites_for
    from idpbench.cli.claimscommands.common import confirmed, fixtures_of, judging_of, now, settings_of, suites_of
    from idpbench.files.canonical import write_json
    from idpbench.files.errors import OK, REGRESSION, Refusal

    settings = settings_of(arguments)
    installed = extractors_of(settings, arguments.root)
    extractor = extractor_named(arguments.extractor, installed)
    target = arguments.root / settings.benchmark.records_dir / f"{record_name(extractor)}.json"
    if target.exists() and not (arguments.regenerate or arguments.dry_run):
        raise Refusal(f"{target}: found a fit, expected none; replace it with --regenerate", REGRESSION)
    available = suites_of(arguments, settings, "calibration")
    suites = suites_for(arguments.extractor, available, installed, arguments.suite)
    sources = {suite.suite_id: sources_of(suite, fixtures_of(arguments, settings)) for suite in suites}
    projected = expected_calls([(extractor, sources[suite.suite_id]) for suite in suites], arguments.runs)
    if arguments.runs > 1:
        print(estimate_text(projected), file=sys.stderr)
    if not confirmed(projected, arguments, settings):
        return REGRESSION
    judging = judging_of(arguments, settings)
    bench = Bench(judging, now)
    aggregates = [measure(bench, suite, extractor, sources[suite.suite_id], arguments.runs) for suite in suites]
    refuse_failed_replies(arguments.extractor, aggregates)
    pairs = [pair for aggregate in aggregates for pair in graded(aggregate)]
    enough(pairs, arguments.extractor)
    held = select(
        arguments.root / settings.benchmark.runs_dir,
        Wanted(
            extractor.extractor_id,
            extractor.version,
            extractor.provider_model,
            frozenset(suite.suite_id for suite in suites),
            judging.id,
            judging.threshold,
            arguments.mode,
        ),
    )
    for warning in held.warnings:
        print(f"WARNING: {warning}", file=sys.stderr)
    fitted = fit(pairs, held.pairs, arguments.method, mode=arguments.mode)
    print(fit_text(fitted, held.suites))
    record = record_document(
        fitted,
        extractor_id=extractor.extractor_id,
        extractor_version=extractor.version,
        provider_model=extractor.provider_model,
        suites=[suite.suite_id for suite in suites],
        heldout_suites=held.suites,
        label_judge=judging.id,
        label_threshold=judging.threshold,
        runs=arguments.runs,
        fitted_at=now().isoformat(timespec="seconds"),
        mode=arguments.mode,
    )
    if not arguments.dry_run:
        write_json(target, record)
        print(f"kept {target}", file=sys.stderr)
    return OK


def refuse_failed_replies(extractor_id: str, aggregates: Sequence[Mapping[str, Any]]) -> None:
    """Refuse to fit where calls of the judge failed: each rejected its pair, which makes a wrong label of an outage."""
    from idpbench.files.errors import INCOMPLETE, Refusal

    failures = sum(result["judge_failures"] for aggregate in aggregates for result in aggregate["passes"])
    if failures:
        raise Refusal(
            f"calibrate {extractor_id}: found {failures} failed replies of the judge, expected none; run it again, or "
            "with --judge embedding",
            INCOMPLETE,
        )


def graded(aggregate: dict[str, Any]) -> list[tuple[float, bool]]:
    """Stated confidence, and whether the claim found a gold claim, of every claim of every pass."""
    rows = [case for result in aggregate["passes"] for case in result["per_case"]]
    return [(float(confidence), bool(found)) for case in rows for confidence, found in case["graded"]]


def record_name(extractor: Any) -> str:
    """File name of an extractor's fit: one for each model that it asks."""
    model = extractor.provider_model.replace(":", "-").replace("/", "-")
    return f"{extractor.extractor_id}-{model}"
