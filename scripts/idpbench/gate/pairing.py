"""Which unit of the new side is held against which of the baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from idpbench.files.errors import bad_input, nearest
from idpbench.gate.grid import Grid, Row, Rows, Unit


@dataclass(frozen=True)
class Pair:
    """One unit measured on both sides. `key` names it; `cell` is `new=base` where arms pair different cells."""

    key: str
    cell: str
    doc: str
    sub: str
    new: Rows
    base: Rows


@dataclass(frozen=True)
class Pairing:
    """Shared units, and those that only one side has (with their rows), under the names that pairing gives them."""

    pairs: tuple[Pair, ...]
    missing: Mapping[Unit, list[Row]]
    added: Mapping[Unit, list[Row]]


def override_slug(meta: Mapping[str, Any]) -> str | None:
    """The slug that names a side's axis overrides, where its meta has one."""
    slug = meta.get("slug")
    return slug if isinstance(slug, str) and slug else None


def pair_units(new: Grid, base: Grid, arms: tuple[str, str] | None = None) -> Pairing:
    """Pair by (cell, document, sub-document), never by repeat; with `arms` the named cell of each side is one.

    Raises Refusal where an arm is neither a cell of its side nor the override slug of its side.
    """
    known = {unit.doc for side in (new, base) for unit in side.units}
    new_units, base_units = _suffixed(new.units, known), _suffixed(base.units, known)
    files = {unit for unit in (*new_units, *base_units) if unit.sub}
    new_units, base_units = _whole_runs(new_units, files), _whole_runs(base_units, files)
    if arms is not None and not _slugs(new, base, arms):
        label = arms[0] if arms[0] == arms[1] else f"{arms[0]}={arms[1]}"
        new_units = _arm(new, new_units, arms[0], label)
        base_units = _arm(base, base_units, arms[1], label)
    pairs = []
    for unit in sorted(new_units.keys() & base_units.keys()):
        pairs.append(Pair(unit.key, unit.cell, unit.doc, unit.sub, Rows(new_units[unit]), Rows(base_units[unit])))
    return Pairing(
        pairs=tuple(pairs),
        missing={unit: base_units[unit] for unit in sorted(base_units.keys() - new_units.keys())},
        added={unit: new_units[unit] for unit in sorted(new_units.keys() - base_units.keys())},
    )


def _slugs(new: Grid, base: Grid, arms: tuple[str, str]) -> bool:
    """Do the arms name the sides' override slugs (then cells pair by their own names)?"""
    names = tuple(override_slug(side.meta) or "default" for side in (new, base))
    return names == arms and not (arms[0] in new.cells and arms[1] in base.cells)


def _suffixed(units: Mapping[Unit, list[Row]], known: set[str]) -> dict[Unit, list[Row]]:
    """The original leaves `.pdf` off a document that was never launched, which would then pair with nothing."""
    result: dict[Unit, list[Row]] = {}
    for unit, rows in units.items():
        never = any(row.get("status") == "NOT_LAUNCHED" for row in rows)
        name = f"{unit.doc}.pdf" if never and f"{unit.doc}.pdf" in known else unit.doc
        result.setdefault(Unit(unit.cell, name, unit.sub), []).extend(rows)
    return result


def _whole_runs(units: Mapping[Unit, list[Row]], files: set[Unit]) -> dict[Unit, list[Row]]:
    """A run of a labelled set that never produced a document has one row; it stands for every file of the set."""
    sets: dict[tuple[str, str], list[Unit]] = {}
    for unit in sorted(files):
        sets.setdefault((unit.cell, unit.doc), []).append(unit)
    result = {unit: list(rows) for unit, rows in units.items() if unit.sub or (unit.cell, unit.doc) not in sets}
    for unit, rows in units.items():
        if not unit.sub:
            for file in sets.get((unit.cell, unit.doc), ()):
                result.setdefault(file, []).extend(rows)
    return result


def _arm(side: Grid, units: Mapping[Unit, list[Row]], cell: str, label: str) -> dict[Unit, list[Row]]:
    found = {Unit(label, unit.doc, unit.sub): rows for unit, rows in units.items() if unit.cell == cell}
    if not found:
        known = [*side.cells, *([slug] if (slug := override_slug(side.meta)) else [])]
        expected = f"a cell or the override slug of {side.name} ({nearest(cell, known)})"
        raise bad_input("--arms", cell, "no such cell", expected, "write --arms NEW_CELL=BASE_CELL")
    return found
