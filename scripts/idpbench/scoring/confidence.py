"""The confidence values that exist (distribution), and the rows that have one (coverage). Two different questions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.scoring.numbers import is_number
from idpbench.scoring.sections import ListField, Sections

ALERT = 0.9  # the published alert threshold, fixed so that releases compare
INF = math.inf
ABSENT = object()
NOT_DESCENDED = frozenset({"confidence", "confidence_threshold", "geometry"})


def collect(node: Any, found: list[float | None], known: Mapping[int, list[float | None]]) -> None:
    """Append the confidence of every leaf below `node`, None for a leaf whose confidence is no number.

    `known` holds what was found below lists that were walked before, by `id`.
    """
    if type(node) is dict:
        value = node.get("confidence", ABSENT)
        if value is not ABSENT:
            found.append(value if (type(value) is float and -INF < value < INF) or is_number(value) else None)
        for key, child in node.items():
            kind = type(child)
            if (kind is dict or kind is list) and key not in NOT_DESCENDED:
                collect(child, found, known)
    elif type(node) is list:
        before = known.get(id(node))
        if before is not None:
            found.extend(before)
            return
        for child in node:
            collect(child, found, known)


def confidence(sections: Sections, *, off: bool) -> dict[str, Any]:
    """Distribution and coverage of a document's confidences (see `distribution` and `Coverage`), in one walk."""
    values: list[float | None] = []
    coverage = Coverage()
    for section in sections.items:
        known: dict[int, list[float | None]] = {}
        for record in section.records:
            for listed in record.lists:
                coverage.add(listed, known)
        coverage.assessed = coverage.assessed or bool(section.explainability)
        collect(section.explainability, values, known)
    return {**distribution([value for value in values if value is not None]), **coverage.result(off=off)}


def distribution(values: list[float]) -> dict[str, Any]:
    """Mean, share below the alert threshold in percent, and number of the confidences given."""
    count = len(values)
    below = sum(value < ALERT for value in values)
    return {
        "mean_confidence": round(sum(values) / count, 4) if count else None,
        "pct_conf_below_0.9": round(100 * below / count, 1) if count else None,
        "n_conf_leaves": count,
    }


@dataclass
class Coverage:
    """List rows with a confidence in every leaf, over all list rows.

    A row is unscored where it has no assessment, no leaf, or a leaf without a number. In a section of several records
    the rows inside each record count, not the records.
    """

    expected: int = 0
    scored: int = 0
    by_field: dict[str, int] = field(default_factory=dict)
    assessed: bool = False

    def add(self, rows: ListField, known: dict[int, list[float | None]]) -> None:
        """Count one list, and leave in `known` what was found in its assessment."""
        good = 0
        if rows.assessed is not None:
            everything: list[float | None] = []
            for index, scores in enumerate(rows.assessed):
                before = len(everything)
                collect(scores, everything, known)
                if index < len(rows.rows) and len(everything) > before and None not in everything[before:]:
                    good += 1
            known[id(rows.assessed)] = everything
        self.expected += len(rows.rows)
        self.scored += good
        if good < len(rows.rows):
            self.by_field[rows.name] = self.by_field.get(rows.name, 0) + len(rows.rows) - good

    def result(self, *, off: bool) -> dict[str, Any]:
        """Null where no list came back, and where assessment is switched off (`off`) and indeed assessed nothing.

        Where it is on and nothing was assessed, coverage is 0.0. (The published scorer says 1.0 for both.)
        """
        names = ("conf_rows_expected", "conf_rows_scored", "conf_rows_unscored", "conf_coverage")
        if off and not self.assessed:
            return {**dict.fromkeys(names), "conf_unscored_by_field": None}
        share = round(self.scored / self.expected, 4) if self.expected else None
        counts = (self.expected, self.scored, self.expected - self.scored, share)
        return {**dict(zip(names, counts, strict=True)), "conf_unscored_by_field": self.by_field or None}
