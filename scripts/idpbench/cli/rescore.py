"""Scoring a published summary again from the run records that lie beside it, so that both sides have one scorer."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from idpbench.files.canonical import read_gzip_lines
from idpbench.files.errors import Refusal

RECORDS = "runs.jsonl.gz"
FIELDS = ("scorer_sha256", "pricing_sha256")
HERE = Path(__file__).resolve().parents[3]


def alike(new: dict[str, Any], base: dict[str, Any]) -> bool:
    """Have both sides the same scorer and prices, as far as their metas say?"""
    metas = [side.get("meta") if isinstance(side, dict) else None for side in (new, base)]
    first, second = (meta if isinstance(meta, dict) else {} for meta in metas)
    return all(first.get(field) == second.get(field) for field in FIELDS)


def score_again(path: Path, summary: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """The summary with its rows made anew by the present scorer and config/pricing.yaml, or None and why not.

    Rows without a record (never launched) stay as they are. Truth is read from corpus/docs.
    """
    records = _records(path, summary)
    if records is None:
        return None, f"{path}: no {RECORDS} beside it"
    from idpbench.pricing.card import load_rate_card
    from idpbench.scoring.cell import Truths, score_cell, scorer_digest
    from idpbench.summary.summarize import summarize

    try:
        card = load_rate_card(_at("config/pricing.yaml"))
        truths = Truths(_at("corpus/docs"))
        listed = sorted(read_gzip_lines(records), key=lambda record: str(record.get("cell")))
        rows: list[dict[str, Any]] = []
        for cell, group in itertools.groupby(listed, key=lambda record: str(record.get("cell"))):
            rows += score_cell(cell, group, truths, card)["rows"]
    except Refusal as refusal:
        return None, f"{records}: {refusal}"
    kept = [row for row in summary["rows"] if row.get("status") == "NOT_LAUNCHED"]
    meta = {**summary.get("meta", {}), "scorer_sha256": scorer_digest(), "pricing_sha256": card.digest}
    return summarize([*rows, *kept], meta), ""


def _at(place: str) -> Path:
    """A path of this project: here, else beside the library."""
    return Path(place) if Path(place).exists() else HERE / place


def _records(path: Path, summary: dict[str, Any]) -> Path | None:
    """Run records of a side: beside its summary; of a promoted baseline, beside the summary it was copied from."""
    source = summary.get("baseline")
    folders = [path.parent]
    if isinstance(source, dict) and isinstance(source.get("source"), str):
        folders.insert(0, (path.parent / source["source"]).parent)
    return next((place for folder in folders if (place := folder / RECORDS).is_file()), None)
