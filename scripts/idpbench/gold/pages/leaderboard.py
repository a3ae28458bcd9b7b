"""results/gold/README.md: every model's latest result, ranked against those only that had the same members at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from idpbench.files.tables import markdown, number
from idpbench.gold.board import Standing, latest, over_present, present, standings
from idpbench.gold.pages.render import fill, per_solved, rates, spent
from idpbench.gold.pages.words import METRIC_WORDS, MODE_WORDS, formula
from idpbench.gold.result.document import file_name
from idpbench.gold.result.schema import Result
from idpbench.gold.suite.manifest import Manifest

SHORT = [short for short, _ in METRIC_WORDS.values()]
HEADERS = ["rank", "model", "composite", *SHORT, "passed", "partial", "failed", "skipped"]
PRESENT_HEADERS = ["model", "composite over present", *SHORT]
COST_HEADERS = ["model", "calls", "revisions", "tokens", "cost", "cost per passed member", "reached by", "finished"]


def render(results: Sequence[Result], manifests: Mapping[str, Manifest], current: str, names: Mapping[str, str]) -> str:
    """The page. `results`: valid ones; `names`: model id -> the name shown beside it."""
    groups = []
    for _, members in groupby(standings(latest(results)), key=_group):
        group = list(members)
        first = group[0].result
        manifest = manifests[first.suite.suite_id]
        groups.append(
            {
                "suite": first.suite.suite_id,
                "mode": first.prompt.mode,
                "mode_words": MODE_WORDS[first.prompt.mode],
                "members": len(manifest.members),
                "present": len(present(first)),
                "table": markdown(HEADERS, [_ranked(one, names) for one in group]),
                "present_table": markdown(PRESENT_HEADERS, [_present(one.result) for one in group]),
                "cost_table": markdown(COST_HEADERS, [_cost(one.result) for one in group]),
            }
        )
    return fill(
        "leaderboard",
        groups=groups,
        current=current,
        has_page=current in manifests,
        metrics=list(METRIC_WORDS.items()),
        formula=formula(),
    )


def _group(standing: Standing) -> tuple[str, str, frozenset[str]]:
    result = standing.result
    return result.suite.suite_id, result.prompt.mode, present(result)


def _ranked(standing: Standing, names: Mapping[str, str]) -> list[str]:
    result = standing.result
    model = result.model.requested_id
    link = f"[`{model}`]({result.suite.suite_id}/{file_name(result)})"
    name = f" {names[model]}" if model in names else ""
    counts = [str(result.by_status[status]) for status in ("passed", "partial", "failed", "skipped")]
    every = map(number, (result.composite, *result.metrics.model_dump().values()))
    return [str(standing.rank), f"{link}{name}", *every, *counts]


def _present(result: Result) -> list[str]:
    return [f"`{result.model.requested_id}`", *rates(over_present(result))]


def _cost(result: Result) -> list[str]:
    revisions = sum(max(0, len(member.attempts) - 1) for member in result.members)
    return [
        f"`{result.model.requested_id}`",
        str(result.totals.calls),
        str(revisions),
        f"{result.totals.usage.total:,}",
        spent(result),
        per_solved(result),
        result.runner.transport.kind,
        result.time.finished_at[:10],
    ]
