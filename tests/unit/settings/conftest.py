from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from idpbench.files.errors import Refusal
from idpbench.settings.load import load
from idpbench.settings.model import Settings

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The configuration that the repository ships."""
    return load(ROOT)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a copy of config/ to spoil."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


@pytest.fixture
def refusal_after(root: Path) -> Callable[[str, str, str], str]:
    """Replace a text in a file of config/ and return what loading then says."""

    def spoil(file: str, old: str, new: str) -> str:
        path = root / "config" / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} does not hold {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(Refusal) as caught:
            load(root)
        return str(caught.value).replace(f"{root}/", "")

    return spoil
