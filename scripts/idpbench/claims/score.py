"""Scoring one pass: emissions against a suite, with a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from idpbench.claims.emitted import SKIPPED, CaseEmission, Claim, Emissions
from idpbench.claims.judge.base import Asked, Embedder, JudgeUnavailable, Similarity
from idpbench.claims.matching.greedy import Pair, Veto, assign
from idpbench.claims.matching.numbers import NumbersVeto
from idpbench.claims.matching.scores import Scores, noise, scores_of
from idpbench.claims.metrics import Figure, normative, precision, recall
from idpbench.claims.mode import Mode
from idpbench.claims.outcomes import CaseScore, judged
from idpbench.claims.suite.model import Case, Expected, Suite
from idpbench.files.errors import Refusal, bad_input

THRESHOLD = 0.80
PREFILTER = 0.65
LENIENT = 0.65
MOST_NOISE = 0.05


@dataclass(frozen=True)
class Judging:
    """How claims are compared. With `asked`, the pairs from `prefilter` up to `threshold` are put to a model."""

    similarity: Similarity
    asked: Asked | None = None
    threshold: float = THRESHOLD
    prefilter: float = PREFILTER
    subject_aware: bool = True
    mode: Mode = "default"

    @property
    def kind(self) -> str:
        """`llm`, `embedding` or `given`."""
        if self.asked is not None:
            return "llm"
        return "embedding" if isinstance(self.similarity, Embedder) else "given"

    @property
    def id(self) -> str:
        """The ids of everything that judges; results of two ids are never mixed."""
        own = self.similarity.id
        return own if self.asked is None else f"{own} + {self.asked.id}"


@dataclass(frozen=True)
class PassScore:
    """One pass. `figures` holds the normative ones first; `skipped` the cases that were not run.

    `judge_failures` calls of the model failed, and each rejected its pair: labels made by them are not to be fitted on.
    """

    cases: tuple[CaseScore, ...]
    figures: dict[str, Figure]
    skipped: tuple[CaseEmission, ...]
    notes: tuple[str, ...]
    cases_total: int
    judge_failures: int = 0

    @property
    def emitted(self) -> int:
        """Claims stated in the cases that ran."""
        return sum(case.emitted_count for case in self.cases)

    @property
    def required_total(self) -> int:
        """Required gold claims of the cases that ran."""
        return sum(case.required_count for case in self.cases)

    @property
    def values(self) -> dict[str, float | None]:
        """The figures without their support."""
        return {name: figure.value for name, figure in self.figures.items()}


def score_pass(suite: Suite, emissions: Emissions, judging: Judging) -> PassScore:
    """Score a pass. A case that was skipped is in no figure; one whose extraction failed has no claims, but its gold.

    JudgeUnavailable goes through: without a judge there is no score.
    """
    scorer = _Scorer(judging)
    skipped: list[CaseEmission] = []
    notes: list[str] = []
    for case, emission in paired(suite, emissions):
        if emission.status != "ok":
            notes.append(f"{case.case_id}: {emission.status}{f': {emission.note}' if emission.note else ''}")
        if emission.status in SKIPPED:
            skipped.append(emission)
        else:
            scorer.score(case, emission.claims)
    figures = normative(scorer.cases, judging.mode)
    if judging.mode == "default":
        figures |= scorer.further(suite)
    if scorer.failures:
        notes.append(f"calls of the judge that failed, each rejecting its pair: {scorer.failures}")
    cases = tuple(scorer.cases)
    return PassScore(cases, figures, tuple(skipped), tuple(notes), len(suite.cases), scorer.failures)


def paired(suite: Suite, emissions: Emissions) -> list[tuple[Case, CaseEmission]]:
    """Each case of the suite with what was stated for it; a case too many, twice or missing is a Refusal.

    Cases that a saved report leaves out were skipped (`partial`).
    """
    if emissions.suite_id != suite.suite_id:
        raise Refusal(f"the claims are those of suite {emissions.suite_id}, not of {suite.suite_id}; name that suite")
    if [case.case_id for case in suite.cases] == [emission.case_id for emission in emissions.cases]:
        return list(zip(suite.cases, emissions.cases, strict=True))
    stated = {emission.case_id: emission for emission in emissions.cases}
    known = {case.case_id for case in suite.cases}
    place = f"claims of {emissions.extractor_id} on {suite.suite_id}"
    if len(stated) != len(emissions.cases) or len(known) != len(suite.cases):
        raise bad_input(place, "cases", "a case twice", "each case of the suite once", "remove one of the two")
    if strange := sorted(set(stated) - known):
        raise bad_input(place, "cases", strange[0], "a case of the suite", "correct the case_id")
    lacking = [case.case_id for case in suite.cases if case.case_id not in stated]
    if lacking and not emissions.partial:
        remedy = "add it, with the status that says why it has no claims"
        raise bad_input(place, "cases", f"nothing for {lacking[0]}", "each case of the suite once", remedy)
    absent = "not in the saved report"
    return [
        (case, stated.get(case.case_id) or CaseEmission(case.case_id, "declined", note=absent)) for case in suite.cases
    ]


@dataclass
class _Scorer:
    """Scores case by case; a case's matrix is dropped before the next one is made."""

    judging: Judging
    cases: list[CaseScore] = field(default_factory=list)
    exact: list[CaseScore] = field(default_factory=list)
    lenient: list[CaseScore] = field(default_factory=list)
    failures: int = 0
    verdicts: dict[tuple[str, str], bool] = field(default_factory=dict)

    @property
    def exact_is_on(self) -> bool:
        return self.judging.mode == "default" and isinstance(self.judging.similarity, Embedder)

    @property
    def lenient_is_on(self) -> bool:
        return self.judging.mode == "default" and self.judging.kind == "embedding" and self.judging.threshold > LENIENT

    def score(self, case: Case, claims: Sequence[Claim]) -> None:
        judging, golds = self.judging, case.expected
        texts = [gold.content for gold in golds]
        scores = scores_of(claims, texts, judging.similarity, judging.subject_aware)
        self.cases.append(self._case(case.case_id, golds, claims, scores, self._pairs(scores)))
        if self.exact_is_on:
            pairs = self._pairs(scores, NumbersVeto(scores))
            self.exact.append(self._case(case.case_id, golds, claims, scores, pairs))
        if self.lenient_is_on:
            self.lenient.append(self._case(case.case_id, golds, claims, scores, assign(scores, LENIENT)))

    def further(self, suite: Suite) -> dict[str, Figure]:
        """The figures beside the headline: with equal numbers only, and at the lenient cut if the suite allows it."""
        figures: dict[str, Figure] = {}
        if self.exact_is_on:
            figures["precision_exact_numbers"] = precision(self.exact, "default")
            figures["recall_exact_numbers"] = recall(self.exact, "default")
        if self.lenient_is_on and isinstance(self.judging.similarity, Embedder):
            golds = [[gold.content for gold in case.expected] for case in suite.cases]
            above, pairs = noise(golds, self.judging.similarity, LENIENT)
            figures["lenient_noise"] = Figure(above / pairs if pairs else None, pairs)
            if pairs and above / pairs <= MOST_NOISE:
                figures["precision_lenient"] = precision(self.lenient, "default")
                figures["recall_lenient"] = recall(self.lenient, "default")
        return figures

    def _case(
        self, case_id: str, golds: Sequence[Expected], claims: Sequence[Claim], scores: Scores, pairs: list[Pair]
    ) -> CaseScore:
        return judged(case_id, golds, claims, pairs, [scores.at(emitted, gold) for emitted, gold in pairs])

    def _pairs(self, scores: Scores, veto: Veto | None = None) -> list[Pair]:
        judging = self.judging
        if judging.asked is None:
            return assign(scores, judging.threshold, veto=veto)

        def ask(emitted: int, gold: int) -> bool:
            return self._verdict(scores.rendering(emitted, gold), scores.golds[gold])

        return assign(scores, judging.threshold, ask, judging.prefilter, veto)

    def _verdict(self, rendering: str, gold: str) -> bool:
        """A model is asked once about one pair of texts; a failed call rejects the pair."""
        assert self.judging.asked is not None
        key = rendering, gold
        if key not in self.verdicts:
            try:
                self.verdicts[key] = self.judging.asked.aligned(rendering, gold)
            except JudgeUnavailable:
                raise
            except Exception:
                self.failures += 1
                self.verdicts[key] = False
        return self.verdicts[key]
