"""The coverage section: what both sides hold, what is gone, what was never measured, as lines of plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idpbench.report import spelling
from idpbench.report.census import stages
from idpbench.report.inputs import NOT_RECORDED, Inputs, Side
from idpbench.report.strata import is_number

MOST = 20


def stage_table(inputs: Inputs) -> tuple[list[str], list[list[str]]]:
    """planned, launched, finished and scored runs of both sides."""
    base, new = (dict(stages(side)) for side in inputs.sides)
    headers = ["runs", f"PREV {inputs.base.version}", f"VERSION {inputs.new.version}"]
    return headers, [[name, _count(base[name]), _count(new[name])] for name in base]


def statements(inputs: Inputs) -> list[str]:
    """One line for each thing that a reader must know before believing a mean."""
    found = inputs.comparison.get("coverage") or {}
    lines = _keys(found)
    lines += [
        f"`cells_compared` is populated in {_rows_with(side, 'cells_compared')} of {len(side.rows)} rows of "
        f"{side.version}."
        for side in inputs.sides
    ]
    lines += _listed("Missing on the new side", found.get("missing"))
    lines += _listed("Only on the new side, so without a baseline", found.get("added"))
    lines += _listed("Renamed", found.get("renamed"))
    lines += _listed("Never finished", found.get("unfinished"))
    lines += _listed("Could not be scored", found.get("unscored"))
    lines += _listed("Measured on PREV only", _one_sided(found.get("vanished")))
    lines += _listed("Measured on VERSION only", _one_sided(found.get("metrics_new_only")))
    lines += _listed("Failed in every new run", found.get("all_new_failed"))
    lines += _listed("Rests on fewer runs than it looks", found.get("fewer"))
    lines += [f"`{one['key']}`: {one['text']}." for one in found.get("expected_fail") or []]
    lines += _listed("Waived", [_waiver(one) for one in found.get("waived") or []])
    lines += _listed("Waivers that waive nothing", [_waiver(one) for one in found.get("idle_waivers") or []])
    lines += _listed("Not compared", _not_compared(inputs.comparison, found))
    lines += _listed("Differences between the sides", inputs.comparison.get("differences"))
    base, new = (_planned_out(side) for side in inputs.sides)
    if base == new:
        return [*lines, *(f"Both sides, {line}" for line in new)]
    return [
        *lines,
        *(f"{inputs.base.version}, {line}" for line in base),
        *(f"{inputs.new.version}, {line}" for line in new),
    ]


def _keys(found: Mapping[str, Any]) -> list[str]:
    names = ("keys_base", "keys_new", "keys_shared", "keys_succeeded_on_both")
    if not all(name in found for name in names):
        return []
    base, new, shared, succeeded = (found[name] for name in names)
    return [
        f"Keys (cell, document): {base} on PREV, {new} on VERSION, {shared} on both, {succeeded} succeeded on both."
    ]


def _planned_out(side: Side) -> list[str]:
    """Documents and cells that the plan left out, with the plan's reason."""
    lines = []
    for name, label in (
        ("skipped", "skipped"),
        ("capped", "measured less than the suite asks"),
        ("stopped", "stopped early"),
        ("docs_unlaunchable", "could not be launched"),
        ("unsupported", "unsupported"),
        ("docs_other_class", "of another class"),
        ("docs_missing_truth", "without truth"),
        ("expected_fail", "expected to fail"),
        ("omitted_paths", "configuration paths left out because one side does not know them"),
        ("pinned", "cells that keep their own value of an overridden axis"),
        ("caveats", "to know about a cell"),
    ):
        lines += _listed(label, side.meta.get(name))
    return [*lines, *(f"{control['text']}." for control in side.meta.get("controls") or [])]


def _not_compared(comparison: Mapping[str, Any], found: Mapping[str, Any]) -> list[Any]:
    """What the gate left out, without what the one-sided metrics above already say."""
    said = {
        (item["key"], item["metric"]) for name in ("vanished", "metrics_new_only") for item in found.get(name) or []
    }
    return [
        item
        for item in comparison.get("not_compared") or []
        if not isinstance(item, Mapping) or (item.get("key"), item.get("metric")) not in said
    ]


def _one_sided(items: Sequence[Mapping[str, Any]] | None) -> list[str]:
    """Metrics that one side measured alone, with over how many keys."""
    keys: dict[str, set[str]] = {}
    for item in items or []:
        keys.setdefault(item["metric"], set()).add(item["key"])
    return [f"{metric} ({spelling.counted(len(keys[metric]), 'key')})" for metric in sorted(keys)]


def _waiver(one: Mapping[str, Any]) -> str:
    """What is accepted, why and until when; of one that accepts nothing, why it does not."""
    what = f"`{one['key']}`" + (f" {one['metric']}" if one.get("metric") else "")
    why = f", {one['why']}" if one.get("why") else ""
    return f"{what}: {one['reason']} (until {one.get('until') or 'further notice'}{why})"


def _listed(label: str, items: Any) -> list[str]:
    if not items:
        return []
    if isinstance(items, Mapping):
        items = [f"{key}: {spelling.text(value)}" for key, value in sorted(items.items())]
    every = [items] if isinstance(items, str) else list(items)
    shown = "; ".join(spelling.text(item) for item in every[:MOST])
    more = f"; and {len(every) - MOST} more in comparison.json" if len(every) > MOST else ""
    return [f"{label} ({len(every)}): {shown}{more}."]


def _rows_with(side: Side, key: str) -> int:
    return sum(1 for row in side.rows if is_number(row.get(key)))


def _count(value: int | None) -> str:
    return NOT_RECORDED if value is None else str(value)
