"""The committed manifest: the digests that every machine's generated documents must have (`idpbench/manifest/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idpbench.corpus.build import Made
from idpbench.files.canonical import bytes_digest, read_json, write_json
from idpbench.files.errors import Refusal, bad_input, nearest
from idpbench.files.provenance import package_versions

if TYPE_CHECKING:
    from idpbench.settings.grid import Document

UPDATE = "python scripts/generate_corpus.py --update-manifest"


def load_manifest(path: Path) -> dict[str, Any]:
    """Entries by document id; Refusal when the file is missing or of another kind."""
    entries: dict[str, Any] = read_json(path, "manifest")["documents"]
    return entries


def entry_of(entries: Mapping[str, Any], name: str, path: Path, update: str = UPDATE) -> dict[str, Any]:
    """A document's entry; a document that was never entered is a Refusal."""
    if name not in entries:
        remedy = f"after adding a document, enter it: {update} ({nearest(name, entries)})"
        raise bad_input(path, f"documents.{name}", "no entry", "the digest of its PDF", remedy)
    entry: dict[str, Any] = entries[name]
    return entry


def make_entry(document: Document, made: Made, self_check: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest's entry of a document that was just made and checked."""
    return {
        "sha256": bytes_digest(made.pdf),
        "truth_sha256": bytes_digest(made.truth_bytes),
        "pages": made.pages,
        "rows": made.truth["rows"],
        "generator": document.generator,
        "parameters": dict(document.parameters),
        "class": document.doc_class,
        "self_check": dict(self_check),
    }


def verify(made: Made, entry: Mapping[str, Any], name: str, path: Path, update: str = UPDATE) -> None:
    """Refuse bytes that are not those of the manifest: results measured on them would not be comparable."""
    for key, data in (("sha256", made.pdf), ("truth_sha256", made.truth_bytes)):
        found = bytes_digest(data)
        if found != entry[key]:
            versions = ", ".join(f"{k} {v}" for k, v in package_versions(("reportlab", "pillow", "numpy")).items())
            raise Refusal(
                f"{path}: documents.{name}.{key}: found {found[:16]} (generated here with {versions}), "
                f"expected {entry[key][:16]}; install the locked versions (requirements.lock), or, "
                f"if a generator or its entry in config/ was meant to change: {update}"
            )


def write_manifest(path: Path, entries: Mapping[str, Any]) -> None:
    """Write the manifest whole (maintainers only)."""
    write_json(path, {"schema": "idpbench/manifest/1", "documents": dict(entries)}, flat_from=4)
