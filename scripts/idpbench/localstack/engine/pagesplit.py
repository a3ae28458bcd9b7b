"""How well a file was cut into documents: predicted pages and sections against labelled ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.localstack.engine.classify import PageClass

_Parts = list[tuple[str, list[int]]]


def split_metrics(
    sections: Sequence[Mapping[str, Any]], page_classes: Sequence[PageClass], baseline: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Page classes, and sections right as sets of pages and as ordered pages, with page and section details."""
    expected, predicted = _parts(baseline), _parts(sections)
    class_of = {index: name for name, pages in expected for index in pages}
    details = []
    for index, name in sorted(class_of.items()):
        known = index < len(page_classes)
        detail: dict[str, Any] = {
            "page_index": index,
            "ground_truth_class": name,
            "predicted_class": page_classes[index].document_class.name if known else None,
        }
        detail["correct"] = known and _same(name, str(detail["predicted_class"]))
        if known and page_classes[index].confidence is not None:
            detail["predicted_confidence"] = page_classes[index].confidence
        details.append(detail)
    right = sum(1 for detail in details if detail["correct"])
    unordered = sum(1 for name, pages in expected if any(_same(name, n) and set(pages) == set(p) for n, p in predicted))
    ordered = sum(1 for name, pages in expected if any(_same(name, n) and pages == p for n, p in predicted))
    return {
        "page_level_accuracy": right / len(details) if details else 0.0,
        "split_accuracy_without_order": unordered / len(expected) if expected else 0.0,
        "split_accuracy_with_order": ordered / len(expected) if expected else 0.0,
        "total_pages": len(details),
        "total_splits": len(expected),
        "correctly_classified_pages": right,
        "correctly_split_without_order": unordered,
        "correctly_split_with_order": ordered,
        "page_details": details,
        "predicted_sections": len(predicted),
        "errors": [],
    }


def _parts(sections: Sequence[Mapping[str, Any]]) -> _Parts:
    return [
        (
            str((one.get("document_class") or {}).get("type", "")),
            [int(index) for index in (one.get("split_document") or {}).get("page_indices") or []],
        )
        for one in sections
    ]


def _same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()
