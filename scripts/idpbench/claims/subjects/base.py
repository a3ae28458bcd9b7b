"""What scoring asks of a resolver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Ref:
    """A link to an entry of an authority; `confidence` within [0, 1], and it counts at any."""

    namespace: str
    id: str
    confidence: float


@dataclass(frozen=True)
class Resolution:
    """Where a name landed. `note` says why a look-up failed; it then has no refs."""

    canonical_name: str
    refs: tuple[Ref, ...] = ()
    note: str = ""


class Resolver(Protocol):
    """Resolves names against an authority; each call stands alone, nothing is remembered between two."""

    @property
    def id(self) -> str:
        """The authority and its digest or address."""

    def resolve(self, name: str, mention: str) -> Resolution:
        """The subject that `name` means in the sentence `mention`."""
