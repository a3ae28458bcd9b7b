"""How long a document took: the stack's own timestamps, queueing kept apart."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from idpbench.scoring.numbers import is_number
from idpbench.scoring.sections import Sections

SUFFIX = "_time_seconds"


def seconds_between(start: Any, end: Any) -> float | None:
    """Seconds between two ISO times; null if either is unreadable, if only one knows its zone, or if negative."""
    if not isinstance(start, str) or not isinstance(end, str):
        return None
    try:
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except (ValueError, TypeError):
        return None
    return seconds if seconds >= 0 else None


def latency(row: Mapping[str, Any], sections: Sections) -> dict[str, Any]:
    """`wall_s` from start to completion, `queue_s` before the start, seconds by phase where sections state them."""
    phases: dict[str, float] = {}
    for section in sections.items:
        for name, value in section.metadata.items():
            if name.endswith(SUFFIX) and is_number(value):
                phase = name.removesuffix(SUFFIX).capitalize()
                phases[phase] = round(phases.get(phase, 0.0) + value, 3)
    return {
        "wall_s": seconds_between(row.get("WorkflowStartTime"), row.get("CompletionTime")),
        "queue_s": seconds_between(row.get("QueuedTime"), row.get("WorkflowStartTime")),
        "seconds_by_phase": phases or None,
    }
