"""Every JSON of ours against its committed JSON Schema. Imports jsonschema: not for steps that must start quickly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from idpbench.files.canonical import expect_kind, read_json
from idpbench.files.errors import bad_input
from idpbench.files.provenance import PACKAGE

FOLDER = PACKAGE / "files" / "schemas"


def check(value: Any, kind: str, source: object) -> None:
    """Refuse a document that is not a valid `idpbench/<kind>/1`; the message names the place in it."""
    expect_kind(value, kind, source)
    error = best_match(validator(kind).iter_errors(value))
    if error is not None:
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
        expected = f"what {kind}.schema.json allows"
        raise bad_input(source, place.lstrip("."), error.message[:300], expected, "make the file again")


@lru_cache
def validator(kind: str) -> Draft202012Validator:
    """The validator of a kind; the schemas name each other by `$id`."""
    schemas = [read_json(path) for path in sorted(FOLDER.glob("*.schema.json"))]
    registry: Registry[Any] = Registry().with_resources(
        (str(schema["$id"]), Resource.from_contents(schema)) for schema in schemas if "$id" in schema
    )
    schema = read_json(FOLDER / f"{kind}.schema.json")
    return Draft202012Validator(schema, registry=registry)
