"""An engine for tests of the server alone: it reads nothing, and says in its result what it was given."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Job:
    pdf: bytes
    file_name: str
    configuration: dict[str, Any]
    profile: str
    run_context: str
    baseline: list[dict[str, Any]] | None


@dataclass
class Page:
    text: str
    text_confidence: dict[str, Any] | None = None
    classification: str | None = None
    confidence: float | None = None
    image_jpeg: bytes | None = None


@dataclass
class Outcome:
    status: str
    error: str | None = None
    pages: list[Page] = field(default_factory=list)
    sections: list[dict[str, Any]] = field(default_factory=list)
    page_sections: list[Any] = field(default_factory=list)
    page_classes: list[str] = field(default_factory=list)
    metering: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] | None = None
    issues: list[dict[str, Any]] = field(default_factory=list)
    ignored_blocks: list[str] = field(default_factory=list)


class Cache:
    def __init__(self, folder: Path) -> None:
        self.folder = folder


def load_profile(config_root: Path, version: str) -> str:
    return version


def process(job: Job, cache: Cache) -> Outcome:
    """Obeys the configuration's block `fake`: `seconds`, `error`, `raises`, `exits`."""
    orders = job.configuration.get("fake", {})
    time.sleep(float(orders.get("seconds", 0)))
    if orders.get("exits"):
        os._exit(9)
    if orders.get("raises"):
        raise RuntimeError("the engine broke")
    metering = {"OCR/textract/analyze_document-Tables": {"pages": 2}}
    if orders.get("error"):
        return Outcome("FAILED", error=orders["error"], metering=metering if orders.get("metered") else {})
    leaf = {"confidence": 0.5, "confidence_threshold": 0.8}
    section = {
        "document_class": {"type": "Fake"},
        "split_document": {"page_indices": [0, 1]},
        "inference_result": {
            "sha256": hashlib.sha256(job.pdf).hexdigest(),
            "file": job.file_name,
            "profile": job.profile,
            "context": job.run_context,
            "marker": job.configuration.get("marker"),
            "rows": [{"a": 1}],
        },
        "metadata": {"parsing_succeeded": True},
        "explainability_info": [{"file": leaf, "rows": [{"a": {"confidence": 0.9, "confidence_threshold": 0.8}}]}],
    }
    evaluation = {"overall_metrics": {"weighted_overall_score": 1.0}} if job.baseline else None
    return Outcome(
        "COMPLETED",
        pages=[Page("first page"), Page("second page", text_confidence={"text": "..."})],
        sections=[section],
        page_classes=["Fake", "Fake"],
        metering=metering,
        evaluation=evaluation,
    )
