"""Is a confidence worth its number? Cells of list rows, judged against the truth, by how sure the stack was.

What a row keeps is a sufficient statistic, `calibration_curve`: counts per tenth of confidence, sums, and a tally by
exact value. Adding payloads pools documents: a cell's calibration is that of all its observations, no mean of means.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.scoring.accuracy import judge
from idpbench.scoring.numbers import is_number
from idpbench.scoring.sections import ListField, Section, Sections
from idpbench.scoring.truth import Truth

BINS = 10
WIDTH = 0.1
TALLY_LIMIT = 256  # distinct confidences of one document beyond which its tally is not kept
Z95 = 1.959963984540054
DEGENERATE_BINS, DEGENERATE_N = 3, 30
OVERCONFIDENT_ECE, OVERCONFIDENT_GAP = 0.15, 0.1
HIGH_BIN = 7  # bins from 0.7 up are "high confidence"
BLIND_AUROC, BLIND_N = 0.55, 100
MEASURED_N = 100  # observations from which an estimate stands on its own data

Observation = tuple[float, bool]


@dataclass
class Curve:
    """Observations added up. `tally` is None once any part of them came without one.

    `correct`, `total`, `conf_sum` are per bin and hold the confidences within [0, 1] only; `observations`, `sse` and
    `tally` hold all of them.
    """

    correct: list[int] = field(default_factory=lambda: [0] * BINS)
    total: list[int] = field(default_factory=lambda: [0] * BINS)
    conf_sum: list[float] = field(default_factory=lambda: [0.0] * BINS)
    observations: int = 0
    right: int = 0
    sse: float = 0.0
    tally: dict[float, list[int]] | None = field(default_factory=dict)


def bin_of(confidence: float) -> int | None:
    """Tenth of a confidence; division artefacts are kept (0.3 / 0.1 < 3), as the published curves have them."""
    if not 0 <= confidence <= 1:
        return None
    if confidence <= 0:
        return 0
    return BINS - 1 if confidence >= 1 else int(confidence / WIDTH)


def build(observations: Iterable[Observation]) -> Curve:
    """The curve of single observations; their order does not matter."""
    tally: dict[float, list[int]] = {}
    for (confidence, correct), count in Counter(observations).items():
        entry = tally.setdefault(float(confidence), [0, 0])
        entry[0] += count
        entry[1] += count * correct
    return _from_tally(tally)


def _from_tally(tally: Mapping[float, list[int]]) -> Curve:
    """All sums derived from the tally, exactly rounded, so that no order of adding shows."""
    curve = Curve(tally=dict(sorted(tally.items())))
    sums: list[list[float]] = [[] for _ in range(BINS)]
    errors = []
    for confidence, (count, right) in sorted(tally.items()):
        curve.observations += count
        curve.right += right
        errors += [right * (1 - confidence) ** 2, (count - right) * confidence**2]
        index = bin_of(confidence)
        if index is not None:
            curve.total[index] += count
            curve.correct[index] += right
            sums[index].append(count * confidence)
    curve.sse = math.fsum(errors)
    curve.conf_sum = [math.fsum(values) for values in sums]
    return curve


def payload(curve: Curve, test_set: str, configuration: str) -> dict[str, Any]:
    """The curve as a row keeps it, in the published form."""
    tally = curve.tally
    return {
        "correct": curve.correct,
        "total": curve.total,
        "testSetId": test_set,
        "configVersion": configuration,
        "reviewObservations": 0,
        "scoringObservations": curve.observations,
        "brierSse": curve.sse,
        "confSum": curve.conf_sum,
        "valueTally": None
        if tally is None or len(tally) > TALLY_LIMIT
        else {repr(value): list(entry) for value, entry in tally.items()},
    }


def pool(payloads: Iterable[Mapping[str, Any]]) -> Curve:
    """Add payloads. Where every one has its tally the result is exact and equal to the curve of the union."""
    parts = list(payloads)
    if all(part.get("valueTally") is not None for part in parts):
        tally: dict[float, list[int]] = {}
        for part in parts:
            for text, (count, right) in part["valueTally"].items():
                entry = tally.setdefault(float(text), [0, 0])
                entry[0] += count
                entry[1] += right
        return _from_tally(tally)
    curve = Curve(tally=None)
    for part in parts:
        curve.correct = [a + int(b) for a, b in zip(curve.correct, part["correct"], strict=True)]
        curve.total = [a + int(b) for a, b in zip(curve.total, part["total"], strict=True)]
        curve.observations += int(part.get("scoringObservations", 0)) + int(part.get("reviewObservations", 0))
    curve.right = sum(curve.correct)
    curve.conf_sum = [math.fsum(part["confSum"][index] for part in parts) for index in range(BINS)]
    curve.sse = math.fsum(part["brierSse"] for part in parts)
    return curve


def statistics(curve: Curve) -> dict[str, Any]:
    """Every statistic of a curve, rounded to 4 places; without observations all but the count are null.

    `ece` = sum over bins of share * |accuracy - middle of the bin| (so 0.05 is its floor for a stack that is always
    right at 1.0); `ece_mean_conf` the same with the bin's mean confidence; `auroc` = P(a wrong value in a lower bin
    than a right one), ties half; `auroc_unbinned` the same on exact values; `brier` = mean squared error.
    """
    inside = sum(curve.total)
    filled = [index for index in range(BINS) if curve.total[index]]
    shares = {index: curve.correct[index] / curve.total[index] for index in filled}
    result: dict[str, Any] = {
        "observations": curve.observations,
        "correct": curve.right,
        "accuracy": _round(curve.right / curve.observations) if curve.observations else None,
        "ece": None,
        "ece_mean_conf": None,
        "auroc": None,
        "auroc_unbinned": None,
        "brier": _round(curve.sse / curve.observations) if curve.observations else None,
        "bin_coverage": len(filled) if curve.observations else None,
        "degenerate": None,
        "overconfident": None,
        "undiscriminating": None,
        "reliable": None,
    }
    if inside:
        gaps = [curve.total[i] / inside * abs(shares[i] - _middle(i)) for i in filled]
        own = [curve.total[i] / inside * abs(shares[i] - curve.conf_sum[i] / curve.total[i]) for i in filled]
        result["ece"] = _round(math.fsum(gaps))
        result["ece_mean_conf"] = _round(math.fsum(own))
        result["auroc"] = _auroc([(curve.total[i], curve.correct[i]) for i in filled])
        if curve.tally is not None:
            result["auroc_unbinned"] = _auroc([(n, right) for _, (n, right) in sorted(curve.tally.items())])
        result["degenerate"] = len(filled) < DEGENERATE_BINS and inside >= DEGENERATE_N
        result["overconfident"] = math.fsum(gaps) > OVERCONFIDENT_ECE and _high_gap(curve, shares) > OVERCONFIDENT_GAP
        blind = result["auroc"] is not None and inside >= BLIND_N and result["auroc"] <= BLIND_AUROC
        result["undiscriminating"] = blind
        result["reliable"] = not (result["degenerate"] or result["overconfident"] or blind)
    return result


def pooled(payloads: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Statistics of several rows' payloads together, with intervals and a reliability diagram's bins; None of none."""
    parts = list(payloads)
    if not parts:
        return None
    curve = pool(parts)
    result = statistics(curve)
    low, high = wilson(curve.right, curve.observations)
    result["accuracy_low"], result["accuracy_high"] = low, high
    result["estimate_confidence"] = _standing(result)
    result["bins"] = [_bin(curve, index) for index in range(BINS)]
    return result


