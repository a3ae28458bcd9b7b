"""Reading the suites of the harnesses, with the same strictness as benchmark suites."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from idpbench.claims.harness.model import MODALITIES, POLARITIES, HarnessCase, HarnessSuite, Kind, Label
from idpbench.claims.mode import Mode
from idpbench.claims.suite.discover import Found, discover_with
from idpbench.claims.suite.entries import Entry, entries_of, root_of
from idpbench.claims.suite.load import file_bytes
from idpbench.claims.suite.problems import Findings, Outcome, Wrong
from idpbench.claims.suite.values import Values, iso_date, show, values_of
from idpbench.claims.suite.yamlnodes import read_yaml
from idpbench.files.canonical import bytes_digest

LOG = logging.getLogger(__name__)
ROOT_KEYS = ("suite_id", "name", "version", "domain", "source_type", "cases", "metrics")
TEXT_KEY = {"modality": "entry", "polarity": "document", "validity": "document"}
CASE_KEYS = {
    "modality": ("case_id", "entry", "labels", "narrative_expected"),
    "polarity": ("case_id", "document", "labels"),
    "validity": ("case_id", "document", "labels", "reference_date"),
}
LABEL_KEYS = {
    "modality": ("content", "modality"),
    "polarity": ("content", "polarity"),
    "validity": ("content", "is_durable", "expected_valid_until"),
}
CLASSES = {"modality": MODALITIES, "polarity": POLARITIES}


def load_harness_suite(path: Path | str, kind: Kind, mode: Mode = "default") -> HarnessSuite:
    """The suite of a file; warnings go to the log. FileRefused names every problem of the file."""
    outcome = read_harness_suite(file_bytes(path), str(path), kind, mode)
    for warning in outcome.warnings:
        LOG.warning("%s", warning)
    return outcome.get()


def discover_harness(folder: Path | str, kind: Kind, mode: Mode = "default") -> Found[HarnessSuite]:
    """The suites of a folder; a bad file is logged and left out."""
    return discover_with(folder, lambda path: load_harness_suite(path, kind, mode))


def read_harness_suite(data: bytes, source: str, kind: Kind, mode: Mode = "default") -> Outcome[HarnessSuite]:
    """The suite that `data` holds, or all its problems."""
    findings = Findings.of(source)
    values = values_of(mode)
    known = (*ROOT_KEYS, "date_tolerance_days") if kind == "validity" else ROOT_KEYS
    root = root_of(findings, read_yaml(data, findings, mode), known)
    suite = None if root is None else _suite(root, kind, values, bytes_digest(data))
    return Outcome(None if findings.problems else suite, tuple(findings.problems), tuple(findings.warnings))


def _suite(root: Entry, kind: Kind, values: Values, digest: str) -> HarnessSuite | None:
    cases = _cases(root, kind, values)
    suite_id = root.required("suite_id", values.identifier)
    name, version, domain, source_type = (
        root.required(key, values.text) for key in ("name", "version", "domain", "source_type")
    )
    metrics = root.optional("metrics", lambda value: _texts(value, values))
    tolerance = root.given("date_tolerance_days", values.whole, 3) if kind == "validity" else 3
    if root.findings.problems or suite_id is None or name is None or version is None or domain is None:
        return None
    if source_type is None or tolerance is None:
        return None
    source = root.findings.source
    return HarnessSuite(
        kind, suite_id, name, version, domain, source_type, cases, metrics or (), tolerance, source, digest
    )


def _cases(root: Entry, kind: Kind, values: Values) -> tuple[HarnessCase, ...]:
    if not root.value.get("cases"):
        root.add("cases", show(root.value.get("cases")), "a list with at least one case", "add a case")
        return ()
    cases: list[HarnessCase] = []
    seen: set[str] = set()
    for _, entry in entries_of(root.findings, "", "cases", root.value["cases"], CASE_KEYS[kind]):
        case_id = entry.required("case_id", values.identifier)
        text = entry.required(TEXT_KEY[kind], values.source)
        reference = entry.required("reference_date", _iso) if kind == "validity" else None
        narrative = entry.given("narrative_expected", values.flag, True)
        labels = _labels(entry, kind, values)
        if case_id is None or text is None or narrative is None:
            continue
        if values.strict and case_id in seen:
            entry.add("case_id", f"{case_id} a second time", "a name used once", "rename one of the two")
        seen.add(case_id)
        cases.append(HarnessCase(case_id, text, labels, narrative, reference))
    return tuple(cases)


def _labels(case: Entry, kind: Kind, values: Values) -> tuple[Label, ...]:
    if not case.value.get("labels"):
        case.add("labels", show(case.value.get("labels")), "a list with at least one label", "add a label")
        return ()
    labels = []
    for _, entry in entries_of(case.findings, case.place, "labels", case.value["labels"], LABEL_KEYS[kind]):
        label = _validity(entry, values) if kind == "validity" else _classed(entry, kind, values)
        if label is not None:
            labels.append(label)
    return tuple(labels)


def _classed(entry: Entry, kind: Kind, values: Values) -> Label | None:
    content = entry.required("content", values.content)
    value = entry.required(kind, _one_of(CLASSES[kind], values))
    return None if content is None or value is None else Label(content, value)


def _one_of(classes: tuple[str, ...], values: Values) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        text = values.text(value).strip().upper()
        if text not in classes:
            raise Wrong(show(value), f"one of {', '.join(classes)}", "correct it")
        return text

    return convert


def _validity(entry: Entry, values: Values) -> Label | None:
    """A durable claim has no date, any other has one."""
    content = entry.required("content", values.content)
    durable = entry.required("is_durable", values.flag)
    until = entry.optional("expected_valid_until", _iso)
    has_date = entry.value.get("expected_valid_until") is not None
    if durable is True and has_date:
        entry.add("expected_valid_until", "a date", "none, for the claim is durable", "remove the date, or is_durable")
    if durable is False and not has_date:
        entry.add("expected_valid_until", "nothing", "a date, for the claim is not durable", "add it")
    return None if content is None or durable is None else Label(content, expected_valid_until=until)


def _iso(value: Any) -> str:
    return iso_date(value).isoformat()


def _texts(value: Any, values: Values) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Wrong(show(value), "a list of texts", "write [precision], for instance")
    return tuple(values.text(item) for item in value)
