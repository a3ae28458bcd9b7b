"""The run key: what a run is, in 40 hex digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.files.canonical import digest

LENGTH = 40


def run_key(identity: Mapping[str, Any]) -> str:
    """First 40 hex digits of the SHA-256 of the identity's canonical JSON: all that decides the run's outcome."""
    return digest(dict(identity))[:LENGTH]
