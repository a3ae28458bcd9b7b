"""Can confidence be acted on? Values pooled by how they were assessed, on both sides; what is too little to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.files.tables import MISSING, number
from idpbench.report import spelling
from idpbench.report.inputs import Inputs
from idpbench.summary.calibration_study import calibration_study

LEAST_WRONG = 20  # with 20 wrong values the 95 % interval of an area of one half still spans 0.37 to 0.63
STATISTICS = (("ece_mean_conf", "ECE"), ("auroc_unbinned", "AUROC"), ("brier", "Brier"))
HEADERS = ("assessment", "confidence model", "values", "wrong", *(name for _, name in STATISTICS), "estimate")


@dataclass(frozen=True)
class Arm:
    """Values assessed in one way: pooled statistics of PREV and VERSION, None where a side has none."""

    assessment: str
    model: str
    base: Mapping[str, Any] | None
    new: Mapping[str, Any] | None

    @property
    def name(self) -> str:
        """`separate, nova_lite`."""
        return f"{self.assessment}, {self.model}"

    @property
    def sides(self) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """PREV first."""
        return self.base, self.new

    @property
    def abstention(self) -> str | None:
        """Why no diagram is drawn of it, None where one is."""
        for side, found in zip(("PREV", "VERSION"), self.sides, strict=True):
            if found is None:
                return f"no assessed value on {side}"
            if wrong(found) < LEAST_WRONG:
                values = spelling.counted(found["observations"], "value")
                return f"{wrong(found)} wrong of {values} on {side}, fewer than {LEAST_WRONG}"
        return None


def arms(inputs: Inputs) -> list[Arm]:
    """Each way of assessing of which a side has a value, in the order of their names."""
    sides = [
        {(one["arm"]["assessment"], one["arm"]["confidence_model"]): one["calibration"] for one in study}
        for study in (calibration_study(side.rows) for side in inputs.sides)
    ]
    found = [Arm(*key, *(side.get(key) for side in sides)) for key in sorted({*sides[0], *sides[1]})]
    return [arm for arm in found if any(side and side["observations"] for side in arm.sides)]


def wrong(found: Mapping[str, Any]) -> int:
    """Values that differ from the truth."""
    return int(found["observations"]) - int(found["correct"])


def table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """Headers and lines of the page's table of confidence; no lines where nothing was assessed against a truth."""
    return list(HEADERS), [_line(arm) for arm in arms(inputs)]


def abstentions(inputs: Inputs) -> list[str]:
    """`separate, nova_lite: 0 wrong of 2,000 values on PREV, fewer than 20`, for each arm that is not drawn."""
    return [f"{arm.name}: {arm.abstention}" for arm in arms(inputs) if arm.abstention]


def _line(arm: Arm) -> list[str]:
    pairs = [
        [spelling.whole(found["observations"]) if found else MISSING for found in arm.sides],
        [spelling.whole(wrong(found)) if found else MISSING for found in arm.sides],
        *([number(found.get(name) if found else None) for found in arm.sides] for name, _ in STATISTICS),
        [str(found["estimate_confidence"]) if found else MISSING for found in arm.sides],
    ]
    return [arm.assessment, f"`{arm.model}`", *(spelling.arrow(*pair) for pair in pairs)]
