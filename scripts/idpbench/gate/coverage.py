"""Coverage before any number: what both sides have, what is gone, what never finished, what stopped being measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.gate.expected import Foretold
from idpbench.gate.grid import METRICS, SEPARATIONS, UNSCORED, Grid, Row, Unit, ended, failed, number, succeeded
from idpbench.gate.options import GateSettings
from idpbench.gate.pairing import Pairing
from idpbench.gate.waived import Waived

# Null where everything is right, so that their vanishing says nothing.
EXEMPT = frozenset(SEPARATIONS)
# What a row says about results that could not be read.
UNREAD = {"cost_unread", "cost_unpriced", "sections_unreadable", "eval_unread", "coverage_note"}
STAMP = re.compile(r"-(\d{4})(\d\d)(\d\d)-\d{6}$")  # at the end of the original's run ids


@dataclass(frozen=True)
class Coverage:
    """`report` is what comparison.json holds; `reasons` say why the verdict is at best incomplete;
    `second_look` are added keys that fail in half their runs or more; `waived` knows what was accepted."""

    report: dict[str, Any]
    reasons: tuple[str, ...]
    second_look: tuple[str, ...]
    not_compared: tuple[dict[str, Any], ...]
    waived: Waived


def census(
    new: Grid,
    base: Grid,
    pairing: Pairing,
    settings: GateSettings,
    told: Mapping[Unit, Foretold],
) -> Coverage:
    """Compare which keys, runs and metrics the two sides have (pure; the waivers' date is the last launch of `new`).

    `told` are the units of which the plan expects a failure: they are listed, and one without a baseline that fails as
    expected asks for no second look.
    """
    date = last_launch(new)
    waived = Waived(settings, date)

    def gap(key: str, metric: str | None) -> bool:
        """Is this gap open, that is not waived?"""
        return not waived.accepts(key, metric)

    missing = [unit.key for unit in pairing.missing if gap(unit.key, None)]
    unfinished = [item for item in _unfinished(pairing) if gap(item["key"], None)]
    unscored = [item for item in _unscored(pairing) if gap(item["key"], None)]
    vanished, appeared = _one_sided(pairing)
    open_vanished = [item for item in vanished if gap(item["key"], item["metric"])]
    shared = [pair for pair in pairing.pairs if any(pair.new.good) and any(pair.base.good)]
    apart = {unit for unit, one in told.items() if one.apart}
    added = [_added(unit, rows, unit in apart) for unit, rows in pairing.added.items()]
    second = tuple(item["key"] for item in added if item["second_look"] and gap(item["key"], None))

    reasons = []
    if missing:
        reasons.append(
            f"{len(missing)} of {len(pairing.pairs) + len(pairing.missing)} baseline keys are missing: {_some(missing)}"
        )
    if unfinished:
        reasons.append(f"runs never finished at {_some([i['key'] for i in unfinished])}")
    if unscored:
        reasons.append(f"runs could not be scored at {_some([i['key'] for i in unscored])}")
    if open_vanished:
        names = [f"{item['key']} {item['metric']}" for item in open_vanished]
        reasons.append(f"measured by the baseline and by no new run: {_some(names)}")
    if not shared:
        reasons.append("no key succeeded on both sides")
    reasons += _plan_gap(new, "new") + _plan_gap(base, "base")

    report = {
        "keys_base": len(base.units),
        "keys_new": len(new.units),
        "keys_shared": len(pairing.pairs),
        "keys_succeeded_on_both": len(shared),
        "missing": [unit.key for unit in pairing.missing],
        "added": added,
        "renamed": _renamed(pairing),
        "unfinished": unfinished,
        "unscored": unscored,
        "vanished": vanished,
        "metrics_new_only": appeared,
        "all_new_failed": [p.key for p in pairing.pairs if p.new.ended and not any(p.new.good)],
        "expected_fail": [told[unit].as_dict() for unit in sorted(told)],
        "waived": waived.entries,
        "fewer": _fewer(pairing),
        "cells": _per_cell(new, base),
        "complete": not reasons,
    }
    not_compared = [{**item, "reason": "measured on the new side only"} for item in appeared]
    not_compared += [{**item, "reason": "measured by the baseline only"} for item in vanished]
    return Coverage(report, tuple(reasons), second, tuple(not_compared), waived)


def last_launch(side: Grid) -> str | None:
    """ISO date of the side's last launch: from its meta, its rows, or the stamps in the original's run ids."""
    stated = next((side.meta[key] for key in ("launched_last", "date") if side.meta.get(key)), None)
    if stated is not None:
        return str(stated)[:10]
    dates = set()
    for rows in side.units.values():
        for row in rows:
            if isinstance(row.get("launched_at"), str):
                dates.add(row["launched_at"][:10])
            elif isinstance(row.get("run_id"), str) and (stamp := STAMP.search(row["run_id"])):
                dates.add("-".join(stamp.groups()))
    return max(dates, default=None)


def _some(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _sides(pairing: Pairing) -> Iterable[tuple[str, str, list[Row]]]:
    for pair in pairing.pairs:
        yield pair.key, "base", pair.base
        yield pair.key, "new", pair.new
    for unit, rows in pairing.added.items():
        yield unit.key, "new", rows


def _unfinished(pairing: Pairing) -> list[dict[str, Any]]:
    found = []
    for key, side, rows in _sides(pairing):
        open_rows = [row for row in rows if not ended(row) and row.get("status") not in UNSCORED]
        if open_rows:
            states = sorted({str(row.get("status")) for row in open_rows})
            found.append({"key": key, "side": side, "runs": len(open_rows), "of": len(rows), "states": states})
    return found


def _unscored(pairing: Pairing) -> list[dict[str, Any]]:
    found = []
    for key, side, rows in _sides(pairing):
        bad = [row for row in rows if row.get("status") in UNSCORED]
        if bad:
            found.append({"key": key, "side": side, "runs": len(bad), "of": len(rows)})
    return found


def _one_sided(pairing: Pairing) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    vanished, appeared = [], []
    for pair in pairing.pairs:
        if not any(pair.new.good):
            continue  # its failures say it
        for metric in METRICS:
            old, now = pair.base.values(metric), pair.new.values(metric)
            if old and not now and metric not in EXEMPT:
                vanished.append({"key": pair.key, "metric": metric, "n_base": len(old), "n_new": 0})
            elif now and not old:
                appeared.append({"key": pair.key, "metric": metric, "n_base": 0, "n_new": len(now)})
    return vanished, appeared


def _added(unit: Unit, rows: list[Row], apart: bool) -> dict[str, Any]:
    failures, runs = sum(map(failed, rows)), sum(map(ended, rows))
    look = not apart and runs > 0 and 2 * failures >= runs
    return {"key": unit.key, "runs": runs, "failures": failures, "second_look": look}


def _renamed(pairing: Pairing) -> list[dict[str, Any]]:
    """A key that is gone and an added one whose resolved axes, or document bytes, are the same."""
    found = []
    for old, old_rows in pairing.missing.items():
        for now, new_rows in pairing.added.items():
            cell = (
                old.cell != now.cell
                and (old.doc, old.sub) == (now.doc, now.sub)
                and _same(old_rows, new_rows, "resolved")
            )
            doc = old.doc != now.doc and old.cell == now.cell and _same(old_rows, new_rows, "document_digest")
            if cell or doc:
                found.append({"base": old.key, "new": now.key, "same": "configuration" if cell else "document"})
                break
    return found


def _same(old: list[Row], now: list[Row], field: str) -> bool:
    return old[0].get(field) is not None and old[0].get(field) == now[0].get(field)


def _fewer(pairing: Pairing) -> list[dict[str, Any]]:
    """Where a mean rests on fewer runs than it looks: unread, unpriced or unreadable results, documents not found."""
    found: dict[tuple[str, str, str], int] = {}
    for key, side, rows in _sides(pairing):
        cell = key.split("|")[0]
        for row in rows:
            for field in UNREAD & row.keys():
                if row[field] and succeeded(row):
                    found[cell, side, field] = found.get((cell, side, field), 0) + 1
    return [{"cell": c, "side": s, "what": w, "runs": n} for (c, s, w), n in sorted(found.items())]


def _per_cell(new: Grid, base: Grid) -> dict[str, dict[str, Any]]:
    cells: dict[str, dict[str, Any]] = {cell: {} for cell in sorted({*new.cells, *base.cells})}
    for name, side in (("base", base), ("new", new)):
        for unit, rows in side.units.items():
            counts = cells[unit.cell].setdefault(
                name, dict.fromkeys(("planned", "launched", "finished", "scored", "succeeded"), 0)
            )
            states = [row.get("status") for row in rows]
            over = sum(map(ended, rows))
            counts["planned"] += len(rows)
            counts["launched"] += len(rows) - states.count("NOT_LAUNCHED")
            counts["finished"] += over + sum(state in UNSCORED for state in states)
            counts["scored"] += over
            counts["succeeded"] += sum(map(succeeded, rows))
    return cells


def _plan_gap(side: Grid, name: str) -> list[str]:
    """A plan that is larger than what the summary holds, as its meta states it."""
    planned, scored = number(side.meta.get("planned")), number(side.meta.get("scored"))
    if planned is None or scored is None or scored >= planned:
        return []
    return [f"{name}: {planned:.0f} runs planned, {scored:.0f} scored"]
