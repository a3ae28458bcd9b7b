"""What became of the runs: outcomes by side, and planned = launched = finished = scored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from idpbench.report.inputs import COMPLETED, Inputs, Side

UNFINISHED = ("NOT_LAUNCHED", "TIMED_OUT")


@dataclass(frozen=True)
class Census:
    """Run counts of one side; `failed` is FAILED by error class, `other` every status without a column of its own."""

    planned: int | None
    runs: int
    completed: int
    failed: dict[str, int]
    aborted: int
    timed_out: int
    not_launched: int
    other: dict[str, int]

    @property
    def did_not_complete(self) -> int:
        """Recorded runs that ended otherwise than COMPLETED."""
        return self.runs - self.completed


def census(side: Side) -> Census:
    """Count the run records of a side; planned runs without a record were not launched."""
    states = Counter(run.status for run in side.runs)
    failed = Counter(run.error_class for run in side.runs if run.status == "FAILED")
    known = {COMPLETED, "FAILED", "ABORTED", *UNFINISHED}
    missing = max(0, side.planned - len(side.runs)) if side.planned is not None else 0
    return Census(
        planned=side.planned,
        runs=len(side.runs),
        completed=states[COMPLETED],
        failed=dict(sorted(failed.items())),
        aborted=states["ABORTED"],
        timed_out=states["TIMED_OUT"],
        not_launched=states["NOT_LAUNCHED"] + missing,
        other={status: count for status, count in sorted(states.items()) if status not in known},
    )


def outcomes(inputs: Inputs) -> list[tuple[str, int, int]]:
    """Lines of the failure census: label, PREV, VERSION; an error class is listed where either side has it."""
    base, new = (census(side) for side in inputs.sides)
    lines = [("runs recorded", base.runs, new.runs), ("COMPLETED", base.completed, new.completed)]
    lines += [
        (f"FAILED: {name}", base.failed.get(name, 0), new.failed.get(name, 0))
        for name in sorted({*base.failed, *new.failed})
    ]
    if not base.failed and not new.failed:
        lines.append(("FAILED", 0, 0))
    lines += [
        ("ABORTED", base.aborted, new.aborted),
        ("TIMED_OUT", base.timed_out, new.timed_out),
        ("not launched", base.not_launched, new.not_launched),
    ]
    lines += [(name, base.other.get(name, 0), new.other.get(name, 0)) for name in sorted({*base.other, *new.other})]
    return lines


def stages(side: Side) -> list[tuple[str, int | None]]:
    """Planned, launched, finished and scored runs; what the summary does not state is counted from the records."""
    launched = [run for run in side.runs if run.status != "NOT_LAUNCHED"]
    finished = [run for run in launched if run.status not in UNFINISHED]
    counted = {"launched": len(launched), "finished": len(finished), "scored": _scored(side)}
    return [("planned", side.planned)] + [(name, _stated(side, name, count)) for name, count in counted.items()]


def failures_of_cell(side: Side, cell: str) -> tuple[int, int]:
    """(failed, all) document rows of a cell: the unit of every table behind it."""
    rows = [row for row in side.rows if row["cell"] == cell]
    return sum(1 for row in rows if not row.get("success")), len(rows)


def _stated(side: Side, name: str, counted: int) -> int:
    value: Any = side.meta.get(name)
    return value if isinstance(value, int) else counted


def _scored(side: Side) -> int:
    return len({(row["cell"], row["doc"], row["repeat"]) for row in side.rows})
