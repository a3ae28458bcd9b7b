"""Did the arm under test do anything? One counter per mechanism; without it a difference of zero says nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.files.tables import count
from idpbench.report.shelf import Row
from idpbench.report.spelling import counted
from idpbench.report.strata import is_number


@dataclass(frozen=True)
class Engagement:
    """What the counter says; `engaged` None where the records do not carry it."""

    text: str
    engaged: bool | None


def coercions(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Values that were converted to their schema's type."""
    done, refused = _sum(new, "coercions"), _sum(new, "coercion_refusals")
    if done is None:
        return _unknown("coercions")
    more = f", refused {count(refused)} as ambiguous" if refused else ""
    return Engagement(f"coerced {counted(done, 'value')}{more} in {counted(len(new), 'run')}", done > 0)


def forced_tool(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Forced tools that the model honoured, over those that were sent."""
    attempted, honoured = _sum(new, "forced_tool_attempted"), _sum(new, "forced_tool_honored")
    skips: dict[str, int] = {}
    for row in new:
        for reason, times in (row.get("forced_tool_skips") or {}).items():
            skips[str(reason)] = skips.get(str(reason), 0) + int(times)
    skipped = "".join(f", skipped {times} ({reason})" for reason, times in sorted(skips.items()))
    if attempted is None:
        return Engagement(f"forced tool never sent{skipped}", False) if skips else _unknown("forced tools")
    return Engagement(f"forced tool honoured {honoured or 0}/{attempted}{skipped}", bool(honoured))


def escalations(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Requests beyond those of the other arm: a failing field that was read again is a request of its own."""
    return _differs("requests", _sum(base, "requests"), _sum(new, "requests"), higher=True)


def sections(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Sections that the arms cut files into."""
    left, right = _sum(base, "sections"), _sum(new, "sections")
    if left is None or right is None:
        return _unknown("sections")
    return Engagement(f"cut {counted(right, 'section')}, the other arm {count(left)}", left != right)


def classification_requests(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Input tokens of the classification phase: looking for boundaries reads every page."""
    return _tokens("Classification", "inputTokens", base, new)


def classification_answers(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Output tokens of the classification phase: a stated confidence has to be written."""
    return _tokens("Classification", "outputTokens", base, new)


def prefix_tokens(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Input tokens of extraction, cached or not: a schema copy that is left out is not sent."""
    units = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    left, right = (_phase(rows, "Extraction", *units) for rows in (base, new))
    return _differs("input tokens of extraction", left, right)


def confidence_inside(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Confidences that came although no assessment request was made."""
    leaves = _sum(new, "n_conf_leaves")
    asked = _phase(new, "Assessment", "inputTokens")
    if leaves is None:
        return _unknown("confidences")
    return Engagement(
        f"{counted(leaves, 'confidence')} within the extraction, {count(asked or 0)} tokens of assessment",
        leaves > 0 and not asked,
    )


def records_returned(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """List rows that the arms returned in all: what is wrapped, or reported, is counted there."""
    left, right = _sum(base, "rows_extracted"), _sum(new, "rows_extracted")
    if left is None or right is None:
        return _unknown("rows")
    return Engagement(f"{counted(right, 'row')} returned, the other arm {count(left)}", right > 0)


def model_called(base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    """Did the two arms meter unlike models?"""
    left, right = (_models(rows) for rows in (base, new))
    if not right:
        return _unknown("models")
    only = len(right - left)
    return Engagement(f"{counted(only, 'model')} metered that the other arm did not meter", only > 0)


def _differs(noun: str, left: int | None, right: int | None, higher: bool = False) -> Engagement:
    if left is None or right is None:
        return _unknown(noun)
    return Engagement(f"{count(right)} {noun}, the other arm {count(left)}", right > left if higher else right != left)


def _tokens(phase: str, unit: str, base: Sequence[Row], new: Sequence[Row]) -> Engagement:
    noun = f"{'input' if unit == 'inputTokens' else 'output'} tokens of {phase.lower()}"
    return _differs(noun, _phase(base, phase, unit), _phase(new, phase, unit))


def _unknown(noun: str) -> Engagement:
    return Engagement(f"{noun} not recorded", None)


def _sum(rows: Sequence[Row], key: str) -> int | None:
    found = [int(value) for row in rows if is_number(value := row.get(key)) and value is not None]
    return sum(found) if found else None


def _phase(rows: Sequence[Row], phase: str, *units: str) -> int | None:
    found: list[Mapping[str, Any]] = [row["tokens_by_phase"] for row in rows if row.get("tokens_by_phase")]
    if not found:
        return None
    return sum(int(one.get(phase, {}).get(unit, 0)) for one in found for unit in units)


def _models(rows: Sequence[Row]) -> set[str]:
    return {name for row in rows for name in (row.get("tokens_by_model") or {})}


COUNTERS: dict[str, Callable[[Sequence[Row], Sequence[Row]], Engagement]] = {
    "coercions": coercions,
    "forced_tool": forced_tool,
    "escalations": escalations,
    "sections": sections,
    "classification_requests": classification_requests,
    "classification_answers": classification_answers,
    "prefix_tokens": prefix_tokens,
    "confidence_inside": confidence_inside,
    "records_returned": records_returned,
    "model_called": model_called,
}
