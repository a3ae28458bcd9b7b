"""The measures of the three harnesses over aligned pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from idpbench.claims.harness.model import MODALITIES, POLARITIES
from idpbench.claims.metrics import Figure, share
from idpbench.claims.mode import Mode


@dataclass(frozen=True)
class ByClass:
    """Precision and recall of each class, its supports with them."""

    precision: dict[str, Figure]
    recall: dict[str, Figure]


def by_class(pairs: Sequence[tuple[str, str]], classes: Sequence[str], mode: Mode) -> ByClass:
    """Over (expected, emitted) pairs: share of the emitted ones that were expected, and the other way round."""
    right = Counter(expected for expected, emitted in pairs if expected == emitted)
    expected = Counter(expected for expected, _ in pairs)
    emitted = Counter(emitted for _, emitted in pairs)
    return ByClass(
        {name: share(right[name], emitted[name], mode, 1.0) for name in classes},
        {name: share(right[name], expected[name], mode, 1.0) for name in classes},
    )


def modality(pairs: Sequence[tuple[str, str]], mode: Mode) -> tuple[ByClass, dict[str, Figure]]:
    """Per class; `false_non_falsifiable_rate` is the share of those expected FALSIFIABLE emitted as something else."""
    of = [emitted for expected, emitted in pairs if expected == "FALSIFIABLE"]
    wrong = sum(emitted != "FALSIFIABLE" for emitted in of)
    return by_class(pairs, MODALITIES, mode), {"false_non_falsifiable_rate": share(wrong, len(of), mode, 0.0)}


def narrative_rate(emitted_cases: int, expected_cases: int, mode: Mode) -> Figure:
    """Of the cases in which a narrative is expected, the share with a claim of modality NARRATIVE."""
    return share(emitted_cases, expected_cases, mode, 1.0)


def polarity(pairs: Sequence[tuple[str, str]], mode: Mode) -> tuple[ByClass, dict[str, Figure]]:
    """Per class; of those expected ASSERTED, the shares emitted DECLINED and emitted as anything but ASSERTED."""
    of = [emitted for expected, emitted in pairs if expected == "ASSERTED"]
    return by_class(pairs, POLARITIES, mode), {
        "wrong_declined_rate": share(of.count("DECLINED"), len(of), mode, 0.0),
        "wrong_hidden_rate": share(sum(emitted != "ASSERTED" for emitted in of), len(of), mode, 0.0),
    }


def validity(pairs: Sequence[tuple[date | None, date | None]], tolerance_days: int, mode: Mode) -> dict[str, Figure]:
    """Over (expected, emitted) dates, None for a durable claim.

    `wrong_expiry_rate`: durable claims with a date; `expiry_precision`, `expiry_recall`: that there is a date at all;
    `date_accuracy`: of those with two dates, the share within the tolerance.
    """
    durable = [emitted for expected, emitted in pairs if expected is None]
    bounded = len(pairs) - len(durable)
    dated = sum(emitted is not None for _, emitted in pairs)
    both = [(expected, emitted) for expected, emitted in pairs if expected is not None and emitted is not None]
    near = sum(abs((expected - emitted).days) <= tolerance_days for expected, emitted in both)
    return {
        "wrong_expiry_rate": share(sum(emitted is not None for emitted in durable), len(durable), mode, 0.0),
        "expiry_precision": share(len(both), dated, mode, 1.0),
        "expiry_recall": share(len(both), bounded, mode, 1.0),
        "date_accuracy": share(near, len(both), mode, 1.0),
    }


def confusion(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """(expected, emitted, count) of each pair of classes that occurs, sorted by name."""
    return [(expected, emitted, count) for (expected, emitted), count in sorted(Counter(pairs).items())]
