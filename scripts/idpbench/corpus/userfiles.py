"""PDFs that a user brings: each one opened before anything is launched on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from idpbench.files.canonical import bytes_digest
from idpbench.files.errors import Refusal, bad_input
from idpbench.reading.document import UnreadablePdf, open_pdf
from idpbench.reading.textlayer import text_page


@dataclass(frozen=True, slots=True)
class PdfFacts:
    """What is known of a readable PDF; `text_pages` is the number of its pages with a text layer."""

    path: Path
    sha256: str
    pages: int
    text_pages: int


def check_pdf(path: Path) -> PdfFacts:
    """Open one PDF and look at its pages. UnreadablePdf (a Refusal) names the file, the fault and the remedy."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise bad_input(path, "", error.strerror, "a readable PDF", "check the path and its permissions") from None
    with open_pdf(data, str(path)) as document:
        with_text = sum(bool(text_page(document, index).words) for index in range(document.page_count))
        return PdfFacts(path, bytes_digest(data), document.page_count, with_text)


def check_pdfs(paths: Iterable[Path]) -> list[PdfFacts]:
    """Check all; one Refusal that names every file that cannot be read, rather than the first only."""
    facts: list[PdfFacts] = []
    wrong: list[Refusal] = []
    for path in paths:
        try:
            facts.append(check_pdf(path))
        except Refusal as refusal:
            wrong.append(refusal)
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise Refusal(f"{len(wrong)} files cannot be read:\n" + "\n".join(f"  {refusal}" for refusal in wrong))
    return facts


def check_reference(folder: Path) -> list[PdfFacts]:
    """Check a labelled set: `<folder>/input/*.pdf`, with `<folder>/baseline/<file>/sections/*/result.json` of each."""
    inputs = sorted((folder / "input").glob("*.pdf")) if (folder / "input").is_dir() else []
    if not inputs:
        raise bad_input(folder / "input", "", "no PDF", "the documents of the labelled set", "put them there")
    for path in inputs:
        labels = folder / "baseline" / path.name / "sections"
        if not any(labels.glob("*/result.json")):
            raise bad_input(labels, "", "no labels", "<n>/result.json per section", "add them, or remove the document")
    return check_pdfs(inputs)


__all__ = ["PdfFacts", "UnreadablePdf", "check_pdf", "check_pdfs", "check_reference"]
