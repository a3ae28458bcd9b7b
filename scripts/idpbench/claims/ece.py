"""Expected calibration error: by how much stated confidence misses the share that was right.

Sum over the bins with observations of share * |mean confidence - share right|, after Naeini, Cooper and Hauskrecht
(2015), with the mean of a bin in place of its middle. Not the figure of `scoring.calibration`, whose bins keep the
division artefacts of the published curves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from idpbench.claims.mode import Mode

BINS = 10
DIGITS = 9  # confidences are told apart to this many decimals before they are binned


def bin_of(confidence: float, bins: int = BINS) -> int:
    """Index of the bin of a confidence within [0, 1]; a bin holds its lower edge, the last one 1.0 as well."""
    return min(bins - 1, math.floor(bins * round(confidence, DIGITS)))


def reference_bin_of(confidence: float, bins: int = BINS) -> int | None:
    """The same with edges added up in binary floats: with ten bins 0.6 is in none, 0.3 in bin 2 and 0.7 in bin 6."""
    width = 1 / bins
    for index in range(bins):
        low = index * width
        if low <= confidence and (confidence < low + width or (index == bins - 1 and confidence <= 1)):
            return index
    return None


def expected_calibration_error(pairs: Iterable[tuple[float, bool]], mode: Mode = "default", bins: int = BINS) -> float:
    """The error over (confidence, right) pairs, within [0, 1]; 0.0 without pairs or without bins.

    In reference mode a confidence that is in no bin still counts in the number of pairs.
    """
    observations = list(pairs)
    if not observations or bins <= 0:
        return 0.0
    place = reference_bin_of if mode == "reference" else bin_of
    held: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in observations:
        index = place(confidence, bins)
        if index is not None:
            held.setdefault(index, []).append((confidence, right))
    return math.fsum(_gap(held[index]) for index in sorted(held)) / len(observations)


def _gap(members: Sequence[tuple[float, bool]]) -> float:
    """Members of a bin times |mean confidence - share right|: their sums exactly rounded, whatever the order."""
    return abs(math.fsum(confidence for confidence, _ in members) - sum(right for _, right in members))
