"""Generated documents into a folder, each held against the manifest before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from idpbench.corpus.build import SOURCE, Made, build
from idpbench.corpus.manifest import entry_of, load_manifest, verify
from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import file_digest
from idpbench.files.errors import bad_input, nearest

if TYPE_CHECKING:
    from idpbench.settings.grid import Document


def pdf_path(folder: Path, name: str) -> Path:
    """Where a document's PDF lies."""
    return folder / f"{name}.pdf"


def truth_path(folder: Path, name: str) -> Path:
    """Where a document's truth lies."""
    return folder / f"{name}.truth.json"


def chosen(documents: Mapping[str, Document], ids: Sequence[str] | None) -> list[Document]:
    """The documents with these ids (all, when None); an unknown id is a Refusal that names the nearest."""
    for name in ids or ():
        if name not in documents:
            raise bad_input(SOURCE, f"documents.{name}", "no such document", "a document", nearest(name, documents))
    return [documents[name] for name in (documents if ids is None else dict.fromkeys(ids))]


def generate(
    documents: Mapping[str, Document],
    folder: Path,
    manifest: Path,
    ids: Sequence[str] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> list[str]:
    """Write `<id>.pdf` and `<id>.truth.json` of the documents into `folder`; the ids that were written.

    A document whose two files already have the manifest's digests is left as it is. Bytes that differ from the
    manifest are a Refusal, and nothing of that document is written.
    """
    entries = load_manifest(manifest)
    written = []
    for document in chosen(documents, ids):
        entry = entry_of(entries, document.id, manifest)
        places = (pdf_path(folder, document.id), truth_path(folder, document.id))
        if all(
            place.is_file() and file_digest(place) == entry[key]
            for place, key in zip(places, ("sha256", "truth_sha256"), strict=True)
        ):
            progress(f"{document.id}: up to date")
            continue
        made = build(document)
        verify(made, entry, document.id, manifest)
        write(made, folder, document.id)
        written.append(document.id)
        progress(f"{document.id}: {made.pages} pages, {made.truth['rows']} rows, {len(made.pdf) / 1024:.0f} KiB")
    return written


def write(made: Made, folder: Path, name: str) -> None:
    """Write both files, the truth first: a PDF is never there without its truth."""
    write_bytes(truth_path(folder, name), made.truth_bytes)
    write_bytes(pdf_path(folder, name), made.pdf)
