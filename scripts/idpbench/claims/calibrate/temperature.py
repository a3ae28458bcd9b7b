"""Temperature scaling: p' = sigmoid(logit(p) / T), after Guo et al. (2017), for a single stated probability."""

from __future__ import annotations

import math
from collections.abc import Sequence

SATURATED = 1e-7  # confidences this near to 0 or 1 do not enter the fit
CLIP = 1e-7  # and no probability is taken for surer than this
LOWEST, HIGHEST = 0.01, 10.0
BOUND_TOLERANCE = 1e-3

Pair = tuple[float, bool]


def apply_temperature(confidence: float, temperature: float) -> float:
    """The calibrated confidence; exactly 0 and exactly 1 stay what they are."""
    if confidence <= 0 or confidence >= 1:
        return confidence
    return _sigmoid(_logit(confidence) / temperature)


def movable(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that a temperature can move."""
    return [pair for pair in pairs if SATURATED < pair[0] < 1 - SATURATED]


def fit_temperature(pairs: Sequence[Pair]) -> float:
    """The T in [0.01, 10] of least mean negative log-likelihood over the movable pairs; 1.0 if there is none.

    The likelihood has one optimum, for it is convex in 1 / T. Order and weights are those of the pairs; equal pairs are
    counted, so that the result does not depend on their order.
    """
    from scipy.optimize import minimize_scalar  # a slow import, which a score does not need

    fitted = movable(pairs)
    if not fitted:
        return 1.0
    tally: dict[Pair, int] = {}
    for pair in sorted(fitted):
        tally[pair] = tally.get(pair, 0) + 1
    terms = [(_logit(confidence), right, count) for (confidence, right), count in tally.items()]

    def loss(temperature: float) -> float:
        return math.fsum(count * _surprise(logit / temperature, right) for logit, right, count in terms) / len(fitted)

    return float(minimize_scalar(loss, bounds=(LOWEST, HIGHEST), method="bounded").x)


def on_bound(temperature: float) -> bool:
    """Whether the optimiser stopped at an end of its range: the optimum is not within it."""
    return temperature <= LOWEST + BOUND_TOLERANCE or temperature >= HIGHEST - BOUND_TOLERANCE


def separable(pairs: Sequence[Pair]) -> bool:
    """Whether no movable pair lies on the wrong side of 0.5.

    The likelihood then has no finite optimum: it is flat everywhere (all at 0.5), or it keeps rising towards T = 0 on a
    plateau where the optimiser stops at a place that means nothing.
    """
    fitted = movable(pairs)
    wrong = [pair for pair in fitted if (pair[0] < 0.5 if pair[1] else pair[0] > 0.5)]
    return bool(fitted) and not wrong


def _surprise(logit: float, right: bool) -> float:
    """Negative log of the clipped probability of what was observed."""
    probability = min(1 - CLIP, max(CLIP, _sigmoid(logit)))
    return -math.log(probability if right else 1 - probability)


def _logit(probability: float) -> float:
    return math.log(probability) - math.log1p(-probability)


def _sigmoid(value: float) -> float:
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    growth = math.exp(value)
    return growth / (1 + growth)
