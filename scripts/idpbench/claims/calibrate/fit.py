"""A fit and its verdict: what it would change, and every reason why it must not be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from idpbench.claims.calibrate.isotonic import MIN_BLOCK, Breakpoint, apply_isotonic, fit_isotonic
from idpbench.claims.calibrate.temperature import (
    Pair,
    apply_temperature,
    fit_temperature,
    movable,
    on_bound,
    separable,
)
from idpbench.claims.ece import expected_calibration_error
from idpbench.claims.mode import Mode
from idpbench.files.errors import REGRESSION, Refusal

Method = Literal["temperature", "isotonic"]
FEWEST_PAIRS = 2
NO_HELD_OUT = "no held-out check"


@dataclass(frozen=True)
class HeldOut:
    """Recorded runs that the fit has not seen: claims, and the calibration error before and after it; zeros of none."""

    n: int
    ece_before: float
    ece_after: float


@dataclass(frozen=True)
class Calibration:
    """The map itself: a temperature, or the breakpoints of an isotonic one."""

    method: Method
    temperature: float = 1.0
    breakpoints: tuple[Breakpoint, ...] = ()

    def apply(self, confidence: float) -> float:
        """The calibrated confidence, within [0, 1]."""
        if self.method == "isotonic":
            return apply_isotonic(confidence, self.breakpoints)
        return apply_temperature(confidence, self.temperature)


@dataclass(frozen=True)
class Fit:
    """A fitted map with what its guards saw. `positive_rate` and `distinct_raw` are those of the fitted pairs.

    `refusals` in their fixed order; a fit with any must not be stored. `heldout` None: not looked at.
    """

    calibration: Calibration
    n: int
    n_fitted: int
    n_saturated: int
    distinct_raw: int
    positive_rate: float
    ece_before: float
    ece_after: float
    heldout: HeldOut | None
    refusals: tuple[str, ...]

    @property
    def persistable(self) -> bool:
        """Whether nothing speaks against storing it."""
        return not self.refusals


def enough(pairs: Sequence[Pair], extractor_id: str) -> None:
    """Refuse to fit fewer than two claims (exit code 1)."""
    if len(pairs) < FEWEST_PAIRS:
        raise Refusal(
            f"calibrate {extractor_id}: found {len(pairs)} stated claims, expected at least {FEWEST_PAIRS}; "
            "add sources to the calibration suites, or see why nothing was extracted",
            REGRESSION,
        )


def fit(
    pairs: Sequence[Pair],
    heldout: Sequence[Pair] | None = None,
    method: Method = "temperature",
    min_block: int = MIN_BLOCK,
    mode: Mode = "default",
) -> Fit:
    """Fit a map to (stated confidence, right) pairs and judge it, on `heldout` pairs too unless that is None."""
    if method == "isotonic":
        calibration = Calibration(method, breakpoints=fit_isotonic(pairs, min_block, mode))
        fitted = list(pairs)
    else:
        calibration = Calibration(method, temperature=fit_temperature(pairs))
        fitted = movable(pairs)
    before, after = _errors(pairs, calibration, mode)
    seen = None if heldout is None else HeldOut(len(heldout), *_errors(heldout, calibration, mode))
    right = sum(label for _, label in fitted)
    return Fit(
        calibration=calibration,
        n=len(pairs),
        n_fitted=len(fitted),
        n_saturated=len(pairs) - len(fitted),
        distinct_raw=len({confidence for confidence, _ in fitted}),
        positive_rate=right / len(fitted) if fitted else 0.0,
        ece_before=before,
        ece_after=after,
        heldout=seen,
        refusals=_refusals(fitted, calibration, before, after, seen, mode),
    )


def _errors(pairs: Sequence[Pair], calibration: Calibration, mode: Mode) -> tuple[float, float]:
    """Calibration error over all pairs, saturated ones included, before and after the map."""
    moved = [(calibration.apply(confidence), right) for confidence, right in pairs]
    return expected_calibration_error(pairs, mode), expected_calibration_error(moved, mode)


def _refusals(
    fitted: Sequence[Pair], calibration: Calibration, before: float, after: float, heldout: HeldOut | None, mode: Mode
) -> tuple[str, ...]:
    right = sum(label for _, label in fitted)
    distinct = len({confidence for confidence, _ in fitted})
    by_temperature = calibration.method == "temperature"
    tests = (
        ("degenerate labels", bool(fitted) and right in (0, len(fitted))),
        ("predictor degeneracy" if fitted else "no fittable pairs", distinct < 2),
        ("separable labels", mode == "default" and by_temperature and separable(fitted)),
        ("fit landed on the optimizer bound", by_temperature and on_bound(calibration.temperature)),
        ("non-improving fit", after >= before),
        (NO_HELD_OUT, heldout is not None and heldout.n == 0),
        ("held-out regression", heldout is not None and heldout.ece_after > heldout.ece_before),
    )
    return tuple(name for name, fires in tests if fires)
