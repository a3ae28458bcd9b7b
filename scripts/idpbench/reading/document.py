"""Opening a PDF, or saying exactly why it cannot be read.

pdfium is not thread-safe, documents apart or not: every call into it happens under `PDFIUM_LOCK`.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any

from idpbench.files.errors import Refusal

PDFIUM_LOCK = threading.RLock()
_TAIL = 2048  # bytes at the end of a file within which its end marker must stand


class UnreadablePdf(Refusal):
    """A file that is no readable PDF; `kind` is `not_pdf`, `truncated`, `encrypted`, `damaged` or `empty`."""

    def __init__(self, name: str, kind: str, found: str, remedy: str) -> None:
        super().__init__(f"{name}: found {found}, expected a complete PDF that opens without a password; {remedy}")
        self.kind = kind


class PdfDocument:
    """An open PDF. Use it as a context manager, or call `close`."""

    def __init__(self, handle: Any, name: str) -> None:
        self.handle = handle
        self.name = name
        with PDFIUM_LOCK:
            self.page_count: int = len(handle)

    def __enter__(self) -> PdfDocument:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free pdfium's memory; the document cannot be used afterwards."""
        with PDFIUM_LOCK:
            self.handle.close()

    def page_size(self, index: int) -> tuple[float, float]:
        """Width and height of a page in points, as it is displayed (its rotation applied)."""
        with PDFIUM_LOCK:
            width, height = self.handle.get_page_size(index)
        return float(width), float(height)


def open_pdf(data: bytes, name: str = "document") -> PdfDocument:
    """Open a PDF from its bytes. UnreadablePdf names `name`, what is wrong with it and what to do.

    pdfium repairs a cut-off file by dropping what it cannot find, pages included; so a missing end marker is refused
    before pdfium sees the file.
    """
    if not data:
        raise UnreadablePdf(name, "empty", "an empty file", "copy the file again")
    if b"%PDF-" not in data[:1024]:
        raise UnreadablePdf(name, "not_pdf", f"bytes that begin with {data[:8]!r}", "convert it to PDF first")
    if b"%%EOF" not in data[-_TAIL:]:
        raise UnreadablePdf(name, "truncated", "a PDF without its end marker (cut off)", "copy or download it again")
    import pypdfium2 as pdfium

    with PDFIUM_LOCK:
        try:
            handle = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            if "password" in str(error).lower():
                raise UnreadablePdf(
                    name, "encrypted", "a PDF that asks for a password", "save a copy without password"
                ) from None
            raise UnreadablePdf(name, "damaged", f"a PDF that does not open ({error})", "export it again") from None
        document = PdfDocument(handle, name)
    if document.page_count == 0:
        document.close()
        raise UnreadablePdf(name, "empty", "a PDF without pages", "export it again")
    return document
