"""Tests as comparison.json holds them, and the findings among them."""

from __future__ import annotations

import math
from math import fsum
from typing import Any

from idpbench.gate.classic import counts
from idpbench.gate.findings import finding
from idpbench.gate.paired.trial import Trial
from idpbench.gate.paired.units import BENEFIT, HARM

LOGARITHMIC = ("cost", "bill")


def test_entry(trial: Trial) -> dict[str, Any]:
    """A test; p is null where it was not computed, since no relabelling could be a finding.

    `effect`, `harm`, `threshold`, `half` and `detectable` are logarithms for cost and bill (exp gives the
    ratio); `delta`, `low` and `high` are differences, for cost and bill relative to the baseline."""
    low, high = limits(trial)
    entry: dict[str, Any] = {
        "level": trial.level,
        "key": trial.key,
        "metric": trial.metric,
        "judged": trial.judged,
        "verdict": trial.word,
        "base": side_value(trial, new=False),
        "new": side_value(trial, new=True),
        "effect": trial.effect,
        "harm": trial.harm,
        "threshold": trial.threshold,
        "delta": delta(trial, trial.effect),
        "low": low,
        "high": high,
        "half": trial.interval.half if trial.interval else None,
        "df": trial.interval.df if trial.interval else None,
        "n_base": trial.n_base,
        "n_new": trial.n_new,
        "documents": len(trial.strata),
        "p_harm": _finite(trial.p[HARM]),
        "p_benefit": _finite(trial.p[BENEFIT]),
        "q_harm": trial.q[HARM],
        "q_benefit": trial.q[BENEFIT],
        "m_harm": trial.m[HARM],
        "m_benefit": trial.m[BENEFIT],
        "level_q": trial.rate,
        "exact": trial.exact,
        "detectable": trial.detectable,
        "repeats_needed": trial.repeats_needed,
        "apart": trial.apart,
        "confirm": trial.confirm,
        "notes": trial.notes,
    }
    return entry


def finding_of(trial: Trial) -> dict[str, Any]:
    """A test that is a finding, or undecided. `spread` is the pooled run-to-run standard deviation."""
    side = HARM if trial.harm > 0 else BENEFIT
    low, high = limits(trial)
    return finding(
        trial.key,
        trial.metric,
        base=side_value(trial, new=False),
        new=side_value(trial, new=True),
        delta=delta(trial, trial.effect),
        spread=_spread(trial),
        n_base=trial.n_base,
        n_new=trial.n_new,
        text=text(trial),
        p=trial.p[side],
        q=trial.q[side],
        low=low,
        high=high,
        repeats_needed=trial.repeats_needed,
        apart=trial.apart,
        confirm=trial.confirm,
        notes=trial.notes,
    )


def delta(trial: Trial, effect: float) -> float:
    """An effect as a difference, or relative to the baseline for cost and bill."""
    return math.expm1(effect) if trial.metric in LOGARITHMIC else effect


def limits(trial: Trial) -> tuple[float | None, float | None]:
    """The 95 % interval of `delta`."""
    if trial.interval is None:
        return None, None
    half = trial.interval.half
    return _finite(delta(trial, trial.effect - half)), _finite(delta(trial, min(trial.effect + half, 700.0)))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def side_value(trial: Trial, *, new: bool) -> float:
    """A side's value: mean over documents; of cost the geometric mean, of the bill the sum."""
    means = [s.mean_new for s in trial.strata] if new else [s.mean_base for s in trial.strata]
    if trial.metric == "bill":
        return fsum(means)
    mean = fsum(means) / len(means) if len(means) > 1 else means[0]
    return math.exp(mean) if trial.metric == "cost" else mean


def _spread(trial: Trial) -> float | None:
    df = sum(s.df for s in trial.strata)
    if df == 0 or trial.metric == "bill":
        return None
    sd = math.sqrt(fsum(s.ss_base + s.ss_new for s in trial.strata) / df)
    return delta(trial, sd)


def text(trial: Trial) -> str:
    """`completeness_recall -0.500 (n=3->3), p=0.05, q=0.05`, and what is said about an undecided test."""
    side = HARM if trial.harm > 0 else BENEFIT
    parts = [f"{trial.metric} {shown(trial, trial.effect)}{counts(trial.n_base, trial.n_new)}"]
    if trial.interval:
        half = trial.interval.half
        parts.append(f"[{shown(trial, trial.effect - half)} to {shown(trial, trial.effect + half)}]")
    q = trial.q[side]
    parts.append(f"p={trial.p[side]:.2g}")
    parts.append("q=n/a (out of reach at this n)" if q is None else f"q={q:.2g}")
    if trial.word == "inconclusive":
        if trial.repeats_needed:
            parts.append(f"INCONCLUSIVE, {trial.repeats_needed} repeats a side would decide it at the earliest")
        else:
            parts.append("INCONCLUSIVE")
        if trial.confirm:
            parts.append("second look")
    return ", ".join([*parts, *trial.notes])


def shown(trial: Trial, effect: float) -> str:
    """An effect for a reader: `+25.0 %` or `-0.500`."""
    if trial.metric in LOGARITHMIC:
        return f"{100 * math.expm1(min(effect, 700.0)):+.1f} %"
    return f"{effect:+.3f}"
