"""Is every truth value readable on the page? Read back through `reading`, as any reader would have to.

A clean document must say each value exactly, with no two words printed over each other and nothing beyond the page.
A scan-like document is read by OCR: cells that noise touches are exempt by name; of the rest, 99 % must be read (white
space aside), and what was not is listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from idpbench.files.atomic import write_bytes
from idpbench.files.canonical import bytes_digest, canonical, digest, loads
from idpbench.files.errors import Refusal
from idpbench.files.provenance import source_digest
from idpbench.reading.document import open_pdf
from idpbench.reading.labels import label_values
from idpbench.reading.layout import Table, read_tables
from idpbench.reading.lines import page_lines
from idpbench.reading.ocr import OcrCache, engine_version
from idpbench.reading.pages import ocr_page
from idpbench.reading.textlayer import text_page
from idpbench.reading.words import Page, Word

READ_SHARE = 0.99  # of the values of a scan-like document
OCR_DPI = 300
OCR_THREADS = 2
_TAG = re.compile(r"SEQ\d{5}")


@dataclass(frozen=True, slots=True)
class Check:
    """`method` text or ocr; `read` of `values` were found as printed; `tags` SEQ tags were found exactly.

    `misses` names each value that was not read: `SEQ00012 Amount: expected '1.50', read '150'`.
    `faults` are what no page may have: words over each other, words beyond the page, rows too many.
    """

    method: str
    values: int
    read: int
    tags: int
    misses: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Nothing lost on a clean page, at most 1 % on a scan, and no fault."""
        least = self.values if self.method == "text" else READ_SHARE * self.values
        return self.read >= least and not self.faults

    def summary(self) -> dict[str, Any]:
        """For the manifest."""
        return {"method": self.method, "values": self.values, "read": self.read, "tags": self.tags,
                "misses": list(self.misses)}  # fmt: skip


def check_document(pdf: bytes, truth: Mapping[str, Any], name: str, *, work: Path | None = None) -> Check:
    """Check a document, or recall the result for the same bytes, truth, readers and checker from `work`.

    Refusal, with the first misses, when it does not pass. Without `work` nothing is kept, OCR neither.
    """
    place: Path | None = None
    if work is not None:
        method = source_digest("reading", "corpus.selfcheck")
        place = work / "selfcheck" / f"{digest([bytes_digest(pdf), truth, method, _engine()])}.json"
    check = _recall(place)
    if check is None:
        check = self_check(pdf, truth, name, OcrCache(None if work is None else work / "ocr"))
        if place is not None:
            write_bytes(place, canonical(asdict(check)))
    if not check.passed:
        shown = "; ".join([*check.faults, *check.misses][:5])
        raise Refusal(
            f"{name}: found {check.read} of {check.values} truth values on its pages ({check.method}), expected "
            f"{'all' if check.method == 'text' else f'{READ_SHARE:.0%}'} and no fault: {shown}; "
            "the generator draws something that cannot be read: correct its layout"
        )
    return check


def self_check(pdf: bytes, truth: Mapping[str, Any], name: str, cache: OcrCache | None = None) -> Check:
    """Read the document back and compare."""
    with open_pdf(pdf, name) as document:
        indices = range(document.page_count)
        pages = [text_page(document, index) for index in indices]
        scanned = not any(page.words for page in pages)
        if scanned:
            with ThreadPoolExecutor(OCR_THREADS) as pool:
                pages = list(pool.map(lambda index: ocr_page(document, index, dpi=OCR_DPI, cache=cache), indices))
    misses: list[str] = []
    values, tags = _check_fields(pages, truth, scanned, misses), 0
    faults = [] if scanned else [fault for page in pages for fault in page_faults(page)]
    if truth["seq_ids"]:
        names = list(next(iter(truth["rows_rendered"].values())))
        rows = _read_rows(read_tables(pages, names))
        tags = sum(tag in truth["rows_rendered"] for tag in {row[0] for row in rows})
        if not scanned and len(rows) != len(truth["seq_ids"]):
            faults.append(f"{len(rows)} rows on the pages, {len(truth['seq_ids'])} in the truth")
        values += _check_rows(rows, truth, scanned, misses)
    method = "ocr" if scanned else "text"
    return Check(method, values, values - len(misses), tags, tuple(misses), tuple(faults))


