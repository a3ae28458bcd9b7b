"""Page images: what a vision model or an OCR engine is handed."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING

from idpbench.reading.document import PDFIUM_LOCK, PdfDocument

if TYPE_CHECKING:
    from PIL.Image import Image


def page_image(document: PdfDocument, index: int, dpi: int = 300) -> Image:
    """The page in shades of grey, `dpi` pixels an inch (300 makes a Letter page 2550 x 3300)."""
    with PDFIUM_LOCK:
        page = document.handle[index]
        try:
            # pdfium rounds sizes up: without the tiny reduction 792 points at 300 dpi are 3301 pixels
            # a copy: the bitmap's memory belongs to pdfium
            image: Image = page.render(scale=dpi / 72 * (1 - 1e-9), grayscale=True).to_pil().convert("L").copy()
        finally:
            page.close()
    return image


def jpeg(image: Image, quality: int = 80) -> bytes:
    """The image as JPEG bytes."""
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=quality)
    return stream.getvalue()


def image_digest(image: Image) -> str:
    """SHA-256 over size, mode and pixels, 64 hex digits."""
    head = f"{image.mode} {image.width} {image.height}\n".encode()
    return hashlib.sha256(head + image.tobytes()).hexdigest()
