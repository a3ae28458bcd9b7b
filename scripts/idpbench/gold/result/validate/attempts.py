"""The attempts of a member: their order, and what may stand beside each ending."""

from __future__ import annotations

from collections.abc import Iterator

from idpbench.gold.issues import Issue
from idpbench.gold.result.schema import NO_RESPONSE, Attempt, Limits, TimeFields
from idpbench.gold.result.validate.found import differs, unless

LAST = ("executed", *NO_RESPONSE)


def check_attempts(attempts: list[Attempt], limits: Limits, time: TimeFields, path: str) -> Iterator[Issue]:
    """Order, kinds, number and times of the attempts of one member."""
    yield from unless(
        len(attempts) <= limits.attempts_per_member,
        path,
        "ATTEMPTS",
        f"{len(attempts)} attempts, the limit was {limits.attempts_per_member}",
    )
    before = time.started_at
    for index, attempt in enumerate(attempts):
        place = f"{path}[{index}]"
        yield from differs(f"{place}.n", "ATTEMPTS", attempt.n, index + 1)
        yield from differs(f"{place}.kind", "ATTEMPTS", attempt.kind, "revision" if index else "initial")
        yield from unless(
            attempt.outcome not in LAST or index == len(attempts) - 1,
            f"{place}.outcome",
            "ATTEMPTS",
            f"an attempt after one that ended with {attempt.outcome}",
        )
        yield from unless(
            before <= attempt.started_at <= time.finished_at,
            f"{place}.started_at",
            "TIME",
            "it lies before the run or the attempt before it, or after the end of the run",
        )
        before = attempt.started_at
        yield from _beside(attempt, place)


def _beside(attempt: Attempt, place: str) -> Iterator[Issue]:
    """An executed reply has no issues, any other has; a call without a response has nothing of one."""
    yield from unless(
        (attempt.outcome == "executed") == (not attempt.issues),
        f"{place}.issues",
        "ATTEMPTS",
        f"{len(attempt.issues)} issues beside {attempt.outcome}",
    )
    if attempt.outcome in NO_RESPONSE:
        for name in ("response_sha256", "finish_reason", "usage", "cost"):
            yield from unless(
                getattr(attempt, name) is None, f"{place}.{name}", "ATTEMPTS", f"a value beside {attempt.outcome}"
            )
    else:
        yield from unless(
            attempt.response_sha256 is not None, f"{place}.response_sha256", "ATTEMPTS", "no digest of the response"
        )
    yield from unless(
        (attempt.duration_ms is None) == (attempt.outcome == "interrupted"),
        f"{place}.duration_ms",
        "ATTEMPTS",
        "a duration is unknown of interrupted calls, and of no others",
    )