def wilson(right: int, count: int) -> tuple[float | None, float | None]:
    """Wilson's 95 % interval of a share, unrounded; (None, None) of nothing."""
    if count == 0:
        return None, None
    share = right / count
    scale = 1 + Z95**2 / count
    middle = (share + Z95**2 / (2 * count)) / scale
    half = Z95 * math.sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def observe(sections: Sections, truth: Truth) -> tuple[list[Observation], str | None]:
    """Observations of a document, or the reason why rows and assessments cannot be joined (then there are none).

    Rows and assessments join by position, so unequal lengths would pair strangers. Of several assessed rows with one
    tag the first counts.
    """
    observations: list[Observation] = []
    if not truth.cells:
        return observations, None
    seen: set[str] = set()
    for section, rows in sections.lists(truth.list_key):
        if rows.assessed is None or not _has_leaf(section):
            continue
        if len(rows.assessed) != len(rows.rows):
            return [], f"{rows.name}: {len(rows.assessed)} assessed rows beside {len(rows.rows)} extracted ones"
        _observe_list(rows, truth, seen, observations)
    return observations, None


def calibration(sections: Sections, truth: Truth, test_set: str, configuration: str) -> dict[str, Any]:
    """A row's calibration: statistics of its own observations, and the payload for pooling.

    Nothing to observe: count 0, the rest null. Assessments that cannot be joined: everything null and the reason in
    `calibration_unread`; the row's other metrics stand.
    """
    observations, unread = observe(sections, truth)
    curve = build(observations)
    result = statistics(curve)
    names = ("ece", "ece_mean_conf", "auroc", "auroc_unbinned", "brier", "bin_coverage", "reliable")
    return {
        "calibration_observations": None if unread else curve.observations,
        **{f"calibration_{name}": result[name] for name in names},
        "calibration_unread": unread,
        "calibration_curve": payload(curve, test_set, configuration) if curve.observations else None,
    }


