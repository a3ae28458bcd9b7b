"""Emissions on disk: schema `idpbench/claims-emitted/1`, our own results, and saved reports of the reference.

Reads files. A file that is none of these is a FileRefused with every problem in it.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from idpbench.claims.emitted import OPTIONAL, SKIPPED, STATUSES, CaseEmission, Claim, Emissions
from idpbench.claims.extractors.base import NO_MODEL
from idpbench.claims.suite.problems import Findings, Outcome
from idpbench.claims.suite.values import show
from idpbench.files.canonical import read_json, write_json
from idpbench.files.errors import bad_input

SCHEMA = "idpbench/claims-emitted/1"
RESULT = "idpbench/claims-result/1"
AGGREGATE = "idpbench/claims-aggregate/1"
REFERENCE_FORMAT = 1


def read_emissions(path: Path | str) -> Emissions:
    """The emissions in a file; of our result or of a report of the reference, those it records."""
    return emissions_of(read_json(path), str(path)).get()


def read_passes(path: Path | str) -> list[Emissions]:
    """The same of every pass that a file holds: our aggregates, and so all published results, may have several."""
    document = read_json(path)
    if not isinstance(document, dict) or document.get("schema") != AGGREGATE:
        return [emissions_of(document, str(path)).get()]
    passes = document.get("passes")
    if not isinstance(passes, list) or not passes:
        raise bad_input(path, "passes", show(passes), "a list with at least one pass", "restore the file")
    return [emissions_of(entry, f"{path}#passes[{number}]").get() for number, entry in enumerate(passes)]


def write_emissions(path: Path | str, emissions: Emissions) -> None:
    """Write emissions whole."""
    write_json(path, emissions_document(emissions))


def emissions_document(emissions: Emissions) -> dict[str, Any]:
    """Emissions as `idpbench/claims-emitted/1`; what a claim does not have is left out."""
    cases = [
        {
            "case_id": case.case_id,
            "status": case.status,
            **({"note": case.note} if case.note else {}),
            "claims": [claim_document(claim) for claim in case.claims],
        }
        for case in emissions.cases
    ]
    return {
        "schema": SCHEMA,
        "extractor_id": emissions.extractor_id,
        "extractor_version": emissions.extractor_version,
        "provider_model": emissions.provider_model,
        "suite_id": emissions.suite_id,
        "cases": cases,
    }


def claim_document(claim: Claim) -> dict[str, Any]:
    """A claim as JSON."""
    optional = {name: value for name in OPTIONAL if (value := getattr(claim, name)) is not None}
    subjects = {"subjects": list(claim.subjects)} if claim.subjects else {}
    return {"content": claim.content, "confidence": claim.confidence, **subjects, **optional}


def emissions_of(document: Any, source: str) -> Outcome[Emissions]:
    """The emissions that a JSON document holds, or all its problems."""
    findings = Findings.of(source)
    made = None
    if not isinstance(document, dict):
        findings.add("", "", show(document), f"{SCHEMA}, {RESULT} or a saved report", "write claims-emitted")
    elif document.get("schema") == SCHEMA:
        made = _emitted(document, findings)
    elif document.get("schema") == RESULT:
        made = _result(document, findings)
    elif document.get("format") == REFERENCE_FORMAT and isinstance(document.get("report"), dict):
        model = document.get("extraction_provider_model")
        made = _report(document["report"], findings, model if isinstance(model, str) else NO_MODEL)
    elif "per_case" in document and "schema" not in document:
        made = _report(document, findings, NO_MODEL)
    else:
        expected = f"{SCHEMA}, {RESULT} or a saved report of format {REFERENCE_FORMAT}"
        found = repr(document.get("schema", document.get("format")))
        findings.add("", "schema", found, expected, "write claims-emitted")
    return Outcome(None if findings.problems else made, tuple(findings.problems))


def _emitted(document: dict[str, Any], findings: Findings) -> Emissions:
    cases = []
    for index, entry in _list(document, "", "cases", findings):
        place = f"cases[{index}]"
        status = entry.get("status", "ok")
        if status not in STATUSES:
            findings.add(place, "status", show(status), f"one of {', '.join(STATUSES)}", "correct it")
            continue
        claims = _claims(entry, place, "claims", findings) if "claims" in entry or status == "ok" else ()
        if claims and status != "ok":
            findings.add(place, "claims", f"{len(claims)} claims", f"none, for the status is {status}", "remove them")
        note = entry.get("note", "")
        cases.append(CaseEmission(_text(entry, place, "case_id", findings), status, claims, str(note)))
    return Emissions(*_names(document, findings), tuple(cases), str(document.get("provider_model", NO_MODEL)))


def _result(document: dict[str, Any], findings: Findings) -> Emissions:
    """Ours: `per_case` for what ran, `failed` for those of them that raised, `skipped` for the rest."""
    made = _report(document, findings, str(document.get("provider_model", NO_MODEL)))
    failed = {
        _text(entry, f"failed[{index}]", "case_id", findings): CaseEmission(
            str(entry.get("case_id")), "raises", note=str(entry.get("note", ""))
        )
        for index, entry in _list(document, "", "failed", findings)
    }
    cases = [failed.get(case.case_id, case) for case in made.cases]
    for index, entry in _list(document, "", "skipped", findings):
        status = entry.get("status")
        if status not in SKIPPED:
            findings.add(f"skipped[{index}]", "status", show(status), "declined or missing_fixture", "restore the file")
            continue
        name = _text(entry, f"skipped[{index}]", "case_id", findings)
        cases.append(CaseEmission(name, status, note=str(entry.get("note", ""))))
    return Emissions(made.extractor_id, made.extractor_version, made.suite_id, tuple(cases), made.provider_model)


def _report(document: dict[str, Any], findings: Findings, provider_model: str) -> Emissions:
    """A report has a row for each case that ran; one that was skipped has none."""
    cases = tuple(
        CaseEmission(
            _text(entry, f"per_case[{index}]", "case_id", findings),
            "ok",
            _claims(entry, f"per_case[{index}]", "emitted_claims", findings),
        )
        for index, entry in _list(document, "", "per_case", findings)
    )
    return Emissions(*_names(document, findings), cases, provider_model, partial=True)


def _claims(entry: dict[str, Any], place: str, key: str, findings: Findings) -> tuple[Claim, ...]:
    claims = []
    for index, item in _list(entry, place, key, findings):
        inner = f"{place}.{key}[{index}]"
        if item.get("content") is None:
            remedy = "state it; a report saved without texts cannot be scored again"
            findings.add(inner, "content", "nothing", "the text of the claim", remedy)
            continue
        subjects = item.get("subjects") or []
        if not isinstance(subjects, list) or not all(isinstance(name, str) for name in subjects):
            findings.add(inner, "subjects", show(subjects), "a list of texts", "write the names of the subjects")
            continue
        values = {name: item.get(name) for name in OPTIONAL}
        for name, value in values.items():
            if value is not None and not isinstance(value, str):
                findings.add(inner, name, show(value), "a text", "put it in quotes, or leave it out")
                values[name] = None
        until = values["expected_valid_until"]
        if until is not None and not is_date(until):
            findings.add(inner, "expected_valid_until", repr(until), "a date", "write for instance 2026-05-28")
        try:
            claims.append(Claim(item["content"], item.get("confidence"), tuple(subjects), **values))  # type: ignore[arg-type]
        except ValueError as error:
            remedy = "write texts, and a number within [0, 1]"
            findings.add(inner, "", str(error), "content and confidence", remedy)
    return tuple(claims)


def is_date(text: str) -> bool:
    """Whether a text is an ISO date."""
    try:
        date.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _list(entry: dict[str, Any], place: str, key: str, findings: Findings) -> list[tuple[int, dict[str, Any]]]:
    """The mappings of a list with their index; anything else is a problem."""
    value = entry.get(key)
    if not isinstance(value, list):
        findings.add(place, key, show(value), "a list", "write [] where there are none")
        return []
    found = []
    for index, item in enumerate(value):
        if isinstance(item, dict):
            found.append((index, item))
        else:
            findings.add(f"{place}.{key}[{index}]".lstrip("."), "", show(item), "an object", "correct the entry")
    return found


def _names(document: dict[str, Any], findings: Findings) -> tuple[str, str, str]:
    extractor_id, version = (_text(document, "", key, findings) for key in ("extractor_id", "extractor_version"))
    return extractor_id, version, _text(document, "", "suite_id", findings)


def _text(entry: dict[str, Any], place: str, key: str, findings: Findings) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        findings.add(place, key, show(value), "a text", f"state {key}")
        return ""
    return value
