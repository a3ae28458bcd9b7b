"""What a side is made of: its runs, its place, its configurations. Data only, and its form as plan.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from idpbench.files.canonical import digest, expect_kind
from idpbench.files.errors import bad_input
from idpbench.matrix.runkey import run_key

SCHEMA = "idpbench/plan/1"


@dataclass(frozen=True)
class SideRun:
    """One run of a side. `document`: a generated document or a labelled set; `n_docs`: PDFs in it."""

    key: str
    identity: Mapping[str, Any]
    cell: str
    document: str
    doc_class: str
    repeat: int
    resolved: Mapping[str, str]
    config_name: str
    config_digest: str
    testset: str
    reference: bool = False
    n_docs: int = 1


@dataclass(frozen=True)
class Where:
    """What names the stack of a side; account and build are labels of the user's, aws only."""

    backend: str
    version: str
    series: str = "a"
    region: str = "us-west-2"
    stack: str = "idpbench"
    account: str | None = None
    build: str | None = None


@dataclass(frozen=True)
class Side:
    """The runs of one version in a grid.

    `configurations`: content by name. `about`: what the plan says beside its runs. `reference`: folder of the labelled
    sets, where one was given.
    """

    where: Where
    suite: str
    slug: str
    runs: tuple[SideRun, ...]
    configurations: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, Any]
    reference: str | None = None

    @property
    def backend(self) -> str:
        """`local` or `aws`."""
        return self.where.backend

    @property
    def version(self) -> str:
        """The release, without a leading v."""
        return self.where.version

    @property
    def series(self) -> str:
        """`a`, or the name of another set of runs of the same version."""
        return self.where.series

    @property
    def stack(self) -> str:
        """The stack's name."""
        return self.where.stack

    @property
    def grid(self) -> str:
        """Suite, overrides and series as one path segment."""
        return grid_name(self.suite, self.slug, self.series)

    @property
    def address(self) -> str:
        """The side's folder below work/ and results/: `<backend>/v<version>/<suite>[__slug][~series]`."""
        return f"{self.backend}/v{self.version}/{self.grid}"

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every run key of the side."""
        return frozenset(run.key for run in self.runs)

    @cached_property
    def digest(self) -> str:
        """Changes with any run key, and with what the plan says beside the runs."""
        return digest([self.address, sorted(self.keys), dict(self.about)])

    def to_json(self) -> dict[str, Any]:
        """The side as plan.json has it; each run's identity once where it differs, the rest under `shared`."""
        return {
            "schema": SCHEMA,
            "about": dict(self.about),
            "where": asdict(self.where),
            "backend": self.backend,
            "version": self.version,
            "series": self.series,
            "suite": self.suite,
            "slug": self.slug,
            "reference": self.reference,
            "configurations": {name: dict(content) for name, content in self.configurations.items()},
            "resolved": {run.cell: dict(run.resolved) for run in self.runs},
            "documents": {run.document: run.identity["document_digest"] for run in self.runs},
            "shared": {
                run.config_name: {name: run.identity[name] for name in run.identity if name not in _OWN}
                for run in self.runs
            },
            "runs": [
                {
                    "key": run.key,
                    "cell": run.cell,
                    "document": run.document,
                    "doc_class": run.doc_class,
                    "repeat": run.repeat,
                    "config_name": run.config_name,
                    "config_digest": run.config_digest,
                    "testset": run.testset,
                    "reference": run.reference,
                    "n_docs": run.n_docs,
                }
                for run in self.runs
            ],
        }


_OWN = ("document", "document_digest", "repeat")  # the part of an identity that differs within a configuration


def grid_name(suite: str, overrides_slug: str, series: str) -> str:
    """`corefast`, `corefast__ocr-bda`, `corefast~b`."""
    return suite + (f"__{overrides_slug}" if overrides_slug else "") + (f"~{series}" if series != "a" else "")


def run_identity(shared: Mapping[str, Any], document: str, document_digest: str, repeat: int) -> dict[str, Any]:
    """What decides a run: what it shares with its configuration's other runs, its document and its repeat."""
    return {**shared, "document": document, "document_digest": document_digest, "repeat": repeat}


def side_from_json(value: Mapping[str, Any], source: object) -> Side:
    """The side that `to_json` wrote; a key that is not its identity's digest is a Refusal naming `source`."""
    expect_kind(value, "plan", source)
    runs = []
    for entry in value["runs"]:
        shared = value["shared"][entry["config_name"]]
        identity = run_identity(shared, entry["document"], value["documents"][entry["document"]], entry["repeat"])
        if run_key(identity) != entry["key"]:
            raise bad_input(source, "runs.key", entry["key"], run_key(identity), "make the plan again")
        runs.append(SideRun(identity=identity, resolved=value["resolved"][entry["cell"]], **entry))
    return Side(
        where=Where(**value["where"]),
        suite=value["suite"],
        slug=value["slug"],
        runs=tuple(runs),
        configurations=value["configurations"],
        about=value["about"],
        reference=value["reference"],
    )
