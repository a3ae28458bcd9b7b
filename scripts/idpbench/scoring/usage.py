"""Tokens, requests and cost of a document from its metering, in three states: recorded, empty, not known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idpbench.pricing.card import RateCard
from idpbench.pricing.price import TOKEN_UNITS, price
from idpbench.scoring.numbers import is_number
from idpbench.scoring.sections import Sections

NOT_RECORDED = "not recorded"
NOTHING: dict[str, Any] = {
    "cost": None,
    "cost_unread": None,
    "cost_unpriced": None,
    "cost_by_phase": None,
    "cost_by_key": None,
    "cost_notes": None,
    "tokens": None,
    "tokens_by_phase": None,
    "tokens_by_model": None,
    "requests": None,
}


def usage(
    document: Mapping[str, Any], status: str, sections: Sections, card: RateCard, at: str | None = None
) -> dict[str, Any]:
    """Usage of one document of a run record that ended as `status`, at the rates of ISO date `at` (the newest).

    A completed document that metered nothing cost 0.0. One that did not complete and metered nothing has a cost that
    nobody recorded: null, `cost_unread` = `not recorded: ...`. A metering that could not be read is null too, with the
    state and the reason. A metering that cannot be priced keeps its tokens and says why in `cost_unpriced`.
    """
    metering, unread = _metering(document)
    if unread is None and not metering and status != "COMPLETED":
        unread = f"{NOT_RECORDED}: the document ended as {status} and metered nothing, though money may have been spent"
    if unread is not None:
        return {**NOTHING, "cost_unread": unread}
    priced = price(metering, card, _requests(sections), at)
    return {
        "cost": priced.cost,
        "cost_unread": None,
        "cost_unpriced": priced.reason,
        "cost_by_phase": priced.by_phase,
        "cost_by_key": priced.by_key,
        "cost_notes": list(priced.notes) or None,
        **_tokens(metering, card),
    }


def _metering(document: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The metering map, or why it is not known. A row without the attribute is an empty map."""
    tracking = document.get("tracking") or {}
    if tracking.get("state") != "present":
        state = tracking.get("state") or "absent"
        return {}, f"{state}: {tracking.get('reason') or 'no tracking row'}"
    found = document.get("metering") or {}
    state = found.get("state") or "absent"
    if state == "failed":
        return {}, f"failed: {found.get('reason') or 'no reason given'}"
    value = found.get("value")
    if state == "absent" or value is None:
        return {}, None
    if not isinstance(value, dict):
        return {}, f"failed: {type(value).__name__} instead of a map"
    return value, None


def _requests(sections: Sections) -> list[Mapping[str, Any]]:
    """The single model requests that sections list, for price bands."""
    return [
        request
        for section in sections.items
        if isinstance(listed := section.metadata.get("requests"), list)
        for request in listed
        if isinstance(request, dict)
    ]


def _tokens(metering: Mapping[str, Any], card: RateCard) -> dict[str, Any]:
    """The four token classes in all, by phase and by model; `requests` null where no entry counts them."""
    total = dict.fromkeys(TOKEN_UNITS, 0)
    phases: dict[str, dict[str, int]] = {}
    models: dict[str, dict[str, int]] = {}
    requests: int | None = None
    for key, counts in metering.items():
        phase = phases.setdefault(key.split("/", 1)[0], dict.fromkeys(TOKEN_UNITS, 0))
        if not isinstance(counts, dict):
            continue
        if is_number(number := counts.get("requests")):
            requests = (requests or 0) + int(number)
        used = {unit: int(value) for unit in TOKEN_UNITS if is_number(value := counts.get(unit))}
        if not used:
            continue
        model = models.setdefault(_model(key, card), dict.fromkeys(TOKEN_UNITS, 0))
        for unit, value in used.items():
            total[unit] += value
            phase[unit] += value
            model[unit] += value
    return {"tokens": total, "tokens_by_phase": phases, "tokens_by_model": models or None, "requests": requests}


def _model(key: str, card: RateCard) -> str:
    """Model of a metering key: the priced name without its service, or what follows the phase and the service."""
    name = card.match(key) or key.partition("/")[2] or key
    return name.partition("/")[2] or name
