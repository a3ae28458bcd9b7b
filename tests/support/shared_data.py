"""Real inputs of others that lie beside a working copy and are never part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared(name: str) -> Path:
    """A file or folder of ../shared; the test is skipped, and says why, where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"../shared/{name} is not beside this working copy")
    return path
