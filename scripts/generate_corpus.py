"""Step: documents with exact truth, generated into a folder and held against the committed manifest."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from idpbench.corpus.generate import generate
from idpbench.corpus.update import check_written, update_manifest
from idpbench.files.step import run_step
from idpbench.settings.load import load


def main() -> None:
    """Generate; with `--check` read back what was generated; with `--update-manifest` enter it instead."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--config-root", type=Path, default=Path(), help="folder that holds config/ (default: here)")
    add("--documents", nargs="+", metavar="ID", help="documents of config/documents.yaml (default: all)")
    add("--output", type=Path, default=Path("corpus/docs"), help="folder for PDFs and truth files")
    add("--manifest", type=Path, default=Path("corpus/manifest.json"), help="digests that the files must have")
    add("--work", type=Path, default=Path("work/corpus"), help="cache of OCR and of finished checks")
    add("--check", action="store_true", help="read every document back and compare it with its truth")
    add("--update-manifest", action="store_true", help="check and enter what is generated now (maintainers)")
    given = parser.parse_args()
    say = partial(print, file=sys.stderr, flush=True)
    documents = load(given.config_root).documents
    if given.update_manifest:
        update_manifest(documents, given.output, given.manifest, given.work, given.documents, say)
        return
    generate(documents, given.output, given.manifest, given.documents, say)
    if given.check:
        check_written(given.documents or list(documents), given.output, given.work, say)


if __name__ == "__main__":
    run_step(main)
