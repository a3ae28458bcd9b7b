"""Which configuration paths a deployed release knows: an axis that writes a key nobody reads measures nothing.

What a release does not know is stated in config/schemas/<version>.yaml, so that the plan knows it without a socket:

    unknown: [extraction.forced_tool.enabled]     # paths of config/axes.yaml that this release's configuration lacks

A landing on AWS compares that file with the stack's own `Config#default` and `Schema` before it launches anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idpbench.files.errors import INCOMPLETE, Refusal, bad_input
from idpbench.settings.yamlfile import load_yaml

if TYPE_CHECKING:
    from idpbench.stack.client import Caller

FOLDER = "config/schemas"
_IN_CLASSES = "classes[]."  # lies in our own class schemas, which every release takes as they are


def stated_unknown(root: Path, version: str) -> tuple[str, ...]:
    """Paths that config/schemas/<version>.yaml says this release lacks; () where there is no such file."""
    path = root / FOLDER / f"{version}.yaml"
    if not path.is_file():
        return ()
    content = load_yaml(path)
    unknown = content.get("unknown") if isinstance(content, dict) else None
    if not isinstance(unknown, list) or set(content) != {"unknown"} or not all(isinstance(p, str) for p in unknown):
        raise bad_input(path, "unknown", repr(content)[:60], "`unknown: [dotted.path, ...]`", "correct the file")
    return tuple(sorted(unknown))


def check_schema(client: Caller, table: str, root: Path, version: str, paths: Iterable[str]) -> None:
    """Refuse where the stack does not know a path that the plan takes for known; nothing was launched then."""
    from idpbench.stack.upload import read_config, read_row  # boto3: the rest of this module is read by the plan

    default = read_config(client, table, "default") or {}
    schema = read_row(client, table, "Schema") or {}
    stated = set(stated_unknown(root, version))
    wanted = {path for path in paths if not path.startswith(_IN_CLASSES)}
    unknown = sorted(path for path in wanted - stated if not knows(default, schema, path))
    if unknown:
        file = root / FOLDER / f"{version}.yaml"
        every = ", ".join(sorted({*stated & wanted, *unknown}))
        raise Refusal(
            f"stack at {version}: its configuration does not know {', '.join(unknown)}; nothing was launched; write"
            f" `unknown: [{every}]` into {file} and run the command again: paths at their default are then left out on"
            " both sides, and cells that set another value are measured on neither",
            INCOMPLETE,
        )


def knows(default: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> bool:
    """Whether the default configuration has the key, or the schema declares it."""
    steps = path.split(".")
    return _has(default, steps) or _declares(schema, steps)


def _has(node: Any, steps: list[str]) -> bool:
    for step in steps:
        if not isinstance(node, Mapping) or step not in node:
            return False
        node = node[step]
    return True


def _declares(node: Any, steps: list[str]) -> bool:
    for step in steps:
        properties = node.get("properties") if isinstance(node, Mapping) else None
        if not isinstance(properties, Mapping) or step not in properties:
            return False
        node = properties[step]
    return True
