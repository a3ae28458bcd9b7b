"""Which emitted claim is which label: bare contents, the greedy matcher, a cut of 0.65, confidence ignored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from idpbench.claims.emitted import SKIPPED, CaseEmission, Claim, Emissions
from idpbench.claims.harness.model import HarnessCase, HarnessSuite, Label
from idpbench.claims.judge.base import Similarity
from idpbench.claims.matching.greedy import assign
from idpbench.claims.matching.scores import scores_of
from idpbench.files.errors import bad_input

THRESHOLD = 0.65


@dataclass(frozen=True)
class AlignedCase:
    """A case that ran: its labels (each text once), the claims that took part, and their (label, claim) pairs."""

    case: HarnessCase
    labels: tuple[Label, ...]
    claims: tuple[Claim, ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def unaligned(self) -> int:
        """Labels that found no claim: counted, never scored."""
        return len(self.labels) - len(self.pairs)


@dataclass(frozen=True)
class Alignment:
    """All cases that ran, and notes on those that did not or that failed."""

    cases: tuple[AlignedCase, ...]
    notes: tuple[str, ...]

    def aligned(self) -> list[tuple[Label, Claim]]:
        """Every aligned pair, case by case."""
        return [(case.labels[label], case.claims[claim]) for case in self.cases for label, claim in case.pairs]


def align(
    suite: HarnessSuite,
    emissions: Emissions,
    similarity: Similarity,
    takes_part: Callable[[Claim], bool] = lambda claim: True,
    threshold: float = THRESHOLD,
) -> Alignment:
    """Align a suite with what was emitted. A case whose extraction failed leaves all its labels unaligned.

    Claims for which `takes_part` is false are kept out. Of labels with one text in a case the last counts.
    """
    stated = _by_case(suite, emissions)
    cases: list[AlignedCase] = []
    notes: list[str] = []
    for case in suite.cases:
        emission = stated[case.case_id]
        if emission.status != "ok":
            notes.append(f"{case.case_id}: {emission.status}{f': {emission.note}' if emission.note else ''}")
        if emission.status in SKIPPED:
            continue
        labels = tuple({label.content: label for label in case.labels}.values())
        claims = tuple(claim for claim in emission.claims if takes_part(claim))
        scores = scores_of(claims, [label.content for label in labels], similarity, subject_aware=False)
        pairs = sorted((label, claim) for claim, label in assign(scores, threshold))
        cases.append(AlignedCase(case, labels, claims, tuple(pairs)))
    return Alignment(tuple(cases), tuple(notes))


def _by_case(suite: HarnessSuite, emissions: Emissions) -> dict[str, CaseEmission]:
    stated = {emission.case_id: emission for emission in emissions.cases}
    place = f"claims of {emissions.extractor_id} on {suite.suite_id}"
    for case in suite.cases:
        if case.case_id not in stated:
            raise bad_input(place, "cases", f"nothing for {case.case_id}", "each case of the suite", "add the case")
    return stated
