"""The page of the classification benchmark, and what of it the guidance shows too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.files.tables import MISSING, markdown, money, number
from idpbench.report.headline import LOCAL_NOTE

MOST_CONFUSIONS = 8
READING = (
    "Separation is the mean confidence of rightly classified pages minus that of wrongly classified ones. It is the "
    "number to read first: escalation acts on the confidence, so one that does not tell right from wrong misleads, "
    "however high the accuracy."
)
SAME_READER = (
    "The local engine classifies by rules of its own, whatever model is named: accuracy and confidence are alike for "
    "all models by construction, and only tokens and projected cost differ."
)
PIPELINE = "This page tests the pipeline, not a vendor's model."


def render(summary: Mapping[str, Any]) -> str:
    """The page as Markdown, from the summary alone."""
    meta, about = summary["meta"], summary["classification"]
    models = named(about["models"], meta["backend"])
    local = meta["backend"] == "local"
    parts = [
        f"# Classification on {about['testset']}, release {meta['version']}",
        *([f"**Self-test: {LOCAL_NOTE}.** {SAME_READER} {PIPELINE}"] if local else []),
        what(about),
        READING,
        markdown(*table(models)),
        "\n".join(f"- {reason}" for reason in reasons(models)),
        "## Confidence where right and where wrong",
        _confidences(models),
        "## Which classes were mixed up",
        _confusions(models),
        "## Documents",
        _documents(models),
        "## How it was measured",
        _how(meta),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def named(models: Iterable[Mapping[str, Any]], backend: str) -> list[dict[str, Any]]:
    """The models with the label that a page of `backend` may give them: where none was called, no vendor's name."""
    return [{**model, "label": f"`{model['model']}`" if backend == "local" else model["label"]} for model in models]


def what(about: Mapping[str, Any]) -> str:
    """One sentence: how many documents, of which test set, with or without a confidence."""
    documents = max((model["documents"] for model in about["models"]), default=0)
    asked = "with" if about["mode"] == "topk" else "without"
    taken = "" if about["sample"] is None else f" (sample={about['sample']})"
    text = (
        f"{documents} documents{taken} of test set {about['testset']} ({about['kind']}), each page classified {asked} "
        "a confidence."
    )
    return f"{text} Note: {about['note']}." if about["note"] else text


def table(models: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[Any]], list[str]]:
    """Headers, lines and alignment of the numbers that are looked at first, one line a model."""
    headers = ["model", "pages", "accuracy", "separation", "cost", "per page", "output tokens per page"]
    rows = [
        [
            model["label"],
            model["pages_evaluated"],
            number(model["class_accuracy"]),
            _signed(model["class_calibration_separation"]),
            money(model["cost"]),
            money(model["cost_per_page"], 6),
            number(model["output_tokens_per_page"], 1),
        ]
        for model in models
    ]
    return headers, rows, ["left"] + ["right"] * 6


def reasons(models: Sequence[Mapping[str, Any]]) -> list[str]:
    """Why a number is missing, and what was not read; sentences."""
    lines = []
    for model in models:
        if model["separation_reason"]:
            lines.append(f"{model['label']}: no separation, since {model['separation_reason']}.")
        if model["cost_reason"]:
            lines.append(f"{model['label']}: no cost ({model['cost_reason']}).")
        if model["documents_unread"]:
            lines.append(f"{model['label']}: {model['documents_unread']} documents have no readable evaluation.")
    return lines


def _confidences(models: Sequence[Mapping[str, Any]]) -> str:
    headers = ["model", "pages with a confidence", "right", "mean", "median", "wrong", "mean", "median", "below 0.9"]
    rows = [
        [
            model["label"],
            model["pages_scored"],
            model["n_right"],
            number(model["mean_confidence_right"]),
            number(model["median_confidence_right"]),
            model["n_wrong"],
            number(model["mean_confidence_wrong"]),
            number(model["median_confidence_wrong"]),
            MISSING if model["pct_conf_below_0.9"] is None else f"{model['pct_conf_below_0.9']:.1f} %",
        ]
        for model in models
    ]
    return markdown(headers, rows, ["left"] + ["right"] * 8)


def _confusions(models: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [model["label"], one["labelled"], one["predicted"], one["pages"]]
        for model in models
        for one in model["confusions"][:MOST_CONFUSIONS]
    ]
    if not rows:
        return "No page was classified wrongly."
    return markdown(["model", "page is", "taken for", "pages"], rows, ["left", "left", "left", "right"])


def _documents(models: Sequence[Mapping[str, Any]]) -> str:
    names = sorted({name for model in models for name in model["per_doc"]})
    rows = []
    for name in names:
        found = [model["per_doc"].get(name) or {} for model in models]
        pages = max((one.get("pages_evaluated") or 0 for one in found), default=0)
        rows.append([name, pages, *(number(one.get("class_accuracy")) for one in found)])
    headers = ["document", "pages", *(f"accuracy, {model['label']}" for model in models)]
    return markdown(headers, rows, ["left"] + ["right"] * (1 + len(models)))


def _how(meta: Mapping[str, Any]) -> str:
    facts = [
        f"Models were asked one after the other, on stack {meta['stack'] or MISSING} ({meta['backend']}, version "
        f"{meta['stack_version'] or MISSING}), from {meta['launched_first'] or MISSING} to "
        f"{meta['completed_last'] or MISSING}.",
        "Accuracy is the share of evaluated pages whose class is that of the test set's labels. Cost counts the "
        "metering keys of the classification phase alone, priced with config/pricing.yaml.",
        "Run records, page by page, lie beside this page in runs.jsonl.gz; the same numbers as JSON in summary.json.",
    ]
    return "\n".join(f"- {fact}" for fact in facts)


def _signed(value: float | None) -> str:
    return MISSING if value is None else f"{value:+.3f}"
