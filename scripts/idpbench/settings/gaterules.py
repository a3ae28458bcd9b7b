"""Model of gate.yaml: thresholds, levels and waivers of the release gate."""

from __future__ import annotations

from pydantic import Field

from idpbench.settings.base import Frozen, Text


class ClassicRules(Frozen):
    """Thresholds of pass 1: absolute for quality and separations, relative for cost."""

    quality: float = Field(gt=0)
    separation: float = Field(gt=0)
    cost: float = Field(gt=0)


class LevelRules(Frozen):
    """Thresholds and level of one level of pass 2; `cost` is a ratio (1.15 = +15 %)."""

    quality: float = Field(gt=0)
    separation: float = Field(gt=0)
    cost: float = Field(gt=1)
    level: float = Field(gt=0, lt=1)


class RowRules(LevelRules):
    """Rows have a wider level while repeats are few: three of them cannot give less than 1/20."""

    few_repeats: int = Field(ge=1)
    level_few: float = Field(gt=0, lt=1)


class PairedRules(Frozen):
    """Pass 2, the default judge."""

    row: RowRules
    cell: LevelRules
    grid: LevelRules


class Waiver(Frozen):
    """A gap that is accepted, by name (`*` for any cell or document), with a reason and a last day (compared with
    VERSION's last launch): a missing key, a vanished metric, a second look that is not taken."""

    key: Text
    metric: Text | None = None
    reason: Text
    until: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")


class GateRules(Frozen):
    """gate.yaml."""

    classic: ClassicRules
    paired: PairedRules
    waivers: list[Waiver]
