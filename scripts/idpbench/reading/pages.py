"""A page by the cheapest honest way: its text layer, or OCR where it has none."""

from __future__ import annotations

from idpbench.reading.document import PdfDocument
from idpbench.reading.ocr import OcrCache, recognise
from idpbench.reading.raster import page_image
from idpbench.reading.textlayer import text_page
from idpbench.reading.words import Page


def read_page(document: PdfDocument, index: int, *, dpi: int = 300, cache: OcrCache | None = None) -> Page:
    """The page's text layer; where it has no words (a scan), the words that OCR finds at `dpi`."""
    page = text_page(document, index)
    return page if page.words else ocr_page(document, index, dpi=dpi, cache=cache)


def ocr_page(document: PdfDocument, index: int, *, dpi: int = 300, cache: OcrCache | None = None) -> Page:
    """The page as OCR reads its image, whether or not it has a text layer."""
    width, height = document.page_size(index)
    words = recognise(page_image(document, index, dpi), dpi, cache)
    return Page(index, width, height, tuple(words), "ocr")
