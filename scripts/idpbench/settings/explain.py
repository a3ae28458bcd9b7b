"""From pydantic's errors to one Refusal: file, key, what was found, what was expected, the nearest valid names."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.settings.yamlfile import load_yaml

Model = TypeVar("Model", bound=BaseModel)


def read_as(path: Path, model: type[Model]) -> Model:
    """A YAML file as one model; whatever is wrong in it is a Refusal."""
    try:
        return model.model_validate(load_yaml(path))
    except ValidationError as error:
        raise refusal(error, path, model) from None


def refusal(error: ValidationError, file: object, model: type[BaseModel], prefix: str = "") -> Refusal:
    """The first problem in full, and how many more there are."""
    problems = error.errors(include_url=False)
    first = problems[0]
    location = first["loc"]
    key = ".".join([*([prefix] if prefix else []), *(str(part) for part in location)])
    more = f" ({len(problems) - 1} more in this file)" if len(problems) > 1 else ""
    if first["type"] == "extra_forbidden":
        word = str(location[-1])
        names = _fields_at(model, location[:-1])
        return bad_input(file, key, "an unknown key", "a known one", f"{nearest(word, names)}{more}")
    if first["type"] == "missing":
        return bad_input(file, key, "nothing", "a value, since this key has no default", f"add the key{more}")
    if location and location[-1] == "[key]":
        return bad_input(
            file,
            key.removesuffix(".[key]"),
            "this name",
            f"a name that matches {first['ctx']['pattern']}",
            f"rename it{more}",
        )
    return bad_input(file, key, _short(first["input"]), _expectation(first["msg"]), f"correct the value{more}")


def _expectation(message: str) -> str:
    for start in ("Input should be ", "Value error, "):
        message = message.removeprefix(start)
    return message


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _fields_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Keys that the model found by walking `location` knows."""
    here: Any = model
    for step in location:
        here = _descend(here, step)
        if here is None:
            return []
    target = _model_in(here)
    if target is None:
        return []
    return [field.alias or name for name, field in target.model_fields.items()]


def _descend(annotation: Any, step: int | str) -> Any:
    target = _model_in(annotation)
    if target is not None:
        for name, field in target.model_fields.items():
            if step in (name, field.alias):
                return field.annotation
        return None
    inner = typing.get_args(annotation)
    return inner[-1] if inner else None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if typing.get_origin(annotation) in (dict, list, tuple):
        return None
    for part in typing.get_args(annotation):
        found = _model_in(part)
        if found is not None:
            return found
    return None
