"""Suites of a folder: one bad file is logged, and the others are still found."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from idpbench.claims.harness.model import Kind
from idpbench.claims.mode import Mode
from idpbench.claims.suite.load import file_bytes, load_suite
from idpbench.claims.suite.model import Suite
from idpbench.claims.suite.problems import FileRefused, Findings, Problem
from idpbench.claims.suite.yamlnodes import read_yaml

LOG = logging.getLogger(__name__)
SUFFIXES = (".yaml", ".yml")
_PROPERTIES: dict[str, Kind] = {"modality": "modality", "polarity": "polarity", "is_durable": "validity"}


class Named(Protocol):
    """Anything with a suite_id and the file it came from."""

    @property
    def suite_id(self) -> str:
        """Its name."""

    @property
    def source(self) -> str:
        """Its file."""


S = TypeVar("S", bound=Named)


@dataclass(frozen=True)
class Found(Generic[S]):
    """The suites of a folder in the order of their file names, and the files that could not be used."""

    suites: tuple[S, ...]
    refused: tuple[tuple[str, FileRefused], ...]


def suite_files(folder: Path | str) -> list[Path]:
    """Its direct children with a YAML suffix in any case, by file name; not those that begin with `.` or `__`.

    A missing folder has none.
    """
    place = Path(folder)
    if not place.is_dir():
        return []
    files = [path for path in place.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
    return sorted((path for path in files if not path.name.startswith((".", "__"))), key=lambda path: path.name)


def discover(folder: Path | str, mode: Mode = "default") -> Found[Suite]:
    """The benchmark or calibration suites of a folder."""
    return discover_with(folder, lambda path: load_suite(path, mode))


def discover_with(folder: Path | str, load: Callable[[Path], S]) -> Found[S]:
    """What `load` makes of each suite file; a file that it refuses is logged as an error and kept, never raised.

    Two files with one suite_id are both taken, with a warning.
    """
    suites: list[S] = []
    refused: list[tuple[str, FileRefused]] = []
    for path in suite_files(folder):
        try:
            suites.append(load(path))
        except FileRefused as error:
            LOG.error("%s is skipped: %s", path, error)
            refused.append((str(path), error))
    for problem in twice_named(suites):
        LOG.warning("%s", problem)
    return Found(tuple(suites), tuple(refused))


def twice_named(suites: Sequence[Named]) -> list[Problem]:
    """A problem for each suite whose suite_id another file has already."""
    first: dict[str, str] = {}
    problems = []
    for suite in suites:
        if suite.suite_id in first:
            found = f"{suite.suite_id}, as in {first[suite.suite_id]}"
            problems.append(
                Problem(
                    suite.source, "", "suite_id", found, "a suite_id used once in a folder", "rename one of the two"
                )
            )
        first.setdefault(suite.suite_id, suite.source)
    return problems


def validate(paths: Sequence[Path | str], mode: Mode = "default") -> list[Problem]:
    """Every problem of the suite files at `paths` (files, or folders of them), and suite_ids that stand twice.

    A file may be a benchmark or calibration suite, or one of a harness.
    """
    from idpbench.claims.harness.load import load_harness_suite  # which imports this module

    files = [file for path in paths for file in (suite_files(path) if Path(path).is_dir() else [Path(path)])]
    problems: list[Problem] = []
    suites: list[Named] = []
    for file in files:
        try:
            kind = harness_kind(file_bytes(file))
            suites.append(load_suite(file, mode) if kind is None else load_harness_suite(file, kind, mode))
        except FileRefused as error:
            problems += error.problems
    return problems + twice_named(suites)


def harness_kind(data: bytes) -> Kind | None:
    """The kind of harness that a file is for, by the property that its labels state; None: no harness suite."""
    root = read_yaml(data, Findings.of(""), "default")
    cases = root.get("cases") if isinstance(root, dict) else None
    for case in cases if isinstance(cases, list) else []:
        labels = case.get("labels") if isinstance(case, dict) else None
        for label in labels if isinstance(labels, list) else []:
            for key, kind in _PROPERTIES.items():
                if isinstance(label, dict) and key in label:
                    return kind
    return None
