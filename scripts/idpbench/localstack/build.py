"""What a serving process runs: one digest of its code and of the files that decide a document's outcome."""

from __future__ import annotations

from pathlib import Path

from idpbench.files.canonical import digest, file_digest
from idpbench.files.provenance import source_digest


def build_digest(config_root: Path) -> str:
    """Digest of the rooms that serve and read documents, and of the profiles and models under `config_root`.

    A server whose build is not the present one is replaced before anything is launched: its workers have the old
    engine in memory, and its results would be filed under the new engine's run keys.
    """
    files = [*sorted((config_root / "localstack").glob("*.yaml")), config_root / "models.yaml"]
    held = {path.name: file_digest(path) for path in files if path.is_file()}
    return digest([source_digest("localstack", "reading", "matrix.sizing", "settings"), held])
