"""`load(root)`: all of config/ in one value, or a Refusal that names file and key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import bad_input, nearest
from idpbench.settings import check
from idpbench.settings.classes import load_classes, read_prompt, with_prompts
from idpbench.settings.engines import Model
from idpbench.settings.explain import refusal
from idpbench.settings.gaterules import GateRules
from idpbench.settings.grid import Axis, Cell, CellsFile, Document, DocumentsFile, ReferenceSet, Suite
from idpbench.settings.model import Settings
from idpbench.settings.versions import is_version, version_order
from idpbench.settings.yamlfile import load_yaml

M = TypeVar("M", bound=BaseModel)


def load(root: Path | str) -> Settings:
    """Read and check `<root>/config`. Every error is a Refusal; no network, no import beyond pydantic and yaml."""
    base = Path(root)
    config = base / "config"
    axes = _axes(base, config / "axes.yaml")
    models = _named(Model, config / "models.yaml", "models")
    cells, registries = _cells(config / "cells.yaml", axes)
    documents, references, groups = _documents(config / "documents.yaml")
    suites = _named(Suite, config / "suites.yaml", "suites")
    settings = Settings(
        root=base,
        axes=axes,
        cells=cells,
        registries=registries,
        documents=documents,
        references=references,
        groups=groups,
        suites=suites,
        models=models,
        gate=_one(GateRules, load_yaml(config / "gate.yaml"), config / "gate.yaml"),
        classes=load_classes(config),
        local_versions=_local_versions(config / "localstack"),
    )
    check.models_of_axes(settings)
    check.classes_of_documents(settings)
    check.suites(settings)
    return settings


def _one(model: type[M], value: Any, file: Path, prefix: str = "") -> M:
    """One model from parsed YAML."""
    if not isinstance(value, dict):
        raise bad_input(file, prefix, _kind(value), "a mapping of keys", "write `key: value` lines")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refusal(error, file, model, prefix) from None


def _top(file: Path, key: str) -> dict[str, Any]:
    """The mapping under the only top-level key of a file."""
    value = load_yaml(file)
    if not isinstance(value, dict):
        raise bad_input(file, "", _kind(value), f"a mapping with the key `{key}`", "write the key first")
    for name in value:
        if name != key:
            raise bad_input(file, name, "an unknown key", f"`{key}`", nearest(name, [key]))
    inner = value.get(key)
    if not isinstance(inner, dict):
        raise bad_input(file, key, _kind(inner), "a mapping of names", "write `name: ...` lines under it")
    return inner


def _named(model: type[M], file: Path, key: str) -> dict[str, M]:
    """Models by name, each of which carries its name as `id`."""
    return _with_ids(model, _top(file, key), file, key)


def _with_ids(model: type[M], entries: Mapping[str, Any], file: Path, prefix: str) -> dict[str, M]:
    result = {}
    for name, entry in entries.items():
        if isinstance(entry, dict) and "id" in entry:
            raise bad_input(file, f"{prefix}.{name}.id", "a key of its own", "the name itself as id", "remove the key")
        value = {"id": name, **entry} if isinstance(entry, dict) else entry
        result[name] = _one(model, value, file, f"{prefix}.{name}")
    return result


def _axes(root: Path, file: Path) -> dict[str, Axis]:
    entries = with_prompts(_top(file, "axes"), file.parent, file)
    axes = {}
    for name, entry in entries.items():
        axis = _one(Axis, entry, file, f"axes.{name}")
        check.axis_value({name: axis}, name, axis.default, file, f"axes.{name}.default")
        supplied = {}
        for value, text in axis.aws.items():
            if value not in axis.values:
                raise bad_input(
                    file, f"axes.{name}.aws.{value}", "no value of this axis", "one", nearest(value, axis.values)
                )
            place = root / text.file
            if place.is_file():
                found = bytes_digest(place.read_bytes())
                if text.sha256 is not None and text.sha256 != found:
                    raise bad_input(
                        file,
                        f"axes.{name}.aws.{value}.sha256",
                        text.sha256,
                        f"{found}, the digest of {text.file}",
                        "restore the file, or pin the new text",
                    )
                if text.sha256 is not None:
                    text = text.model_copy(update={"text": read_prompt(place, file)})
            supplied[value] = text
        axes[name] = axis.model_copy(update={"aws": supplied})
    check.slugs(axes, file)
    return axes


def _cells(file: Path, axes: Mapping[str, Axis]) -> tuple[dict[str, Cell], dict[str, tuple[str, ...]]]:
    parsed = _one(CellsFile, load_yaml(file), file)
    cells: dict[str, Cell] = {}
    registries: dict[str, tuple[str, ...]] = {}
    for registry, entries in parsed.registries.items():
        if registry == "sweeps" or registry in entries:
            raise bad_input(file, f"registries.{registry}", "a name that is taken", "another", "rename the registry")
        for name, pins in entries.items():
            where = f"registries.{registry}.{name}"
            if name in cells:
                raise bad_input(file, where, "a second cell of this name", "each name once", "rename one of them")
            for axis, value in pins.items():
                check.axis_value(axes, axis, value, file, f"{where}.{axis}")
            cells[name] = Cell(id=name, registry=registry, pins=pins)
        registries[registry] = tuple(entries)
    sweeps = []
    for axis, values in parsed.sweeps.items():
        for value in values:
            check.axis_value(axes, axis, value, file, f"sweeps.{axis}")
            name = f"sweep-{axis}-{value}".replace("_", "-")
            if name in cells:
                raise bad_input(file, f"sweeps.{axis}", f"{value} twice", "each value once", "remove one of them")
            cells[name] = Cell(id=name, registry="sweeps", pins={axis: value})
            sweeps.append(name)
    registries["sweeps"] = tuple(sweeps)
    return cells, registries


def _documents(file: Path) -> tuple[dict[str, Document], dict[str, ReferenceSet], dict[str, tuple[str, ...]]]:
    parsed = _one(DocumentsFile, load_yaml(file), file)
    documents = _with_ids(Document, parsed.documents, file, "documents")
    references = _with_ids(ReferenceSet, parsed.references, file, "references")
    for name in references:
        if name in documents:
            raise bad_input(file, f"references.{name}", "the id of a document", "an id of its own", "rename it")
    items = [*documents, *references]
    groups = {name: check.expand_group(parsed.groups, items, name, file) for name in parsed.groups}
    return documents, references, groups


def _local_versions(folder: Path) -> tuple[str, ...]:
    """Versions of the local stack: the profiles named by a version."""
    names = [path.stem for path in folder.glob("*.yaml") if is_version(path.stem)]
    return tuple(sorted(names, key=version_order))


def _kind(value: Any) -> str:
    return {type(None): "nothing", list: "a list", str: "a text"}.get(type(value), f"a {type(value).__name__}")
