"""Certificates that were worked out before: under work/, and beside published pages. The same runs are asked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import Refusal


def find(values: str, judge: str, least: int, *, cache: Path, published: Path | None = None) -> dict[str, Any] | None:
    """The certificate of these values by this judge with the most relabellings, `least` or more; None where none is.

    A file that cannot be read is passed over: it can be worked out again.
    """
    fitting = [
        one
        for one in _readable([cache / f"{values}.json", *_beside_pages(published)])
        if one.get("values") == values and one.get("judge") == judge and one.get("relabellings", 0) >= max(least, 1)
    ]
    return max(fitting, key=lambda one: int(one["relabellings"]), default=None)


def keep(certificate: Mapping[str, Any], cache: Path) -> None:
    """Remember a certificate; one of no relabellings is not worth it."""
    if certificate["relabellings"]:
        write_json(cache / f"{certificate['values']}.json", certificate)


def _beside_pages(published: Path | None) -> list[Path]:
    return sorted(published.rglob("certificate.json")) if published is not None and published.is_dir() else []


def _readable(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        try:
            content = read_json(path, "certificate")
        except Refusal:
            continue
        if isinstance(content, dict):
            yield content
