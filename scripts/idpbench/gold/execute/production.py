"""What the execution of a recipe gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.gold.metrics import Scored
from idpbench.gold.tidy import Table
from idpbench.gold.trace import TraceRow

COUNTED = ("UNUSED_HEADER_CELL", "UNUSED_KEY", "MISSING_ASSIGNMENT", "AMBIGUOUS_ASSIGNMENT")


@dataclass(frozen=True)
class Production:
    """The tidy table, the trace of its rows in the same order, and what the author should look at.

    `warnings`: `{"code": "EMPTY_VALUE_SELECTION", "table"}` and `{"code": "OVERLAPPING_VALUE_CELL", "table",
    "address"}`. `counts`: how many header cells describe nothing, keys of `overrides` and `spans` name no anchor, and
    assignments are missing or ambiguous, under the codes of `COUNTED`.
    """

    table: Table
    trace: tuple[TraceRow, ...]
    warnings: tuple[Mapping[str, Any], ...]
    counts: Mapping[str, int]

    @property
    def scored(self) -> Scored:
        """What the metrics compare."""
        return Scored(self.table, self.trace)

    @property
    def warnings_by_code(self) -> dict[str, int]:
        """How often each warning occurs; codes that do not occur are left out."""
        found = {code: self.counts.get(code, 0) for code in COUNTED}
        for warning in self.warnings:
            found[warning["code"]] = found.get(warning["code"], 0) + 1
        return {code: number for code, number in sorted(found.items()) if number}
