"""Where the local stack keeps its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths under a work folder."""

    work: Path

    @property
    def folder(self) -> Path:
        return self.work / "localstack"

    @property
    def store(self) -> Path:
        return self.folder / "state.db"

    @property
    def lock(self) -> Path:
        """Held by the serving process for as long as it lives."""
        return self.folder / "server.lock"

    @property
    def start_lock(self) -> Path:
        """Held by whoever is starting a server."""
        return self.folder / "start.lock"

    @property
    def endpoint(self) -> Path:
        """Address and pid of the serving process, written by rename."""
        return self.folder / "endpoint.json"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def ocr(self) -> Path:
        """What the OCR read, by page image; kept when the stack's folder is removed."""
        return self.work / "ocr"

    @property
    def faults(self) -> Path:
        return self.folder / "faults.json"

    @property
    def workflow_lock(self) -> Path:
        """Held by a running workflow."""
        return self.work / "workflow.lock"
