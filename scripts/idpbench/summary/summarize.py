"""The scores of all cells, the plan and the provenance of the runs become one summary. No clock, no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idpbench.files.canonical import digest
from idpbench.files.errors import bad_input
from idpbench.pricing.card import RateCard
from idpbench.scoring.cell import row_order
from idpbench.summary.controls import judge_controls
from idpbench.summary.missing import missing_rows
from idpbench.summary.stats import cell_stats

SCHEMA = "idpbench/summary/1"
UNFINISHED = frozenset({"NOT_LAUNCHED", "TIMED_OUT"})
UNSCORED = frozenset({"SCORE_ERROR", "?"})
# What a plan says that a reader of the summary must know, by its name in meta; what the plan does not say is null:
# unknown, which is not "none".
FROM_PLAN = {
    **{name: name for name in ("suite", "class", "overrides", "backend", "version", "series", "slug")},
    **{name: name for name in ("aliases", "expected_fail", "skipped", "unsupported", "omitted_paths", "pinned")},
    **{name: name for name in ("caveats", "settled", "capped", "docs_unlaunchable", "config_upload_failed_versions")},
    "cells_skipped_config_upload": "cells_skipped_config_upload",
    "docs_other_class": "other_class",
}


def summarize(rows: Iterable[Mapping[str, Any]], meta: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """`{schema, meta, rows, cell_stats}` of scored rows, in one order whatever order they come in."""
    ordered = sorted((dict(row) for row in rows), key=row_order)
    return {"schema": SCHEMA, "meta": dict(meta or {}), "rows": ordered, "cell_stats": cell_stats(ordered)}


def summarize_side(
    scores: Sequence[Mapping[str, Any]],
    plan: Mapping[str, Any],
    card: RateCard,
    stopped: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The summary of one side from its cells' scores files (`idpbench/scores/1`) and its plan.

    `stopped`: cells of which no more was launched, and why, as landed.json has it. A planned run that has no score
    stands as a NOT_LAUNCHED row, so that it is missed where it is missing. Scores made with different scorers or other
    prices than `card` are a Refusal.
    """
    plan = {**(plan.get("about") or {}), **(plan.get("where") or {}), **plan}
    scorer = _only(scores, "scorer", None)
    _only(scores, "pricing", card.digest)
    scored = [row for cell in scores for row in cell["rows"]]
    rows = [*scored, *missing_rows(plan, scored)]
    summary = summarize(rows)
    summary["meta"] = side_meta(summary["rows"], plan, card, scorer, [cell.get("provenance") or {} for cell in scores])
    summary["meta"]["stopped"] = dict(stopped or {})
    return summary


def side_meta(
    rows: Sequence[Mapping[str, Any]],
    plan: Mapping[str, Any],
    card: RateCard,
    scorer: str | None,
    provenance: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """What the numbers rest on. Everything is of the runs, the plan, the prices: nothing of the moment of writing.

    `stack`, `stack_version`, `region`, `account`, `commit` are those of the run records (a list where they differ);
    `date` is the day of the last launch. `pricing_sha256` is the digest of the rates, so a comment in the file does not
    make two sides incomparable; `pricing_file_sha256` is the file's.
    """
    runs = {_run_of(row): row for row in rows}
    launched = sorted(str(row["launched_at"]) for row in rows if row.get("launched_at"))
    completed = sorted(str(row["completed_at"]) for row in rows if row.get("completed_at"))
    documents = _digests(rows, "doc", "document_digest")
    configurations = _digests(rows, "cell", "config_digest", second="class")
    names = sorted({str(row["doc"]) for row in rows})
    references = sorted({str(row["doc"]) for row in rows if row.get("reference")})
    states = [row.get("status") for row in runs.values()]
    planned = len(plan["runs"]) if isinstance(plan.get("runs"), list) else None
    finished = sum(state not in UNFINISHED for state in states)
    by_truth = [row for row in rows if not row.get("reference") and row.get("scored_by") == "evaluation"]
    return {
        **{name: plan.get(key) for name, key in FROM_PLAN.items()},
        "controls": judge_controls(rows, plan.get("controls")),
        "class": plan.get("class") or _one(row.get("class") for row in rows),
        "stack": _one(item for part in provenance for item in part.get("stack", [])),
        "stack_version": _one(item for part in provenance for item in part.get("stack_version", [])),
        "region": _one(item for part in provenance for item in part.get("region", [])),
        "account": _one(item for part in provenance for item in part.get("account", [])),
        "template_digest": _one(item for part in provenance for item in part.get("template_digest", [])),
        "commit": _one(item for part in provenance for item in part.get("commit", [])),
        "date": launched[-1][:10] if launched else None,
        "launched_first": launched[0] if launched else None,
        "launched_last": launched[-1] if launched else None,
        "completed_last": completed[-1] if completed else None,
        "extraction_model": _one((row.get("resolved") or {}).get("extraction_model") for row in rows),
        "docs_named": sorted({str(run["document"]) for run in plan.get("runs") or [] if run.get("document")}),
        "docs_run": [name for name in names if name not in references],
        "docs_reference": references,
        "docs_missing_truth": sorted({str(row["doc"]) for row in by_truth}),
        "documents": documents,
        "corpus_sha256": digest(documents),
        "configurations": configurations,
        "config_sha256": digest(configurations),
        "scorer_sha256": scorer,
        "pricing_sha256": card.digest,
        "pricing_file_sha256": card.file_sha256,
        "pricing_date": card.as_of,
        "currency": card.currency,
        "planned": planned,
        "launched": sum(state != "NOT_LAUNCHED" for state in states),
        "finished": finished,
        "scored": sum(state not in UNFINISHED and state not in UNSCORED for state in states),
        "partial": planned is not None and finished < planned,
    }


def _only(scores: Sequence[Mapping[str, Any]], key: str, expected: str | None) -> str | None:
    """The value that all scores files share (and that must be `expected`); None of none."""
    values = {str(cell[key]): str(cell["cell"]) for cell in scores}
    wanted = expected or next(iter(values), None)
    for value, cell in sorted(values.items()):
        if value != wanted:
            remedy = "score every cell again with the same code and prices"
            raise bad_input(f"scores of {cell}", key, value[:12], f"{str(wanted)[:12]} as elsewhere", remedy)
    return wanted if scores else None


def _run_of(row: Mapping[str, Any]) -> tuple[str, str, str, int]:
    """Rows of one labelled set's run share it."""
    return str(row.get("key") or ""), str(row["cell"]), str(row["doc"]), int(row.get("repeat") or 0)


def _digests(rows: Iterable[Mapping[str, Any]], name: str, key: str, second: str | None = None) -> dict[str, Any]:
    """Digest by name; a list where one name has several."""
    found: dict[str, set[str]] = {}
    for row in rows:
        if row.get(key):
            label = f"{row[name]}|{row.get(second)}" if second else str(row[name])
            found.setdefault(label, set()).add(str(row[key]))
    return {label: _one(values) for label, values in sorted(found.items())}


def _one(values: Iterable[Any]) -> Any:
    """The one value there is, None of none, a sorted list of several."""
    found = sorted({str(value) for value in values if value is not None})
    return found[0] if len(found) == 1 else found or None
