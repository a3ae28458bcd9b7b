"""Page classes, from the stack's own evaluation: per document, and pooled over the pages of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from idpbench.pricing.card import RateCard
from idpbench.pricing.price import price
from idpbench.scoring.confidence import ALERT
from idpbench.scoring.numbers import is_number

PHASE = "Classification"


def separation(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    """Mean confidence where right minus mean where wrong; null unless both exist."""
    return round(fmean(right) - fmean(wrong), 4) if right and wrong else None


def page_confidences(evaluation: Mapping[str, Any]) -> tuple[list[float], list[float], int]:
    """Confidences of rightly and of wrongly classified pages, and how many pages were evaluated."""
    right: list[float] = []
    wrong: list[float] = []
    pages = _pages(evaluation)
    for page in pages:
        if is_number(value := page.get("predicted_confidence")):
            (right if page.get("correct") else wrong).append(float(value))
    return right, wrong, len(pages)


def _pages(evaluation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What the report says of each page."""
    metrics = evaluation.get("doc_split_metrics")
    pages = metrics.get("page_details") if isinstance(metrics, dict) else None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def score_classification(evaluation: Mapping[str, Any] | None) -> dict[str, Any]:
    """`class_accuracy` (share of pages), mean confidence over `n_class_scored_pages`, and the separation."""
    report = evaluation or {}
    metrics = report.get("doc_split_metrics")
    accuracy = metrics.get("page_level_accuracy") if isinstance(metrics, dict) else None
    right, wrong, _ = page_confidences(report)
    both = right + wrong
    return {
        "class_accuracy": round(accuracy, 4) if is_number(accuracy) else None,
        "class_mean_confidence": round(fmean(both), 4) if both else None,
        "n_class_scored_pages": len(both),
        "class_calibration_separation": separation(right, wrong),
    }


def pool_classification(documents: Iterable[Mapping[str, Any]], card: RateCard) -> dict[str, Any]:
    """Pages of many documents (as in run records) pooled: accuracy, confidence where right and where wrong, cost.

    Cost counts the metering keys of the classification phase alone, and is null with `cost_reason` as soon as one
    document's is not known. `documents_unread` says how many have no readable evaluation. A separation that is null has
    a `separation_reason`. `confusions` counts pages by (labelled, predicted) class, the most frequent first.
    """
    right: list[float] = []
    wrong: list[float] = []
    pages = correct = unread = output_tokens = 0
    costs: list[float] = []
    reasons: list[str] = []
    per_doc: dict[str, Any] = {}
    confusions: Counter[tuple[str, str]] = Counter()
    for document in documents:
        name = str(document.get("sub_document") or document.get("name"))
        found = document.get("evaluation") or {}
        report = found.get("value") if found.get("state") == "present" else None
        cost, tokens, reason = _phase_cost(document, card)
        output_tokens += tokens
        if cost is None:
            reasons.append(f"{name}: {reason}")
        else:
            costs.append(cost)
        if not isinstance(report, dict):
            unread += 1
            per_doc[name] = {"pages_evaluated": 0, "class_accuracy": None, "cost": cost}
            continue
        good, bad, evaluated = page_confidences(report)
        right += good
        wrong += bad
        details = _pages(report)
        hits = sum(bool(page.get("correct")) for page in details)
        confusions.update(
            (str(page.get("ground_truth_class")), str(page.get("predicted_class")))
            for page in details
            if not page.get("correct")
        )
        pages += evaluated
        correct += hits
        per_doc[name] = {
            "pages_evaluated": evaluated,
            "class_accuracy": round(hits / evaluated, 4) if evaluated else None,
            "cost": cost,
        }
    both = right + wrong
    cost = None if reasons or not costs else round(sum(costs), 4)
    return {
        "documents": len(per_doc),
        "documents_unread": unread,
        "pages_evaluated": pages,
        "pages_scored": len(both),
        "class_accuracy": round(correct / pages, 4) if pages else None,
        "class_calibration_separation": separation(right, wrong),
        "separation_reason": _no_separation(pages, right, wrong),
        "n_right": len(right),
        "n_wrong": len(wrong),
        "mean_confidence_right": round(fmean(right), 4) if right else None,
        "mean_confidence_wrong": round(fmean(wrong), 4) if wrong else None,
        "median_confidence_right": round(median(right), 4) if right else None,
        "median_confidence_wrong": round(median(wrong), 4) if wrong else None,
        "pct_conf_below_0.9": round(100 * sum(value < ALERT for value in both) / len(both), 1) if both else None,
        "cost": cost,
        "cost_reason": "; ".join(reasons) or None,
        "cost_per_page": round(cost / pages, 6) if cost is not None and pages else None,
        "output_tokens": output_tokens,
        "output_tokens_per_page": round(output_tokens / pages, 1) if pages else None,
        "confusions": [
            {"labelled": labelled, "predicted": predicted, "pages": count}
            for (labelled, predicted), count in sorted(confusions.items(), key=lambda item: (-item[1], item[0]))
        ],
        "per_doc": per_doc,
    }


def _no_separation(pages: int, right: Sequence[float], wrong: Sequence[float]) -> str | None:
    """Why there is no separation; None where there is one."""
    if right and wrong:
        return None
    if not pages:
        return "no page was evaluated"
    if not right and not wrong:
        return "no page has a confidence"
    return "no page with a confidence is wrong" if right else "no page with a confidence is right"


def _phase_cost(document: Mapping[str, Any], card: RateCard) -> tuple[float | None, int, str | None]:
    """Cost, output tokens and, without a cost, the reason, of a document's classification."""
    metering = document.get("metering") or {}
    if metering.get("state") != "present" or not isinstance(metering.get("value"), dict):
        return None, 0, f"metering {metering.get('state') or 'not recorded'}"
    own = {key: counts for key, counts in metering["value"].items() if key.split("/", 1)[0] == PHASE}
    tokens = sum(
        int(value)
        for counts in own.values()
        if isinstance(counts, dict) and is_number(value := counts.get("outputTokens"))
    )
    priced = price(own, card)
    unrounded = None if priced.by_key is None else sum(priced.by_key.values())
    return unrounded, tokens, priced.reason
