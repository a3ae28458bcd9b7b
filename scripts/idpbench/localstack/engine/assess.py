"""Confidence from evidence: how sure the page reader was of the words, the label or column, and the value's form.

A value's confidence is the product of
- the words: mean of the mean and the least word confidence (words of a text layer: a constant of the profile),
- the place: likeness of the label, or how well the column stands apart from its neighbours; less for rival labels,
- the form: 1, or 0.5 where the printed text is no value of the property's type, or is one that can be read in two ways
  and was returned as printed (03/04/2024).
A value that was not found has 0.5 as a scalar (it may well not be there) and 0.3 as a cell of a row that is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.fields import Reading
from idpbench.localstack.engine.limits import check_window, image_tokens, prompt_tokens, request
from idpbench.localstack.engine.meter import Request
from idpbench.localstack.engine.options import ExtractionOptions
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile
from idpbench.localstack.engine.record import Record, get, put
from idpbench.localstack.engine.schema import DocumentClass, Property
from idpbench.localstack.engine.values import coerce, looks_like
from idpbench.settings.engines import Model

PHASE = "Assessment"
MISSING_SCALAR = 0.5
MISSING_CELL = 0.3
LEAF_TOKENS = 12  # tokens of one judged cell in the confidence model's answer, name and number


def confidence(reading: Reading | None, value: Any, item: Property, profile: Profile, missing: float) -> float:
    """The confidence of `value`, which rests on `reading`, rounded to four places."""
    if reading is None:
        return missing
    words = reading.span.words
    if reading.span.confidence >= 1.0 or not words:
        sure = min(reading.span.confidence, profile.text_layer_confidence)
    else:
        mean = sum(word.confidence for word in words) / len(words)
        sure = min((mean + reading.span.confidence) / 2, profile.text_layer_confidence)
    place = reading.clarity * 0.97 ** min(reading.alternatives, 5)
    fits = looks_like(reading.text, item.kind)
    open_question = item.kind == "date" and value == reading.text and coerce(reading.text, "date").state == "refused"
    form = 1.0 if fits and not open_question else 0.5
    return round(max(0.0, min(1.0, sure * place * form)), 4)


class Assessor:
    """Writes the explainability of records; `pages` by index, for boxes as shares of the page."""

    def __init__(self, document_class: DocumentClass, options: ExtractionOptions, profile: Profile) -> None:
        self._class = document_class
        self._threshold = options.confidence.threshold or profile.alert_threshold
        self._profile = profile

    def explain(self, record: Record, pages: Mapping[int, PageRead]) -> dict[str, Any]:
        """Leaves in the shape of the record; each list has as many entries as its values."""
        result: dict[str, Any] = {}
        for item in self._class.scalars:
            reading = record.scalars.get(item.path)
            sure = confidence(reading, get(record.values, item.path), item, self._profile, MISSING_SCALAR)
            put(result, item.path, self._leaf(sure, reading, pages))
        for wanted in self._class.lists:
            kinds = {item.name: item for item in wanted.items}
            rows = []
            values = get(record.values, wanted.path) or []
            for given, readings in zip(values, record.rows[wanted.path], strict=True):
                row = {}
                for name, reading in readings.items():
                    sure = confidence(reading, given[name], kinds[name], self._profile, MISSING_CELL)
                    row[name] = self._leaf(sure, reading, pages)
                rows.append(row)
            put(result, wanted.path, rows)
        return result

    def _leaf(self, sure: float | None, reading: Reading | None, pages: Mapping[int, PageRead]) -> dict[str, Any]:
        leaf: dict[str, Any] = {"confidence": sure, "confidence_threshold": self._threshold}
        if reading is not None:
            page = pages[reading.page]
            span = reading.span
            box = {
                "left": round(span.x0 / page.width, 4),
                "top": round(span.y0 / page.height, 4),
                "width": round((span.x1 - span.x0) / page.width, 4),
                "height": round(span.height / page.height, 4),
            }
            leaf["geometry"] = [{"boundingBox": box, "page": reading.page + 1}]
        return leaf


def separate_requests(
    records: Sequence[Record],
    document_class: DocumentClass,
    options: ExtractionOptions,
    profile: Profile,
    model: Model,
    pages: Mapping[int, PageRead],
    warm: bool,
) -> tuple[list[Request], list[tuple[int, tuple[str, ...], int]]]:
    """The calls of the confidence model: one for the scalars, one for each batch of list rows.

    Also returns (record, list path, row) of every row whose batch was cut off at the model's output cap.
    """
    chosen = options.confidence
    prefix = prompt_tokens(*_prompts(options)) + tokens.count(document_class.prompt_text)
    requests: list[Request] = []
    lost: list[tuple[int, tuple[str, ...], int]] = []

    def ask(values: Any, places: set[int], cells: int) -> None:
        shown = [pages[index] for index in sorted(places)] or [pages[min(pages)]]
        boxes = cells * profile.box_tokens if options.geometry.mode != "ocr_only" else 0
        extra = image_tokens(model, shown) if options.geometry.mode != "ocr_only" else 0
        rest = tokens.count(json.dumps(values, ensure_ascii=False)) + sum(page.tokens for page in shown) + extra
        check_window(model, prefix + rest, PHASE)
        output = min(cells * LEAF_TOKENS + boxes, model.output_cap)
        requests.append(request(PHASE, model, prefix=prefix, rest=rest, output=output, warm=warm or bool(requests)))

    for number, record in enumerate(records):
        if document_class.scalars:
            values = {item.name: get(record.values, item.path) for item in document_class.scalars}
            ask(values, {reading.page for reading in record.scalars.values()}, len(values))
        for path, evidence in record.rows.items():
            rows = get(record.values, path) or []
            size = batch_size(rows, chosen.list_batch_size, profile, model)
            for start in range(0, len(rows), size):
                batch = rows[start : start + size]
                places = {r.page for row in evidence[start : start + size] for r in row.values() if r is not None}
                ask(batch, places, sum(len(row) for row in batch))
                answered = 0
                for offset, row in enumerate(batch):
                    answered += LEAF_TOKENS * len(row)
                    if answered > model.output_cap:
                        lost.append((number, path, start + offset))
    return requests, lost


def batch_size(rows: Sequence[Mapping[str, Any]], asked: int | None, profile: Profile, model: Model) -> int:
    """Rows in one call: the configured number, else the profile's, or fewer where the answer would not fit."""
    if asked is not None or not rows:
        return asked or profile.list_batch_size
    width = max(len(row) for row in rows)
    fitting = int(profile.batch_output_share * model.output_cap / (LEAF_TOKENS * max(width, 1)))
    return max(1, min(profile.list_batch_size, fitting))


def _prompts(options: ExtractionOptions) -> tuple[str | None, str | None]:
    return options.confidence.system_prompt, options.confidence.task_prompt


def blank(explained: dict[str, Any], path: Sequence[str], row: int) -> None:
    """Take the confidences of one row away: the answer that should have held them was cut off."""
    for leaf in get(explained, path)[row].values():
        leaf["confidence"] = None


def uncertain(explained: Mapping[str, Any], document_class: DocumentClass, threshold: float) -> set[tuple[str, ...]]:
    """Paths of the values whose confidence lies below `threshold`."""
    found: set[tuple[str, ...]] = set()
    for item in document_class.scalars:
        if _low(get(explained, item.path), threshold):
            found.add(item.path)
    for wanted in document_class.lists:
        for number, row in enumerate(get(explained, wanted.path) or []):
            found.update((*wanted.path, f"[{number}]", name) for name, leaf in row.items() if _low(leaf, threshold))
    return found


def _low(leaf: Any, threshold: float) -> bool:
    sure = leaf.get("confidence") if isinstance(leaf, Mapping) else None
    return sure is not None and sure < threshold
