"""Results as documents: one pass, `idpbench/claims-result/1`, and several, `idpbench/claims-aggregate/1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from idpbench.claims.emitted import Emissions
from idpbench.claims.metrics import Figure
from idpbench.claims.mode import Mode
from idpbench.claims.outcomes import CaseScore
from idpbench.claims.recordings import AGGREGATE, RESULT, claim_document
from idpbench.claims.repeats import aggregate_figures
from idpbench.claims.score import Judging, PassScore, paired
from idpbench.claims.subjects.judging import SubjectRow, fractions
from idpbench.claims.suite.model import Suite
from idpbench.files.errors import Refusal
from idpbench.files.provenance import source_digest

if TYPE_CHECKING:
    from idpbench.claims.harness.model import HarnessSuite

SCORER = (
    "claims.ece",
    "claims.emitted",
    "claims.judge",
    "claims.matching",
    "claims.metrics",
    "claims.outcomes",
    "claims.score",
    "claims.subjects.judging",
    "claims.subjects.refs",
)
IDENTITY = ("suite_id", "suite_version", "suite_digest", "extractor_id", "extractor_version", "provider_model", "mode")


def scorer_digest() -> str:
    """Digest of the source that a score depends on, beside suite, emissions and judge."""
    return source_digest(*SCORER)


def result_document(
    suite: Suite,
    emissions: Emissions,
    score: PassScore,
    judging: Judging,
    *,
    generated_at: str,
    subjects: Sequence[SubjectRow] | None = None,
    resolver: str | None = None,
    record_claim_text: bool = True,
) -> dict[str, Any]:
    """One pass. `generated_at` is ISO 8601; without `record_claim_text` no stated text and no subject is in it.

    `subjects` are the resolved gold subjects of the suite, None where it has none or no resolver was asked.
    """
    stated = {id(case): emission for case, emission in paired(suite, emissions)}
    run = [case for case in suite.cases if stated[id(case)].status in ("ok", "raises")]
    rows = [
        _case_row(
            scored,
            [gold.content for gold in case.expected],
            [claim_document(claim) for claim in stated[id(case)].claims],
            record_claim_text,
        )
        for case, scored in zip(run, score.cases, strict=True)
    ]
    return {
        "schema": RESULT,
        **identity_document(suite, emissions, judging.mode),
        "judge": judge_document(judging),
        "scorer": scorer_digest(),
        "generated_at": generated_at,
        "cases_run": len(score.cases),
        "cases_total": score.cases_total,
        "emitted": score.emitted,
        "required_total": score.required_total,
        "figures": figures_document({**score.figures, **(fractions(subjects) if subjects else {})}),
        "per_case": rows,
        "skipped": [{"case_id": case.case_id, "status": case.status, "note": case.note} for case in score.skipped],
        "failed": [
            {"case_id": case.case_id, "note": stated[id(case)].note}
            for case in run
            if stated[id(case)].status == "raises"
        ],
        "judge_failures": score.judge_failures,
        "quality_notes": [*score.notes, *(f"{row.case_id}: {row.note}" for row in subjects or () if row.note)],
        "subject_resolution": None
        if subjects is None
        else {"resolver": resolver, "subjects": [{**asdict(row), "refs": list(row.refs)} for row in subjects]},
    }


def identity_document(suite: Suite | HarnessSuite, emissions: Emissions, mode: Mode) -> dict[str, str]:
    """What was measured on what: the fields of IDENTITY, in which passes that are put together must not differ."""
    return {
        "suite_id": suite.suite_id,
        "suite_version": suite.version,
        "suite_digest": suite.digest,
        "extractor_id": emissions.extractor_id,
        "extractor_version": emissions.extractor_version,
        "provider_model": emissions.provider_model,
        "mode": mode,
    }


def judge_document(judging: Judging) -> dict[str, Any]:
    """What judged, and how: results whose judge differs in any of these are not comparable."""
    return {
        "kind": judging.kind,
        "id": judging.id,
        "threshold": judging.threshold,
        "prefilter": judging.prefilter if judging.kind == "llm" else None,
        "subject_aware": judging.subject_aware,
    }


def figures_document(figures: Mapping[str, Figure]) -> dict[str, dict[str, Any]]:
    """Each figure with its support."""
    return {name: {"value": figure.value, "support": figure.support} for name, figure in figures.items()}


def aggregate_document(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Passes of one extractor over one suite under one judge, with each figure over them.

    Passes that differ in suite, extractor, judge, mode or scorer are a Refusal: figures of two are never mixed.
    """
    if not results:
        raise Refusal("no pass to put together; run the benchmark first")
    first = results[0]
    for result in results[1:]:
        for key in (*IDENTITY, "judge", "scorer"):
            if result[key] != first[key]:
                raise Refusal(
                    f"passes of {first['suite_id']}: {key}: found {result[key]!r} beside {first[key]!r}, expected one; "
                    "score the older pass again"
                )
    values = [{name: figure["value"] for name, figure in result["figures"].items()} for result in results]
    return {
        "schema": AGGREGATE,
        **{key: first[key] for key in (*IDENTITY, "judge", "scorer")},
        "runs": len(results),
        "figures": {name: asdict(value) for name, value in aggregate_figures(values).items()},
        "passes": list(results),
    }


def means(aggregate: Mapping[str, Any]) -> dict[str, float | None]:
    """The mean of each figure of an aggregate, as `failon.fails` takes it."""
    return {name: figure["mean"] for name, figure in aggregate["figures"].items()}


def _case_row(
    scored: CaseScore, golds: Sequence[str], claims: Sequence[dict[str, Any]], with_text: bool
) -> dict[str, Any]:
    emitted = []
    for index, claim in enumerate(claims):
        gold = scored.matched_gold[index]
        emitted.append(
            {
                **(claim if with_text else {"confidence": claim["confidence"], "content": None, "subjects": []}),
                "outcome": scored.outcomes[index],
                "matched_gold": gold,
                "matched_expected": None if gold is None else golds[gold],
                "similarity": scored.similarities[index],
            }
        )
    return {
        "case_id": scored.case_id,
        "emitted_count": scored.emitted_count,
        "matched": [list(pair) for pair in scored.matched_order],
        "matched_required_count": scored.matched_required_count,
        "required_count": scored.required_count,
        "missed_required": list(scored.missed_required),
        "spurious": list(scored.spurious),
        "under_confidence": [list(entry) for entry in scored.under_confidence],
        "graded": [list(pair) for pair in scored.graded],
        "expected": list(golds),
        "emitted_claims": emitted,
    }
