"""The record of a stored fit, `idpbench/claims-calibration/1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.claims.calibrate.fit import NO_HELD_OUT, Calibration, Fit
from idpbench.files.errors import REGRESSION, Refusal

KIND = "claims-calibration"
SCHEMA = f"idpbench/{KIND}/1"
TRANSFORMS = {"temperature": "logit", "isotonic": "isotonic"}


def record_document(
    fit: Fit,
    *,
    extractor_id: str,
    extractor_version: str,
    provider_model: str,
    suites: Sequence[str],
    heldout_suites: Sequence[str],
    label_judge: str,
    label_threshold: float,
    runs: int,
    fitted_at: str,
    mode: str,
) -> dict[str, Any]:
    """What is kept of a fit that may be kept; one that may not is a Refusal with its reasons (exit code 1)."""
    if not fit.persistable:
        raise Refusal(refusal_text(fit, extractor_id), REGRESSION)
    held = fit.heldout
    return {
        "schema": SCHEMA,
        "extractor_id": extractor_id,
        "extractor_version": extractor_version,
        "provider_model": provider_model,
        "mode": mode,
        "transform": TRANSFORMS[fit.calibration.method],
        "temperature": fit.calibration.temperature if fit.calibration.method == "temperature" else None,
        "breakpoints": [list(point) for point in fit.calibration.breakpoints],
        "fitted_at": fitted_at,
        "benchmark_suite_id": "+".join(suites),
        "sample_size": fit.n_fitted,
        "ece_before": fit.ece_before,
        "ece_after": fit.ece_after,
        "heldout_suite_id": "+".join(heldout_suites),
        "heldout_size": held.n if held else None,
        "heldout_ece_before": held.ece_before if held else None,
        "heldout_ece_after": held.ece_after if held else None,
        "label_judge": label_judge,
        "label_threshold": label_threshold,
        "runs": runs,
    }


def calibration_of(record: Mapping[str, Any]) -> Calibration:
    """The map of a record."""
    if record["transform"] == TRANSFORMS["isotonic"]:
        points = tuple((float(place), float(rate)) for place, rate in record["breakpoints"])
        return Calibration("isotonic", breakpoints=points)
    return Calibration("temperature", temperature=float(record["temperature"]))


def applies(record: Mapping[str, Any], extractor_id: str, extractor_version: str, provider_model: str) -> bool:
    """Whether a record may be applied: same extractor, same version, same model."""
    found = record["extractor_id"], record["extractor_version"], record["provider_model"]
    return found == (extractor_id, extractor_version, provider_model)


def refusal_text(fit: Fit, extractor_id: str) -> str:
    """Why a fit is not stored, for a person."""
    remedy = f"; run `claims bench {extractor_id}` first" if NO_HELD_OUT in fit.refusals else ""
    return f"calibrate {extractor_id}: the fit is not stored: {'; '.join(fit.refusals)}{remedy}"
