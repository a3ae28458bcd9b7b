"""The published result of an extractor on a suite: without any time, so that the same claims give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def without_times(aggregate: Mapping[str, Any]) -> dict[str, Any]:
    """The aggregate with `generated_at` of its passes left out: when a machine scored is no part of a result."""
    passes = [{key: value for key, value in result.items() if key != "generated_at"} for result in aggregate["passes"]]
    return {**aggregate, "passes": passes}


def address(result: Mapping[str, Any]) -> Path:
    """Where an aggregate, or the report of a harness, is published below results/claims."""
    return Path(result["suite_id"], f"{result['extractor_id']}-{result['extractor_version']}.json")
