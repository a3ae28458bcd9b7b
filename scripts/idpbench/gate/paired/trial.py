"""One judged test: a metric at a level over strata, with everything that is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from idpbench.gate.grid import QUALITY
from idpbench.gate.paired.interval import Interval, steady
from idpbench.gate.paired.strata import Stratum, bill_effect, mean_effect
from idpbench.gate.paired.units import BENEFIT, HARM

# Metrics of which more is worse; of all others less is.
RISING = ("failures", "cost", "bill")
QUALITY_AND_FAILURES = ("failures", *QUALITY)


def sign_of(metric: str) -> int:
    """+1 where a larger value is worse, else -1."""
    return 1 if metric in RISING else -1


@dataclass(slots=True)
class Trial:
    """A test. `p`, `q`, `m` by side (HARM, BENEFIT); `word` is its verdict; `judged` false: shown only."""

    level: str
    cell: str
    doc: str
    sub: str
    metric: str
    strata: Sequence[Stratum]
    threshold: float
    rate: float
    judged: bool = True
    exact: bool = True
    p: dict[int, float] = field(default_factory=lambda: {HARM: 1.0, BENEFIT: 1.0})
    q: dict[int, float | None] = field(default_factory=lambda: {HARM: None, BENEFIT: None})
    m: dict[int, int] = field(default_factory=lambda: {HARM: 0, BENEFIT: 0})
    word: str = "shown"
    notes: list[str] = field(default_factory=list)
    interval: Interval | None = None
    apart: bool | None = None
    confirm: bool = False
    repeats_needed: int | None = None
    detectable: float | None = None
    effect: float = 0.0
    sign: int = 1
    harm: float = 0.0
    n_base: int = 0
    n_new: int = 0
    steady: bool = False

    def __post_init__(self) -> None:
        self.sign = sign_of(self.metric)
        if self.level == "row":  # of one stratum, and by far the most
            (only,) = self.strata
            self.effect, self.steady = only.difference, only.steady and only.df > 0
            self.n_base, self.n_new = only.n_base, only.n_new
        else:
            self.effect = bill_effect(self.strata) if self.metric == "bill" else mean_effect(self.strata)
            self.n_base = sum([s.n_base for s in self.strata])
            self.n_new = sum([s.n_new for s in self.strata])
            self.steady = steady(self.strata)
        self.harm = self.sign * self.effect

    @property
    def key(self) -> str:
        return "|".join(part for part in (self.cell, self.doc, self.sub) if part) or "*"
