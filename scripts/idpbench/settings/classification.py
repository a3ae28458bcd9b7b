"""config/classification.yaml: which models and test sets the classification benchmark knows."""

from __future__ import annotations

from pydantic import Field

from idpbench.files.errors import bad_input, nearest
from idpbench.settings.base import Frozen, Name, Text
from idpbench.settings.check import axis_value
from idpbench.settings.explain import read_as
from idpbench.settings.model import Settings

FILE = "classification.yaml"
MODEL_AXIS, CONFIDENCE_AXIS = "classification_model", "class_confidence"


class TestSetEntry(Frozen):
    """A test set by name: generated packets, or a set that a deployed stack holds (`on_stack`, its name there)."""

    __test__ = False  # not a test, whatever its name says to a test runner

    doc_class: Name = Field(alias="class")
    packets: Text | None = None
    on_stack: Text | None = None
    local: Name | None = None  # the set that stands for it on the local stack
    note: Text


class ClassificationSettings(Frozen):
    """The file: models that may be asked for, axis values of every run, test sets by name."""

    models: list[Name] = Field(min_length=1)
    pins: dict[Name, Name]
    testsets: dict[Name, TestSetEntry]


def load_classification(settings: Settings) -> ClassificationSettings:
    """Read and check the file; a name that other files of config/ do not define is a Refusal."""
    path = settings.config / FILE
    found = read_as(path, ClassificationSettings)
    for model in found.models:
        axis_value(settings.axes, MODEL_AXIS, model, path, f"models.{model}")
    for axis, value in found.pins.items():
        axis_value(settings.axes, axis, value, path, f"pins.{axis}")
        if axis in (MODEL_AXIS, CONFIDENCE_AXIS):
            raise bad_input(path, f"pins.{axis}", value, "an axis that is not measured here", "remove the pin")
    for name, entry in found.testsets.items():
        key = f"testsets.{name}"
        if entry.doc_class not in settings.classes:
            known = nearest(entry.doc_class, settings.classes)
            raise bad_input(path, f"{key}.class", entry.doc_class, "a file of config/classes", known)
        if (entry.packets is None) == (entry.on_stack is None):
            raise bad_input(path, key, "neither or both of packets and on_stack", "one of them", "keep one")
        stand_in = found.testsets.get(entry.local) if entry.local is not None else None
        if entry.local is not None and (stand_in is None or stand_in.packets is None):
            raise bad_input(path, f"{key}.local", entry.local, "a generated test set", "name one of this file")
    return found


def known_models(settings: Settings, found: ClassificationSettings, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The models asked for; one that the list lacks is a Refusal that names it and says where it is to be added."""
    if not asked:
        raise bad_input("--config", "models", "none", "at least one", f"choose from {', '.join(found.models)}")
    for model in asked:
        if model not in found.models:
            on_axis = model in settings.axes[MODEL_AXIS].values
            add = (
                "add it to that list" if on_axis else f"add it to axis {MODEL_AXIS} (config/axes.yaml) and to that list"
            )
            known = nearest(model, found.models)
            raise bad_input(
                "--config",
                "models",
                repr(model),
                f"a model that {settings.config.name}/{FILE} lists under `models`",
                f"{add}, or choose another ({known})",
            )
    return asked
