"""One run record and its truth become rows: one per document, each key as `columns` lists it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.pricing.card import RateCard
from idpbench.scoring.accuracy import accuracy
from idpbench.scoring.audit import audit
from idpbench.scoring.calibration import calibration
from idpbench.scoring.classification import score_classification
from idpbench.scoring.completeness import completeness, section_count
from idpbench.scoring.confidence import confidence
from idpbench.scoring.failure import failure, issues
from idpbench.scoring.latency import latency
from idpbench.scoring.reference import read_evaluation, reference
from idpbench.scoring.sections import Sections, read_sections
from idpbench.scoring.truth import Truth, read_truth
from idpbench.scoring.usage import NOTHING, usage
from idpbench.stack.contract import INFRA, throttled

COMPLETED = "COMPLETED"
FINAL = frozenset({COMPLETED, "FAILED", "ABORTED"})
UNENDED = frozenset({"TIMED_OUT", "NOT_COPIED"})  # run states that are about the documents without a final state
NO_DOCS = "NO_DOCS"


def score_record(
    record: Mapping[str, Any], truth: Truth | Mapping[str, Any] | None, prices: RateCard
) -> list[dict[str, Any]]:
    """Rows of a run record: one per document it produced, or one that says that it produced none.

    With a truth the metrics are those of the truth, without one those of the stack's own evaluation (`scored_by`).
    Failed documents are scored too; `success` is what keeps them out of means. A defect of one document's content that
    no metric foresaw makes that row a SCORE_ERROR with the `error`, and leaves the others alone.
    """
    prepared = truth if truth is None or isinstance(truth, Truth) else read_truth(truth)
    documents = record.get("documents") or []
    if not documents:
        return [_unborn(record)]
    expected = record.get("n_docs")
    note = None
    if isinstance(expected, int) and len(documents) != expected:
        note = f"{len(documents)} of {expected} documents found"
    rows = []
    for document in documents:
        row = _identity(record, document)
        row["coverage_note"] = note
        try:
            row |= _score(record, document, prepared, prices)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            row |= {"status": "SCORE_ERROR", "success": False, "error": f"{type(error).__name__}: {error}", **NOTHING}
        rows.append(row)
    return rows


def _identity(record: Mapping[str, Any], document: Mapping[str, Any] | None) -> dict[str, Any]:
    """Who was run. `doc` is the file name, or of a labelled set its id with the file name in `sub_doc`."""
    identity = record.get("identity") or {}
    launch = record.get("launch") or {}
    sub = document.get("sub_document") if document else None
    is_set = bool(record.get("reference")) or sub is not None
    name = document.get("name") if document else None
    return {
        "cell": record.get("cell"),
        "doc": record.get("document") if is_set else name or f"{record.get('document')}.pdf",
        "sub_doc": sub,
        "repeat": record.get("repeat"),
        "resolved": dict(record.get("resolved") or {}),
        "run_id": launch.get("run_id"),
        "key": record.get("key"),
        "backend": record.get("backend"),
        "class": record.get("class"),
        "reference": is_set,
        "document_digest": identity.get("document_digest"),
        "config_name": record.get("config_name"),
        "config_digest": record.get("config_digest"),
        "launched_at": launch.get("at"),
        "completed_at": (record.get("completion") or {}).get("at"),
    }


def _unborn(record: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a run without a document: not launched, not copied, or a labelled set that yielded nothing."""
    status = str(record.get("status") or "?")
    row = _identity(record, None)
    row["status"] = NO_DOCS if row["reference"] and status == COMPLETED else "?" if status == COMPLETED else status
    return {
        **row,
        "success": False,
        "page_count": None,
        "scored_by": None,
        "wall_s": None,
        **NOTHING,
        "cost_unread": "absent: the run produced no document",
        **failure(row["status"], record.get("status_reason"), {}),
    }


def _score(
    record: Mapping[str, Any], document: Mapping[str, Any], truth: Truth | None, prices: RateCard
) -> dict[str, Any]:
    tracking = document.get("tracking") or {}
    found = tracking.get("row") if tracking.get("state") == "present" else None
    tracked: Mapping[str, Any] = found if isinstance(found, dict) else {}
    status = _status(record, tracked)
    sections = read_sections(document)
    pages = tracked.get("PageCount")
    reason = record.get("status_reason") if len(record.get("documents") or []) == 1 else None
    return {
        "status": status,
        "success": status == COMPLETED,
        "page_count": float(pages) if isinstance(pages, (int, float)) and not isinstance(pages, bool) else None,
        **latency(tracked, sections),
        **usage(document, status, sections, prices),
        **failure(status, reason, tracked),
        "processing_issues": issues(tracked),
        **_measures(record, document, sections, truth),
    }


def _measures(
    record: Mapping[str, Any], document: Mapping[str, Any], sections: Sections, truth: Truth | None
) -> dict[str, Any]:
    """The metrics; none at all where a section exists that could not be read, since a zero would be an invention."""
    scored_by = "truth" if truth is not None else "evaluation"
    if sections.unreadable:
        return {
            "scored_by": scored_by,
            "sections_unreadable": sections.unreadable,
            "sections_unread": sections.unread,
        }
    off = (record.get("resolved") or {}).get("assessment") == "off"
    common = {
        "scored_by": scored_by,
        "sections_unreadable": None,
        "sections_unread": None,
        **confidence(sections, off=off),
        **audit(sections),
    }
    if truth is not None:
        name = str(record.get("testset") or record.get("document") or "")
        return {
            **common,
            **completeness(sections, truth),
            **accuracy(sections, truth),
            **section_count(sections, truth),
            **calibration(sections, truth, name, str(record.get("config_name") or "")),
        }
    evaluation = document.get("evaluation") or {}
    return {
        **common,
        "sections": len(sections.items),
        **reference(evaluation),
        **score_classification(read_evaluation(evaluation)[0]),
    }


def _status(record: Mapping[str, Any], tracked: Mapping[str, Any]) -> str:
    """The document's own final state; else the run's, where that can be meant of this document; else `?`.

    A failure for being throttled is INFRA: about the account's limits, so that no comparison counts it.
    """
    own = tracked.get("ObjectStatus")
    run = record.get("status")
    alone = len(record.get("documents") or []) == 1
    if own == "FAILED" and throttled(tracked.get("Error") or (record.get("status_reason") if alone else None)):
        return INFRA
    if own in FINAL:
        return str(own)
    if run in UNENDED or (alone and run and run != COMPLETED):
        return str(run)
    return str(own) if own else "?"
