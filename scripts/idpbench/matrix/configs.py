"""From a cell to the whole configuration it is measured with, and that configuration's name."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, MutableMapping
from typing import Any

from idpbench.files.canonical import digest
from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.matrix.overrides import checked
from idpbench.settings.model import Model, Settings

EVERY_CLASS = "classes[]."
PREFIX = "bench-"  # never `default`: a stack's own configuration is not ours to change


def resolve_axes(settings: Settings, cell: str, overrides: Mapping[str, str]) -> dict[str, str]:
    """Axis -> value of a cell: its own pins, else the override, else the default. An unknown cell is a Refusal."""
    if cell not in settings.cells:
        raise bad_input("cell", cell, "no such cell", "a cell of config/cells.yaml", nearest(cell, settings.cells))
    moved = checked(settings, overrides)
    pins = settings.cells[cell].pins
    return {name: pins.get(name) or moved.get(name) or axis.default for name, axis in settings.axes.items()}


def resolve_configuration(
    settings: Settings,
    cell: str,
    doc_class: str,
    overrides: Mapping[str, str],
    omit_paths: Collection[str] = (),
    *,
    backend: str = "local",
) -> dict[str, Any]:
    """The class's base configuration with the cell's axis values written at their paths.

    `omit_paths` are left out: paths at their default that one side's schema does not know. On `aws` a value whose text
    is the user's to supply takes that text. A path that the base does not have is a Refusal.
    """
    base = settings.classes.get(doc_class)
    if base is None:
        known = nearest(doc_class, settings.classes)
        raise bad_input("class", doc_class, "no such class", "one that has a file in config/classes", known)
    config: dict[str, Any] = copy.deepcopy(base)
    for axis, value in resolve_axes(settings, cell, overrides).items():
        for path, content in settings.axes[axis].values[value].items():
            write(config, path, supplied(settings, axis, value, path, content, backend), doc_class)
    for path in omit_paths:
        write(config, path, None, doc_class)
    return config


def supplied(settings: Settings, axis: str, value: str, path: str, content: Any, backend: str) -> Any:
    """What an axis value writes at `path` on this backend."""
    text = settings.axes[axis].aws.get(value) if backend == "aws" else None
    return text.text if text is not None and text.path == path else content


def write(config: MutableMapping[str, Any], path: str, content: Any, doc_class: str) -> None:
    """Set an existing dotted path (`classes[].key`: in every class); null removes the key. Refused if there is none."""
    if path.startswith(EVERY_CLASS):
        for entry in config["classes"]:
            _put(entry, path.removeprefix(EVERY_CLASS), content, path, doc_class)
        return
    node: Any = config
    *above, last = path.split(".")
    for step in above:
        if not isinstance(node, dict) or step not in node:
            raise _no_path(path, doc_class, step, node)
        node = node[step]
    _put(node, last, content, path, doc_class)


def _put(node: Any, key: str, content: Any, path: str, doc_class: str) -> None:
    if not isinstance(node, dict) or key not in node:
        raise _no_path(path, doc_class, key, node)
    if content is None:
        del node[key]
    else:
        node[key] = copy.deepcopy(content)


def check_paths(settings: Settings, doc_class: str) -> None:
    """Refuse an axis path that the class's base configuration lacks: a knob that nothing reads measures nothing."""
    for axis in settings.axes.values():
        for path in axis.paths():
            if path.startswith(EVERY_CLASS):
                for entry in settings.classes[doc_class]["classes"]:
                    _look(entry, path.removeprefix(EVERY_CLASS), path, doc_class)
            else:
                _look(settings.classes[doc_class], path, path, doc_class)


def _look(node: Any, rest: str, path: str, doc_class: str) -> None:
    for step in rest.split("."):
        if not isinstance(node, dict) or step not in node:
            raise _no_path(path, doc_class, step, node)
        node = node[step]


def _no_path(path: str, doc_class: str, step: str, node: Any) -> Refusal:
    known = nearest(step, node) if isinstance(node, dict) else "nothing lies below it"
    return bad_input(
        "config/axes.yaml", path, f"no {step!r} there in class {doc_class}", "a path of the base configuration", known
    )


def configuration_name(cell: str, doc_class: str, config: Mapping[str, Any]) -> str:
    """The `<version>` of `Config#<version>`: by content, so that no other configuration can pass for it."""
    return f"{PREFIX}{cell}__{doc_class}__{digest(dict(config))[:8]}"


def models_used(settings: Settings, config: Mapping[str, Any]) -> tuple[Model, ...]:
    """Models that a configuration calls, sorted by id.

    OCR (when a model reads the pages), classification, extraction, confidence (when separate), and those of escalation
    where it is on. A model id that models.yaml lacks is a Refusal.
    """
    extraction = config["extraction"]
    confidence = extraction["confidence"]
    used = {"classification.model": config["classification"]["model"], "extraction.model": extraction["model"]}
    if not config["use_bda"] and config["ocr"]["backend"] == "bedrock":
        used["ocr.model_id"] = config["ocr"]["model_id"]
    if confidence["mode"] == "separate":
        used["extraction.confidence.model"] = confidence["model"]
    if confidence.get("escalation_enabled") and confidence["mode"] != "off":
        used["extraction.confidence.escalation_model"] = confidence["escalation_model"]
    validation = extraction["validation"]
    if validation.get("enabled") and validation.get("fail_action") == "escalate":
        used["extraction.validation.escalation_model"] = validation["escalation_model"]
    found = {}
    for path, model_id in used.items():
        model = settings.model_of(model_id)
        if model is None:
            known = nearest(model_id, [entry.model_id for entry in settings.models.values()])
            raise bad_input("config/classes", path, model_id, "a model_id of config/models.yaml", known)
        found[model.id] = model
    return tuple(found[name] for name in sorted(found))
