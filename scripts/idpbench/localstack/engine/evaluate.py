"""evaluation/results.json: what was extracted against a labelled baseline, attribute by attribute and page by page.

A deployed stack compares with a library of its own; this comparison is ours, and says so under `evaluator`: scores of
the two are not the same measure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rapidfuzz import fuzz

from idpbench.localstack.engine.classify import PageClass
from idpbench.localstack.engine.pagesplit import split_metrics
from idpbench.localstack.engine.record import get
from idpbench.localstack.engine.schema import DocumentClass, ListProperty, Property, as_number
from idpbench.localstack.engine.values import coerce

EVALUATOR = {
    "name": "idpbench local evaluator",
    "version": "1",
    "method": "scalars by value (numbers, dates, texts without case and spacing); "
    "lists row by row in order, with surplus and missing rows left alone",
}
_REACH = 20  # rows by which a row may be out of place
_DEFAULT_THRESHOLD = 0.8


def evaluate(
    name: str,
    sections: Sequence[Mapping[str, Any]],
    page_classes: Sequence[PageClass],
    baseline: Sequence[Mapping[str, Any]],
    classes: Sequence[DocumentClass],
) -> dict[str, Any]:
    """The evaluation of one document; sections are paired with the baseline's by the pages they share.

    A labelled section that no section found is the partner of counts with all its values missing.
    """
    by_name = {one.name.lower(): one for one in classes}
    results: list[dict[str, Any]] = []
    left = list(range(len(baseline)))
    for number, section in enumerate(sections, start=1):
        partner = _partner(section, baseline)
        if partner is None:
            continue
        left = [other for other in left if other != partner]
        document_class = by_name.get(_kind(section))
        if document_class is not None and "inference_result" in section:
            results.append(_result(str(number), section, baseline[partner], document_class))
    for partner in left:
        document_class = by_name.get(_kind(baseline[partner]))
        if document_class is not None:
            nothing = {"document_class": baseline[partner]["document_class"], "inference_result": {}}
            results.append(_result(f"missing {partner + 1}", nothing, baseline[partner], document_class))
    every = [attribute for one in results for attribute in one["attributes"]]
    overall = {**_metrics(every), "weighted_overall_score": _weighted(every)}
    return {
        "document_id": name,
        "evaluator": dict(EVALUATOR),
        "overall_metrics": overall,
        "section_results": results,
        "doc_split_metrics": split_metrics(sections, page_classes, baseline),
    }


def _kind(section: Mapping[str, Any]) -> str:
    """The name of a section's class, in small letters."""
    return str((section.get("document_class") or {}).get("type", "")).lower()


def _result(
    number: str, section: Mapping[str, Any], expected: Mapping[str, Any], document_class: DocumentClass
) -> dict[str, Any]:
    attributes = _attributes(section, expected, document_class)
    return {
        "section_id": number,
        "document_class": section["document_class"]["type"],
        "metrics": _metrics(attributes),
        "attributes": attributes,
    }


def _partner(section: Mapping[str, Any], baseline: Sequence[Mapping[str, Any]]) -> int | None:
    """Place of the baseline section that shares most pages; of the only one where the baseline names no pages."""
    pages = set(_pages(section))
    shared = [(len(pages & set(_pages(one))), -number) for number, one in enumerate(baseline)]
    best = max(shared, default=(0, 0))
    if best[0] > 0:
        return -best[1]
    return 0 if len(baseline) == 1 and not _pages(baseline[0]) else None


def _pages(section: Mapping[str, Any]) -> list[int]:
    found = (section.get("split_document") or {}).get("page_indices") or []
    return [int(index) for index in found]


def _attributes(
    section: Mapping[str, Any], expected: Mapping[str, Any], document_class: DocumentClass
) -> list[dict[str, Any]]:
    wanted = expected.get("inference_result") or {}
    got = section["inference_result"]
    if isinstance(got.get("instances"), list):
        got = got["instances"][0] if got["instances"] else {}
    explained = (section.get("explainability_info") or [{}])[0]
    attributes = []
    for item in document_class.scalars:
        one, other = get(wanted, item.path), get(got, item.path)
        if one is None and other is None:
            continue
        score, reason = _compare(one, other, item)
        leaf = get(explained, item.path)
        attributes.append(_attribute(item.path, one, other, score, reason, item, leaf))
    for wanted_list in document_class.lists:
        one, other = get(wanted, wanted_list.path), get(got, wanted_list.path)
        if not one and not other:
            continue
        score, details = _compare_lists(one or [], other or [], wanted_list)
        item = Property(wanted_list.path, "string", wanted_list.description, {})
        attributes.append(_attribute(wanted_list.path, one, other, score, details, item, None))
    return attributes


