"""The feed for a model picker: the curated models, each with its latest result, where it has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from idpbench.files.canonical import pretty
from idpbench.gold.board import Standing, cost_per_solved, latest, newest_suite, standings
from idpbench.gold.metrics import as_number, millionths
from idpbench.gold.result.schema import Result

SCHEMA = "gold-feed/1"
FILE = "feed.json"
MOST_TAGS = 12


def feed(models: Mapping[str, str], suite_id: str, results: Iterable[Result]) -> dict[str, Any]:
    """The feed document. `models`: curated id -> name; `suite_id`: the current suite; `results`: valid ones only.

    Ranks are among curated models with a latest result in the same suite and the same members present. A model that
    has results in several suites shows the current one, else its newest. Only results of mode `contract` count.
    """
    counted = [one for one in results if one.model.requested_id in models and one.prompt.mode == "contract"]
    by_model: dict[str, dict[str, Standing]] = {}
    for standing in standings(latest(counted)):
        result = standing.result
        by_model.setdefault(result.model.requested_id, {})[result.suite.suite_id] = standing
    entries = []
    for model, name in models.items():
        entry: dict[str, Any] = {"id": model, "name": name}
        if found := by_model.get(model):
            shown = suite_id if suite_id in found else newest_suite(list(found))
            entry["benchmark"] = block(found[shown])
        entries.append(entry)
    return {"schema": SCHEMA, "suite_id": suite_id, "models": entries}


def block(standing: Standing) -> dict[str, Any]:
    """What the feed says of one result."""
    result = standing.result
    found: dict[str, Any] = {
        "suite_id": result.suite.suite_id,
        "result_sha256": result.digest,
        "finished_at": result.time.finished_at,
        "metrics": result.metrics.model_dump(),
        "composite": result.composite,
        "composite_version": result.composite_version,
        "by_tag": {
            tag: {"members": count.members, "pass_rate": as_number(millionths(Fraction(count.executed, count.members)))}
            for tag, count in sorted(result.by_tag.items())[:MOST_TAGS]
            if count.members
        },
        "rank": standing.rank,
        "ranked_models": standing.ranked,
    }
    if (solved := cost_per_solved(result)) is not None:
        found["cost_per_solved"] = solved
    return found


def feed_bytes(document: Mapping[str, Any]) -> bytes:
    """The bytes of the feed's file."""
    return pretty(document).encode("utf-8")
