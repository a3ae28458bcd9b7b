"""Did each gold subject reach the right reference? Outcomes, and the three fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from idpbench.claims.metrics import Figure
from idpbench.claims.subjects.base import Ref, Resolver
from idpbench.claims.subjects.refs import normalised_parts, split_ref
from idpbench.claims.suite.model import GoldSubject

SubjectOutcome = Literal["correct", "wrong_ref", "bare_local"]
OUTCOMES: tuple[SubjectOutcome, ...] = get_args(SubjectOutcome)
NAMES = {
    "correct": "resolution_accuracy",
    "wrong_ref": "resolution_wrong_ref",
    "bare_local": "resolution_bare_local",
}


@dataclass(frozen=True)
class SubjectRow:
    """One gold subject: `refs` as `namespace:id@0.90`; `note` says why a look-up failed."""

    case_id: str
    name: str
    gold_ref: str | None
    outcome: SubjectOutcome
    canonical_name: str
    refs: tuple[str, ...]
    note: str = ""


def judge_refs(gold_ref: str | None, refs: Sequence[Ref]) -> SubjectOutcome:
    """Compare what was linked with the gold, at any confidence.

    Gold null: any reference of any namespace is wrong. Otherwise references of other namespaces do not count: the gold
    among those of its own is correct, others alone are wrong, none is a bare local subject.
    """
    if gold_ref is None:
        return "wrong_ref" if refs else "correct"
    gold = split_ref(gold_ref)
    found = [normalised_parts(ref.namespace, ref.id) for ref in refs]
    own = [parts for parts in found if gold is not None and parts[0] == gold[0]]
    if gold in own:
        return "correct"
    return "wrong_ref" if own else "bare_local"


def spelt(ref: Ref) -> str:
    """`wikidata:Q64@0.90`."""
    return f"{':'.join(normalised_parts(ref.namespace, ref.id))}@{ref.confidence:.2f}"


def resolve_subjects(golds: Sequence[GoldSubject], resolver: Resolver) -> list[SubjectRow]:
    """Resolve each gold subject from its own mention, not from what an extractor said.

    A look-up that failed leaves a bare local subject, also where no reference was wanted: an outage is right about
    nothing.
    """
    rows = []
    for gold in golds:
        found = resolver.resolve(gold.name, gold.mention)
        outcome: SubjectOutcome = "bare_local" if found.note else judge_refs(gold.ref, found.refs)
        refs = tuple(spelt(ref) for ref in found.refs)
        rows.append(SubjectRow(gold.case_id, gold.name, gold.ref, outcome, found.canonical_name, refs, found.note))
    return rows


def fractions(rows: Sequence[SubjectRow]) -> dict[str, Figure]:
    """The three fractions over all gold subjects, over those with a reference (`_linked`) and those without (`_null`).

    A resolver that never links anything is right about every null gold; only the split shows it. Empty without rows.
    """
    if not rows:
        return {}
    return {
        **_fractions(rows, ""),
        **_fractions([row for row in rows if row.gold_ref is not None], "_linked"),
        **_fractions([row for row in rows if row.gold_ref is None], "_null"),
    }


def _fractions(rows: Sequence[SubjectRow], suffix: str) -> dict[str, Figure]:
    tally = Counter(row.outcome for row in rows)
    count = len(rows)
    return {f"{NAMES[kind]}{suffix}": Figure(tally[kind] / count if count else None, count) for kind in OUTCOMES}
