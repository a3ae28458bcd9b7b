"""Pass 1, row level: the published thresholds per (cell, document[, file]), repeats pooled, means against ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from idpbench.gate.findings import EPSILON, Findings, finding, mean, spread
from idpbench.gate.grid import QUALITY, SEPARATIONS, Row, failed
from idpbench.gate.options import GateSettings
from idpbench.gate.pairing import Pair

BOTH_FAIL = "[both sides fail sometimes — confirm before believing]"
NOT_GOOD_NEWS = "[not good news: completeness or accuracy of this cell fell]"


def judge_rows(pairs: Iterable[Pair], settings: GateSettings, skip: Mapping[str, str]) -> Findings:
    """Findings at row level. Metrics in `skip` are left out. Failed runs count as failures and in no mean."""
    found = Findings(cheaper=[])
    worse: set[str] = set()
    cheaper: list[tuple[str, dict[str, Any]]] = []
    for pair in pairs:
        before = len(found.regressions)
        _failures(pair, found)
        for metric in QUALITY:
            if metric not in skip:
                _quality(pair, metric, settings, found, worse)
        if len(found.regressions) > before:
            worse.add(pair.cell)
        if "cost" not in skip and (item := _cost(pair, settings, found)):
            cheaper.append((pair.cell, item))
    for cell, item in cheaper:
        if cell in worse:
            item["text"] += f"  {NOT_GOOD_NEWS}"
            item["notes"] = [NOT_GOOD_NEWS.strip("[]")]
        assert found.cheaper is not None
        found.cheaper.append(item)
    return found


def counts(n_base: int, n_new: int) -> str:
    """` (n=3->1)`, where either side has repeats."""
    return f" (n={n_base}->{n_new})" if max(n_base, n_new) > 1 else ""


def _failures(pair: Pair, found: Findings) -> None:
    base, new = pair.base.ended, pair.new.ended
    if not base or not new:
        return
    b, c = pair.base.failures, pair.new.failures
    old, now = b / len(base), c / len(new)
    if now > old + EPSILON:
        text = f"FAILURE RATE {b}/{len(base)} -> {c}/{len(new)} ({_statuses(new)})" + (f"  {BOTH_FAIL}" if b else "")
        place = found.regressions
    elif b and not c:
        text, place = f"failures fixed {b}/{len(base)} -> 0/{len(new)}", found.improvements
    else:
        return
    numbers = {"base": old, "new": now, "delta": now - old, "spread": None, "n_base": len(base), "n_new": len(new)}
    place.append(finding(pair.key, "failures", **numbers, text=text))  # type: ignore[arg-type]


def _statuses(rows: list[Row]) -> str:
    tally = Counter(str(row.get("status") or "failed") for row in rows if failed(row))
    return ", ".join(f"{status} x{n}" if n > 1 else status for status, n in sorted(tally.items()))


def _quality(pair: Pair, metric: str, settings: GateSettings, found: Findings, worse: set[str]) -> None:
    base, new = pair.base.values(metric), pair.new.values(metric)
    if not base or not new:
        return
    delta, noise = mean(new) - mean(base), max(spread(base), spread(new))
    least = settings.classic_separation if metric in SEPARATIONS else settings.classic_quality
    if abs(delta) < least - EPSILON or (metric in SEPARATIONS and delta > 0):
        return
    if delta < 0:
        worse.add(pair.cell)
    text = f"{metric} {delta:+.3f}{counts(len(base), len(new))}"
    if abs(delta) <= noise + EPSILON:
        text += f"  [within run-to-run spread {noise:.3f} — INCONCLUSIVE, add repeats]"
        place = found.inconclusive
    else:
        place = found.regressions if delta < 0 else found.improvements
    numbers = {"base": mean(base), "new": mean(new), "delta": delta, "spread": noise}
    place.append(finding(pair.key, metric, **numbers, n_base=len(base), n_new=len(new), text=text))


def _cost(pair: Pair, settings: GateSettings, found: Findings) -> dict[str, Any] | None:
    """Enter a rise into `found`; return a fall, which the original does not report at this level."""
    base, new = pair.base.values("cost"), pair.new.values("cost")
    if not base or not new:
        return None
    old, now = mean(base), mean(new)
    change, noise = (now - old) / old, max(spread(base), spread(new)) / old
    if abs(change) < settings.classic_cost - EPSILON:
        return None
    text = f"cost {change:+.0%}{counts(len(base), len(new))}"
    within = abs(change) <= noise + EPSILON
    if within:
        text += f"  [within run-to-run spread {noise:.0%} — INCONCLUSIVE, add repeats]"
    item = finding(
        pair.key, "cost", base=old, new=now, delta=change, spread=noise, n_base=len(base), n_new=len(new), text=text
    )
    if change < 0:
        return item
    (found.inconclusive if within else found.regressions).append(item)
    return None
