"""One model axis at a time: what a value did where its default ran too, all other axes and the document being equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from idpbench.report.guidance.grid import correct_share
from idpbench.report.inputs import document_of
from idpbench.report.ownership import version_key
from idpbench.report.shelf import Evidence, Row, Shelved, evidence
from idpbench.report.strata import amount
from idpbench.scoring.calibration import pooled

MODEL_AXES = ("extraction_model", "classification_model", "confidence_model")
# (rest of the axes, document): what two values of an axis must share to be held against each other.
Stratum = tuple[tuple[tuple[str, str], ...], str]


@dataclass(frozen=True)
class Against:
    """A number of the default value and of another one, over `strata` that both measured on one release."""

    control: float | None
    value: float | None
    strata: int


@dataclass(frozen=True)
class Swept:
    """One value of an axis on the newest release that ran it. `older`: that release is older than the page's."""

    axis: str
    value: str
    default: bool
    evidence: Evidence
    version: str
    older: bool
    numbers: Mapping[str, Against]
    calibration: Mapping[str, Any] | None


def called(row: Row, axis: str, model_id: str) -> bool:
    """Did this run call the model in the role of `axis`? Confidence is asked of a model of its own only if separate.

    Every run is there to extract, so one that failed before the model answered counts. For the other roles a run
    counts that metered the model, or of which no token is known.
    """
    resolved = row.get("resolved") or {}
    if axis == "extraction_model":
        return True
    if axis == "confidence_model" and resolved.get("assessment") != "separate":
        return False
    metered = row.get("tokens_by_model")
    return not metered or model_id in metered


def rows_of(sides: Iterable[Shelved], axis: str, value: str, model_id: str) -> list[tuple[Shelved, list[Row]]]:
    """Rows in which `axis` was at `value` and its model was called, by side.

    The classification benchmark asks for one axis alone and pins the others at what is cheap.
    """
    found = []
    for item in sides:
        if item.classification is not None and axis != "classification_model":
            continue
        rows: list[Row] = [
            row for row in item.rows if (row.get("resolved") or {}).get(axis) == value and called(row, axis, model_id)
        ]
        if rows:
            found.append((item, rows))
    return found


def sweep(
    sides: Sequence[Shelved],
    axis: str,
    models: Mapping[str, str],
    default: str,
    release: str,
    metrics: Sequence[str],
) -> list[Swept]:
    """Values of `axis` (value -> model id in `models`) that have a run, the default first."""
    result = []
    for value in sorted(models, key=lambda name: (name != default, list(models).index(name))):
        parts = rows_of(sides, axis, value, models[value])
        if not parts:
            continue
        version = max((item.version for item, _ in parts), key=version_key)
        own = [(item, rows) for item, rows in parts if item.version == version]
        control = rows_of([item for item in sides if item.version == version], axis, default, models[default])
        result.append(
            Swept(
                axis=axis,
                value=value,
                default=value == default,
                evidence=evidence(own),
                version=version,
                older=version_key(version) < version_key(release),
                numbers={metric: against(axis, _flat(control), _flat(own), metric) for metric in metrics},
                calibration=pooled(
                    row["calibration_curve"]
                    for row in _flat(own)
                    if row.get("success") and row.get("calibration_curve")
                ),
            )
        )
    return result


def against(axis: str, control: Sequence[Row], value: Sequence[Row], metric: str) -> Against:
    """A metric of two sets of rows: mean over the strata both measured; `correct` counts failed runs as wrong."""
    left, right = (_by_stratum(axis, rows, metric) for rows in (control, value))
    shared = sorted(set(left) & set(right))
    if not shared:
        return Against(None, fmean(right.values()) if right else None, 0)
    return Against(fmean(left[key] for key in shared), fmean(right[key] for key in shared), len(shared))


def _by_stratum(axis: str, rows: Sequence[Row], metric: str) -> dict[Stratum, float]:
    groups: dict[Stratum, list[Row]] = defaultdict(list)
    for row in rows:
        rest = tuple(sorted((k, str(v)) for k, v in (row.get("resolved") or {}).items() if k != axis))
        groups[rest, document_of(row)].append(row)
    take: Callable[[list[Row]], float | None] = correct_share if metric == "correct" else lambda own: _mean(own, metric)
    return {key: value for key, own in groups.items() if (value := take(own)) is not None}


def _mean(rows: Sequence[Row], metric: str) -> float | None:
    found = [value for row in rows if row.get("success") and (value := amount(row, metric)) is not None]
    return fmean(found) if found else None


def _flat(parts: Iterable[tuple[Shelved, Sequence[Row]]]) -> list[Row]:
    return [row for _, rows in parts for row in rows]
