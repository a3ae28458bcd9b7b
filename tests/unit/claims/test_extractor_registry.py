"""The registry: ours first, others by entry point, and recorded emissions in an extractor's place."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from idpbench.claims.emitted import CaseEmission, Claim, Emissions
from idpbench.claims.extractors import registry as module
from idpbench.claims.extractors.base import NO_MODEL, ExtractorUnavailable
from idpbench.claims.extractors.recorded import RecordedExtractor
from idpbench.claims.extractors.registry import GROUP, OWN, by_id, registry
from idpbench.files.errors import Refusal

ROOT = Path(__file__).resolve().parents[3]


class Foreign:
    """What a package of somebody else might offer."""

    extractor_id = "foreign"
    version = "9"
    deterministic = True
    provider_model = NO_MODEL
    must_not: frozenset[str] = frozenset()

    def accepts(self, source_type: str) -> bool:
        return True

    def extract(self, data: bytes, source_type: str | None) -> list[Claim]:
        return []


def broken() -> None:
    raise ImportError("no such model")


def offered(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Make these names of this file the installed entry points."""
    points = [metadata.EntryPoint(name, f"{__name__}:{name}", GROUP) for name in names]
    monkeypatch.setattr(module.metadata, "entry_points", lambda group: points)
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda point: globals()[point.attr])


def test_ours_come_first_in_a_fixed_order_and_call_no_model() -> None:
    found = registry()[: len(OWN)]
    assert [extractor.extractor_id for extractor in found] == [make().extractor_id for make in OWN]
    assert all(extractor.deterministic and extractor.provider_model == NO_MODEL for extractor in found)


def test_the_entry_points_of_the_project_are_the_extractors_that_the_registry_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = project["entry-points"][GROUP]
    assert listed == {make().extractor_id: f"{type(make()).__module__}:{type(make()).__name__}" for make in OWN}


def test_an_installed_package_adds_its_extractor_behind_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "Foreign")
    assert [extractor.extractor_id for extractor in registry()][-1] == "foreign"
    assert len(registry()) == len(OWN) + 1
    assert by_id("foreign").version == "9"


def test_an_entry_point_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "broken")
    with pytest.raises(Refusal, match="broken: .*ImportError: no such model"):
        registry()


def test_two_extractors_of_one_id_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "Foreign")
    monkeypatch.setattr(Foreign, "extractor_id", "rdf-graph")
    with pytest.raises(Refusal, match="an id of its own"):
        registry()


def test_an_unknown_extractor_is_told_with_the_nearest() -> None:
    with pytest.raises(Refusal, match="did you mean rdf-graph"):
        by_id("rdf-grph")


def recording(*cases: CaseEmission) -> Emissions:
    return Emissions("theirs", "3", "suite", cases, provider_model="host:model")


ONE = (Claim("A fact.", 0.7, ("A",)),)


def test_a_recording_gives_back_what_was_emitted_for_the_same_bytes() -> None:
    emissions = recording(CaseEmission("a", "ok", ONE), CaseEmission("b", "raises", note="boom"))
    extractor = RecordedExtractor(emissions, {"a": b"source a", "b": b"source b"}, ["TEXT"])
    assert (extractor.extractor_id, extractor.version, extractor.provider_model) == ("theirs", "3", "host:model")
    assert extractor.accepts("TEXT") and not extractor.accepts("TABLE")
    assert extractor.extract(b"source a", None) == list(ONE)
    with pytest.raises(ValueError, match="recorded as raises: boom"):
        extractor.extract(b"source b", "TEXT")


def test_a_source_that_was_never_recorded_makes_the_pass_unusable() -> None:
    extractor = RecordedExtractor(recording(CaseEmission("a", "ok", ONE)), {"a": b"source a"}, ["TEXT"])
    with pytest.raises(ExtractorUnavailable) as refused:
        extractor.extract(b"another source", None)
    assert refused.value.exit_code == 3


def test_two_recordings_of_one_source_must_agree() -> None:
    same = {"a": b"source", "b": b"source"}
    RecordedExtractor(recording(CaseEmission("a", "ok", ONE), CaseEmission("b", "ok", ONE)), same, [])
    with pytest.raises(Refusal, match="cases a and b"):
        RecordedExtractor(recording(CaseEmission("a", "ok", ONE), CaseEmission("b", "ok")), same, [])
