"""What cannot be read is refused by name, with the reason and the remedy."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from idpbench.reading.document import UnreadablePdf, open_pdf


def pdf(pages: int = 2, **options: object) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(612, 792), **options)
    for number in range(pages):
        canvas.drawString(72, 700, f"Page {number + 1}")
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def test_a_good_pdf_says_its_pages_and_their_size() -> None:
    with open_pdf(pdf(3), "good.pdf") as document:
        assert document.page_count == 3
        assert document.page_size(1) == (612.0, 792.0)


@pytest.mark.parametrize(
    ("spoil", "kind", "words"),
    [
        (lambda data: b"", "empty", "empty file"),
        (lambda data: b"PK\x03\x04 a spreadsheet", "not_pdf", "convert it to PDF"),
        (lambda data: data[: len(data) // 2], "truncated", "cut off"),
        (lambda data: data[:-30], "truncated", "download it again"),
        (lambda data: b"%PDF-1.4\nnothing here\n%%EOF\n", "damaged", "does not open"),
    ],
)
def test_a_spoilt_file_is_refused(spoil: Callable[[bytes], bytes], kind: str, words: str) -> None:
    with pytest.raises(UnreadablePdf, match=words) as refusal:
        open_pdf(spoil(pdf()), "in/april.pdf")
    assert refusal.value.kind == kind
    assert str(refusal.value).startswith("in/april.pdf: found ")
    assert refusal.value.exit_code == 2


def test_a_pdf_with_a_password_is_refused() -> None:
    data = pdf(encrypt=StandardEncryption("secret", ownerPassword="other"))
    with pytest.raises(UnreadablePdf, match="password") as refusal:
        open_pdf(data, "locked.pdf")
    assert refusal.value.kind == "encrypted"


def test_a_pdf_that_only_forbids_printing_is_read() -> None:
    data = pdf(encrypt=StandardEncryption("", ownerPassword="other", canPrint=0))
    with open_pdf(data) as document:
        assert document.page_count == 2
