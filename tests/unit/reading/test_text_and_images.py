"""The text layer's words lie where the page shows their ink, however the page is turned."""

from __future__ import annotations

import io

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from idpbench.reading.document import open_pdf
from idpbench.reading.pages import read_page
from idpbench.reading.raster import image_digest, jpeg, page_image
from idpbench.reading.textlayer import text_page


def page(rotation: int = 0) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(612, 792), invariant=1)
    canvas.setPageRotation(rotation)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(90, 540, "Amount due: 1,234.50")
    canvas.drawString(300, 200, "Signed")
    canvas.drawString(303.5 + canvas.stringWidth("Signed"), 200, "here")
    canvas.showPage()
    canvas.save()
    return stream.getvalue()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_words_cover_the_ink_of_the_page_as_displayed(rotation: int) -> None:
    with open_pdf(page(rotation)) as document:
        found = text_page(document, 0)
        image = np.asarray(page_image(document, 0, 72)) < 200
    assert sorted(word.text for word in found.words) == ["1,234.50", "Amount", "Signed", "due:", "here"]
    assert (found.height, found.width) == image.shape
    assert all(word.confidence == 1.0 for word in found.words)
    for word in found.words:
        box = (slice(int(word.y0) - 1, int(word.y1) + 2), slice(int(word.x0) - 1, int(word.x1) + 2))
        assert image[box].any()
        image[box] = False
    assert not image.any()


def test_a_gap_ends_a_word_even_without_a_space() -> None:
    with open_pdf(page()) as document:
        words = text_page(document, 0).words
    signed, here = words[3], words[4]
    assert here.x0 - signed.x1 > 3


@pytest.mark.parametrize(("dpi", "size"), [(300, (2550, 3300)), (150, (1275, 1650))])
def test_a_letter_page_has_the_pixels_that_sizing_counts(dpi: int, size: tuple[int, int]) -> None:
    with open_pdf(page()) as document:
        image = page_image(document, 0, dpi)
    assert image.size == size
    assert jpeg(image)[:2] == b"\xff\xd8"
    assert image_digest(image) != image_digest(image.rotate(180))


def test_a_page_with_text_is_never_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idpbench.reading.pages.recognise", lambda *given: pytest.fail("OCR of a text page"))
    with open_pdf(page()) as document:
        assert read_page(document, 0).source == "text"
