"""Base configurations: config/classes/common.yaml with one class's file laid over it, prompts read in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.files.errors import bad_input, nearest
from idpbench.settings.yamlfile import load_yaml

COMMON = "common"


def load_classes(config: Path) -> dict[str, dict[str, Any]]:
    """Document class -> base configuration, one for each file beside common.yaml."""
    folder = config / "classes"
    common = _mapping(folder / f"{COMMON}.yaml")
    result = {}
    for path in sorted(folder.glob("*.yaml")):
        if path.stem == COMMON:
            continue
        own = _mapping(path)
        if not isinstance(own.get("classes"), list) or not own["classes"]:
            raise bad_input(path, "classes", "no class", "a list with at least one class schema", "add the schema")
        result[path.stem] = with_prompts(merge(common, own, path), config, path)
    if not result:
        raise bad_input(folder, "", "no class file", "at least one <class>.yaml", "restore config/classes")
    return result


def merge(base: Mapping[str, Any], over: Mapping[str, Any], file: object, above: str = "") -> dict[str, Any]:
    """`over` laid over `base`: mappings merge, the rest replaces. Keys that base lacks are refused but `classes`."""
    result = dict(base)
    for key, value in over.items():
        where = f"{above}{key}"
        if key not in base:
            if above or key not in ("classes", "description"):
                raise bad_input(
                    file, where, "a key that common.yaml does not have", "one that it has", nearest(key, base)
                )
            result[key] = value
        elif isinstance(base[key], dict) and isinstance(value, dict):
            result[key] = merge(base[key], value, file, f"{where}.")
        else:
            result[key] = value
    return result


def with_prompts(value: Any, config: Path, file: object) -> Any:
    """The value with each `{prompt: name}` replaced by the text of config/prompts/<name>.txt."""
    if isinstance(value, dict):
        if set(value) == {"prompt"} and isinstance(value["prompt"], str):
            return read_prompt(config / "prompts" / f"{value['prompt']}.txt", file)
        return {key: with_prompts(inner, config, file) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_prompts(inner, config, file) for inner in value]
    return value


def read_prompt(path: Path, named_in: object) -> str:
    """A prompt's text without its last newline."""
    try:
        return path.read_text(encoding="utf-8").rstrip("\n")
    except FileNotFoundError:
        known = nearest(path.stem, (other.stem for other in path.parent.glob("*.txt")))
        raise bad_input(named_in, f"prompt: {path.stem}", "no such file", str(path), known) from None


def _mapping(path: Path) -> dict[str, Any]:
    value = load_yaml(path)
    if not isinstance(value, dict):
        raise bad_input(path, "", "no mapping", "a configuration", "write `key: value` lines")
    return value
