"""What a side is made of: its runs, its place, its configurations. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from idpbench.files.canonical import digest


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
    """The runs of one version in a grid. `address`: `<backend>/v<version>/<suite>[__slug][~series]`."""

    where: Where
    suite: str
    slug: str
    runs: tuple[SideRun, ...]
    configurations: Mapping[str, Mapping[str, Any]]
    about: Mapping[str, Any]

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
        """The side's folder below work/ and results/."""
        return f"{self.backend}/v{self.version}/{self.grid}"

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every run key of the side."""
        return frozenset(run.key for run in self.runs)

    @cached_property
    def digest(self) -> str:
        """Changes with any run key, and with what the plan says beside the runs."""
        return digest([self.address, sorted(self.keys), dict(self.about)])


def grid_name(suite: str, overrides_slug: str, series: str) -> str:
    """`corefast`, `corefast__ocr-bda`, `corefast~b`."""
    return suite + (f"__{overrides_slug}" if overrides_slug else "") + (f"~{series}" if series != "a" else "")
