from __future__ import annotations

from pathlib import Path

import pytest

from idpbench.settings.load import load
from idpbench.settings.model import Settings

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The configuration that the repository ships."""
    return load(ROOT)
