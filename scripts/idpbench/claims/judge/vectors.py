"""Embeddings kept on disk, by judge and by text: a sentence is embedded once per model."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import bytes_digest, digest

SUM = 32  # bytes of the SHA-256 in front of a vector: a damaged file reads as absent, never as another vector


class VectorCache:
    """`<folder>/<digest of the judge>/<aa>/<digest of the text>`; without a folder nothing is kept."""

    def __init__(self, folder: Path | str | None, judge: object) -> None:
        self._place = None if folder is None else Path(folder) / digest(judge)[:16]

    def get(self, text: str) -> NDArray[np.float32] | None:
        """The vector of an earlier embedding; None when there is none, or its file is damaged."""
        if self._place is None:
            return None
        try:
            data = self._path(text).read_bytes()
        except OSError:
            return None
        head, body = data[:SUM], data[SUM:]
        if not body or len(body) % 4 or hashlib.sha256(body).digest() != head:
            return None
        return np.frombuffer(body, dtype="<f4").astype(np.float32)

    def put(self, text: str, vector: NDArray[np.float32]) -> None:
        """Keep a vector, written whole."""
        if self._place is not None:
            body = vector.astype("<f4").tobytes()
            write_bytes(self._path(text), hashlib.sha256(body).digest() + body)

    def _path(self, text: str) -> Path:
        assert self._place is not None
        name = bytes_digest(text.encode("utf-8"))
        return self._place / name[:2] / name