def _observe_list(rows: ListField, truth: Truth, seen: set[str], observations: list[Observation]) -> None:
    assert rows.assessed is not None and truth.cells is not None
    for index, (tag, scores) in enumerate(zip(rows.tags, rows.assessed, strict=True)):
        if tag is None or tag in seen or (cells := truth.cells.get(tag)) is None:
            continue
        seen.add(tag)
        if not isinstance(scores, dict):
            continue
        for name, right in judge(rows, index, cells):
            leaf = scores.get(name)
            if isinstance(leaf, dict) and is_number(value := leaf.get("confidence")):
                observations.append((value, right))


def _has_leaf(section: Section) -> bool:
    """Whether anything of a section was assessed with a number."""
    stack = [section.explainability]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if is_number(node.get("confidence")):
                return True
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return False


def _auroc(groups: list[tuple[int, int]]) -> float | None:
    """Area from (observations, right) by ascending confidence; null unless both outcomes occur."""
    right = sum(good for _, good in groups)
    wrong = sum(count - good for count, good in groups)
    if not right or not wrong:
        return None
    below = 0
    area = 0.0
    for count, good in groups:
        bad = count - good
        area += good * (below + bad / 2)
        below += bad
    return _round(area / (right * wrong))


def _high_gap(curve: Curve, shares: Mapping[int, float]) -> float:
    """By how much the high bins fall short of their middles, weighted by observations."""
    high = [index for index in shares if index >= HIGH_BIN]
    count = sum(curve.total[index] for index in high)
    if not count:
        return 0.0
    return math.fsum(curve.total[i] * max(0.0, _middle(i) - shares[i]) for i in high) / count


def _standing(result: Mapping[str, Any]) -> str:
    """prior (nothing observed), unreliable (one of the three flags), partially-measured (few), measured."""
    if not result["observations"]:
        return "prior"
    if not result["reliable"]:
        return "unreliable"
    return "measured" if result["observations"] >= MEASURED_N else "partially-measured"


def _bin(curve: Curve, index: int) -> dict[str, Any]:
    count, right = curve.total[index], curve.correct[index]
    low, high = wilson(right, count)
    return {
        "binStart": round(index * WIDTH, 1),
        "binEnd": round((index + 1) * WIDTH, 1),
        "observations": count,
        "observedAccuracy": _round(right / count) if count else None,
        "observedAccuracyLow": low,
        "observedAccuracyHigh": high,
        "meanConfidence": _round(curve.conf_sum[index] / count) if count else None,
    }


def _middle(index: int) -> float:
    return index * WIDTH + WIDTH / 2


def _round(value: float) -> float:
    return round(value, 4)
