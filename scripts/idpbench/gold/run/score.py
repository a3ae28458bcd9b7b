"""A member's score: the production that was accepted against the reference, which is opened here and not before."""

from __future__ import annotations

from collections.abc import Callable

from idpbench.gold.jcs import jcs
from idpbench.gold.metrics import Scored, absent, score
from idpbench.gold.mismatches import mismatches, no_mismatches
from idpbench.gold.result.document import counts_of, metrics_of
from idpbench.gold.result.schema import FinalRecipe, Member, Mismatches, Produced, Reason
from idpbench.gold.run.attempts import Answered
from idpbench.gold.run.judge import Judged
from idpbench.gold.tidy import prefixed, table_digest
from idpbench.gold.trace import trace_digest

NOT_STAGED = Reason(code="workbook_not_staged", message="the publisher's workbook is not in the staged folder")
NOT_SELECTED = Reason(code="not_selected", message="the run was asked for other members only")


def score_member(member_id: str, answered: Answered, reference: Callable[[], Scored]) -> Member:
    """The member as the result holds it."""
    if answered.accepted is None or answered.accepted.production is None:
        return without_score(member_id, answered)
    return scored_member(member_id, answered, answered.accepted, reference())


def scored_member(member_id: str, answered: Answered, accepted: Judged, reference: Scored) -> Member:
    """A member whose recipe executed."""
    production = accepted.production
    if production is None or accepted.document is None:
        raise ValueError(f"{member_id}: nothing was produced")
    found = score(reference, production.scored)
    sample = no_mismatches() if found.status == "passed" else mismatches(reference, production.scored)
    return Member(
        member_id=member_id,
        status=found.status,
        failure=None,
        skip=None,
        attempts=list(answered.attempts),
        recipe=FinalRecipe(sha256=prefixed(jcs(accepted.document)), document=accepted.document),
        produced=Produced(
            table_sha256=table_digest(production.table),
            trace_sha256=trace_digest(production.trace),
            rows=len(production.table.rows),
            columns=len(production.table.columns),
        ),
        counts=counts_of(found),
        metrics=metrics_of(found),
        warnings=production.warnings_by_code,
        mismatches=Mismatches.model_validate(sample),
    )


def without_score(member_id: str, answered: Answered) -> Member:
    """A member that failed or was skipped: all its metrics are zero."""
    found = absent("failed" if answered.skip is None else "skipped")
    return Member(
        member_id=member_id,
        status=found.status,
        failure=answered.failure,
        skip=answered.skip,
        attempts=list(answered.attempts),
        recipe=None,
        produced=None,
        counts=None,
        metrics=metrics_of(found),
        warnings={},
        mismatches=Mismatches.model_validate(no_mismatches()),
    )


def skipped(member_id: str, reason: Reason) -> Member:
    """A member that was never asked."""
    return without_score(member_id, Answered(skip=reason))
