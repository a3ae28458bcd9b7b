"""May two summaries be compared at all? Same configurations and documents, else nothing is judged; same scorer and
prices, else the metrics these touch are not compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.gate.grid import QUALITY, Grid, Row, number
from idpbench.gate.pairing import Pair

Difference = dict[str, Any]
HARD = ("configuration", "corpus")
TOUCHED = {"scorer": QUALITY, "prices": ("cost",)}
REMEDY = {
    "configuration": "compare runs of the same configurations, or name the two arms with --arms",
    "corpus": "run both sides on the same corpus",
    "scorer": "score both sides again from their run records",
    "prices": "price both sides again with one rate card",
}


@dataclass(frozen=True)
class Comparability:
    """`differences` at field level; `untouchable` maps a metric to the reason why it cannot be compared;
    `changed` are the (cell, document) whose bytes differ and which therefore never pair."""

    differences: tuple[Difference, ...]
    untouchable: Mapping[str, str]
    changed: frozenset[tuple[str, str]]

    @property
    def comparable(self) -> bool:
        return not any(difference["kind"] in HARD for difference in self.differences)


def check(new: Grid, base: Grid, pairs: Iterable[Pair], *, arms: bool) -> Comparability:
    """Hold the two sides' digests and resolved axes against each other, over the units they share."""
    pairs = list(pairs)
    found = [*_configuration(pairs, arms), *_corpus(pairs)]
    changed = frozenset((pair.cell, pair.doc) for pair in pairs if _other_bytes(pair))
    untouchable: dict[str, str] = {}
    for kind, difference in (("scorer", _scorer(new, base)), ("prices", _meta("prices", "pricing_sha256", new, base))):
        if difference is not None:
            found.append(difference)
            reason = f"other {kind} on the two sides ({difference['field']}): {REMEDY[kind]}"
            untouchable |= dict.fromkeys(TOUCHED[kind], reason)
    return Comparability(tuple(found), untouchable, changed)


def _single(rows: Iterable[Row], field: str) -> Any:
    """The one value all rows have, a sorted list where they differ, None where none has it."""
    seen = {row[field] for row in rows if row.get(field) is not None}
    return None if not seen else seen.pop() if len(seen) == 1 else sorted(map(str, seen))


def _axes(rows: Iterable[Row]) -> dict[str, Any]:
    """Resolved axis values over the rows of a unit."""
    resolved = [row["resolved"] for row in rows if isinstance(row.get("resolved"), Mapping)]
    return {axis: _single(resolved, axis) for axis in sorted({axis for one in resolved for axis in one})}


def _configuration(pairs: list[Pair], arms: bool) -> list[Difference]:
    merged: dict[tuple[str, str, str], Difference] = {}
    for pair in pairs:
        fields = _fields_that_differ(pair)
        if arms and len([field for field in fields if field != "config_digest"]) == 1:
            continue  # the arms are there to differ in one axis, and the digest with it
        for field, (old, now) in fields.items():
            difference = {"kind": "configuration", "field": field, "base": old, "new": now, "keys": []}
            place = merged.setdefault(
                (field, str(old), str(now)) if field != "config_digest" else (field, "", ""), difference
            )
            if pair.cell not in place["keys"]:
                place["keys"].append(pair.cell)
    return list(merged.values())


def _fields_that_differ(pair: Pair) -> dict[str, tuple[Any, Any]]:
    old, now = _axes(pair.base), _axes(pair.new)
    both = old.keys() | now.keys() if old and now else ()
    fields = {axis: (old.get(axis), now.get(axis)) for axis in sorted(both) if old.get(axis) != now.get(axis)}
    digests = _single(pair.base, "config_digest"), _single(pair.new, "config_digest")
    if None not in digests and digests[0] != digests[1]:
        fields["config_digest"] = digests
    return fields


def _other_bytes(pair: Pair) -> tuple[str, Any, Any] | None:
    """How a document differs: by digest, or where a side has none by the number of rows in its truth."""
    old, now = _single(pair.base, "document_digest"), _single(pair.new, "document_digest")
    if old is not None and now is not None:
        return ("document_digest", old, now) if old != now else None
    truths = _truth_rows(pair.base), _truth_rows(pair.new)
    return ("rows_truth", sorted(truths[0]), sorted(truths[1])) if all(truths) and truths[0] != truths[1] else None


def _truth_rows(rows: list[Row]) -> set[float]:
    return {count for row in rows if (count := number(row.get("rows_truth"))) is not None}


def _corpus(pairs: list[Pair]) -> list[Difference]:
    merged: dict[tuple[str, str, str], Difference] = {}
    for pair in pairs:
        if (found := _other_bytes(pair)) is None:
            continue
        field, old, now = found
        difference = {"kind": "corpus", "field": field, "base": old, "new": now, "keys": []}
        place = merged.setdefault((field, str(old), str(now)), difference)
        if pair.doc not in place["keys"]:
            place["keys"].append(pair.doc)
    return list(merged.values())


def _scorer(new: Grid, base: Grid) -> Difference | None:
    """Ours names its scorer by digest; the original only by the checkout that scored."""
    field = "scorer_sha256" if any(side.meta.get("scorer_sha256") for side in (new, base)) else "commit"
    return _meta("scorer", field, new, base)


def _meta(kind: str, field: str, new: Grid, base: Grid) -> Difference | None:
    old, now = base.meta.get(field), new.meta.get(field)
    if old == now:
        return None
    return {"kind": kind, "field": field, "base": old, "new": now, "keys": ["*"]}
