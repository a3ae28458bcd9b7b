"""Whether two results found the same: only when and where they were made differs."""

from __future__ import annotations

from typing import Any

from idpbench.gold.result.schema import Result


def same_findings(one: Result, other: Result) -> bool:
    """True where suite, model, requests, replies, scores and sums are equal."""
    return _findings(one) == _findings(other)


def _findings(result: Result) -> dict[str, Any]:
    content = result.model_dump(exclude={"digest", "time", "runner"})
    for member in content["members"]:
        for attempt in member["attempts"]:
            attempt["started_at"] = attempt["duration_ms"] = None
    return content
