"""Reading comparison.json: findings by level and kind, judged tests by key and metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

LEVELS = {"grid": "grid", "cells": "cell", "rows": "row"}
KINDS = ("regressions", "improvements", "inconclusive")
LOGARITHMIC = ("cost", "bill")
METRIC_NAMES = {
    "failures": "failure rate",
    "completeness_recall": "recall",
    "scalar_accuracy": "scalar accuracy",
    "weighted_accuracy": "weighted accuracy",
    "typed_accuracy": "typed accuracy",
    "cell_accuracy": "cell accuracy",
    "sections_correct": "sections correct",
    "conf_coverage": "confidence coverage",
    "calibration_separation": "confidence separation",
    "class_calibration_separation": "class confidence separation",
    "cost": "cost per run",
    "bill": "bill",
    "wall_s": "wall time",
}


@dataclass(frozen=True)
class Finding:
    """One finding of the deciding pass, with the level and the list it stands in."""

    level: str
    kind: str
    content: Mapping[str, Any]

    @property
    def key(self) -> str:
        """`cell|document[|part]`, `cell`, or the grid's key."""
        return str(self.content["key"])

    @property
    def metric(self) -> str:
        """The metric's key in a row."""
        return str(self.content["metric"])

    @property
    def cell(self) -> str:
        """The cell it is about."""
        return self.key.split("|")[0]

    @property
    def second_look(self) -> bool:
        """True where this undecided finding alone keeps a release from passing."""
        return bool(self.content.get("confirm"))

    @property
    def harmful(self) -> bool:
        """True where the new side is worse by this number."""
        delta = self.content.get("delta") or 0.0
        return bool(delta > 0) if self.metric in (*LOGARITHMIC, "failures") else bool(delta < 0)


def findings(comparison: Mapping[str, Any], kind: str | None = None, level: str | None = None) -> list[Finding]:
    """Findings of the deciding pass: grid first, then cells, then rows; in each the order of comparison.json."""
    return [
        Finding(name, listed, content)
        for plural, name in LEVELS.items()
        for listed in KINDS
        for content in comparison.get(plural, {}).get(listed, [])
        if kind in (None, listed) and level in (None, name)
    ]


def counts(comparison: Mapping[str, Any], kind: str) -> dict[str, int]:
    """Number of findings of a kind at row, cell and grid level."""
    return {level: len(comparison.get(plural, {}).get(kind, [])) for plural, level in LEVELS.items()}


def tests(
    comparison: Mapping[str, Any], level: str | None = None, metric: str | None = None
) -> Iterator[dict[str, Any]]:
    """The tests of the deciding pass, judged or shown."""
    for test in comparison.get("tests", []):
        if level in (None, test["level"]) and metric in (None, test["metric"]):
            yield test


def test_of(comparison: Mapping[str, Any], level: str, metric: str, key: str | None = None) -> dict[str, Any] | None:
    """The one test of a level, metric and key; None where there is none."""
    return next((test for test in tests(comparison, level, metric) if key is None or test["key"] == key), None)


def words(comparison: Mapping[str, Any]) -> dict[str, int]:
    """How many tests ended with which word; `shown` are those that are not judged."""
    found: dict[str, int] = {}
    for test in tests(comparison):
        found[test["verdict"]] = found.get(test["verdict"], 0) + 1
    return found


@dataclass(frozen=True)
class Blindness:
    """What one level of one metric could not have seen: the smallest effects found in 80 % of repetitions."""

    level: str
    metric: str
    tests: int
    middle: float
    worst: float


def blindness(comparison: Mapping[str, Any]) -> list[Blindness]:
    """Smallest detectable effects of the tests that state one, by level and metric: median and largest.

    comparison.json states those of cost and bill as logarithms; here they are relative to the baseline, as deltas are.
    """
    groups: dict[tuple[str, str], list[float]] = {}
    for test in tests(comparison):
        value = test.get("detectable")
        if isinstance(value, int | float) and math.isfinite(value):
            effect = math.expm1(value) if test["metric"] in LOGARITHMIC else float(value)
            groups.setdefault((test["level"], test["metric"]), []).append(effect)
    order = list(LEVELS.values())
    return [
        Blindness(level, metric, len(values), median(values), max(values))
        for (level, metric), values in sorted(groups.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
    ]


def metric_name(metric: str) -> str:
    """A metric as a page calls it."""
    return METRIC_NAMES.get(metric, metric)
