"""Reading a suite file: strict where silence would lose gold data, and all mistakes of a file at once."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from idpbench.claims.mode import Mode
from idpbench.claims.suite.cases import read_cases
from idpbench.claims.suite.entries import Entry, entries_of, root_of
from idpbench.claims.suite.goldsubjects import read_gold_subjects
from idpbench.claims.suite.model import MetricDeclaration, Suite
from idpbench.claims.suite.problems import FileRefused, Findings, Outcome, Problem, Wrong
from idpbench.claims.suite.values import Values, show, values_of
from idpbench.claims.suite.yamlnodes import read_yaml
from idpbench.files.canonical import bytes_digest

LOG = logging.getLogger(__name__)
REQUIRED = ("suite_id", "name", "version", "domain", "source_types", "cases")
ROOT_KEYS = (*REQUIRED, "metrics", "published_by", "published_at", "gold_subjects")


def load_suite(path: Path | str, mode: Mode = "default") -> Suite:
    """The suite of a file; warnings go to the log. FileRefused names every problem of the file."""
    outcome = read_suite_file(path, mode)
    for warning in outcome.warnings:
        LOG.warning("%s", warning)
    return outcome.get()


def read_suite_file(path: Path | str, mode: Mode = "default") -> Outcome[Suite]:
    """The suite of a file with its problems and warnings; a file that cannot be opened is a FileRefused."""
    return read_suite(file_bytes(path), str(path), mode)


def read_suite(data: bytes, source: str, mode: Mode = "default") -> Outcome[Suite]:
    """The suite that `data` holds; `source` is the name that problems give it."""
    findings = Findings.of(source)
    values = values_of(mode)
    root = root_of(findings, read_yaml(data, findings, mode), ROOT_KEYS)
    suite = None if root is None else _suite(root, values, bytes_digest(data))
    return Outcome(None if findings.problems else suite, tuple(findings.problems), tuple(findings.warnings))


def file_bytes(path: Path | str) -> bytes:
    """The bytes of a file; FileRefused where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        problem = Problem(str(path), "", "", "no such file", "a file", "check the path")
    except OSError as error:
        problem = Problem(str(path), "", "", str(error.strerror), "a readable file", "check its permissions")
    raise FileRefused([problem])


def _suite(root: Entry, values: Values, digest: str) -> Suite | None:
    """The walk in its fixed order: the first problem recorded is the one that a reader should mend first."""
    findings = root.findings
    cases = read_cases(root, values)
    source_types = root.required("source_types", lambda value: _texts(value, values))
    published_at = root.optional("published_at", values.moment)
    suite_id = root.required("suite_id", values.identifier)
    name, version, domain = (root.required(key, values.text) for key in ("name", "version", "domain"))
    metrics = _metrics(root, values)
    gold_subjects = read_gold_subjects(root, cases, values)
    published_by = root.optional("published_by", values.text)
    if findings.problems or suite_id is None or name is None or version is None or domain is None:
        return None
    return Suite(
        suite_id=suite_id,
        name=name,
        version=version,
        domain=domain,
        source_types=source_types or (),
        cases=cases,
        metrics=metrics,
        published_by=published_by,
        published_at=published_at,
        gold_subjects=gold_subjects,
        source=findings.source,
        digest=digest,
    )


def _texts(value: Any, values: Values) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise Wrong(show(value), "a list of source types", "write [WEB_PAGE], for instance")
    return tuple(values.text(item) for item in value)


def _metrics(root: Entry, values: Values) -> tuple[MetricDeclaration, ...]:
    """The declared metrics; keys beside name and definition are ignored, null is an absent list."""
    block = root.value.get("metrics")
    if block is None:
        return ()
    declared = []
    for _, entry in entries_of(root.findings, "", "metrics", block, (), loose=("name", "definition")):
        name, definition = entry.required("name", values.text), entry.required("definition", values.text)
        if name is not None and definition is not None:
            declared.append(MetricDeclaration(name, definition))
    return tuple(declared)
