"""What a grid can see: the repeats that would decide an open test, the smallest effect that would be found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb, fsum

from idpbench.gate.findings import EPSILON
from idpbench.gate.paired.interval import Interval, borrowed_variance, repeats
from idpbench.gate.paired.strata import Stratum
from idpbench.gate.paired.student import quantile

MOST_REPEATS = 40
POWER = 0.8
# The normal quantile of 80 %: how far beyond its threshold an effect must lie to be found that often.
MARGIN = 0.8416
UNKNOWN, TOO_MANY, ON_THRESHOLD = "no repeats, spread unknown", "more than 40", "on the threshold"


def detectable(interval: Interval, threshold: float, level: float, m: int) -> float:
    """The smallest true effect that this grid finds in 80 % of repetitions."""
    reach = quantile(1 - level / max(m, 1), interval.df) + quantile(POWER, interval.df)
    return max(reach * interval.se, threshold + MARGIN * interval.se)


def least_repeats(strata: Sequence[Stratum], level: float, m: int) -> int:
    """The least n with C(2n, n)^k >= m / level: below it no relabelling could be a finding.

    k documents carry the effect: (sum of |d|)^2 / sum of d^2, rounded.
    """
    squares = fsum(s.difference**2 for s in strata)
    carriers = max(1, round(fsum(abs(s.difference) for s in strata) ** 2 / squares)) if squares > 0 else 1
    n = 1
    while carriers * math.log(comb(2 * n, n)) < math.log(max(m, 1) / level) - EPSILON:
        n += 1
    return n


def repeats_needed(
    strata: Sequence[Stratum], effect: float, threshold: float, level: float, m: int
) -> tuple[int | None, str | None]:
    """The least number of repeats a side above today's that would decide a test, or None and why not."""
    if not repeats(strata):
        return None, UNKNOWN
    m, effect = max(m, 1), abs(effect)
    lent = borrowed_variance(strata)
    variances = [0.0 if s.steady and s.df else s.variance if s.df else lent for s in strata]
    least = least_repeats(strata, level, m)
    close = False
    for n in range(max(least, min(min(s.n_base, s.n_new) for s in strata) + 1), MOST_REPEATS + 1):
        terms = [variance * 2 / n / len(strata) ** 2 for variance in variances]
        se, margin = math.sqrt(fsum(terms)), effect - threshold
        if se <= 0:
            seen = clear = True
        else:
            df = fsum(terms) ** 2 / fsum(term**2 / (2 * n - 2) for term in terms)
            seen = effect / se >= quantile(1 - level / m, df) + quantile(POWER, df)
            clear = margin / se >= MARGIN
        if seen and clear:
            return n, None
        close = seen
    return None, ON_THRESHOLD if close else TOO_MANY
