"""The first paragraph of a release page and the index's line: what to do, and the numbers that say why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from idpbench.report import spelling
from idpbench.report.cells import per_correct
from idpbench.report.census import census
from idpbench.report.inputs import Inputs
from idpbench.report.strata import paired
from idpbench.report.verdict import Finding, counts, findings, metric_name

HEADLINE_METRICS = ("completeness_recall", "scalar_accuracy", "typed_accuracy", "cell_accuracy", "weighted_accuracy")
MOST_REASONS = 10
LOCAL_NOTE = "local stack, projected cost, nothing was billed"


def decision(inputs: Inputs) -> str:
    """What to do about the upgrade, in one or two sentences that follow from the verdict's word."""
    comparison, old, new = inputs.comparison, inputs.base.version, inputs.new.version
    verdict = comparison["verdict"]
    if verdict == "pass":
        return (
            f"Safe to upgrade from {old} to {new} by this grid: no regression at row, cell or grid level. "
            "Section 8 says what this grid cannot see."
        )
    if verdict == "regression":
        total = sum(counts(comparison, "regressions").values())
        return (
            f"Do not upgrade from {old} to {new} before section 7 is read: it lists "
            f"{spelling.counted(total, 'regression')}."
        )
    if verdict == "inconclusive":
        return (
            f"Not decided whether {new} can replace {old}: no regression was found, and at least one harmful "
            "difference is too large for these repeats to dismiss. Section 7 lists it with the repeats that would "
            "decide it."
        )
    if verdict == "incomplete":
        return f"Not decided whether {new} can replace {old}: the grid is incomplete. Section 4 says what is missing."
    return f"{new} cannot be compared with {old}: the two sides differ in what was measured. Section 4 lists where."


def reasons(inputs: Inputs) -> list[str]:
    """Why the verdict is not `pass`, in the gate's words; regressions themselves stand in section 7."""
    if inputs.comparison["verdict"] == "pass":
        return []
    stated = [re.sub(r"^\* ", "grid: ", str(reason)) for reason in inputs.comparison.get("reasons") or []]
    every = [reason for reason in stated if not re.fullmatch(r"\d+ regressions?", reason)]
    more = [f"{len(every) - MOST_REASONS} more reasons are in comparison.json"] if len(every) > MOST_REASONS else []
    return every[:MOST_REASONS] + more


def sentences(inputs: Inputs) -> list[str]:
    """The numbers behind the decision, one sentence each."""
    base, new = (census(side) for side in inputs.sides)
    found = [
        f"Runs that did not complete: {base.did_not_complete} of {base.runs} "
        f"{spelling.ARROW} {new.did_not_complete} of {new.runs}."
    ]
    for metric in HEADLINE_METRICS:
        means = paired(inputs.base, inputs.new, metric)
        if means.strata:
            found.append(
                f"{_capital(metric_name(metric))} {spelling.pair(metric, means.base, means.new)} "
                f"(n = {means.runs_base} {spelling.ARROW} {means.runs_new} runs, {_keys(means.strata)})."
            )
    found.append(cost_sentence(inputs))
    wall = paired(inputs.base, inputs.new, "wall_s")
    if wall.strata:
        found.append(f"Wall time {spelling.pair('wall_s', wall.base, wall.new)} per run ({_keys(wall.strata)}).")
    return found


def cost_sentence(inputs: Inputs) -> str:
    """Cost per correctly extracted field or cell, with the gate's interval and over how many keys."""
    stated = inputs.comparison.get("headline")
    if isinstance(stated, Mapping) and stated.get("reason"):
        return f"Cost per correct field or cell: not known ({stated['reason']})."
    if isinstance(stated, Mapping) and stated.get("base") is not None and stated.get("new") is not None:
        base, new = float(stated["base"]), float(stated["new"])
        low, high = stated.get("low"), stated.get("high")
        keys, of = stated.get("keys"), stated.get("keys_of")
    else:
        own = per_correct(inputs)
        if own.base is None or own.new is None:
            return "Cost per correct field: not known, since no key has a known cost and correct fields on both sides."
        base, new, low, high, keys, of = own.base, own.new, None, None, own.keys, own.all_keys
    known = f"95 % interval {spelling.interval('cost', low, high)}" if low is not None else "no interval"
    return (
        f"Cost per correct field or cell {spelling.arrow(spelling.fine(base), spelling.fine(new))} "
        f"({spelling.difference(base, new)}; {known}; {keys} of {of} keys have a known cost)."
    )


def finding_sentence(inputs: Inputs) -> str:
    """How many findings of each kind at each level."""
    parts = []
    for kind, noun in (
        ("regressions", "regressions"),
        ("improvements", "improvements"),
        ("inconclusive", "inconclusive"),
    ):
        levels = counts(inputs.comparison, kind)
        parts.append(
            f"{noun} {sum(levels.values())} (row {levels['row']}, cell {levels['cell']}, grid {levels['grid']})"
        )
    return f"{_capital(spelling.listed(parts))}."


def promotion_sentence(promoted: bool, reason: str) -> str:
    """Whether baseline.json was promoted and why."""
    word = "was promoted from PREV's summary" if promoted else "was not promoted"
    return f"baseline.json {word}: {reason}."


def notable(inputs: Inputs) -> str:
    """The index's one line: the first regression, else improvement, else what stayed open, else that nothing moved."""
    comparison = inputs.comparison
    if comparison["verdict"] == "incomparable":
        return "the two sides are incomparable"
    for kind in ("regressions", "improvements"):
        found = sorted(findings(comparison, kind), key=_rank)
        if found:
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            return f"{phrase(found[0])}{more}"
    open_tests = sum(counts(comparison, "inconclusive").values())
    return f"{open_tests} inconclusive, nothing else" if open_tests else "no difference found"


def phrase(finding: Finding) -> str:
    """`recall of cell-a|tiny_form 1.000 → 0.500`."""
    place = "the grid" if finding.level == "grid" else finding.key.replace(".pdf", "")
    shown = spelling.pair(finding.metric, finding.content.get("base"), finding.content.get("new"))
    return f"{metric_name(finding.metric)} of {place} {shown}"


def _rank(finding: Finding) -> tuple[int, float, str, str]:
    level = ("grid", "cell", "row").index(finding.level)
    size = abs(float(finding.content.get("delta") or 0.0))
    return level, -size, finding.key, finding.metric


def _keys(number: int) -> str:
    return spelling.counted(number, "key")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def grid_pair(inputs: Inputs, metric: str) -> dict[str, Any]:
    """A metric's grid means as release.json and the index hold them."""
    means = paired(inputs.base, inputs.new, metric)
    return {"base": means.base, "new": means.new, "keys": means.strata}
