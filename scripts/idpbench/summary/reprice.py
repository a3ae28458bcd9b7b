"""A published side at other prices: every run record priced again, beside the cost that its summary states."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idpbench.files.tables import change, money, terminal
from idpbench.pricing.card import RateCard
from idpbench.scoring.numbers import is_number
from idpbench.scoring.sections import read_sections
from idpbench.scoring.usage import usage

Row = Mapping[str, Any]
NO_DOCUMENT = "the run produced no document"


@dataclass(frozen=True)
class Repriced:
    """One document of a run: cost as the summary has it and by the card at hand; None with the reason.

    `recorded`: its metering is there, so that a `reason` is one of the card and not of the run.
    """

    cell: str
    document: str
    old: float | None
    new: float | None
    reason: str | None
    recorded: bool


@dataclass(frozen=True)
class Total:
    """Sums over the `both` documents of `documents` whose cost is known before and after; None over none."""

    cell: str | None
    documents: int
    both: int
    old: float | None
    new: float | None


def reprice(records: Iterable[Row], rows: Iterable[Row], card: RateCard, at: str | None = None) -> list[Repriced]:
    """Price every document of `records` by `card`, at the rates of ISO date `at` (the newest).

    `rows` are those of the side's summary, found by run key and document; a document without a row has no old cost.
    """
    stated = {(row.get("key"), row.get("sub_doc") or row.get("doc")): row for row in rows}
    found = []
    for record in records:
        cell, documents = str(record.get("cell")), record.get("documents") or []
        if not documents:
            found.append(Repriced(cell, str(record.get("document")), None, None, NO_DOCUMENT, False))
        for document in documents:
            name = document.get("sub_document") or document.get("name")
            row = stated.get((record.get("key"), name), {})
            status = str(row.get("status") or record.get("status"))
            spent = usage(document, status, read_sections(document), card, at)
            old = float(row["cost"]) if is_number(row.get("cost")) else None
            reason = spent["cost_unread"] or spent["cost_unpriced"]
            found.append(Repriced(cell, str(name), old, spent["cost"], reason, spent["cost_unread"] is None))
    return found


def totals(found: Sequence[Repriced]) -> list[Total]:
    """One total a cell, by name, and that of the side last (its `cell` is None)."""
    cells = sorted({one.cell for one in found})
    return [*(_total(cell, [one for one in found if one.cell == cell]) for cell in cells), _total(None, found)]


def reasons(found: Iterable[Repriced]) -> dict[str, int]:
    """Why documents have no cost now, with how many of them."""
    return dict(Counter(one.reason for one in found if one.reason).most_common())


def reprice_text(found: Sequence[Repriced]) -> str:
    """The totals as a table for a terminal, and the reasons below it."""
    lines = [
        [one.cell or "total", f"{one.both} / {one.documents}", money(one.old), money(one.new), change(one.old, one.new)]
        for one in totals(found)
    ]
    parts = [terminal(["cell", "priced / documents", "old", "new", "change"], lines)]
    parts += [f"{count} without a cost: {reason}" for reason, count in reasons(found).items()]
    lost = sum(one.old is not None and one.new is None for one in found)
    gained = sum(one.old is None and one.new is not None for one in found)
    if lost or gained:
        parts.append(f"Not in the sums: {lost} with a cost before only, {gained} with one now only.")
    return "\n".join(parts)


def reprice_json(found: Sequence[Repriced]) -> dict[str, Any]:
    """The same for a program; `cell` of the last total is null."""
    return {
        "schema": "idpbench/reprice/1",
        "totals": [
            {"cell": one.cell, "documents": one.documents, "both": one.both, "old": one.old, "new": one.new}
            for one in totals(found)
        ],
        "unpriced": reasons(found),
    }


def _total(cell: str | None, found: Sequence[Repriced]) -> Total:
    both = [(one.old, one.new) for one in found if one.old is not None and one.new is not None]
    sums = [round(math.fsum(costs), 4) for costs in zip(*both, strict=True)] if both else [None, None]
    return Total(cell, len(found), len(both), sums[0], sums[1])
