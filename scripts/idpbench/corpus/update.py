"""Entering documents into the manifest: generate, check by reading back, then write. For maintainers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from idpbench.corpus.build import build
from idpbench.corpus.generate import chosen, pdf_path, truth_path, write
from idpbench.corpus.manifest import load_manifest, make_entry, write_manifest
from idpbench.corpus.selfcheck import check_document
from idpbench.files.canonical import read_json

if TYPE_CHECKING:
    from idpbench.settings.grid import Document


def update_manifest(
    documents: Mapping[str, Document],
    folder: Path,
    manifest: Path,
    work: Path,
    ids: Sequence[str] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> None:
    """Generate and check the documents (all, when `ids` is None) and write their entries.

    Nothing is entered that cannot be read back. Without `ids`, entries of documents that are no longer declared go.
    """
    entries = load_manifest(manifest) if manifest.is_file() else {}
    if ids is None:
        entries = {name: entry for name, entry in entries.items() if name in documents}
    for document in chosen(documents, ids):
        made = build(document)
        check = check_document(made.pdf, made.truth, document.id, work=work)
        entries[document.id] = make_entry(document, made, check.summary())
        write(made, folder, document.id)
        progress(f"{document.id}: {made.pages} pages, {check.read} of {check.values} values read ({check.method})")
    write_manifest(manifest, entries)


def check_written(
    names: Sequence[str], folder: Path, work: Path, progress: Callable[[str], None] = lambda line: None
) -> None:
    """Read the documents in `folder` back against their truth; Refusal for the first that does not pass."""
    for name in names:
        pdf, truth = pdf_path(folder, name).read_bytes(), read_json(truth_path(folder, name), "truth")
        check = check_document(pdf, truth, name, work=work)
        progress(f"{name}: {check.read} of {check.values} values read ({check.method})")
