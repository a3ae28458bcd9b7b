"""The scalar values behind a finding in scalar or typed accuracy: truth, PREV, VERSION, and the line that was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from idpbench.report import spelling
from idpbench.report.inputs import Inputs, Side, document_of, records
from idpbench.report.verdict import findings

SCALAR_METRICS = ("scalar_accuracy", "typed_accuracy")
TRUE = "the truth"
Place = tuple[str, str, str]


@dataclass(frozen=True)
class Change:
    """One scalar field of one key: what is true, what each side's runs said (value, runs), and where it was read."""

    key: str
    field: str
    truth: str
    base: tuple[tuple[str, int], ...]
    new: tuple[tuple[str, int], ...]
    line: str | None


def changes(inputs: Inputs) -> list[Change]:
    """Scalar fields whose values differ between the sides, in the keys that a scalar finding is about."""
    wanted = {f.key for f in findings(inputs.comparison) if f.metric in SCALAR_METRICS and f.level != "grid"}
    grid = any(f.metric in SCALAR_METRICS and f.level == "grid" for f in findings(inputs.comparison))
    found = []
    truths = _truths(inputs)
    fields: dict[str, set[str]] = {}
    for document, field in truths:
        fields.setdefault(document, set()).add(field)
    sides = [_values(side, wanted, fields, everything=grid) for side in inputs.sides]
    places = {place for side in sides for place in side}
    lines = _lines_read(inputs.new, {(cell, document) for cell, document, _ in places}, truths)
    for place in sorted(places):
        base, new = (side.get(place, Counter()) for side in sides)
        if base != new:
            cell, document, field = place
            found.append(
                Change(
                    key=f"{cell}|{document}",
                    field=field,
                    truth=truths[document, field],
                    base=_counted(base),
                    new=_counted(new),
                    line=lines.get(place),
                )
            )
    return found


def _counted(values: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(values.items(), key=lambda item: (-item[1], item[0])))


def spelled(values: Iterable[tuple[str, int]]) -> str:
    """`"a"` (2 runs), the truth (1 run)."""
    shown = [(value if value == TRUE else spelling.code(value), count) for value, count in values]
    return ", ".join(f"{value} ({spelling.counted(count, 'run')})" for value, count in shown) or "no run"


def _truths(inputs: Inputs) -> dict[tuple[str, str], str]:
    """(document, field) -> truth, for every field that any run of either side missed."""
    return {
        (document_of(row), field): _quoted(miss.get("expected"))
        for side in inputs.sides
        for row in side.rows
        for field, miss in (row.get("scalars") or {}).items()
    }


def _values(
    side: Side, wanted: set[str], fields: dict[str, set[str]], *, everything: bool
) -> dict[Place, Counter[str]]:
    """What the successful runs of the wanted keys said of each field that some run missed."""
    found: dict[Place, Counter[str]] = {}
    for row in side.successes():
        document = document_of(row)
        named = {row["cell"], f"{row['cell']}|{row['doc']}", f"{row['cell']}|{document}"}
        if everything or named & wanted:
            misses: dict[str, Any] = row.get("scalars") or {}
            for field in fields.get(document, ()):
                said = _quoted(misses[field].get("got")) if field in misses else TRUE
                found.setdefault((row["cell"], document, field), Counter())[said] += 1
    return found


def _lines_read(side: Side, keys: set[tuple[str, str]], truths: dict[tuple[str, str], str]) -> dict[Place, str]:
    """For each field the first line of page text, as VERSION read it, that holds the true value or the field's name."""
    runs = {run.key: run for run in side.runs if (run.cell, run.document) in keys}
    found: dict[Place, str] = {}
    for record in records(side, set(runs)) if runs else ():
        run = runs[record["key"]]
        text = [
            line.strip()
            for document in record.get("documents", [])
            for page in document.get("pages", [])
            for line in str(page.get("text") or "").splitlines()
        ]
        for (document, field), truth in truths.items():
            if document == run.document and (run.cell, document, field) not in found:
                line = _line_with(text, truth.strip('"')) or _line_with(text, field)
                if line:
                    found[run.cell, document, field] = line
    return found


def _line_with(text: list[str], part: str) -> str | None:
    return next((line for line in text if part and part.casefold() in line.casefold()), None)


def _quoted(value: Any) -> str:
    return "null" if value is None else f'"{value}"'
