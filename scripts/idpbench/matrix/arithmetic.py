"""What a run would meter, from sizes alone: for runs that nothing like them has been run of.

Rough by nature, and said so wherever it is printed: rows are taken at the length of an ordinary statement row, and the
turns of an agent at 2, 5 and 8 (they vary between 2 and 8). Page images, windows, shards and output caps are those of
`sizing`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from idpbench.matrix.feasibility import LETTER_300, expected_failure, pages_per_request
from idpbench.matrix.sizing import page_image_tokens, shard_budget
from idpbench.settings.model import Document, Model, Settings

PREFIX = 1_600  # system prompt and schema
PAGE_TEXT = 600  # text of a page
ROW = 31  # answer tokens of a row of three columns
COLUMN = 10  # of each further column
SCALARS = 120  # answer tokens besides the list
GUESS = 12  # answer tokens of one value's confidence
LABEL = 30  # answer tokens of one page's class
GB_SECONDS_PER_PAGE = 50.0  # of all functions together
TURNS = {"low": 2, "expected": 5, "high": 8}
SHARD_PAGES = {"default": 5, "wide25": 25}
BATCH_ROWS = {"default": 25, "b8": 8, "b13": 13}

Metering = dict[str, dict[str, float]]


@dataclass
class Usage:
    """Metering of one run, and the single model requests behind it (price bands are judged on those)."""

    metering: Metering = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)

    def count(self, key: str, unit: str, amount: float) -> None:
        """Add to a metering entry."""
        units = self.metering.setdefault(key, {})
        units[unit] = units.get(unit, 0) + amount

    def ask(self, phase: str, model: Model, fresh: int, answer: int, read: int = 0, written: int = 0) -> None:
        """Add one model request: fresh input, answer, and the cached prefix that is read or written."""
        counts = {
            "inputTokens": fresh,
            "outputTokens": answer,
            "cacheReadInputTokens": read,
            "cacheWriteInputTokens": written,
        }
        for unit, amount in counts.items():
            self.count(f"{phase}/bedrock/{model.model_id}", unit, amount)
        self.requests.append({"phase": phase, "model": model.model_id, **counts})


def usage(settings: Settings, resolved: Mapping[str, str], document: Document, repeat: int, turns: int) -> Usage:
    """Projected metering of one run of a cell on a generated document; `turns`: length of an agent's conversation."""
    spent = Usage()
    extractor = settings.models[resolved["extraction_model"]]
    dpi = int(resolved["ocr_dpi"])
    _reading(settings, spent, resolved, document, dpi)
    _classification(settings, spent, resolved, document, dpi)
    spent.count("Extraction/lambda/requests", "invocations", document.pages)
    spent.count("Extraction/lambda/duration", "gb_seconds", GB_SECONDS_PER_PAGE * document.pages)
    if expected_failure(settings, resolved, document):
        return spent  # refused at extraction: what came before is paid
    if resolved["extraction_mode"] == "advanced":
        _advanced(spent, resolved, document, extractor, turns)
    else:
        _simple(spent, resolved, document, extractor, dpi, repeat)
    _confidence(settings, spent, resolved, document)
    return spent


def row_tokens(document: Document) -> int:
    """Answer tokens of one list row of a document."""
    columns = int(document.parameters.get("cols", 3))
    return ROW + COLUMN * (columns - 3) + int(document.parameters.get("desc_len", 0)) // 4


def answer_tokens(document: Document, resolved: Mapping[str, str]) -> int:
    """Answer tokens of a whole document, with a guess per value where confidence is integrated."""
    columns = int(document.parameters.get("cols", 3))
    per_row = row_tokens(document) + (GUESS * columns if resolved["assessment"] == "integrated" else 0)
    return SCALARS + per_row * document.rows


