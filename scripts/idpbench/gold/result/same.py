"""Whether a result finds anything that another has not found: only when and where they were made may differ."""

from __future__ import annotations

from typing import Any

from idpbench.gold.board import absent
from idpbench.gold.result.schema import Member, Result

_SUMS = {"members", "totals", "metrics", "composite", "by_status", "by_tag"}


def nothing_new(one: Result, other: Result) -> bool:
    """True where suite, model and requests are equal, and `other` holds all that `one` found, reply by reply.

    Members whose workbook `one` had not at hand say nothing: a result with fewer workbooks has nothing on a fuller one.
    """
    return _frame(one) == _frame(other) and all(
        absent(mine) or _found(mine) == _found(theirs) for mine, theirs in zip(one.members, other.members, strict=True)
    )


def _frame(result: Result) -> dict[str, Any]:
    """What was asked of whom; the members are those of the suite, in its order."""
    content = result.model_dump(exclude={"digest", "time", "runner", *_SUMS})
    del content["model"]["returned_ids"]
    return {**content, "members": [member.member_id for member in result.members]}


def _found(member: Member) -> dict[str, Any]:
    content = member.model_dump()
    for attempt in content["attempts"]:
        attempt["started_at"] = attempt["duration_ms"] = None
    return content