def _attribute(
    path: Sequence[str], expected: Any, actual: Any, score: float, reason: str, item: Property, leaf: Any
) -> dict[str, Any]:
    threshold = _threshold(item)
    sure = leaf.get("confidence") if isinstance(leaf, Mapping) else None
    limit = leaf.get("confidence_threshold") if isinstance(leaf, Mapping) else None
    return {
        "name": ".".join(path),
        "expected": expected,
        "actual": actual,
        "matched": score >= threshold,
        "score": round(score, 4),
        "reason": reason,
        "error_details": None,
        "evaluation_method": _method(item),
        "evaluation_threshold": threshold,
        "comparator_type": _method(item),
        "confidence": sure,
        "confidence_threshold": limit,
        "weight": as_number(item.schema.get("x-aws-idp-evaluation-weight"), 1.0),
        "field_comparison_details": None,
    }


def _method(item: Property) -> str:
    stated = item.schema.get("x-aws-idp-evaluation-method")
    if isinstance(stated, str):
        return stated
    return {"number": "NUMERIC_EXACT", "integer": "NUMERIC_EXACT", "date": "DATE"}.get(item.kind, "EXACT")


def _threshold(item: Property) -> float:
    method = _method(item)
    if method == "NUMERIC_EXACT":  # its threshold is the tolerance of the number, not of the score
        return 1.0
    return as_number(
        item.schema.get("x-aws-idp-evaluation-threshold"), 1.0 if method == "EXACT" else _DEFAULT_THRESHOLD
    )


def _compare(expected: Any, actual: Any, item: Property) -> tuple[float, str]:
    if expected is None or actual is None:
        return 0.0, "missing" if actual is None else "not expected"
    method = _method(item)
    if method == "NUMERIC_EXACT":
        one, other = _number(expected), _number(actual)
        if one is None or other is None:
            return 0.0, "not a number"
        tolerance = as_number(item.schema.get("x-aws-idp-evaluation-threshold"), 0.0)
        return (1.0 if abs(one - other) <= tolerance + 1e-9 else 0.0), "numbers compared"
    if method == "DATE":
        same = coerce(str(expected), "date").value == coerce(str(actual), "date").value
        return (1.0 if same else 0.0), "dates compared"
    one_text, other_text = _flat(expected), _flat(actual)
    if method == "EXACT":
        return (1.0 if one_text == other_text else 0.0), "texts compared"
    return fuzz.token_sort_ratio(one_text, other_text) / 100, "likeness of texts"


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = coerce(str(value), "number")
    return float(found.value) if found.state == "changed" else None


def _flat(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value)).strip().lower()


def _compare_lists(expected: Sequence[Any], actual: Sequence[Any], wanted: ListProperty) -> tuple[float, str]:
    """Likeness of the paired rows, over the longer of the two lists; rows pair in order, and some may stay alone."""
    total = aligned(len(expected), len(actual), lambda one, other: _row_score(expected[one], actual[other], wanted))
    return total / max(len(expected), len(actual)), f"{len(actual)} rows for {len(expected)}"


def _row_score(expected: Any, actual: Any, wanted: ListProperty) -> float:
    """Share of the expected cells that a row has right."""
    if wanted.items and isinstance(expected, Mapping) and isinstance(actual, Mapping):
        cells = [item for item in wanted.items if expected.get(item.name) is not None]
        scores = [_compare(expected.get(item.name), actual.get(item.name), item)[0] for item in cells]
        return sum(scores) / len(scores) if scores else 1.0
    return 1.0 if _flat(expected) == _flat(actual) else 0.0


def aligned(count: int, other: int, score: Callable[[int, int], float]) -> float:
    """Greatest sum of `score(i, j)` over pairs that keep both orders, each row used at most once.

    Rows are looked for at most `_REACH` places from where the difference of the lengths would put them, so that long
    lists cost time in proportion to their length.
    """
    reach = _REACH + abs(count - other)
    best = {0: 0.0}  # rows of the other list used up -> best sum so far
    for row in range(count):
        here: dict[int, float] = {}
        least = max(0, row - reach)
        before = 0.0
        for column in range(least, min(other, row + reach) + 1):
            above = best.get(column, before)
            pair = best.get(column - 1, 0.0) + score(row, column - 1) if column else 0.0
            before = max(before, above, pair)
            here[column] = before
        best = here
    return max(best.values(), default=0.0)


def _metrics(attributes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Precision over values given, recall over values expected, and their harmonic mean."""
    right = sum(1 for one in attributes if one["matched"])
    given = sum(1 for one in attributes if one["actual"] is not None)
    wanted = sum(1 for one in attributes if one["expected"] is not None)
    precision = right / given if given else 0.0
    recall = right / wanted if wanted else 0.0
    both = precision + recall
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1_score": round(2 * precision * recall / both, 4) if both else 0.0,
        "accuracy": round(right / len(attributes), 4) if attributes else 0.0,
    }


def _weighted(attributes: Sequence[Mapping[str, Any]]) -> float | None:
    weight = sum(one["weight"] for one in attributes)
    return sum(one["weight"] * one["score"] for one in attributes) / weight if weight else None
