"""Which extractors there are: ours first, then those of installed packages. The order decides who owns a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import metadata

from idpbench.claims.extractors.base import Extractor
from idpbench.claims.extractors.bibliography import BibliographyExtractor
from idpbench.claims.extractors.catalogue import CatalogueExtractor
from idpbench.claims.extractors.graph import GraphExtractor
from idpbench.claims.extractors.idprecord import IdpRecordExtractor
from idpbench.claims.extractors.invoice import InvoiceExtractor
from idpbench.claims.extractors.prose import ProseExtractor
from idpbench.claims.extractors.sheet import SheetExtractor
from idpbench.files.errors import Refusal, bad_input, nearest

GROUP = "idpbench.claims_extractors"
OWN: tuple[Callable[[], Extractor], ...] = (
    CatalogueExtractor,
    GraphExtractor,
    SheetExtractor,
    BibliographyExtractor,
    InvoiceExtractor,
    IdpRecordExtractor,
    ProseExtractor,
)


def registry(more: Sequence[Extractor] = ()) -> list[Extractor]:
    """All extractors, in the order in which they are asked; two of one id, or one that does not load, are a Refusal.

    `more` come last: those that were made of the configuration.
    """
    found = [make() for make in OWN]
    ours = {type(extractor).__module__ for extractor in found}
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if point.module in ours:  # our own are listed as entry points too, and are here already
            continue
        found.append(_load(point))
    found.extend(more)
    seen: dict[str, str] = {}
    for extractor in found:
        place = type(extractor).__module__
        if extractor.extractor_id in seen:
            raise bad_input(
                place, "extractor_id", f"{extractor.extractor_id}, as in {seen[extractor.extractor_id]}",
                "an id of its own", "rename one of them, or uninstall its package",
            )  # fmt: skip
        seen[extractor.extractor_id] = place
    return found


def by_id(extractor_id: str) -> Extractor:
    """The extractor of that id; a Refusal names the nearest ones."""
    found = {extractor.extractor_id: extractor for extractor in registry()}
    if extractor_id not in found:
        raise Refusal(f"extractor {extractor_id}: not installed; {nearest(extractor_id, found)}")
    return found[extractor_id]


def _load(point: metadata.EntryPoint) -> Extractor:
    try:
        made: Extractor = point.load()()
        if not made.extractor_id or not made.version:
            raise ValueError("without extractor_id or version")
    except Exception as error:  # a plug-in may raise anything
        raise bad_input(
            f"entry point {GROUP}: {point.name}", point.value, f"{type(error).__name__}: {error}",
            "a class or function that gives an extractor", "repair or uninstall that package",
        ) from error  # fmt: skip
    return made
