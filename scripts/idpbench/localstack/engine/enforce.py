"""Enforcement: printed values to schema types, the check against the schema, and the second reading of what fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from idpbench.files.canonical import canonical
from idpbench.localstack.engine.schema import DocumentClass, Property
from idpbench.localstack.engine.values import CONFUSED, coerce, date_order

LISTED_ERRORS = 20  # how many errors a section lists one by one


@dataclass
class Enforcement:
    """What enforcement did to one record. `failed`: paths of values that do not have the schema's type."""

    coercions: int = 0
    refusals: int = 0
    reread: int = 0
    failed: list[tuple[str, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Leaf:
    """One value of a record: where it stands and which property it is."""

    holder: dict[str, Any]
    key: str
    item: Property
    path: tuple[str, ...]


def leaves(record: dict[str, Any], document_class: DocumentClass) -> list[Leaf]:
    """Every value of a record, scalars first, then the lists' cells row by row."""
    found = []
    for item in document_class.scalars:
        holder = _holder(record, item.path)
        if holder is not None and item.name in holder:
            found.append(Leaf(holder, item.name, item, item.path))
    for wanted in document_class.lists:
        holder = _holder(record, wanted.path)
        rows = holder.get(wanted.name) if holder else None
        by_name = {item.name: item for item in wanted.items}
        for number, row in enumerate(rows or []):
            place = (*wanted.path, f"[{number}]")
            found.extend(Leaf(row, key, by_name[key], (*place, key)) for key in row if key in by_name)
    return found


def _holder(record: dict[str, Any], path: Sequence[str]) -> dict[str, Any] | None:
    holder: Any = record
    for name in path[:-1]:
        holder = holder.get(name) if isinstance(holder, dict) else None
    return holder if isinstance(holder, dict) else None


def enforce_types(record: dict[str, Any], document_class: DocumentClass) -> Enforcement:
    """Coerce the record in place. A value that can be read in two ways stays as printed and counts as refused."""
    result = Enforcement()
    for leaf in leaves(record, document_class):
        value = leaf.holder[leaf.key]
        if not isinstance(value, str) or leaf.item.kind == "string":
            continue
        outcome = coerce(value, leaf.item.kind)
        if outcome.state == "refused":
            result.refusals += 1
            result.failed.append(leaf.path)
        elif outcome.state == "changed":
            leaf.holder[leaf.key] = outcome.value
            result.coercions += 1
    return result


def read_again(
    record: dict[str, Any],
    document_class: DocumentClass,
    wanted: Set[tuple[str, ...]],
    orders: Mapping[tuple[str, ...], str],
) -> int:
    """A stronger reading of the values at `wanted`, in place; returns how many changed.

    It looks at what a single value cannot tell: how the other dates of the column are written (`orders`, from
    `printed_orders`), and which digits a letter in a number may stand for.
    """
    changed = 0
    for leaf in leaves(record, document_class):
        value = leaf.holder[leaf.key]
        if leaf.path not in wanted or not isinstance(value, str) or leaf.item.kind == "string":
            continue
        for text in (value, value.translate(CONFUSED)):
            outcome = coerce(text, leaf.item.kind, orders.get(_column(leaf.path), ""))
            if outcome.state == "changed":
                leaf.holder[leaf.key] = outcome.value
                changed += 1
                break
    return changed


def _column(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for part in path if not part.startswith("["))


def printed_orders(record: dict[str, Any], document_class: DocumentClass) -> dict[tuple[str, ...], str]:
    """The order of day and month per date column, from the values as printed (before coercion replaces them)."""
    texts: dict[tuple[str, ...], list[str]] = {}
    for leaf in leaves(record, document_class):
        if leaf.item.kind == "date" and isinstance(leaf.holder[leaf.key], str):
            texts.setdefault(_column(leaf.path), []).append(leaf.holder[leaf.key])
    return {column: date_order(values) for column, values in texts.items()}


@lru_cache(maxsize=64)
def _validator(schema: bytes) -> Any:
    import json

    from jsonschema import Draft202012Validator, FormatChecker

    return Draft202012Validator(json.loads(schema), format_checker=FormatChecker(["date"]))


@dataclass(frozen=True)
class Verdict:
    """A record against its schema: the block that section metadata carry, and the paths of the values that fail."""

    block: dict[str, Any]
    paths: frozenset[tuple[str, ...]]


def validate(record: Mapping[str, Any], document_class: DocumentClass) -> Verdict:
    """Check a record against the class schema. Absent values count as not given."""
    validator = _validator(canonical(document_class.schema))
    errors: list[dict[str, str]] = []
    by_field: dict[str, int] = {}
    paths = set()
    for error in validator.iter_errors(_given(record)):
        path = tuple(f"[{part}]" if isinstance(part, int) else str(part) for part in error.absolute_path)
        name = path[0] if path else _missing(error)
        by_field[name] = by_field.get(name, 0) + 1
        paths.add(path)
        if len(errors) < LISTED_ERRORS:
            errors.append({"path": ".".join(path), "rule": str(error.validator), "message": error.message[:200]})
    block = {
        "valid": not by_field,
        "error_count": sum(by_field.values()),
        "failed_fields": sorted(by_field),
        "errors_by_field": dict(sorted(by_field.items())),
        "errors": errors,
    }
    return Verdict(block, frozenset(paths))


def _missing(error: Any) -> str:
    given = error.instance if isinstance(error.instance, Mapping) else {}
    return next((name for name in error.schema.get("required", []) if name not in given), "")


def _given(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _given(inner) for key, inner in value.items() if inner is not None}
    return [_given(inner) for inner in value] if isinstance(value, list) else value
