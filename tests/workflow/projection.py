"""What a disturbed and an undisturbed run of the same grid must agree on: all but clock and names of runs."""

from __future__ import annotations

from typing import Any

VOLATILE_ROW = ("run_id", "wall_s", "queue_s", "launched_at", "completed_at")
VOLATILE_META = ("launched_first", "launched_last", "completed_last", "date", "commit", "pair")
VOLATILE_CELL = ("wall_s", "queue_s")


def canonical_projection(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary without the fields named above."""
    return {
        "rows": [{k: v for k, v in row.items() if k not in VOLATILE_ROW} for row in summary["rows"]],
        "meta": {k: v for k, v in summary["meta"].items() if k not in VOLATILE_META},
        "cell_stats": {
            cell: {k: v for k, v in stats.items() if k not in VOLATILE_CELL}
            for cell, stats in summary["cell_stats"].items()
        },
    }
