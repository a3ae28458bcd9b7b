"""Several documents of one class within one section: where each begins."""

from __future__ import annotations

from collections.abc import Sequence

from idpbench.localstack.engine.classify import shows_identity
from idpbench.localstack.engine.reader import Reader
from idpbench.localstack.engine.schema import DocumentClass


def documents_in(
    reader: Reader, document_class: DocumentClass, pages: Sequence[int], share: float
) -> list[tuple[int, ...]]:
    """The section's pages by document: an identity block with other values than the last one begins another."""
    groups: list[list[int]] = []
    identity: dict[tuple[str, ...], str] = {}
    for index in pages:
        shown = {path: value.text for path, value in reader.page_fields(document_class, index).items()}
        opens = not groups
        if shows_identity(reader, document_class, index, share):
            common = [path for path in shown if path in identity]
            other = sum(shown[path] != identity[path] for path in common)
            if groups and common and 2 * other >= len(common):
                opens = True
            if opens or not identity:
                identity = shown
        if opens:
            groups.append([])
        groups[-1].append(index)
    return [tuple(group) for group in groups]
