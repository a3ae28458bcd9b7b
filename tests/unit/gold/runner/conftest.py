"""A repository with a small frozen suite, made once and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gold_small import make_repository


@pytest.fixture(scope="session")
def frozen_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that copies are made of."""
    return make_repository(tmp_path_factory.mktemp("gold") / "repository")


@pytest.fixture
def root(frozen_once: Path, tmp_path: Path) -> Path:
    """A repository of the test's own."""
    return Path(shutil.copytree(frozen_once, tmp_path / "repository"))
