"""A run of the small suite that ended in every way, for tests of what is made from results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gold_small import Ran, recipe

from idpbench.files.canonical import loads
from idpbench.gold.suite.load import Suite
from idpbench.gold.transport.base import TransportError


@dataclass(frozen=True, repr=False)
class Case:
    """The repository, its suite without the staged workbook, and the document of the run."""

    root: Path
    suite: Suite
    ran: Ran

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = loads(self.ran.folder.result.read_bytes(), "result")
        return document


def mixed(member: str, n: int) -> str | TransportError:
    """Right about alpha on the second try, half right about beta, and no reply to the second try about omega."""
    if member == "beta-table":
        return recipe(member, years="R1C2")
    if n == 1:
        return "no"
    return recipe(member) if member == "alpha-table" else TransportError("HTTP_500", "down")
