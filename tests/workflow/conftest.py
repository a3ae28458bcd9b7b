"""The real Snakefile in a temporary folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import ROOT, SMOKE, Project, copy_of


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A fresh copy: nothing has run in it."""
    made = copy_of(ROOT, tmp_path / "project", work=False)
    yield made
    made.stop_stack()


@pytest.fixture(scope="session")
def smoke_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The smoke pair, run once from nothing; tests work on copies of it."""
    made = copy_of(ROOT, tmp_path_factory.mktemp("smoke") / "project", work=False)
    ended = made.snakemake(*SMOKE)
    assert ended.code == 0, ended.text
    made.stop_stack()
    return made


@pytest.fixture
def smoke(smoke_once: Project, tmp_path: Path) -> Iterator[Project]:
    """A copy of the finished smoke pair, to change something in."""
    made = copy_of(smoke_once.folder, tmp_path / "project", work=True)
    yield made
    made.stop_stack()


@pytest.fixture(scope="module")
def smoke_module(smoke_once: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """One copy of the finished smoke pair for all tests of a file, which leave it as it is."""
    made = copy_of(smoke_once.folder, tmp_path_factory.mktemp("shared") / "project", work=True)
    yield made
    made.stop_stack()


@pytest.fixture
def fresh_clone(smoke_once: Project, tmp_path: Path) -> Iterator[Project]:
    """What a colleague gets from git: the project and the published results, nothing that was run."""
    made = copy_of(ROOT, tmp_path / "clone", work=False)
    shutil.copytree(smoke_once.folder / "results", made.folder / "results")
    yield made
    made.stop_stack()
