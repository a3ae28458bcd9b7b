"""Pages with a text layer: reportlab's canvas, uncompressed, so that no zlib build has a say in the bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from idpbench.corpus.page import HEIGHT, TITLE, WIDTH, Sheet

FONT, BOLD = "Helvetica", "Helvetica-Bold"


class CanvasMetrics:
    """Widths of the standard Helvetica."""

    @staticmethod
    @lru_cache(maxsize=200_000)
    def _width(text: str, size: float, bold: bool) -> float:
        return float(stringWidth(text, BOLD if bold else FONT, size))

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Advance width in points."""
        return self._width(text, size, bold)


def write_pdf(sheets: Sequence[Sheet]) -> bytes:
    """The bytes of the PDF; the same for the same sheets on every machine and day."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(WIDTH, HEIGHT), invariant=1, pageCompression=0)
    canvas.setTitle(TITLE)
    canvas.setAuthor("idpbench")
    for sheet in sheets:
        font = ("", 0.0)
        for text in sheet.texts:
            wanted = (BOLD if text.bold else FONT, text.size)
            if wanted != font:
                canvas.setFont(*wanted)
                font = wanted
            y = HEIGHT - text.y
            if text.align == "right":
                canvas.drawRightString(text.x, y, text.text)
            elif text.align == "middle":
                canvas.drawCentredString(text.x, y, text.text)
            else:
                canvas.drawString(text.x, y, text.text)
        for rule in sheet.rules:
            canvas.setLineWidth(rule.width)
            canvas.line(rule.x0, HEIGHT - rule.y, rule.x1, HEIGHT - rule.y)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()
