"""What the run records of a cell say of where and as what they ran: the part of meta that no row carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Provenance:
    """Distinct stack names, versions at launch, regions, accounts, templates and commits of the records noted."""

    def __init__(self) -> None:
        self._found: dict[str, set[str]] = {}

    def note(self, record: Mapping[str, Any]) -> None:
        """Take a record's facts in; what it does not state is left out."""
        stack = record.get("stack") or {}
        launch = record.get("launch") or {}
        facts = {
            "stack": stack.get("name"),
            "stack_version": (launch.get("fingerprint") or {}).get("version"),
            "region": stack.get("region"),
            "account": stack.get("account"),
            "template_digest": stack.get("template_digest"),
            "commit": launch.get("commit"),
        }
        for name, value in facts.items():
            if value is not None:
                self._found.setdefault(name, set()).add(str(value))

    def content(self) -> dict[str, list[str]]:
        """Fact -> its values, sorted."""
        return {name: sorted(values) for name, values in sorted(self._found.items())}
