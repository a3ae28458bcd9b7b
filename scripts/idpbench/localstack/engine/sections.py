"""One section from its pages to its result.json: extraction, enforcement, assessment, escalation, their requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from idpbench.localstack.engine import tokens
from idpbench.localstack.engine.assess import Assessor, blank, separate_requests, uncertain
from idpbench.localstack.engine.classify import Section
from idpbench.localstack.engine.context import RunContext
from idpbench.localstack.engine.enforce import (
    LISTED_ERRORS,
    Enforcement,
    Verdict,
    enforce_types,
    printed_orders,
    read_again,
    validate,
)
from idpbench.localstack.engine.extract import Work, extract, forced_tool_block
from idpbench.localstack.engine.instances import documents_in
from idpbench.localstack.engine.limits import check_window, image_tokens, model_of, prompt_tokens, request
from idpbench.localstack.engine.meter import Request
from idpbench.localstack.engine.options import Options
from idpbench.localstack.engine.pages import PageRead
from idpbench.localstack.engine.profile import Profile
from idpbench.localstack.engine.reader import Reader
from idpbench.localstack.engine.record import Record

ENGINE = "rows-v1"

Orders = Mapping[tuple[str, ...], str]  # order of day and month by date column


@dataclass
class SectionResult:
    """The result.json of a section, the requests behind it by phase, and what was noticed on the way."""

    result: dict[str, Any]
    requests: list[Request] = field(default_factory=list)
    issues: list[dict[str, Any]] = field(default_factory=list)


def process_section(
    reader: Reader, section: Section, options: Options, profile: Profile, context: RunContext
) -> SectionResult:
    """Read one section. A JobError ends the document; its `phase` says where."""
    document_class = section.document_class
    head: dict[str, Any] = {
        "document_class": {"type": document_class.name},
        "split_document": {"page_indices": list(section.pages)},
    }
    if document_class.excluded:
        return SectionResult(_excluded(section, head))
    if document_class.empty:
        skipped = {"parsing_succeeded": True, "extraction_time_seconds": 0.0, "skipped_due_to_empty_attributes": True}
        return SectionResult({**head, "inference_result": {}, "metadata": skipped})
    chosen = options.extraction
    groups = documents_in(reader, document_class, section.pages, profile.identity_share)
    several = document_class.multi_instance
    work = Work(
        name=f"section {section.number}",
        pages=tuple(reader.pages[index] for index in section.pages),
        document_class=document_class,
        readings=tuple(reader.section(document_class, group) for group in (groups if several else groups[:1])),
        options=chosen,
        profile=profile,
        model=model_of(profile, chosen.model, "extraction.model"),
        context=context,
    )
    records, requests = extract(work)
    pages = {page.index: page for page in work.pages}
    metadata: dict[str, Any] = {
        "parsing_succeeded": True,
        # the metered constant: a clock would make two equal runs differ
        "extraction_time_seconds": profile.function_seconds_per_page["Extraction"] * len(pages),
        "engine": ENGINE,
        "profile": profile.version,
        "tokenizer": tokens.TOKENIZER,
        "forced_tool": forced_tool_block(work),
    }
    # how dates are written is told from the values as printed, before coercion replaces those that are clear
    orders = [printed_orders(record.values, document_class) for record in records]
    requests += _enforce(records, orders, work, metadata)
    explained, more = _assess(records, orders, work, pages)
    requests += more
    metadata["requests"] = [one.as_dict() for one in requests]
    result: dict[str, Any] = {**head, "inference_result": _shaped([r.values for r in records], several)}
    result["metadata"] = metadata
    result["processing_report"] = _report(work, len(groups))
    if explained is not None:
        result["explainability_info"] = [_shaped(explained, several)]
    issues = []
    if len(groups) > 1 and not several and chosen.multi_instance_detection.enabled:
        issues.append(_several_found(section, len(groups)))
    return SectionResult(result, requests, issues)


def _shaped(records: Sequence[dict[str, Any]], several: bool) -> dict[str, Any]:
    return {"instances": list(records)} if several else records[0]


def _excluded(section: Section, head: dict[str, Any]) -> dict[str, Any]:
    name = section.document_class.name
    return {
        **head,
        "status": "skipped_excluded_class",
        "stage": "extraction",
        "section_id": str(section.number),
        "classification": name,
        "excluded": True,
        "exclusion_reason": "the class is marked as excluded",
        "page_ids": [str(index + 1) for index in section.pages],
        "message": f"Nothing is extracted from pages of class {name}.",
    }


def _enforce(
    records: Sequence[Record], orders: Sequence[Orders], work: Work, metadata: dict[str, Any]
) -> list[Request]:
    """Coercion and validation in place; their blocks go into `metadata`; the requests that escalation sent."""
    chosen = work.options
    requests: list[Request] = []
    done = Enforcement()
    if chosen.coercion.enabled:
        for record in records:
            one = enforce_types(record.values, work.document_class)
            done.coercions += one.coercions
            done.refusals += one.refusals
    verdicts = _validated(records, work) if chosen.validation.enabled else []
    if verdicts and chosen.validation.fail_action == "escalate":
        changed = 0
        for record, order, verdict in zip(records, orders, verdicts, strict=True):
            if verdict.paths:
                requests.append(_second_reading(work, verdict.paths, chosen.validation.escalation_model, "validation"))
                changed += read_again(record.values, work.document_class, verdict.paths, order)
        done.coercions += changed
        done.refusals = max(0, done.refusals - changed)
        if requests:
            verdicts = _validated(records, work)
            metadata["escalation"] = {"requests": len(requests), "values_changed": changed}
    if chosen.coercion.enabled:
        metadata["coercion"] = {"coercion_count": done.coercions, "refusal_count": done.refusals}
    if verdicts:
        metadata["validation"] = _merged([verdict.block for verdict in verdicts])
    return requests


def _validated(records: Sequence[Record], work: Work) -> list[Verdict]:
    return [validate(record.values, work.document_class) for record in records]


def _merged(blocks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    by_field: dict[str, int] = {}
    for block in blocks:
        for name, count in block["errors_by_field"].items():
            by_field[name] = by_field.get(name, 0) + count
    return {
        "valid": not by_field,
        "error_count": sum(by_field.values()),
        "failed_fields": sorted(by_field),
        "errors_by_field": by_field,
        "errors": [error for block in blocks for error in block["errors"]][:LISTED_ERRORS],
    }


def _assess(
    records: Sequence[Record], orders: Sequence[Orders], work: Work, pages: Mapping[int, PageRead]
) -> tuple[list[dict[str, Any]] | None, list[Request]]:
    """The explainability of each record (None when confidence is off) and the requests of the confidence model."""
    chosen = work.options.confidence
    if chosen.mode == "off":
        return None, []
    assessor = Assessor(work.document_class, work.options, work.profile)
    explained = [assessor.explain(record, pages) for record in records]
    requests: list[Request] = []
    if chosen.mode == "separate":
        model = model_of(work.profile, chosen.model, "extraction.confidence.model")
        requests, lost = separate_requests(
            records, work.document_class, work.options, work.profile, model, pages, work.context.repeat > 0
        )
        for number, path, row in lost:
            blank(explained[number], path, row)
    if chosen.escalation_enabled:
        limit = chosen.escalation_threshold or chosen.threshold or work.profile.alert_threshold
        for record, order, one in zip(records, orders, explained, strict=True):
            low = uncertain(one, work.document_class, limit)
            if low:
                requests.append(_second_reading(work, low, chosen.escalation_model, "confidence"))
                read_again(record.values, work.document_class, low, order)
    return explained, requests


def _second_reading(work: Work, paths: Set[tuple[str, ...]], model_id: str | None, why: str) -> Request:
    """The request that has some values read again: the section's text and images, and the values asked for."""
    phase = "Extraction" if why == "validation" else "Assessment"
    path = f"extraction.{why}.escalation_model"
    model = model_of(work.profile, model_id or work.options.model, path)
    prefix = prompt_tokens(work.options.system_prompt, work.options.task_prompt)
    prefix += tokens.count(work.document_class.prompt_text)
    asked = tokens.count(json.dumps(sorted("/".join(path) for path in paths)))
    rest = asked + sum(page.tokens for page in work.pages) + image_tokens(model, work.pages)
    check_window(model, prefix + rest, phase)
    output = min(model.output_cap, 2 * asked)
    return request(phase, model, prefix=prefix, rest=rest, output=output, warm=work.context.repeat > 0)


def _several_found(section: Section, count: int) -> dict[str, Any]:
    return {
        "stage": "EXTRACTION",
        "severity": "WARNING",
        "code": "MULTIPLE_INSTANCES",
        "message": f"Section {section.number} holds {count} documents of class {section.document_class.name}; "
        "only the first was returned.",
        "rootCause": "The section was not split, and its class does not allow several instances.",
        "details": {"instances": count, "pages": [index + 1 for index in section.pages]},
        "section_id": str(section.number),
    }


def _report(work: Work, groups: int) -> str:
    found = sum(len(reading.scalars) for reading in work.readings)
    return (
        f"{work.options.mode} extraction of {len(work.pages)} pages as {work.document_class.name}: "
        f"{found} of {len(work.document_class.scalars) * len(work.readings)} scalars found, {groups} documents seen."
    )