def page_faults(page: Page) -> list[str]:
    """Words that reach beyond the page, and pairs of words of which one covers part of the other."""
    faults = [
        f"page {page.index + 1}: {word.text!r} reaches beyond the page"
        for word in page.words
        if word.x0 < 0 or word.y0 < 0 or word.x1 > page.width or word.y1 > page.height
    ]
    words = sorted(page.words, key=lambda word: word.y0)
    for at, word in enumerate(words):
        for other in words[at + 1 :]:
            if other.y0 >= word.y1:
                break
            if _overlap(word, other):
                faults.append(f"page {page.index + 1}: {word.text!r} and {other.text!r} are printed over each other")
    return faults


def _overlap(word: Word, other: Word) -> bool:
    """More than a hair: half a point in both directions."""
    across = min(word.x1, other.x1) - max(word.x0, other.x0)
    down = min(word.y1, other.y1) - max(word.y0, other.y0)
    return across > 0.5 and down > 0.5


def _check_fields(pages: Sequence[Page], truth: Mapping[str, Any], scanned: bool, misses: list[str]) -> int:
    lines = [line for page in pages for line in page_lines(page)]
    found = label_values(lines, list(truth["fields"]))
    for label, expected in truth["fields"].items():
        read = [cell.text for _, cell in found.get(label, [])]
        if not any(_same(expected, text, scanned) for text in read):
            misses.append(f"{label}: expected {expected!r}, read {read[0]!r}" if read else f"{label}: not found")
    return len(truth["fields"])


def _read_rows(tables: Sequence[Table]) -> list[tuple[str, dict[str, str]]]:
    """(SEQ tag or what stands in its place, cells) of every row in reading order."""
    rows = []
    for table in tables:
        for row in table.rows:
            cells = {name: cell.text for name, cell in row.cells.items()}
            described = cells.get("Description", "")
            tag = _TAG.search(described)
            rows.append((tag.group() if tag else described.split(" ")[0], row.page, row.top, cells))
    rows.sort(key=lambda row: (row[1], row[2]))
    return [(tag, cells) for tag, _, _, cells in rows]


def _check_rows(
    rows: Sequence[tuple[str, dict[str, str]]], truth: Mapping[str, Any], scanned: bool, misses: list[str]
) -> int:
    """Compare cell by cell; a row whose tag was misread is found by its place between its neighbours."""
    tags = list(truth["seq_ids"])
    partner: dict[str, dict[str, str]] = {}
    matcher = SequenceMatcher(None, tags, [tag for tag, _ in rows], autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal" or (scanned and kind == "replace" and i2 - i1 == j2 - j1):
            partner.update((tag, cells) for tag, (_, cells) in zip(tags[i1:i2], rows[j1:j2], strict=True))
    exempt = set(truth["exempt"])
    values = 0
    for tag in tags:
        for name, expected in truth["rows_rendered"][tag].items():
            if name in exempt:
                continue
            values += 1
            read = partner.get(tag, {}).get(name)
            if read is None or not _same(expected, read, scanned):
                misses.append(f"{tag} {name}: expected {expected!r}, read {read!r}")
    return values


def _same(expected: str, read: str, scanned: bool) -> bool:
    return "".join(expected.split()) == "".join(read.split()) if scanned else expected == read


def _engine() -> str:
    try:
        return engine_version()
    except Refusal:
        return "none"


def _recall(place: Path | None) -> Check | None:
    if place is None:
        return None
    try:
        kept = loads(place.read_bytes(), place)
        kept["misses"], kept["faults"] = tuple(kept["misses"]), tuple(kept["faults"])
        return Check(**kept)
    except (OSError, Refusal, KeyError, TypeError):
        return None
