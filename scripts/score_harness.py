"""Step: the modality, polarity or validity of an extractor's claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from idpbench.claims.bench.extraction import extract_harness
from idpbench.claims.bench.judging import Wanted, judging
from idpbench.claims.extractors.registry import by_id
from idpbench.claims.harness.load import load_harness_suite
from idpbench.claims.harness.model import KINDS
from idpbench.claims.harness.score import harness_document, score_harness
from idpbench.files.canonical import write_json
from idpbench.files.schema import check
from idpbench.files.step import run_step
from idpbench.settings.claims import load_claims


def main() -> None:
    """Extract, align and measure; the report holds no time, so that the same claims give the same bytes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--suite", type=Path, required=True, help="the suite's YAML file")
    parser.add_argument("--extractor", required=True, help="id of an installed extractor")
    parser.add_argument("--output", type=Path, required=True, help="the report to write")
    given = parser.parse_args()
    suite = load_harness_suite(given.suite, given.kind)
    settings = load_claims(Path())
    similarity = judging(settings, Path(), Wanted(kind="embedding")).similarity
    emissions = extract_harness(suite, by_id(given.extractor))
    report = harness_document(
        score_harness(suite, emissions, similarity),
        emissions,
        similarity.id,
        generated_at="",
        record_claim_text=settings.benchmark.record_claim_text,
    )
    published = {key: value for key, value in report.items() if key != "generated_at"}
    check(published, "claims-harness", given.output)
    write_json(given.output, published, flat_from=4)


if __name__ == "__main__":
    run_step(main)
