"""What a comparison is told besides the two summaries: how to judge, the thresholds, the waivers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from idpbench.files.errors import bad_input, nearest
from idpbench.gate.grid import METRICS, SEPARATIONS

Rules = Literal["classic", "paired", "both"]


@dataclass(frozen=True)
class Options:
    """`arms` pairs a cell (or override slug) of the new side with one of the baseline; `settled` are documents
    (cell, document) whose repeats were topped up after a first look."""

    rules: Rules = "both"
    exploratory: bool = False
    strict: bool = False
    arms: tuple[str, str] | None = None
    settled: frozenset[tuple[str, str]] = frozenset()


def settled_documents(bought: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """(cell, document) as rows name it, from those of config/settled, where a document goes by its id."""
    return frozenset(name for cell, doc in bought for name in ((cell, doc), (cell, f"{doc}.pdf")))


@dataclass(frozen=True)
class Waiver:
    """A named exception. `key` is `cell|document[|file]`, `*` for any part, the document by its id or file name;
    `metric` none means the whole key."""

    key: str
    reason: str
    metric: str | None = None
    until: str | None = None

    def covers(self, key: str, metric: str | None) -> bool:
        own, other = self.key.split("|"), key.split("|")
        own += ["*"] * (len(other) - len(own))
        alike = (a in ("*", b, b.removesuffix(".pdf")) for a, b in zip(own, other, strict=True))
        same = len(own) == len(other) and all(alike)
        return same and (self.metric is None or self.metric == metric)

    def holds(self, date: str | None) -> bool:
        """Is it in force for runs launched on `date` (ISO)? One that expires needs a known date."""
        return self.until is None or (date is not None and date[:10] <= self.until)


@dataclass(frozen=True)
class Level:
    """Thresholds of one level of pass 2 and its rate of false findings; `cost` is a ratio (the bill's, at grid)."""

    quality: float
    separation: float
    cost: float
    level: float


@dataclass(frozen=True)
class GateSettings:
    """config/gate.yaml; the defaults are the ones it ships with."""

    classic_quality: float = 0.02
    classic_separation: float = 0.03
    classic_cost: float = 0.15
    row: Level = Level(0.02, 0.03, 1.15, 0.02)
    cell: Level = Level(0.02, 0.03, 1.15, 0.02)
    grid: Level = Level(0.01, 0.03, 1.05, 0.01)
    few_repeats: float = 4
    level_few: float = 0.05
    waivers: tuple[Waiver, ...] = field(default_factory=tuple)

    def threshold(self, level: str, metric: str) -> float:
        """The least effect that counts at `row`, `cell` or `grid`; of cost and bill the logarithm of the ratio."""
        rules: Level = getattr(self, level)
        if metric in ("cost", "bill"):
            return math.log(rules.cost)
        return rules.separation if metric in SEPARATIONS else rules.quality

    def level(self, level: str, planned: float) -> float:
        """The rate of false findings of a family; `planned` repeats decide that of the rows."""
        rules: Level = getattr(self, level)
        return self.level_few if level == "row" and planned <= self.few_repeats else rules.level

    def waiver(self, key: str, metric: str | None, date: str | None) -> Waiver | None:
        """The waiver that accepts a gap at this key for runs launched on `date`, or None."""
        return next((one for one in self.waivers if one.covers(key, metric) and one.holds(date)), None)


def gate_settings(content: Mapping[str, Any] | None, source: str = "config/gate.yaml") -> GateSettings:
    """GateSettings from the content of config/gate.yaml (none: the defaults). A wrong key or value is a Refusal."""
    if content is None:
        return GateSettings()
    from pydantic import ValidationError

    from idpbench.settings.explain import refusal
    from idpbench.settings.gaterules import GateRules, LevelRules

    if not isinstance(content, Mapping):
        raise bad_input(source, "", type(content).__name__, "classic, paired and waivers", "see the shipped gate.yaml")
    try:
        rules = GateRules.model_validate(content)
    except ValidationError as error:
        raise refusal(error, source, GateRules) from None

    def level(one: LevelRules) -> Level:
        return Level(one.quality, one.separation, one.cost, one.level)

    waivers = []
    for index, item in enumerate(rules.waivers):
        if item.metric is not None and item.metric not in (known := (*METRICS, "failures", "bill")):
            raise bad_input(
                source, f"waivers.{index}.metric", repr(item.metric), "a metric", nearest(item.metric, known)
            )
        waivers.append(Waiver(item.key, item.reason, item.metric, item.until))
    return GateSettings(
        classic_quality=rules.classic.quality,
        classic_separation=rules.classic.separation,
        classic_cost=rules.classic.cost,
        row=level(rules.paired.row),
        cell=level(rules.paired.cell),
        grid=level(rules.paired.grid),
        few_repeats=rules.paired.row.few_repeats,
        level_few=rules.paired.row.level_few,
        waivers=tuple(waivers),
    )
