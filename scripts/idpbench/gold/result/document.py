"""Assembling a result from the plan of a run and its members, and the one form in which it is stored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from idpbench.files.canonical import pretty
from idpbench.gold.jcs import jcs
from idpbench.gold.metrics import METRICS, STATUSES, MemberScore, Status, as_number, composite, macro, rates
from idpbench.gold.metrics import Counts as ExactCounts
from idpbench.gold.result.schema import (
    EXECUTED,
    NO_RESPONSE,
    SCHEMA,
    Attempt,
    Cost,
    Counts,
    Declarations,
    Member,
    Metrics,
    ModelName,
    Result,
    Runner,
    TagCount,
    TimeFields,
    Totals,
    UsageFields,
)
from idpbench.gold.run.plan import RUNNER, Plan
from idpbench.gold.suite.manifest import Manifest
from idpbench.gold.tidy import prefixed

CONTAMINATION = (
    "Sheets and references of this suite are public: a model may have seen them in training, and nothing is held out."
)
UNREACHABLE = "UNREACHABLE"


def assemble(
    plan: Plan,
    manifest: Manifest,
    members: Sequence[Member],
    *,
    returned_ids: Iterable[str],
    finished_at: str,
    invocation: Sequence[str],
) -> Result:
    """The document of a finished run; `members` are all members of the suite, in its order."""
    averages = published(member_score(member) for member in members)
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "suite": plan.suite.model_dump(),
        "contracts": manifest.contracts.model_dump(),
        "composite_version": manifest.contracts.composite,
        "model": ModelName(requested_id=plan.model, returned_ids=sorted(set(returned_ids))).model_dump(),
        "request": plan.request.model_dump(),
        "prompt": plan.prompt.model_dump(),
        "pipeline_version": plan.pipeline_version,
        "time": TimeFields(started_at=plan.started_at, finished_at=finished_at).model_dump(),
        "limits": plan.limits.model_dump(),
        "runner": Runner(
            name=RUNNER,
            version=plan.version,
            environment=plan.environment,
            transport=plan.transport,
            invocation=list(invocation),
            deterministic_components=plan.components,
        ).model_dump(),
        "declarations": Declarations(model_output_deterministic=False, contamination=CONTAMINATION).model_dump(),
        "members": [member.model_dump() for member in members],
        "totals": totals(members).model_dump(),
        "metrics": as_numbers(averages),
        "composite": as_number(composite(averages)),
        "by_status": by_status(members),
        "by_tag": {tag: count.model_dump() for tag, count in by_tag(members, manifest).items()},
    }
    return Result.model_validate({**content, "digest": document_digest(content)})


def document_digest(content: dict[str, Any]) -> str:
    """Digest of a document's RFC 8785 form without its own `digest`."""
    return prefixed(jcs({key: value for key, value in content.items() if key != "digest"}))


def as_json(result: Result) -> dict[str, Any]:
    """The document as plain JSON."""
    return result.model_dump(mode="json", by_alias=True)


def stored(result: Result) -> bytes:
    """The bytes of the file: keys sorted, two spaces, UTF-8, a final line feed."""
    return pretty(as_json(result)).encode("utf-8")


def file_name(result: Result) -> str:
    """`<model>--<day the run finished>.json`."""
    return f"{slug(result.model.requested_id)}--{result.time.finished_at[:10]}.json"


def slug(model: str) -> str:
    """A model's id as a file name: lower case, everything but letters, digits and dots a hyphen."""
    return re.sub(r"[^a-z0-9.]+", "-", model.lower()).strip("-.")


def member_score(member: Member) -> MemberScore:
    """The exact score behind a member's published one, from its counts."""
    if member.counts is None:
        return MemberScore(member.status, None, dict.fromkeys(METRICS, Fraction(0)))
    counts = ExactCounts(**member.counts.model_dump())
    return MemberScore(member.status, counts, rates(counts, member.status == "passed"))


def counts_of(score: MemberScore) -> Counts | None:
    """The counts as a document holds them."""
    return None if score.counts is None else Counts(**vars(score.counts))


def metrics_of(score: MemberScore) -> Metrics:
    """The metrics as a document holds them."""
    return Metrics(**as_numbers(score.published))


def published(scores: Iterable[MemberScore]) -> dict[str, int]:
    """The macro averages in millionths, rounded once."""
    found = macro(scores)
    return MemberScore("passed", None, found).published


def as_numbers(values: dict[str, int]) -> dict[str, float]:
    """Millionths as JSON numbers."""
    return {name: as_number(value) for name, value in values.items()}


def totals(members: Sequence[Member]) -> Totals:
    """Calls, endings, tokens and money of all attempts."""
    attempts = [attempt for member in members for attempt in member.attempts]
    usages = [attempt.usage for attempt in attempts if attempt.usage is not None]
    spent = sum((Fraction(repr(attempt.cost)) for attempt in attempts if attempt.cost is not None), Fraction(0))
    return Totals(
        calls=len(attempts),
        attempts=dict(sorted(Counter(attempt.outcome for attempt in attempts).items())),
        usage=UsageFields(
            prompt=sum(usage.prompt for usage in usages),
            completion=sum(usage.completion for usage in usages),
            total=sum(usage.total for usage in usages),
        ),
        cost=Cost(currency="USD", total=float(spent), complete=all(map(_cost_known, attempts))),
    )


def _cost_known(attempt: Attempt) -> bool:
    """A call that got no response may have been billed all the same, unless it never left this machine."""
    unsent = attempt.outcome in NO_RESPONSE and any(issue.code == UNREACHABLE for issue in attempt.issues)
    return attempt.cost is not None or unsent


def by_status(members: Iterable[Member]) -> dict[Status, int]:
    """How many members ended how; every status is listed."""
    found = Counter(member.status for member in members)
    return {status: found[status] for status in STATUSES}


def by_tag(members: Sequence[Member], manifest: Manifest) -> dict[str, TagCount]:
    """For each tag of the suite: its members, how many executed and how many were exact."""
    counts: dict[str, TagCount] = {}
    for tag in sorted({tag for described in manifest.members for tag in described.features}):
        tagged = {described.member_id for described in manifest.members if tag in described.features}
        own = [member for member in members if member.member_id in tagged]
        counts[tag] = TagCount(
            members=len(own),
            executed=sum(member.status in EXECUTED for member in own),
            exact=sum(member.status == "passed" for member in own),
        )
    return counts
