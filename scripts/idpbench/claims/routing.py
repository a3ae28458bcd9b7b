"""Which extractor a source type belongs to, and so which suites measure which extractor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from idpbench.claims.extractors.base import Extractor
from idpbench.claims.suite.model import Suite
from idpbench.files.errors import Refusal, nearest

E = TypeVar("E", bound="Routable")


class Routable(Protocol):
    """What routing asks of an extractor."""

    @property
    def extractor_id(self) -> str:
        """Its name."""

    @property
    def must_not(self) -> frozenset[str]:
        """Types that are never routed to it."""

    def accepts(self, source_type: str) -> bool:
        """Whether it can read the type."""


def owner(source_type: str, registry: Sequence[E]) -> E | None:
    """The first registered extractor that accepts the type and is not barred from it; None if there is none."""
    for extractor in registry:
        if source_type not in extractor.must_not and extractor.accepts(source_type):
            return extractor
    return None


def owners(source_types: Iterable[str], registry: Sequence[E]) -> list[E]:
    """The owners of any of the types, in registry order."""
    ids = {found.extractor_id for kind in source_types if (found := owner(kind, registry)) is not None}
    return [extractor for extractor in registry if extractor.extractor_id in ids]


def matches(source_types: Iterable[str], extractor_id: str, registry: Sequence[Routable]) -> bool:
    """Whether the extractor owns at least one of the types."""
    return any(found.extractor_id == extractor_id for found in owners(source_types, registry))


def extractor_named(extractor_id: str, registry: Sequence[E]) -> E:
    """The extractor of that name; an unknown one is a Refusal."""
    for extractor in registry:
        if extractor.extractor_id == extractor_id:
            return extractor
    hint = nearest(extractor_id, [extractor.extractor_id for extractor in registry])
    raise Refusal(f"no extractor is named {extractor_id}; {hint}")


def suites_for(
    extractor_id: str, suites: Sequence[Suite], registry: Sequence[Extractor], suite_id: str | None = None
) -> list[Suite]:
    """The suites that measure an extractor: the one named, past routing, or those of which it owns a source type.

    An unknown extractor or suite, or no suite at all, is a Refusal.
    """
    extractor_named(extractor_id, registry)
    if suite_id is not None:
        named = [suite for suite in suites if suite.suite_id == suite_id]
        if not named:
            hint = nearest(suite_id, [suite.suite_id for suite in suites])
            raise Refusal(f"no suite is named {suite_id}; {hint}")
        return named
    found = [suite for suite in suites if matches(suite.source_types, extractor_id, registry)]
    if not found:
        raise Refusal(f"no suite has a source type that is routed to {extractor_id}; name one with --suite")
    return found


def accepted_suites(suites: Sequence[Suite], extractors: Sequence[Routable]) -> list[Suite]:
    """The suites of a comparison: those with a source type that any of the extractors accepts."""
    return [
        suite
        for suite in suites
        if any(extractor.accepts(kind) for kind in suite.source_types for extractor in extractors)
    ]
