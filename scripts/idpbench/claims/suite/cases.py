"""The cases of a suite: gold claims, and where the source of each comes from."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from idpbench.claims.suite.entries import Entry, entries_of
from idpbench.claims.suite.model import Case, Expected, Snapshot
from idpbench.claims.suite.problems import Findings, Wrong
from idpbench.claims.suite.values import Values, show
from idpbench.files.canonical import bytes_digest

NATURES = ("EPISTEMIC", "ALEATORY")
CASE_KEYS = ("case_id", "expected", "fixture", "source_snapshot", "inline_content")
EXPECTED_KEYS = ("content", "confidence_min", "uncertainty_nature", "required")
SNAPSHOT_KEYS = tuple(field.name for field in fields(Snapshot))


def read_cases(root: Entry, values: Values) -> tuple[Case, ...]:
    """The cases without a problem; strictly, a case_id stands once."""
    if "cases" not in root.value:
        root.add("cases", "nothing", "the key", "add cases")
        return ()
    cases: list[Case] = []
    seen: set[str] = set()
    for _, entry in entries_of(root.findings, "", "cases", root.value["cases"], CASE_KEYS):
        case = _case(entry, values)
        if case is None:
            continue
        if values.strict and case.case_id in seen:
            entry.add("case_id", f"{case.case_id} a second time", "a name used once", "rename one of the two")
        seen.add(case.case_id)
        cases.append(case)
    return tuple(cases)


def _case(entry: Entry, values: Values) -> Case | None:
    case_id = entry.required("case_id", values.identifier)
    expected = _expected(entry, values)
    fixture, snapshot, inline = _source(entry, values)
    if case_id is None:
        return None
    return Case(case_id, expected, fixture, snapshot, inline)


def _expected(entry: Entry, values: Values) -> tuple[Expected, ...]:
    if "expected" not in entry.value:
        entry.add("expected", "nothing", "the key", "add expected, [] where the source states nothing")
        return ()
    golds = []
    block = entry.value["expected"]
    for _, item in entries_of(entry.findings, entry.place, "expected", block, EXPECTED_KEYS):
        content = item.required("content", values.content)
        floor = item.required("confidence_min", values.floor)
        nature = item.required("uncertainty_nature", lambda value: _nature(value, values))
        required = item.given("required", values.flag, True)
        if content is not None and floor is not None and nature is not None and required is not None:
            golds.append(Expected(content, floor, nature, required))
    return tuple(golds)


def _nature(value: Any, values: Values) -> str:
    text = values.text(value)
    if text not in NATURES:
        raise Wrong(show(value), f"one of {', '.join(NATURES)}", "write it in capitals")
    return text


def _source(entry: Entry, values: Values) -> tuple[str | None, Snapshot | None, str | None]:
    """Fixture, snapshot and inline text; the text beside a fixture is ignored."""
    fixture = entry.optional("fixture", values.identifier)
    block = entry.value.get("source_snapshot")
    if (entry.value.get("fixture") is None) == (block is None):
        found = "neither" if block is None else "both"
        entry.add("", f"{found} of fixture and source_snapshot", "exactly one of them", "keep or add the one meant")
        return None, None, None
    if block is None:
        return fixture, None, None
    inline = entry.optional("inline_content", values.source)
    snapshot = _snapshot(entry.findings, entry.place, block, values)
    if values.strict and snapshot is not None and inline is not None:
        right = bytes_digest(inline.encode("utf-8"))
        if snapshot.content_hash.lower() != right:
            entry.add("content_hash", snapshot.content_hash, "the SHA-256 of inline_content", f"write {right}")
    return None, snapshot, inline


def _snapshot(findings: Findings, place: str, block: Any, values: Values) -> Snapshot | None:
    """A snapshot; its mistakes stand at the case. Unknown keys are ignored in reference mode."""
    if not isinstance(block, dict):
        findings.add(place, "source_snapshot", show(block), "a mapping", "write content_hash in it")
        return None
    entry = Entry(findings, place, block)
    for key in block:
        if values.strict and key not in SNAPSHOT_KEYS:
            entry.add(f"source_snapshot.{key}", "an unknown key", f"keys of {', '.join(SNAPSHOT_KEYS)}", "remove it")
    content_hash = entry.required("content_hash", values.text)
    others = {key: entry.optional(key, values.text) for key in SNAPSHOT_KEYS if key != "content_hash"}
    return None if content_hash is None else Snapshot(content_hash, **others)
