"""What the subcommands print."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from idpbench.files.tables import number, terminal
from idpbench.gold.board import over, present
from idpbench.gold.issues import Issue
from idpbench.gold.pages.render import per_solved, rates, spent
from idpbench.gold.pages.words import METRIC_WORDS
from idpbench.gold.result.schema import Result
from idpbench.gold.run.score import NOT_SELECTED


def ended(result: Result, path: Path) -> str:
    """A finished run: averages over all members and over those present, counts, calls, cost, where it lies."""
    every = map(number, (result.composite, *result.metrics.model_dump().values()))
    asked = present(result) - {member.member_id for member in result.members if member.skip == NOT_SELECTED}
    rows = [
        [f"all {len(result.members)} members", *every],
        [f"{len(asked)} present{' and asked for' if asked < present(result) else ''}", *rates(over(result, asked))],
    ]
    counts = ", ".join(f"{number} {status}" for status, number in result.by_status.items())
    totals = result.totals
    return "\n".join(
        [
            terminal(["", "composite", *(short for short, _ in METRIC_WORDS.values())], rows),
            "",
            f"{counts}; {totals.calls} calls, {totals.usage.total:,} tokens, {spent(result)} "
            f"({per_solved(result)} per passed member)",
            f"result: {path}",
        ]
    )


def listed(issues: Iterable[Issue]) -> str:
    """One line per problem, `path: code: message`."""
    return "".join(f"{issue.path}: {issue.code}: {' '.join(issue.message.split())}\n" for issue in issues)
