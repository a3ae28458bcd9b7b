"""Classes of a configuration as the engine sees them: names, scalars, groups and lists with their types.

Both spellings are read: JSON Schema with `x-aws-idp-*` extensions, and the older list of attributes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from idpbench.files.canonical import digest
from idpbench.localstack.engine.errors import invalid

_NUMERIC_KEYWORDS = frozenset(
    [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ]
)


@dataclass(frozen=True)
class Property:
    """One property of a class. `path` holds the names of the groups around it and its own."""

    path: tuple[str, ...]
    kind: str  # string | number | integer | boolean | date
    description: str
    schema: Mapping[str, Any] = field(hash=False, compare=False)

    @property
    def name(self) -> str:
        """The property's own name."""
        return self.path[-1]


@dataclass(frozen=True)
class ListProperty:
    """A list: of objects with `items`, or of plain values with `scalar`."""

    path: tuple[str, ...]
    items: tuple[Property, ...]
    scalar: Property | None
    description: str

    @property
    def name(self) -> str:
        """The list's own name."""
        return self.path[-1]


@dataclass(frozen=True)
class DocumentClass:
    """One class: its name, the scalars and lists in schema order, and the schema itself."""

    name: str
    description: str
    scalars: tuple[Property, ...]
    lists: tuple[ListProperty, ...]
    schema: Mapping[str, Any] = field(hash=False, compare=False)
    multi_instance: bool = False
    excluded: bool = False

    @property
    def empty(self) -> bool:
        """True when there is nothing to extract."""
        return not self.scalars and not self.lists

    @cached_property
    def digest(self) -> str:
        """Digest of the class as read."""
        return digest([self.name, self.schema])

    @cached_property
    def prompt_text(self) -> str:
        """The schema as a request would hold it."""
        return json.dumps(self.schema, ensure_ascii=False, indent=2)


def read_classes(configuration: Mapping[str, Any]) -> tuple[DocumentClass, ...]:
    """The classes of a configuration; none, or one that is no mapping, is a JobError."""
    entries = configuration.get("classes")
    if not isinstance(entries, list) or not entries:
        raise invalid("configuration classes: found none, expected a list with at least one class schema")
    classes = []
    for number, entry in enumerate(entries):
        if not isinstance(entry, Mapping):
            raise invalid(f"configuration classes[{number}]: found {type(entry).__name__}, expected a class schema")
        schema = _from_attributes(entry) if "attributes" in entry and "properties" not in entry else dict(entry)
        classes.append(_document_class(_numbers(schema), number))
    return tuple(classes)


def _document_class(schema: dict[str, Any], number: int) -> DocumentClass:
    name = schema.get("x-aws-idp-document-type") or schema.get("title") or schema.get("$id") or schema.get("name")
    if not isinstance(name, str):
        raise invalid(f"configuration classes[{number}]: found no name, expected x-aws-idp-document-type or $id")
    resolved = _resolve(schema, schema, ())
    scalars: list[Property] = []
    lists: list[ListProperty] = []
    for item in _walk(resolved, ()):
        if isinstance(item, Property):
            scalars.append(item)
        else:
            lists.append(item)
    return DocumentClass(
        name=name,
        description=str(schema.get("description") or ""),
        scalars=tuple(scalars),
        lists=tuple(lists),
        schema=resolved,
        multi_instance=_true(schema.get("x-aws-idp-multi-instance")),
        excluded=_true(schema.get("x-aws-idp-exclude")) or _true(schema.get("x-aws-idp-excluded")),
    )


def _true(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in {"true", "on", "yes"})


def _walk(schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Property | ListProperty]:
    properties = schema.get("properties")
    for name, child in properties.items() if isinstance(properties, Mapping) else ():
        here = (*path, str(name))
        if not isinstance(child, Mapping):
            continue
        kind = schema_type(child)
        if kind == "object" or "properties" in child:
            yield from _walk(child, here)
        elif kind == "array":
            yield _list_property(child, here)
        else:
            yield _property(child, here)


def _list_property(child: Mapping[str, Any], path: tuple[str, ...]) -> ListProperty:
    items = child.get("items")
    items = items if isinstance(items, Mapping) else {}
    description = str(child.get("description") or "")
    if "properties" in items:
        columns = tuple(item for item in _walk(items, ()) if isinstance(item, Property))
        return ListProperty(path, columns, None, description)
    return ListProperty(path, (), _property(items, (path[-1],)), description)


def _property(child: Mapping[str, Any], path: tuple[str, ...]) -> Property:
    kind = schema_type(child)
    if kind == "string" and child.get("format") in {"date", "date-time"}:
        kind = "date"
    return Property(path, kind, str(child.get("description") or ""), child)


def schema_type(schema: Mapping[str, Any]) -> str:
    """The one JSON type of a schema, with null taken out of a union; string where none is stated."""
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    return str(kind)


def _resolve(node: Any, root: Mapping[str, Any], seen: tuple[str, ...]) -> Any:
    """The schema with local references put in; a reference into itself is cut to an empty object."""
    if isinstance(node, list):
        return [_resolve(item, root, seen) for item in node]
    if not isinstance(node, Mapping):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return {}
        target: Any = root
        for part in reference.lstrip("#/").split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_resolve(target, root, (*seen, reference)), **_resolve(rest, root, seen)}
    return {key: _resolve(value, root, seen) for key, value in node.items() if key not in {"$defs", "definitions"}}


def _numbers(node: Any) -> Any:
    """Bounds that a configuration table stored as text, as numbers again."""
    if isinstance(node, list):
        return [_numbers(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    fixed = {}
    for key, value in node.items():
        if key in _NUMERIC_KEYWORDS and isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
            fixed[key] = float(value) if "." in value else int(value)
        else:
            fixed[key] = _numbers(value)
    return fixed


def _from_attributes(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "x-aws-idp-document-type": entry.get("name"),
        "description": entry.get("description", ""),
        "type": "object",
        "properties": _attribute_properties(entry.get("attributes")),
    }


def _attribute_properties(attributes: Any) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for attribute in attributes if isinstance(attributes, list) else []:
        name, kind = str(attribute.get("name")), attribute.get("attributeType", "simple")
        description = str(attribute.get("description") or "")
        if kind == "group":
            inner = _attribute_properties(attribute.get("groupAttributes"))
            properties[name] = {"type": "object", "description": description, "properties": inner}
        elif kind == "list":
            inner = _attribute_properties((attribute.get("listItemTemplate") or {}).get("itemAttributes"))
            items = {"type": "object", "properties": inner}
            properties[name] = {"type": "array", "description": description, "items": items}
        else:
            properties[name] = {"type": "string", "description": description}
    return properties


def as_number(value: Any, otherwise: float) -> float:
    """A number that may have been stored as text; `otherwise` where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return otherwise
