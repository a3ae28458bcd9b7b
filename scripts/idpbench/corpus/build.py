"""One document of config/documents.yaml to its bytes: parameters checked, pages drawn, counts compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from idpbench.corpus import form
from idpbench.corpus.content import COLUMNS, LISTS, Shape
from idpbench.corpus.pdf import CanvasMetrics, write_pdf
from idpbench.corpus.scan import ScanMetrics, write_scan
from idpbench.corpus.statement import draw
from idpbench.corpus.truth import form_truth, statement_truth
from idpbench.files.canonical import pretty
from idpbench.files.errors import bad_input, nearest

if TYPE_CHECKING:
    from idpbench.settings.grid import Document

SOURCE = "config/documents.yaml"
GENERATORS = ("bank_statement", "kv_form")
_LIMITS: dict[str, tuple[float, float]] = {"rows": (1, 50_000), "lists": (1, len(LISTS)), "desc_len": (0, 600),
                                           "ocr_noise": (0.0, 0.3), "documents": (1, 3)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """A generated document: the PDF's bytes, its truth, the truth's bytes as written, and its page count."""

    pdf: bytes
    truth: dict[str, Any]
    truth_bytes: bytes
    pages: int


def build(document: Document) -> Made:
    """Generate one document. Refusal when a parameter is wrong, or the result is not what its entry declares."""
    if document.generator == "kv_form":
        if document.parameters:
            raise _wrong(document, "parameters", document.parameters, "none", "the generator kv_form takes none")
        sheets, truth, scan = form.draw(), form_truth(document.id, document.doc_class), False
        pdf = write_pdf(sheets)
    elif document.generator == "bank_statement":
        shape = shape_of(document)
        scan = shape.ocr_noise > 0
        sheets = draw(shape, ScanMetrics() if scan else CanvasMetrics())
        pdf = write_scan(sheets, shape.ocr_noise) if scan else write_pdf(sheets)
        truth = statement_truth(document.id, document.doc_class, shape)
    else:
        raise _wrong(document, "generator", document.generator, "a generator", nearest(document.generator, GENERATORS))
    found = {"pages": len(sheets), "rows": truth["rows"], "sections": truth["expected_sections"], "scan": scan}
    for key, value in found.items():
        if getattr(document, key) != value:
            remedy = f"write {key}: {str(value).lower()}, or change the parameters"
            raise _wrong(document, key, getattr(document, key), f"{value}, which was generated", remedy)
    return Made(pdf, truth, pretty(truth, 3).encode("utf-8"), len(sheets))


def shape_of(document: Document) -> Shape:
    """The parameters of a bank statement, checked for name, type and range."""
    known = {field.name: field.default for field in fields(Shape)}
    parameters: Mapping[str, Any] = document.parameters
    for key, value in parameters.items():
        place = f"parameters.{key}"
        if key not in known:
            raise _wrong(document, place, "an unknown parameter", "one of the generator's", nearest(key, known))
        wanted = bool if key in ("interleave", "value_noise", "paginate", "repeat_header") else None
        if (wanted is bool) != isinstance(value, bool) or isinstance(value, str):
            raise _wrong(document, place, repr(value), "true or false" if wanted else "a number", "correct the value")
        if key in _LIMITS:
            low, high = _LIMITS[key]
            whole = key == "ocr_noise" or isinstance(value, int)
            if not whole or not low <= value <= high:
                raise _wrong(document, place, value, f"a number from {low} to {high}", "correct the value")
    if "rows" not in parameters:
        raise _wrong(document, "parameters.rows", "nothing", "the number of rows", "add it")
    if parameters.get("cols", 3) not in COLUMNS:
        raise _wrong(document, "parameters.cols", parameters["cols"], "3 or 8", "correct the value")
    if parameters.get("interleave") and parameters.get("lists", 1) < 2:
        raise _wrong(document, "parameters.interleave", "one list", "several lists", "add lists: 2 or more")
    return Shape(**parameters)


def _wrong(document: Document, key: str, found: object, expected: str, remedy: str) -> Exception:
    return bad_input(SOURCE, f"documents.{document.id}.{key}", found, expected, remedy)
