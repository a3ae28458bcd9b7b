"""Four ways to read a page: which words a backend finds, and in which form it hands them on.

textract_tables  words of the page, tables as cells
textract_layout  the same words as lines; columns are left to whoever reads them
bda              elements as markdown: headings, paragraphs, tables
bedrock_llm      OCR of the page image at the configured resolution, as markdown; labels in bold from some release on
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from idpbench.files.canonical import bytes_digest
from idpbench.localstack.engine.cache import Cache
from idpbench.localstack.engine.errors import JobError
from idpbench.localstack.engine.pages import Element, Line, PageRead, Span, Table, cover
from idpbench.localstack.engine.tables import find_tables
from idpbench.reading.document import PdfDocument, UnreadablePdf, open_pdf
from idpbench.reading.lines import CHUNK_GAP, page_lines
from idpbench.reading.ocr import OcrUnavailable
from idpbench.reading.pages import ocr_page, read_page
from idpbench.reading.words import Page

FORM_BOXES = 6  # distinct box numbers from which on a page counts as a form with numbered boxes
BOX_GAP = 2.6  # times the letter height: a box number stands closer to its label than this
_BOX = re.compile(r"\d{1,2}[a-z]?|[a-f]")
_LABEL = re.compile(r"^([A-Z][^:]{1,60}:)(\s+\S.*)?$")


def read_document(
    pdf: bytes, name: str, kind: str, *, image_dpi: int, scan_dpi: int, bold: bool, cache: Cache
) -> tuple[PageRead, ...]:
    """All pages as backend `kind` returns them; kept in `cache` by document and everything that decides them.

    `image_dpi`: resolution of page images (requests, and OCR by a model); `scan_dpi`: what the other backends scan at.
    """
    key = ("pages", bytes_digest(pdf), kind, image_dpi, scan_dpi, bold)
    return cache.get(key, lambda: _read(pdf, name, kind, image_dpi, scan_dpi, bold, cache))


def _read(
    pdf: bytes, name: str, kind: str, image_dpi: int, scan_dpi: int, bold: bool, cache: Cache
) -> tuple[PageRead, ...]:
    try:
        document = open_pdf(pdf, name)
    except UnreadablePdf as error:
        raise JobError("InvalidDocument", str(error), "OCR") from None
    with document:
        try:
            return tuple(
                _page(document, index, kind, image_dpi, scan_dpi, bold, cache) for index in range(document.page_count)
            )
        except OcrUnavailable as error:
            raise JobError("OcrUnavailable", str(error), "OCR") from None


def _page(
    document: PdfDocument, index: int, kind: str, image_dpi: int, scan_dpi: int, bold: bool, cache: Cache
) -> PageRead:
    if kind == "bedrock_llm":
        page = ocr_page(document, index, dpi=image_dpi, cache=cache.ocr)
    else:
        page = read_page(document, index, dpi=scan_dpi, cache=cache.ocr)
    lines = to_lines(page)
    elements: list[Element] = list(lines) if kind == "textract_layout" else find_tables(lines)
    if kind == "bedrock_llm" and bold:
        elements = [_bold(element) if isinstance(element, Line) else element for element in elements]
    text = plain_text(elements) if kind.startswith("textract") else markdown(elements)
    confidences = [word.confidence for word in page.words]
    return PageRead(
        index=index,
        width=page.width,
        height=page.height,
        elements=tuple(elements),
        text=text,
        scanned=page.source != "text",
        image_size=(round(page.width * image_dpi / 72), round(page.height * image_dpi / 72)),
        confidence=sum(confidences) / len(confidences) if confidences else 1.0,
        words=len(confidences),
    )


def to_lines(page: Page) -> list[Line]:
    """The page's words as lines of spans; on a form with numbered boxes a number goes with the label behind it."""
    lines = []
    for line in page_lines(page):
        # in large print the gaps between words are wider than on the rest of the page
        size = max(line.size, median(word.height for word in line.words))
        spans = tuple(cover(chunk) for chunk in line.chunks(CHUNK_GAP * size))
        top, bottom = min(word.y0 for word in line.words), max(word.y1 for word in line.words)
        lines.append(Line(spans, top, bottom))
    numbers = {one.text for line in lines for one, other in pairwise(line.spans) if _is_box(one, other)}
    if len(numbers) < FORM_BOXES:
        return lines
    return [replace(line, spans=_numbered(line.spans)) for line in lines]


def _is_box(one: Span, other: Span) -> bool:
    near = other.x0 - one.x1 < BOX_GAP * max(other.height, one.height)
    return near and bool(_BOX.fullmatch(one.text)) and other.text[0].isalpha()


def _numbered(spans: Sequence[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for span in spans:
        if joined and _is_box(joined[-1], span):
            joined[-1] = cover((*joined[-1].words, *span.words))
        else:
            joined.append(span)
    return tuple(joined)


def plain_text(elements: Sequence[Element]) -> str:
    """Lines one under the other; the cells of a table apart by bars."""
    return "\n".join(element.text if isinstance(element, Line) else _grid(element) for element in elements)


def markdown(elements: Sequence[Element]) -> str:
    """Headings by size, paragraphs, tables with a rule under their header."""
    lines = [element for element in elements if isinstance(element, Line)]
    usual = median(line.y1 - line.y0 for line in lines) if lines else 0.0
    parts = []
    for element in elements:
        if isinstance(element, Table):
            parts.append(_grid(element, rule=True))
        elif len(element.spans) == 1 and element.y1 - element.y0 > 1.25 * usual and ":" not in element.text:
            parts.append(f"# {element.text}")
        else:
            parts.append(element.text)
    return "\n\n".join(parts)


def _grid(table: Table, rule: bool = False) -> str:
    rows = ["| " + " | ".join(span.text for span in table.header) + " |"]
    if rule:
        rows.append("|" + " --- |" * len(table.header))
    rows.extend("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in table.rows)
    return "\n".join(rows)


def _cell(cell: Span | None) -> str:
    return "" if cell is None else cell.text.replace("|", "\\|")


def _bold(line: Line) -> Line:
    """`Label: value` as `**Label:** value`."""
    return replace(line, spans=tuple(_bold_span(span) for span in line.spans))


def _bold_span(span: Span) -> Span:
    match = _LABEL.match(span.text)
    return span if match is None else replace(span, text=f"**{match[1]}**{match[2] or ''}")
