"""Step: what an extractor stated is compared with the gold claims of a suite."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from idpbench.claims.bench.judging import judging
from idpbench.claims.bench.passes import Bench, resolved, score_emissions
from idpbench.claims.bench.published import without_times
from idpbench.claims.bench.resolving import resolver_of
from idpbench.claims.recordings import read_emissions
from idpbench.claims.report import aggregate_document
from idpbench.claims.suite.load import load_suite
from idpbench.files.canonical import write_json
from idpbench.files.schema import check
from idpbench.files.step import run_step
from idpbench.settings.claims import load_claims


def main() -> None:
    """Score one recorded pass; nothing is extracted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", type=Path, required=True, help="the suite's YAML file")
    parser.add_argument("--emitted", type=Path, required=True, help="the emissions of one pass")
    parser.add_argument("--output", type=Path, required=True, help="the result to write, without any time")
    given = parser.parse_args()
    settings = load_claims(Path())
    suite = load_suite(given.suite)
    bench = Bench(
        judging(settings, Path()),
        lambda: datetime.now(UTC),
        resolver_of(settings, Path()),
        settings.benchmark.record_claim_text,
    )
    result = score_emissions(bench, suite, read_emissions(given.emitted), resolved(suite, bench.resolver))
    published = without_times(aggregate_document([result]))
    check(published, "claims-aggregate", given.output)
    write_json(given.output, published, flat_from=5)


if __name__ == "__main__":
    run_step(main)
