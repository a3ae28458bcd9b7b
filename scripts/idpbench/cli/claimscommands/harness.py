"""`idpbench claims harness`: modality, polarity or validity of an extractor's claims."""

from __future__ import annotations

import argparse

from idpbench.cli.claimscommands.common import root_flag

EPILOG = """\
Only claims that align with a label are measured (similarity 0.65 and above); labels that found none are counted beside
the figures. Nothing is kept.

exit codes: 0 done; 2 wrong use or input; 3 no judge, or the extractor cannot work
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Flags of the harness."""
    from idpbench.claims.harness.model import KINDS

    parser.add_argument("kind", choices=KINDS, help="which property")
    parser.add_argument("extractor", metavar="EXTRACTOR", help="id of an installed extractor")
    parser.add_argument("--suite", metavar="ID", help="this suite, whichever extractor it is meant for")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: one document per suite")
    parser.add_argument(
        "--mode", choices=("default", "reference"), default="default", help="reference: no n/a, vacuous values instead"
    )
    root_flag(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    from idpbench.claims.bench.extraction import extract_harness
    from idpbench.claims.bench.installed import installed as extractors_of
    from idpbench.claims.bench.judging import Wanted, judging
    from idpbench.claims.harness.load import discover_harness
    from idpbench.claims.harness.score import harness_document, score_harness
    from idpbench.claims.pages.terminal import harness_text
    from idpbench.claims.routing import extractor_named, matches
    from idpbench.cli.claimscommands.common import now, settings_of
    from idpbench.files.canonical import pretty
    from idpbench.files.errors import OK, Refusal, nearest

    settings = settings_of(arguments)
    installed = extractors_of(settings, arguments.root)
    extractor = extractor_named(arguments.extractor, installed)
    folder = arguments.root / getattr(settings, arguments.kind)
    found = discover_harness(folder, arguments.kind, arguments.mode).suites
    if arguments.suite is None:
        suites = [suite for suite in found if matches([suite.source_type], arguments.extractor, installed)]
    else:
        suites = [suite for suite in found if suite.suite_id == arguments.suite]
    if not suites:
        hint = nearest(arguments.suite or "", [suite.suite_id for suite in found])
        raise Refusal(f"{folder}: no {arguments.kind} suite for {arguments.extractor}; name one with --suite ({hint})")
    similarity = judging(settings, arguments.root, Wanted(kind="embedding", mode=arguments.mode)).similarity
    for number, suite in enumerate(suites):
        emissions = extract_harness(suite, extractor)
        score = score_harness(suite, emissions, similarity, arguments.mode)
        report = harness_document(
            score,
            emissions,
            similarity.id,
            generated_at=now().isoformat(timespec="seconds"),
            record_claim_text=settings.benchmark.record_claim_text,
        )
        print(pretty(report) if arguments.format == "json" else "\n" * bool(number) + harness_text(report))
    return OK
