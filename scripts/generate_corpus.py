"""Generate documents with exact truth into a folder, held against the committed manifest."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from idpbench.corpus.generate import chosen, generate
from idpbench.corpus.update import check_written, update_manifest
from idpbench.files.step import run_step
from idpbench.settings.load import load


def main() -> None:
    """Read the flags, load config/, call the room."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config-root", type=Path, default=Path("."), help="folder that holds config/ (default: .)")
    parser.add_argument(
        "--documents", nargs="+", metavar="ID", help="documents of config/documents.yaml (default: all)"
    )
    parser.add_argument("--output", type=Path, default=Path("corpus/docs"), help="folder for PDFs and truth files")
    parser.add_argument(
        "--manifest", type=Path, default=Path("corpus/manifest.json"), help="digests to hold them against"
    )
    parser.add_argument("--work", type=Path, default=Path("work/corpus"), help="cache of OCR and of finished checks")
    parser.add_argument("--check", action="store_true", help="read every document back and compare it with its truth")
    parser.add_argument("--update-manifest", action="store_true", help="enter what is generated now (for maintainers)")
    given = parser.parse_args()

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    documents = load(given.config_root).documents
    if given.update_manifest:
        update_manifest(documents, given.output, given.manifest, given.work, given.documents, say)
        return
    generate(documents, given.output, given.manifest, given.documents, say)
    if given.check:
        names = [document.id for document in chosen(documents, given.documents)]
        check_written(names, given.output, given.work, say)


if __name__ == "__main__":
    run_step(main)
