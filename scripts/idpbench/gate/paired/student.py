"""Student's t: quantiles for any positive degrees of freedom (scipy is imported at the first call)."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=65536)
def quantile(probability: float, df: float) -> float:
    """t(probability, df)."""
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))
