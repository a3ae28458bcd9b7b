"""Scoring one pass of a harness, and its report `idpbench/claims-harness/1`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from idpbench.claims.emitted import Claim, Emissions
from idpbench.claims.harness import measures
from idpbench.claims.harness.align import THRESHOLD, Alignment, align
from idpbench.claims.harness.measures import ByClass
from idpbench.claims.harness.model import MODALITIES, NARRATIVE, POLARITIES, HarnessSuite, Label
from idpbench.claims.judge.base import Similarity
from idpbench.claims.metrics import Figure
from idpbench.claims.mode import Mode
from idpbench.claims.report import figures_document, identity_document

SCHEMA = "idpbench/claims-harness/1"


@dataclass(frozen=True)
class HarnessScore:
    """One pass. `by_class` and `confusion` are None for validity, where nothing is classed."""

    suite: HarnessSuite
    alignment: Alignment
    figures: dict[str, Figure]
    by_class: ByClass | None
    confusion: list[tuple[str, str, int]] | None
    mode: Mode

    @property
    def aligned(self) -> int:
        """Labels that found a claim."""
        return sum(len(case.pairs) for case in self.alignment.cases)

    @property
    def unaligned(self) -> int:
        """Labels that found none."""
        return sum(case.unaligned for case in self.alignment.cases)


def score_harness(
    suite: HarnessSuite, emissions: Emissions, similarity: Similarity, mode: Mode = "default"
) -> HarnessScore:
    """Score what was emitted for a suite of any kind."""
    if suite.kind == "modality":
        return _modality(suite, emissions, similarity, mode)
    alignment = align(suite, emissions, similarity)
    if suite.kind == "polarity":
        pairs = [(label.value, polarity_of(claim)) for label, claim in alignment.aligned()]
        classes, figures = measures.polarity(pairs, mode)
        return HarnessScore(suite, alignment, figures, classes, measures.confusion(pairs), mode)
    dates = [(_expected_date(label), valid_until(claim)) for label, claim in alignment.aligned()]
    figures = measures.validity(dates, suite.date_tolerance_days, mode)
    return HarnessScore(suite, alignment, figures, None, None, mode)


def modality_of(claim: Claim) -> str:
    """The modality that a claim counts with; absent or unknown is FALSIFIABLE."""
    value = _folded(claim.modality)
    return value if value in (*MODALITIES, NARRATIVE) else MODALITIES[0]


def polarity_of(claim: Claim) -> str:
    """The polarity that a claim counts with; absent or unknown is ASSERTED."""
    value = _folded(claim.polarity)
    return value if value in POLARITIES else POLARITIES[0]


def valid_until(claim: Claim) -> date | None:
    """The date until which a claim says it holds; what is no date is none."""
    try:
        return None if claim.expected_valid_until is None else date.fromisoformat(claim.expected_valid_until.strip())
    except ValueError:
        return None


def _modality(suite: HarnessSuite, emissions: Emissions, similarity: Similarity, mode: Mode) -> HarnessScore:
    """Narrative claims state no single fact: they are counted by case and kept out of the alignment."""
    alignment = align(suite, emissions, similarity, lambda claim: modality_of(claim) != NARRATIVE)
    pairs = [(label.value, modality_of(claim)) for label, claim in alignment.aligned()]
    classes, figures = measures.modality(pairs, mode)
    telling = {
        case.case_id for case in emissions.cases if any(modality_of(claim) == NARRATIVE for claim in case.claims)
    }
    wanted = [case.case.case_id for case in alignment.cases if case.case.narrative_expected]
    told = sum(case_id in telling for case_id in wanted)
    figures["narrative_emission_rate"] = measures.narrative_rate(told, len(wanted), mode)
    return HarnessScore(suite, alignment, figures, classes, measures.confusion(pairs), mode)


def harness_document(
    score: HarnessScore, emissions: Emissions, judge_id: str, *, generated_at: str, record_claim_text: bool = True
) -> dict[str, Any]:
    """The report: figures with supports, confusion cells, and the pairs of each case.

    Without `record_claim_text` no stated text is in it.
    """
    suite = score.suite
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": suite.kind,
        **identity_document(suite, emissions, score.mode),
        "judge": {"id": judge_id, "threshold": THRESHOLD},
        "generated_at": generated_at,
        "cases_run": len(score.alignment.cases),
        "cases_total": len(suite.cases),
        "aligned": score.aligned,
        "unaligned": score.unaligned,
        "figures": figures_document(score.figures),
        "quality_notes": list(score.alignment.notes),
        "per_case": [
            {
                "case_id": case.case.case_id,
                "unaligned": case.unaligned,
                "pairs": [
                    _pair(suite, case.labels[label], case.claims[claim], record_claim_text)
                    for label, claim in case.pairs
                ],
            }
            for case in score.alignment.cases
        ],
    }
    if suite.kind == "validity":
        document["date_tolerance_days"] = suite.date_tolerance_days
    if score.by_class is not None and score.confusion is not None:
        document["precision"] = figures_document(score.by_class.precision)
        document["recall"] = figures_document(score.by_class.recall)
        document["confusion"] = [list(cell) for cell in score.confusion]
    return document


def _pair(suite: HarnessSuite, label: Label, claim: Claim, with_text: bool) -> dict[str, Any]:
    expected: str | None = label.value
    emitted: str | None
    if suite.kind == "validity":
        until = valid_until(claim)
        expected, emitted = label.expected_valid_until, None if until is None else until.isoformat()
    else:
        emitted = modality_of(claim) if suite.kind == "modality" else polarity_of(claim)
    text = claim.content if with_text else None
    return {"label": label.content, "claim": text, "expected": expected, "emitted": emitted}


def _expected_date(label: Label) -> date | None:
    return None if label.expected_valid_until is None else date.fromisoformat(label.expected_valid_until)


def _folded(value: str | None) -> str:
    return (value or "").strip().upper()
