"""Side folders for the tests of this room: rows in, the five files of a side out, with a run record behind each row."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from idpbench.files import atomic
from idpbench.files.canonical import digest, gzip_lines, write_json

START = {"0.6.8": datetime(2026, 11, 2, 9, 0, tzinfo=UTC), "0.6.9": datetime(2026, 11, 2, 10, 0, tzinfo=UTC)}


def row(cell: str, doc: str, repeat: int, **more: Any) -> dict[str, Any]:
    """A row that completed, with every metric at its best unless said otherwise."""
    cost = more.pop("cost", 0.1)
    return {
        "cell": cell,
        "doc": f"{doc}.pdf",
        "sub_doc": None,
        "repeat": repeat,
        "resolved": {
            "ocr": "textract_tables",
            "extraction_mode": "simple",
            "extraction_model": "sonnet46",
            "cell": cell,
        },
        "status": "COMPLETED",
        "success": True,
        "page_count": 2.0,
        "wall_s": 30.0,
        "cost": cost,
        "cost_by_phase": {"OCR": round(cost * 0.25, 5), "Extraction": round(cost * 0.75, 5)},
        "tokens": {
            "inputTokens": 1000,
            "outputTokens": 200,
            "cacheReadInputTokens": 3000 if repeat else 0,
            "cacheWriteInputTokens": 0 if repeat else 3000,
        },
        "rows_truth": 5,
        "completeness_recall": 1.0,
        "scalar_accuracy": 1.0,
        "cell_accuracy": 1.0,
        "cells_compared": 15,
        "correct_fields": 17,
        "fields_total": 17,
        "scalars": None,
        **more,
    }


def failed(cell: str, doc: str, repeat: int, reason: str) -> dict[str, Any]:
    """A row of a run that failed: no metric, no known cost."""
    nothing = dict.fromkeys(
        ("cost", "cost_by_phase", "tokens", "completeness_recall", "scalar_accuracy", "cell_accuracy")
    )
    return row(cell, doc, repeat) | nothing | {
        "status": "FAILED", "success": False, "status_reason": reason, "correct_fields": 0, "wall_s": None
    }  # fmt: skip


def record(line: dict[str, Any], version: str, at: datetime, backend: str, text: str) -> dict[str, Any]:
    """The run record behind a row, as far as a page reads it."""
    document = line["doc"].removesuffix(".pdf")
    fingerprint = {
        "version": version,
        "status": "UPDATE_COMPLETE",
        "updated": f"2026-11-02T0{8 + (version == '0.6.9')}:30:00Z",
    }
    end = at + timedelta(seconds=line["wall_s"] or 5.0)
    return {
        "schema": "idpbench/record/1",
        "key": digest([version, line["cell"], document, line["repeat"]])[:40],
        "identity": {"document_digest": digest(document)},
        "backend": backend,
        "cell": line["cell"],
        "document": document,
        "class": "bank_statement",
        "repeat": line["repeat"],
        "config_name": f"bench-{line['cell']}__bank_statement__{digest(line['cell'])[:8]}",
        "config_digest": digest(line["cell"]),
        "status": line["status"],
        "status_reason": line.get("status_reason"),
        "stack": {"name": "IDPbench", "region": "us-west-2", "account": "1" * 12, "template_digest": digest(version)},
        "launch": {"at": at.isoformat().replace("+00:00", "Z"), "fingerprint": fingerprint},
        "completion": {"at": end.isoformat().replace("+00:00", "Z"), "fingerprint": fingerprint},
        "documents": [{"name": line["doc"], "pages": [{"id": 1, "text": text}]}],
    }


def write_side(
    folder: Path,
    version: str,
    rows: Iterable[dict[str, Any]],
    *,
    backend: str = "local",
    text: str = "Account Number 4471-20\nStatement Period March 2026",
    meta: dict[str, Any] | None = None,
    start: datetime | None = None,
) -> Path:
    """Write the five files of a side and return its folder; each row gets the key of its record."""
    start = start or START[version]
    lines = list(rows)
    records = [
        record(line, version, start + timedelta(seconds=7 * number), backend, text) for number, line in enumerate(lines)
    ]
    lines = [line | {"key": made["key"]} for line, made in zip(lines, records, strict=True)]
    counted = len(lines)
    facts = {
        "schema": "idpbench/meta/1",
        "backend": backend,
        "version": version,
        "suite": "corefast",
        "series": "a",
        "commit": digest(version)[:40],
        "date": start.date().isoformat(),
        "pricing_sha256": digest("prices"),
        "scorer_sha256": digest("scorer"),
        **dict.fromkeys(("planned", "launched", "finished", "scored"), counted),
        **(meta or {}),
    }
    write_json(
        folder / "summary.json", {"schema": "idpbench/summary/1", "meta": facts, "rows": lines, "cell_stats": {}}
    )
    write_json(folder / "meta.json", facts)
    table = io.StringIO()
    writer = csv.DictWriter(
        table, ["cell", "doc", "repeat", "status", "cost"], extrasaction="ignore", lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(lines)
    atomic.write_text(folder / "summary.csv", table.getvalue())
    atomic.write_text(folder / "cell_stats.csv", "cell,n_success\n")
    atomic.write_bytes(folder / "runs.jsonl.gz", gzip_lines(sorted(records, key=lambda made: made["key"])))
    return folder


def finding(key: str, metric: str, base: float, new: float, **more: Any) -> dict[str, Any]:
    """A finding of the deciding pass."""
    delta = new / base - 1 if metric in ("cost", "bill") else new - base
    return {
        "key": key, "metric": metric, "base": base, "new": new, "delta": delta, "spread": 0.0,
        "n_base": 2, "n_new": 2, "text": f"{metric} changed", "p": 0.05, "q": 0.05, "low": None, "high": None,
        "repeats_needed": None, "apart": False, "notes": [], **more,
    }  # fmt: skip


def comparison(verdict: str = "pass", **more: Any) -> dict[str, Any]:
    """comparison.json without findings, or with those given as `rows`, `cells`, `grid`."""
    empty: dict[str, list[Any]] = {"regressions": [], "improvements": [], "inconclusive": []}
    levels = {level: {**empty, **more.pop(level, {})} for level in ("rows", "cells", "grid")}
    return {
        "schema": "idpbench/comparison/1", "rules": "paired", "verdict": verdict, "exploratory": False,
        "coverage": {}, "not_compared": [], "differences": [], "reasons": [], "tests": [], "classic": {},
        **levels, **more,
    }  # fmt: skip


def wide_grid(
    seed: int, cells: Iterable[str], docs: dict[str, float], repeats: int, shift: float = 1.0
) -> list[dict[str, Any]]:
    """A grid with noise: documents of unlike cost, cells of unlike level, some scalars missed."""
    source = random.Random(seed)
    lines = []
    for place, cell in enumerate(cells):
        for doc, level in docs.items():
            for repeat in range(repeats):
                miss = source.random() < 0.04
                scalars = {"Account Number": {"expected": "4471-20", "got": "4471-2O"}} if miss else None
                lines.append(
                    row(
                        cell, doc, repeat,
                        cost=round(level * (1 + place / 12) * shift * source.lognormvariate(0, 0.06), 4),
                        scalar_accuracy=0.5 if miss else 1.0, scalars=scalars, correct_fields=16 if miss else 17,
                        completeness_recall=round(1.0 if source.random() < 0.93 else source.uniform(0.3, 1), 4),
                        cell_accuracy=round(1 - abs(source.gauss(0, 0.01)), 4), wall_s=round(source.uniform(20, 90), 3),
                    )
                )  # fmt: skip
    return lines
