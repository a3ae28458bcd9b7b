"""Planned runs of which there is no score: they get a row each, so that nobody has to notice an absence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from idpbench.pricing.card import RateCard
from idpbench.scoring.row import score_record

NOT_LAUNCHED = "NOT_LAUNCHED"


def missing_rows(plan: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A NOT_LAUNCHED row for each planned run whose key (else cell, document, repeat) no row has."""
    keys = set()
    places = set()
    for row in rows:
        keys.add(row.get("key"))
        places.add((row.get("cell"), str(row.get("doc")).removesuffix(".pdf"), row.get("repeat")))
    found = []
    for run in plan.get("runs") or []:
        place = (run.get("cell"), run.get("document"), run.get("repeat"))
        if run.get("key") in keys if run.get("key") else place in places:
            continue
        record = {
            **{name: run.get(name) for name in ("key", "cell", "document", "repeat", "config_name", "config_digest")},
            "class": run.get("doc_class", run.get("class")),
            "backend": plan.get("backend"),
            "reference": bool(run.get("reference")),
            "resolved": run.get("resolved") or {},
            "identity": run.get("identity") or {},
            "status": NOT_LAUNCHED,
            "status_reason": "planned, and no run record exists",
        }
        found += score_record(record, None, RateCard({}))
    return found
