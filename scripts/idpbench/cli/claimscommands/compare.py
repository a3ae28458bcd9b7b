"""`idpbench claims compare`: several extractors on the same suites."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from idpbench.cli.claimscommands.common import EXIT_CODES, judge_flags, root_flag, run_flags, suite_flags

if TYPE_CHECKING:
    from idpbench.claims.emitted import Emissions

EPILOG = f"""\
Without --suite the suites are those with a source type that any of the extractors accepts, whoever it belongs to. Cells
show the mean over the passes with its 95 % interval (Wilson's, for precision and recall) and the range over the passes;
n/a where an extractor ran no case. Nothing is kept.

--emitted puts claims that somebody else's extractor stated into the table, on their suite alone.

{EXIT_CODES}"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the comparison."""
    parser.add_argument(
        "--extractor-id", action="append", default=[], metavar="ID", help="an extractor; give two or more"
    )
    parser.add_argument(
        "--emitted", action="append", default=[], type=Path, metavar="FILE", help="recorded claims (see `claims score`)"
    )
    suite_flags(parser)
    run_flags(parser)
    judge_flags(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run all on all, and print the tables."""
    from idpbench.claims.bench.installed import installed
    from idpbench.claims.bench.passes import Bench, expected_calls, measure, resolved, score_emissions
    from idpbench.claims.bench.resolving import resolver_of
    from idpbench.claims.bench.sources import sources_of
    from idpbench.claims.compare import compare
    from idpbench.claims.pages.terminal import comparison_text, estimate_text
    from idpbench.claims.recordings import read_passes
    from idpbench.claims.report import aggregate_document
    from idpbench.claims.routing import accepted_suites, extractor_named
    from idpbench.cli.claimscommands.common import (
        confirmed,
        fixtures_of,
        judging_of,
        now,
        settings_of,
        suites_of,
    )
    from idpbench.files.canonical import pretty
    from idpbench.files.errors import OK, REGRESSION, Refusal, nearest

    recorded = [read_passes(path) for path in arguments.emitted]
    ids = list(dict.fromkeys([*arguments.extractor_id, *(passes[0].extractor_id for passes in recorded)]))
    if len(ids) < 2 or len(ids) < len(set(arguments.extractor_id)) + len(recorded):
        raise Refusal(
            f"--extractor-id, --emitted: found {len(ids)} extractors, expected two or more, each once; repeat the flag "
            "for each extractor"
        )
    settings = settings_of(arguments)
    available = installed(settings, arguments.root)
    extractors = [extractor_named(name, available) for name in dict.fromkeys(arguments.extractor_id)]
    suites = suites_of(arguments, settings)
    known = [suite.suite_id for suite in suites]
    wanted = suite_of(recorded, arguments.suite)
    if wanted is None:
        suites = accepted_suites(suites, extractors)
    else:
        suites = [suite for suite in suites if suite.suite_id == wanted]
    if not suites:
        raise Refusal(f"no suite to compare them on; {nearest(wanted or '', known)}")
    fixtures = fixtures_of(arguments, settings)
    sources = {suite.suite_id: sources_of(suite, fixtures) for suite in suites}
    projected = expected_calls([(e, sources[suite.suite_id]) for suite in suites for e in extractors], arguments.runs)
    print(estimate_text(projected), file=sys.stderr)
    if not confirmed(projected, arguments, settings):
        return REGRESSION
    bench = Bench(judging_of(arguments, settings), now, resolver_of(settings, arguments.root))
    rows = [[measure(bench, suite, e, sources[suite.suite_id], arguments.runs) for e in extractors] for suite in suites]
    for suite, row in zip(suites, rows, strict=True):
        subjects = resolved(suite, bench.resolver) if recorded else None
        row += [
            aggregate_document([score_emissions(bench, suite, emissions, subjects) for emissions in passes])
            for passes in recorded
        ]
    comparison = {**compare(rows, ids), "generated_at": now().isoformat(timespec="seconds")}
    print(pretty(comparison) if arguments.format == "json" else comparison_text(comparison))
    return OK


def suite_of(recorded: list[list[Emissions]], asked: str | None) -> str | None:
    """The suite to compare on: the one asked for, or that of the recordings; two of them are a Refusal."""
    from idpbench.files.errors import Refusal

    named = sorted({*([asked] if asked else []), *(passes[0].suite_id for passes in recorded)})
    if len(named) > 1:
        raise Refusal(f"--suite, --emitted: found {', '.join(named)}, expected one suite; compare them one by one")
    return named[0] if named else None