def _reading(settings: Settings, spent: Usage, resolved: Mapping[str, str], document: Document, dpi: int) -> None:
    names = {
        "textract_tables": "textract/analyze_document-Tables",
        "textract_layout": "textract/analyze_document-Layout",
        "bda": "bda/documents-standard",
    }
    if resolved["ocr"] in names:
        spent.count(f"OCR/{names[resolved['ocr']]}", "pages", document.pages)
        return
    reader = settings.model_of(str(settings.classes[document.doc_class]["ocr"]["model_id"]))
    if reader is not None:
        for _ in range(document.pages):
            spent.ask("OCR", reader, _image(reader, dpi) + 150, PAGE_TEXT)


def _classification(
    settings: Settings, spent: Usage, resolved: Mapping[str, str], document: Document, dpi: int
) -> None:
    if resolved["section_splitting"] == "disabled" or document.pages == 1:
        return  # nothing to find out
    model = settings.models[resolved["classification_model"]]
    for _ in range(document.pages):
        spent.ask("Classification", model, _image(model, dpi) + PAGE_TEXT + 400, LABEL)


def _simple(spent: Usage, resolved: Mapping[str, str], document: Document, model: Model, dpi: int, repeat: int) -> None:
    pages = pages_per_request(resolved, document.pages, document.sections)
    requests = math.ceil(document.pages / pages)
    answer = answer_tokens(document, resolved) // requests
    body = pages * (_image(model, dpi) + PAGE_TEXT)
    for _ in range(requests):
        prefix = _prefix(model, first=repeat == 0)
        spent.ask(
            "Extraction",
            model,
            body + prefix["fresh"],
            min(answer, model.output_cap),
            prefix["read"],
            prefix["written"],
        )


def _advanced(spent: Usage, resolved: Mapping[str, str], document: Document, model: Model, turns: int) -> None:
    in_shard = max(1, min(SHARD_PAGES[resolved["shard_pages"]], shard_budget(model.sizing_window) // PAGE_TEXT))
    shards = math.ceil(document.pages / in_shard)
    answer = answer_tokens(document, resolved) // shards
    needed = max(turns, math.ceil(answer / model.output_cap))  # a turn at its cap is followed by one that goes on
    text = PAGE_TEXT * math.ceil(document.pages / shards)
    for _ in range(shards):
        for turn in range(needed):
            prefix = _prefix(model, first=turn == 0)
            said = answer * turn // needed  # earlier turns are sent again
            spent.ask(
                "Extraction", model, text + said + prefix["fresh"], answer // needed, prefix["read"], prefix["written"]
            )


def _confidence(settings: Settings, spent: Usage, resolved: Mapping[str, str], document: Document) -> None:
    if resolved["assessment"] != "separate":
        return
    model = settings.models[resolved["confidence_model"]]
    columns = int(document.parameters.get("cols", 3))
    batch = BATCH_ROWS[resolved["conf_batch"]]
    calls = max(1, math.ceil(document.rows / batch))
    rows = math.ceil(document.rows / calls)
    for _ in range(calls):
        spent.ask(
            "Assessment",
            model,
            PREFIX // 2 + PAGE_TEXT + 2 * rows * row_tokens(document),
            GUESS * columns * rows + SCALARS,
        )


def _prefix(model: Model, *, first: bool) -> dict[str, int]:
    """Where the tokens of the prefix are counted: fresh, or written to and read from the cache."""
    nothing = {"fresh": 0, "read": 0, "written": 0}
    if model.cache.kind == "none" or model.cache.minimum is None or model.cache.minimum > PREFIX:
        return {**nothing, "fresh": PREFIX}
    if first:
        return {**nothing, "fresh" if model.cache.kind == "implicit" else "written": PREFIX}
    return {**nothing, "read": PREFIX}


def _image(model: Model, dpi: int) -> int:
    width, height = (side * dpi // 300 for side in LETTER_300)
    return page_image_tokens(width, height, model.image_tokens.divisor, model.image_tokens.cap)
