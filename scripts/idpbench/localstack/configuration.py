"""The configuration that a document is processed with: `Config#<version>` as the configuration table holds it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.stack.contract import CONFIG_DESCRIBING

_SECTIONS = frozenset(("ocr", "classification", "extraction", "classes", "assessment", "summarization"))
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Resolved:
    """A configuration, the version it really is of, and a warning when that is not the one asked for."""

    version: str
    configuration: dict[str, Any]
    warning: str | None


class Unresolvable(Exception):
    """No configuration can be read: neither the version asked for nor a fall-back."""


def resolve(asked: str | None, row: Callable[[str], Mapping[str, Any] | None], active: Callable[[], str]) -> Resolved:
    """The configuration of version `asked`; of the active version when there is none of that name.

    `row(version)` reads `Config#<version>`, `active()` names the version whose row is active.
    """
    warning = None
    version = asked or active()
    found = row(version)
    if found is None:
        fallback = active()
        warning = f"configuration version {version!r} does not exist: version {fallback!r} was used"
        version, found = fallback, row(fallback)
    if found is None:
        raise Unresolvable(f"there is no configuration {asked or version!r}, and no {version!r} to fall back to")
    content, full = decode(found)
    if not full and version != DEFAULT:  # a sparse delta of an older release, read on top of the default
        base = row(DEFAULT)
        content = _merge(decode(base)[0] if base else {}, content)
    return Resolved(version, content, warning)


def decode(row: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """(content, whether it is a full configuration) of a row: compressed, or inline as older releases stored it.

    A compressed part that cannot be read raises `Unresolvable`.
    """
    content = {name: value for name, value in row.items() if name not in CONFIG_DESCRIBING}
    marker = row.get("_config_format")
    if row.get("_config_storage") == "compressed":
        try:
            inner = json.loads(gzip.decompress(row["_compressed_config"]))
        except (KeyError, TypeError, OSError, EOFError, ValueError) as error:
            raise Unresolvable(f"{row.get('Configuration')}: its compressed part cannot be read ({error})") from None
        marker = inner.pop("_config_format", marker)
        content |= inner
    return content, marker == "full" or len(_SECTIONS & content.keys()) >= 4


def encode(version: str, content: Mapping[str, Any], *, created: str, active: bool, text: str) -> dict[str, Any]:
    """The compressed row of a full configuration, of plain values."""
    body = json.dumps(dict(content) | {"_config_format": "full"}, separators=(",", ":")).encode("utf-8")
    return {
        "Configuration": f"Config#{version}",
        "CreatedAt": created,
        "UpdatedAt": created,
        "IsActive": active,
        "Description": text,
        "_config_storage": "compressed",
        "_compressed_config": gzip.compress(body, mtime=0),
    }


def _merge(base: Any, change: Any) -> Any:
    if not (isinstance(base, Mapping) and isinstance(change, Mapping)):
        return change
    merged = dict(base)
    for name, value in change.items():
        merged[name] = _merge(base[name], value) if name in base else value
    return merged
