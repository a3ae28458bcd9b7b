"""A summary's rows as the gate reads them: grouped by unit, runs told apart, numbers told from the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from idpbench.files.errors import bad_input, nearest

Row = Mapping[str, Any]

SEPARATIONS = ("calibration_separation", "class_calibration_separation")
QUALITY = (
    "completeness_recall",
    "scalar_accuracy",
    "weighted_accuracy",
    "typed_accuracy",
    "cell_accuracy",
    "sections_correct",
    "conf_coverage",
    *SEPARATIONS,
)
METRICS = (*QUALITY, "cost")

SCHEMAS = ("idpbench/summary/1", "idpbench/baseline/1")
UNSCORED = frozenset({"SCORE_ERROR"})
# A run in any other state was still on its way, or never set out, when the summary was made.
ENDED = frozenset({"COMPLETED", "FAILED", "ABORTED", "COPY_FAILED", "NOT_COPIED", "NO_DOCS"})


class Unit(NamedTuple):
    """What repeats are pooled over: a document of a cell, or one file of a labelled set."""

    cell: str
    doc: str
    sub: str = ""

    @property
    def key(self) -> str:
        return "|".join(part for part in self if part)


@dataclass(frozen=True)
class Grid:
    """One side: its meta, its rows by unit (in the file's order), its cells' own statistics."""

    name: str
    meta: Mapping[str, Any]
    units: Mapping[Unit, list[Row]]
    cell_stats: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cells(self) -> list[str]:
        return sorted({unit.cell for unit in self.units})

    def documents(self) -> set[tuple[str, str]]:
        return {(unit.cell, unit.doc) for unit in self.units}


def number(value: Any) -> float | None:
    """A finite number, or None: text, null and booleans were not measured."""
    if value is None:  # by far the most frequent beside plain numbers
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def succeeded(row: Row) -> bool:
    """Did this document complete?"""
    success = row.get("success")
    return bool(success) if success is not None else row.get("status") == "COMPLETED"


def ended(row: Row) -> bool:
    """Has this run come to an end that can be judged? A failed run has; one that was never launched has not."""
    status = row.get("status")
    return status in ENDED if status is not None else row.get("success") is not None


def failed(row: Row) -> bool:
    """Did it end without success?"""
    return ended(row) and not succeeded(row)


def measured(row: Row, metric: str) -> float | None:
    """The value of a metric in a successful row; a cost of zero or less was not measured."""
    if not succeeded(row):
        return None
    value = number(row.get(metric))
    return None if metric == "cost" and value is not None and value <= 0 else value


_NOTHING: Row = {}


class Rows(list[Row]):
    """The rows of one unit on one side, read once per metric."""

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(rows)
        self.ended = [row for row in self if ended(row)]
        self.good = [succeeded(row) for row in self.ended]
        self._readable = [row if good else _NOTHING for row, good in zip(self.ended, self.good, strict=True)]
        self._columns: dict[str, list[float | None]] = {}
        self._values: dict[str, list[float]] = {}

    def column(self, metric: str) -> list[float | None]:
        """A metric by ended run; None where the run failed or has no value."""
        if metric not in self._columns:
            found = [number(row.get(metric)) for row in self._readable]
            if metric == "cost":
                found = [None if value is not None and value <= 0 else value for value in found]
            self._columns[metric] = found
        return self._columns[metric]

    def values(self, metric: str) -> list[float]:
        """All measured values of a metric, in the order of the rows."""
        if metric not in self._values:
            self._values[metric] = [value for value in self.column(metric) if value is not None]
        return self._values[metric]

    @property
    def failures(self) -> int:
        """Runs that ended without success."""
        return self.good.count(False)


def read_grid(summary: Any, name: str) -> Grid:
    """A Grid from the content of a summary.json, ours or the original harness's (which has no schema field).

    Raises Refusal naming the file and the key where the content is no summary.
    """
    if not isinstance(summary, dict):
        raise bad_input(name, "", type(summary).__name__, "a summary (an object with rows)", "give a summary.json")
    schema = summary.get("schema")
    if schema is not None and schema not in SCHEMAS:
        remedy = "give a summary.json or baseline.json of this version, or make it again from its run records"
        raise bad_input(name, "schema", repr(schema), f"{SCHEMAS[0]!r} (or none, in an original summary)", remedy)
    rows = summary.get("rows")
    if not isinstance(rows, list):
        found = "no such key" if rows is None else type(rows).__name__
        hint = f"a list of rows ({nearest('rows', map(str, summary))})"
        raise bad_input(name, "rows", found, hint, "give a summary.json, not a plan, record or comparison")
    meta = summary.get("meta")
    stats = summary.get("cell_stats")
    units: dict[Unit, list[Row]] = {}
    for index, row in enumerate(rows):
        unit = _unit(row, f"rows[{index}]", name)
        units.setdefault(unit, []).append(row)
    return Grid(
        name=name,
        meta=meta if isinstance(meta, dict) else {},
        units=units,
        cell_stats=stats if isinstance(stats, dict) else {},
    )


def _unit(row: Any, place: str, name: str) -> Unit:
    if not isinstance(row, dict):
        raise bad_input(name, place, type(row).__name__, "an object", "make the summary again")
    for key in ("cell", "doc"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise bad_input(name, f"{place}.{key}", repr(row.get(key)), "a name", "make the summary again")
    return Unit(row["cell"], row["doc"], str(row.get("sub_doc") or ""))
