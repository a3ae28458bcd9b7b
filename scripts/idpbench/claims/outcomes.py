"""What became of every claim and every gold claim of one case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from idpbench.claims.emitted import Claim
from idpbench.claims.matching.greedy import Pair
from idpbench.claims.suite.model import Expected

Outcome = Literal["matched", "under_confidence", "spurious"]


@dataclass(frozen=True)
class CaseScore:
    """One case that was run. Gold and stated claims go by their index.

    `outcomes`, `matched_gold`, `similarities` (None for a spurious claim) and `graded` (confidence, and whether the
    claim found a gold claim at all) are in the order of emission. `matched_order` are full matches only, (gold,
    stated), in order of acceptance, `under_confidence` (gold, stated confidence, floor) likewise. A gold claim taken
    below its floor is neither matched nor missed.
    """

    case_id: str
    outcomes: tuple[Outcome, ...]
    matched_gold: tuple[int | None, ...]
    matched_order: tuple[Pair, ...]
    matched_required_count: int
    required_count: int
    missed_required: tuple[int, ...]
    under_confidence: tuple[tuple[int, float, float], ...]
    graded: tuple[tuple[float, bool], ...]
    similarities: tuple[float | None, ...] = ()

    @property
    def emitted_count(self) -> int:
        """Claims stated."""
        return len(self.outcomes)

    @property
    def spurious(self) -> tuple[int, ...]:
        """Claims that found no gold claim."""
        return tuple(index for index, outcome in enumerate(self.outcomes) if outcome == "spurious")

    @property
    def matched_count(self) -> int:
        """Full matches, of required and optional gold claims."""
        return len(self.matched_order)


def judged(
    case_id: str,
    golds: Sequence[Expected],
    claims: Sequence[Claim],
    pairs: Sequence[Pair],
    similarities: Sequence[float] | None = None,
) -> CaseScore:
    """The outcomes that follow from accepted (stated, gold) pairs, given in order of acceptance."""
    outcomes: list[Outcome] = ["spurious"] * len(claims)
    matched_gold: list[int | None] = [None] * len(claims)
    alike: list[float | None] = [None] * len(claims)
    order: list[Pair] = []
    timid: list[tuple[int, float, float]] = []
    for place, (emitted, gold) in enumerate(pairs):
        stated, floor = claims[emitted].confidence, golds[gold].confidence_min
        matched_gold[emitted] = gold
        alike[emitted] = None if similarities is None else similarities[place]
        if stated < floor:
            outcomes[emitted] = "under_confidence"
            timid.append((gold, stated, floor))
        else:
            outcomes[emitted] = "matched"
            order.append((gold, emitted))
    taken = {gold for _, gold in pairs}
    return CaseScore(
        case_id=case_id,
        outcomes=tuple(outcomes),
        matched_gold=tuple(matched_gold),
        matched_order=tuple(order),
        matched_required_count=sum(golds[gold].required for gold, _ in order),
        required_count=sum(gold.required for gold in golds),
        missed_required=tuple(index for index, gold in enumerate(golds) if gold.required and index not in taken),
        under_confidence=tuple(timid),
        graded=tuple(
            (claim.confidence, outcome != "spurious") for claim, outcome in zip(claims, outcomes, strict=True)
        ),
        similarities=tuple(alike),
    )
