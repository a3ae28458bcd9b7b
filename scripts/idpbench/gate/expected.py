"""Failures that the plan foretold: what cannot fit is kept outside the judgement, and told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.gate.grid import Grid, Rows, Unit
from idpbench.gate.pairing import Pair, Pairing

SIDES = ("new", "base")


@dataclass(frozen=True)
class Foretold:
    """A key whose runs the plan of a side expected to fail, and what its runs did.

    `reasons`, `ended` and `failed` are by side (`new`, `base`). It is set apart where every side of which a failure was
    expected has failed in all its runs; where one of these has succeeded at all, the key is judged like any other.
    """

    key: str
    reasons: Mapping[str, str]
    ended: Mapping[str, int]
    failed: Mapping[str, int]

    @property
    def apart(self) -> bool:
        """True where the key is not judged."""
        return all(self.failed[side] == self.ended[side] for side in self.reasons)

    @property
    def surprises(self) -> list[str]:
        """Sides of which all was expected to fail and something succeeded."""
        return [side for side in self.reasons if self.failed[side] < self.ended[side]]

    def as_dict(self) -> dict[str, Any]:
        """Its entry in comparison.json."""
        runs = {side: {"runs": self.ended[side], "failures": self.failed[side]} for side in SIDES}
        return {
            "key": self.key,
            "judged": not self.apart,
            "reasons": dict(self.reasons),
            **runs,
            "text": self._text(),
        }

    def _text(self) -> str:
        done = ", ".join(f"{side} failed {self.failed[side]} of {self.ended[side]}" for side in reversed(SIDES))
        why = "; ".join(dict.fromkeys(self.reasons.values()))
        if self.surprises:
            return f"unexpectedly succeeded on {' and '.join(self.surprises)} ({done}), so it is judged: {why}"
        return f"expected to fail, so not judged ({done}): {why}"


def foretold(new: Grid, base: Grid, pairing: Pairing) -> dict[Unit, Foretold]:
    """The expected failures among the shared and the added units, by unit."""
    told = {"new": _reasons(new), "base": _reasons(base)}
    found: dict[Unit, Foretold] = {}
    for pair in pairing.pairs:
        reasons = {side: why for side in SIDES if (why := told[side].get(_place(pair.cell, pair.doc, side)))}
        if reasons:
            rows = {"new": pair.new, "base": pair.base}
            found[Unit(pair.cell, pair.doc, pair.sub)] = _one(pair.key, reasons, rows)
    for unit, added in pairing.added.items():
        if why := told["new"].get(_place(unit.cell, unit.doc, "new")):
            found[unit] = _one(unit.key, {"new": why}, {"new": Rows(added), "base": Rows([])})
    return found


def without(pairs: Iterable[Pair], told: Mapping[Unit, Foretold]) -> tuple[Pair, ...]:
    """The pairs that are judged: all but those set apart."""
    return tuple(
        pair for pair in pairs if (one := told.get(Unit(pair.cell, pair.doc, pair.sub))) is None or not one.apart
    )


def _one(key: str, reasons: Mapping[str, str], rows: Mapping[str, Rows]) -> Foretold:
    ended = {side: len(rows[side].ended) for side in SIDES}
    return Foretold(key, reasons, ended, {side: rows[side].failures for side in SIDES})


def _reasons(side: Grid) -> dict[tuple[str, str], str]:
    """(cell, document id) -> why its plan expects its runs to fail; nothing where the plan is not known."""
    listed = side.meta.get("expected_fail")
    entries = listed if isinstance(listed, list) else []
    return {
        (str(entry.get("cell")), str(entry.get("document"))): str(entry.get("reason") or "expected by the plan")
        for entry in entries
        if isinstance(entry, Mapping)
    }


def _place(cell: str, doc: str, side: str) -> tuple[str, str]:
    """A unit's cell and document as the plan of `side` names them: arms pair two cells as `new=base`."""
    new, arms, base = cell.partition("=")
    own = new if side == "new" or not arms else base
    return own, doc.removesuffix(".pdf")
