"""What the subcommands print."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from idpbench.files.tables import terminal
from idpbench.gold.board import over_present, present
from idpbench.gold.issues import Issue
from idpbench.gold.pages.render import per_solved, rates, spent
from idpbench.gold.pages.words import METRIC_WORDS
from idpbench.gold.result.schema import Result


def ended(result: Result, path: Path) -> str:
    """A finished run: averages over all members and over those present, counts, calls, cost, where it lies."""
    every = [f"{value:.3f}" for value in (result.composite, *result.metrics.model_dump().values())]
    rows = [
        [f"all {len(result.members)} members", *every],
        [f"{len(present(result))} present", *rates(over_present(result))],
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
