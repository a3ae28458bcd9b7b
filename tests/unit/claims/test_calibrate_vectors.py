"""Fits, their refusals and the choice of held-out runs against the worked examples, in reference mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from idpbench.claims.calibrate.fit import fit
from idpbench.claims.calibrate.heldout import Wanted, choose
from idpbench.claims.calibrate.isotonic import apply_isotonic
from idpbench.claims.calibrate.temperature import apply_temperature, on_bound

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "claims.json").read_text(encoding="utf-8"))
FLAGS = {
    "degenerate_labels": "degenerate labels",
    "non_improving": "non-improving fit",
    "heldout_missing": "no held-out check",
    "heldout_worsens": "held-out regression",
}
COUNTS = ("n", "n_fitted", "n_saturated", "distinct_raw")


def of_kind(kind: str) -> Any:
    found = [vector for vector in VECTORS["metric_vectors"] if vector["kind"] == kind]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


def pairs_of(entry: dict[str, Any] | None) -> list[tuple[float, bool]] | None:
    return None if entry is None else list(zip(entry["raw"], entry["correct"], strict=True))


@of_kind("temperature_fit")
def test_a_temperature_and_its_refusals(vector: dict[str, Any]) -> None:
    expected, portable = vector["result"], vector["compare_temperature"]
    found = fit(pairs_of(vector) or [], pairs_of(vector["heldout"]), mode="reference")
    assert {name: getattr(found, name) for name in COUNTS} == {name: expected[name] for name in COUNTS}
    assert found.positive_rate == pytest.approx(expected["positive_rate"])
    assert found.ece_before == pytest.approx(expected["ece_before"], abs=1e-6)
    for flag, name in FLAGS.items():
        assert (name in found.refusals) == expected[flag]
    assert found.persistable == expected["persistable"]
    if portable == "not_portable":
        return
    assert on_bound(found.calibration.temperature) == expected["hit_bound"]
    assert list(found.refusals) == expected["reason_kinds"]
    if portable == "flags_only":
        return
    assert found.calibration.temperature == pytest.approx(expected["temperature"], rel=portable)
    # a temperature within the stated tolerance moves what follows from it by as much
    assert found.ece_after == pytest.approx(expected["ece_after"], abs=1e-6)
    moved = [found.calibration.apply(confidence) for confidence in vector["raw"]]
    assert moved == pytest.approx(expected["calibrated"], abs=1e-6)
    if found.heldout is not None:
        held = {"n": found.heldout.n, "ece_before": found.heldout.ece_before, "ece_after": found.heldout.ece_after}
        assert held == pytest.approx(expected["heldout"], abs=1e-6)


@of_kind("temperature_apply")
def test_a_temperature_applied(vector: dict[str, Any]) -> None:
    found = [apply_temperature(confidence, vector["temperature"]) for confidence in vector["raw"]]
    assert found == pytest.approx(vector["result"], abs=1e-12)


@of_kind("isotonic_fit")
def test_an_isotonic_map_and_its_refusals(vector: dict[str, Any]) -> None:
    expected = vector["result"]
    found = fit(pairs_of(vector) or [], None, "isotonic", vector["min_block"], "reference")
    assert {name: getattr(found, name) for name in COUNTS} == {name: expected[name] for name in COUNTS}
    points = found.calibration.breakpoints
    assert [list(point) for point in points] == [pytest.approx(point, abs=1e-9) for point in expected["breakpoints"]]
    assert found.ece_before == pytest.approx(expected["ece_before"], abs=1e-6)
    assert list(found.refusals) == expected["reason_kinds"]
    # also the vector that calls itself not portable: blocks are summed left to right here
    for place, value in expected["probe"]:
        assert apply_isotonic(place, points) == pytest.approx(value, abs=1e-6)
    moved = [found.calibration.apply(confidence) for confidence in vector["raw"]]
    assert moved == pytest.approx(expected["calibrated"], abs=1e-6)
    assert found.ece_after == pytest.approx(expected["ece_after"], abs=1e-6)


@of_kind("heldout_select")
def test_which_recorded_runs_count(vector: dict[str, Any]) -> None:
    want = vector["want"]
    wanted = Wanted(
        want["extractor_id"],
        want["extractor_version"],
        want["provider_model"],
        frozenset(want["exclude_suite_ids"]),
        mode="reference",
    )
    chosen = choose([("run.json", vector["envelope"])], wanted)
    expected = vector["result"]
    if expected is None:
        assert chosen.runs == ()
        return
    assert chosen.suites == (expected["suite_id"],)
    assert list(chosen.pairs) == list(zip(expected["raw"], expected["correct"], strict=True))
