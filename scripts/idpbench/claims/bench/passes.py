"""Passes of one extractor over one suite: extracted, scored, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from idpbench.claims.bench.extraction import accepted, extract_pass
from idpbench.claims.bench.sources import Absent, Source, present
from idpbench.claims.emitted import Emissions
from idpbench.claims.estimate import Estimate, estimate
from idpbench.claims.extractors.base import Extractor
from idpbench.claims.report import aggregate_document, result_document
from idpbench.claims.score import Judging, score_pass
from idpbench.claims.subjects.base import Resolver
from idpbench.claims.subjects.judging import SubjectRow, resolve_subjects
from idpbench.claims.suite.model import Suite

Clock = Callable[[], datetime]
Keep = Callable[[Mapping[str, Any]], object]


@dataclass(frozen=True)
class Bench:
    """What all passes of a command share. `clock` gives a time with its zone; `keep` takes each finished pass."""

    judging: Judging
    clock: Clock
    resolver: Resolver | None = None
    record_claim_text: bool = True
    keep: Keep = lambda _result: None


def measure(
    bench: Bench, suite: Suite, extractor: Extractor, sources: Sequence[Source | Absent], runs: int
) -> dict[str, Any]:
    """`runs` independent passes as `idpbench/claims-aggregate/1`. A pass is kept as soon as it is scored."""
    subjects = resolved(suite, bench.resolver)
    results = []
    for _ in range(runs):
        results.append(score_emissions(bench, suite, extract_pass(suite, extractor, sources), subjects))
        bench.keep(results[-1])
    return aggregate_document(results)


def score_emissions(
    bench: Bench, suite: Suite, emissions: Emissions, subjects: Sequence[SubjectRow] | None = None
) -> dict[str, Any]:
    """One pass, however its claims came about, as `idpbench/claims-result/1`."""
    return result_document(
        suite,
        emissions,
        score_pass(suite, emissions, bench.judging),
        bench.judging,
        generated_at=bench.clock().isoformat(timespec="seconds"),
        subjects=subjects,
        resolver=bench.resolver.id if bench.resolver is not None and subjects is not None else None,
        record_claim_text=bench.record_claim_text,
    )


def resolved(suite: Suite, resolver: Resolver | None) -> list[SubjectRow] | None:
    """The suite's gold subjects, resolved; None where it has none or nobody resolves."""
    if resolver is None or not suite.gold_subjects:
        return None
    return resolve_subjects(suite.gold_subjects, resolver)


def expected_calls(work: Iterable[tuple[Extractor, Sequence[Source | Absent]]], runs: int) -> Estimate:
    """What the passes would take in calls and tokens, from the sources that each extractor would read."""
    sizes = [
        len(source.data) for extractor, sources in work for source in present(sources) if accepted(extractor, source)
    ]
    return estimate(sizes, runs)
