"""The documents of config/documents.yaml, and the manifest they are held against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from idpbench.corpus.manifest import load_manifest
from idpbench.settings.grid import Document
from idpbench.settings.load import load

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def documents() -> dict[str, Document]:
    return load(ROOT).documents


@pytest.fixture(scope="session")
def manifest() -> dict[str, Any]:
    return load_manifest(ROOT / "corpus" / "manifest.json")
