"""Digests of our own source, found by path: naming a room never imports it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from idpbench.files.canonical import bytes_digest, digest

PACKAGE = Path(__file__).resolve().parent.parent


def sources(*names: str) -> list[Path]:
    """Source files of rooms (`scoring`) or of modules (`matrix.sizing`), sorted; an unknown name is a ValueError."""
    found: set[Path] = set()
    for name in names:
        place = PACKAGE.joinpath(*name.split("."))
        if place.is_dir():
            found.update(path for path in place.rglob("*.py"))
        elif place.with_suffix(".py").is_file():
            found.add(place.with_suffix(".py"))
        else:
            raise ValueError(f"no room or module named {name}")
    return sorted(found)


def source_digest(*names: str) -> str:
    """Digest of the bytes of those sources, and of their names within the package."""
    return _source_digest(tuple(sources(*names)))


@lru_cache(maxsize=32)
def _source_digest(paths: tuple[Path, ...]) -> str:
    return digest([[path.relative_to(PACKAGE).as_posix(), bytes_digest(path.read_bytes())] for path in paths])


def package_versions(names: Iterable[str]) -> dict[str, str]:
    """Installed versions of packages by name; an absent package is `absent`."""
    from importlib import metadata  # a slow import, which the many short scoring steps need not pay

    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "absent"
    return versions
