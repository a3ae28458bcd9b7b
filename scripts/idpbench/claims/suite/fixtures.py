"""Conformance fixtures: a folder each, with manifest.yaml, content.bin and snapshot.json. Reads files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from idpbench.claims.suite.cases import SNAPSHOT_KEYS
from idpbench.claims.suite.entries import Entry
from idpbench.claims.suite.load import file_bytes
from idpbench.claims.suite.model import Snapshot
from idpbench.claims.suite.problems import Findings, Outcome
from idpbench.claims.suite.values import Strict
from idpbench.claims.suite.yamlnodes import read_yaml
from idpbench.files.canonical import bytes_digest, digest, read_json
from idpbench.files.errors import Refusal

PARTS = ("manifest.yaml", "content.bin", "snapshot.json")


@dataclass(frozen=True)
class Fixture:
    """One fixed source. `data` are the bytes that an extractor gets."""

    fixture_id: str
    source_type: str
    data: bytes
    snapshot: Snapshot


def load_fixture(folder: Path | str, fixture_id: str) -> Fixture:
    """The fixture of that name in `folder`; FileRefused or another Refusal where there is none or it is damaged."""
    place = Path(folder) / fixture_id
    findings = Findings.of(place)
    if not fixture_id or Path(fixture_id).name != fixture_id or fixture_id.startswith(".") or not place.is_dir():
        findings.add("", "", "no such folder", "a fixture", "correct `fixture`, or add the folder")
        return Outcome[Fixture](None, tuple(findings.problems)).get()
    data = file_bytes(place / "content.bin")
    manifest = _manifest(place / "manifest.yaml", findings, fixture_id)
    snapshot = _snapshot(place / "snapshot.json", findings, data)
    made = None
    if manifest is not None and snapshot is not None and not findings.problems:
        made = Fixture(fixture_id, manifest, data, snapshot)
    return Outcome(made, tuple(findings.problems)).get()


def fixture_ids(folder: Path | str) -> list[str]:
    """Names of the fixture folders, sorted; a missing folder has none."""
    place = Path(folder)
    return sorted(path.name for path in place.iterdir() if (path / PARTS[0]).is_file()) if place.is_dir() else []


def corpus_digest(folder: Path | str) -> str:
    """One digest of all fixtures: every part of each, by name. It changes when any fixture does."""
    place = Path(folder)
    return digest(
        [[name, part, bytes_digest(file_bytes(place / name / part))] for name in fixture_ids(place) for part in PARTS]
    )


def _manifest(path: Path, findings: Findings, fixture_id: str) -> str | None:
    value = read_yaml(file_bytes(path), findings, "default")
    if not isinstance(value, dict):
        findings.add("manifest.yaml", "", "no mapping", "fixture_id and source_type", "write the manifest")
        return None
    entry, values = Entry(findings, "manifest.yaml", value), Strict()
    named = entry.required("fixture_id", values.identifier)
    if named is not None and named != fixture_id:
        entry.add("fixture_id", named, f"the name of its folder, {fixture_id}", "rename one of the two")
    return entry.required("source_type", values.content)


def _snapshot(path: Path, findings: Findings, data: bytes) -> Snapshot | None:
    try:
        value = read_json(path)
    except Refusal as error:
        findings.add("snapshot.json", "", str(error), "a JSON object", "restore the file")
        return None
    if not isinstance(value, dict) or not isinstance(value.get("content_hash"), str):
        findings.add("snapshot.json", "content_hash", "nothing", "the SHA-256 of content.bin", "add it")
        return None
    unknown = sorted(set(value) - set(SNAPSHOT_KEYS))
    if unknown:
        findings.add("snapshot.json", unknown[0], "an unknown key", f"keys of {', '.join(SNAPSHOT_KEYS)}", "remove it")
        return None
    right = bytes_digest(data)
    if value["content_hash"].lower() != right:
        findings.add(
            "snapshot.json", "content_hash", value["content_hash"], "the SHA-256 of content.bin", f"write {right}"
        )
        return None
    others = {key: None if text is None else str(text) for key, text in value.items() if key != "content_hash"}
    return Snapshot(value["content_hash"], **others)
