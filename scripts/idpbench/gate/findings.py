"""Findings: what one comparison says about one key, in the shape that comparison.json holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import fsum
from typing import Any

EPSILON = 1e-9


def finding(
    key: str,
    metric: str,
    *,
    base: float | None,
    new: float | None,
    delta: float | None,
    spread: float | None,
    n_base: int,
    n_new: int,
    text: str,
    **more: Any,
) -> dict[str, Any]:
    """One finding. `delta` and `spread` are differences; of cost and bill they are relative to the baseline."""
    return {
        "key": key,
        "metric": metric,
        "base": base,
        "new": new,
        "delta": delta,
        "spread": spread,
        "n_base": n_base,
        "n_new": n_new,
        "text": text,
        **more,
    }


@dataclass
class Findings:
    """The lists of one level."""

    regressions: list[dict[str, Any]] = field(default_factory=list)
    improvements: list[dict[str, Any]] = field(default_factory=list)
    inconclusive: list[dict[str, Any]] = field(default_factory=list)
    cheaper: list[dict[str, Any]] | None = None

    def as_dict(self) -> dict[str, list[dict[str, Any]]]:
        lists = {"regressions": self.regressions, "improvements": self.improvements, "inconclusive": self.inconclusive}
        return lists if self.cheaper is None else {**lists, "cheaper": self.cheaper}


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean, the same whatever the order of the values."""
    listed = list(values)
    return fsum(listed) / len(listed)


def spread(values: list[float]) -> float:
    """Run-to-run range; 0 below two values."""
    return max(values) - min(values) if len(values) > 1 else 0.0
