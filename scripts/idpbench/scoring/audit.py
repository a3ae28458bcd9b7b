"""Did the feature under test engage at all? What each section says of itself, counted over a document."""

from __future__ import annotations

from typing import Any

from idpbench.scoring.sections import Sections


def audit(sections: Sections) -> dict[str, Any]:
    """Forced tool, validation, coercion; a count is null where no section carries the block it comes from.

    `forced_tool_attempted` leaves out the skipped ones, whose reasons are in `forced_tool_skips`.
    """
    forced = _blocks(sections, "forced_tool")
    skips: dict[str, int] = {}
    attempted = honored = 0
    for block in forced:
        if block.get("skipped"):
            reason = str(block["skipped"])
            skips[reason] = skips.get(reason, 0) + 1
        elif block.get("requested"):
            attempted += 1
            honored += bool(block.get("honored"))
    validation = _blocks(sections, "validation")
    coercion = _blocks(sections, "coercion")
    valid = sum(bool(block.get("valid")) for block in validation)
    parsed = [flag for s in sections.items if isinstance(flag := s.metadata.get("parsing_succeeded"), bool)]
    return {
        "forced_tool_attempted": attempted or None,
        "forced_tool_honored": honored if attempted else None,
        "forced_tool_honored_rate": round(honored / attempted, 4) if attempted else None,
        "forced_tool_skips": skips or None,
        "validation_sections": len(validation) or None,
        "validation_valid_rate": round(valid / len(validation), 4) if validation else None,
        "validation_errors": _total(validation, "error_count"),
        "coercions": _total(coercion, "coercion_count"),
        "coercion_refusals": _total(coercion, "refusal_count"),
        "sections_unparsed": parsed.count(False) if parsed else None,
    }


def _blocks(sections: Sections, name: str) -> list[dict[str, Any]]:
    return [block for section in sections.items if isinstance(block := section.metadata.get(name), dict)]


def _total(blocks: list[dict[str, Any]], name: str) -> int | None:
    if not blocks:
        return None
    return sum(int(value) for block in blocks if isinstance(value := block.get(name), (int, float)))
