"""A run record as it may be shared: what the stack said of itself is redacted, what the documents say is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.files import redact

# What a document says, or was read as: measured, so that it stays as it is, whatever its numbers look like.
_CONTENT = ("inference_result", "explainability_info")


def shareable(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record without account numbers, ARNs and credentials, as it leaves the vault; `shareable` twice is once.

    What the documents say (extracted values, texts of pages, values in the evaluation) is not touched. Everything
    that is scored comes after this, so that published records give the numbers that the first reading gave.
    """
    told = {name: value for name, value in record.items() if name != "documents"}
    parts = [_split(entry) for entry in record["documents"]]
    accounts = redact.accounts_in([told, [open_part for open_part, _ in parts]])
    stated = record["stack"].get("account")
    accounts |= {stated} if isinstance(stated, str) and stated.isdecimal() else set()
    result: dict[str, Any] = redact.tree(told, accounts)
    result["documents"] = [_join(redact.tree(open_part, accounts), content) for open_part, content in parts]
    return result


def _split(entry: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A document's entry without what its paper says, and that, section by section with the other parts at the end."""
    told = dict(entry)
    content: list[dict[str, Any]] = []
    sections = []
    for section in entry["sections"]:
        value = section["value"]
        held = {name: value[name] for name in _CONTENT if name in value} if isinstance(value, dict) else {}
        rest = {name: inner for name, inner in value.items() if name not in held} if held else value
        sections.append({**section, "value": rest})
        content.append(held)
    content.append({name: told.pop(name) for name in ("pages", "evaluation")})
    return {**told, "sections": sections}, content


def _join(told: dict[str, Any], content: list[dict[str, Any]]) -> dict[str, Any]:
    """The inverse of `_split`."""
    for section, held in zip(told["sections"], content, strict=False):
        if held:
            section["value"] |= held
    return {**told, **content[-1]}
