"""Plan and projection as a person reads them in a terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import groupby

from idpbench.files.tables import count, money, terminal
from idpbench.matrix.estimate import Projection, Range
from idpbench.matrix.plan import Plan
from idpbench.settings.model import Settings

SOURCES = {
    "document": "same document",
    "pages": "same size",
    "arithmetic": "arithmetic",
    "none": "unknown",
}


def plan_text(settings: Settings, plan: Plan, *, repeats: int | None = None) -> str:
    """Sizes first, then cells by documents, then everything that is not an ordinary run."""
    spec = settings.suites[plan.suite]
    parts = [f"Suite {plan.suite}: {spec.question}", _size_line(plan), _grid(settings, plan)]
    if plan.overrides:
        moved = ", ".join(f"{axis}={value}" for axis, value in plan.overrides.items())
        parts.append(f"Moved for every cell that leaves the axis open: {moved}")
    parts += [
        _section("Keep their own value", [f"{axis}: {_names(cells)}" for axis, cells in plan.pinned.items()]),
        _section("Run under a class of their own", [f"{doc}: {name}" for doc, name in plan.other_class.items()]),
        _section("Resolve alike (an A/A control inside the grid)", _alike(plan.aliases)),
        _section("Expected to fail", _by_reason(plan.expected_fail)),
        _section("Left out", [*filter(None, [plan.capped]), *_skipped(plan)]),
        _section("Paths left out of every configuration", list(plan.omitted_paths)),
        _section("Know before reading the results", _caveats(plan)),
    ]
    if repeats is not None and repeats != spec.repeats:
        parts.insert(2, f"Repeats: {repeats} (the suite says {spec.repeats})")
    return "\n\n".join(part for part in parts if part)


def projection_text(projection: Projection) -> str:
    """One line per cell, the total, and what the numbers rest on."""
    if not projection.launches:
        return "Nothing to launch."
    lines = []
    for cell, rows in groupby(sorted(projection.rows, key=lambda row: row.cell), key=lambda row: row.cell):
        found = list(rows)
        known = [row.cost for row in found if row.cost is not None]
        total = Range(0, 0, 0)
        for cost in known:
            total = total.plus(cost)
        sources = Counter(SOURCES[row.source] for row in found for _ in range(row.launches))
        launches = sum(row.launches for row in found)
        cells = [money(value, 2) for value in (total.low, total.expected, total.high)] if known else ["unknown"] * 3
        lines.append([cell, count(launches), *cells, ", ".join(f"{n} {name}" for name, n in sources.most_common())])
    cost, elapsed = projection.cost, projection.elapsed
    sums = [money(value, 2) for value in (cost.low, cost.expected, cost.high)]
    lines.append(["total", count(projection.launches), *sums, ""])
    share = (
        f"{projection.with_prior} of {projection.launches} launches ({projection.prior_share:.0%}) rest on earlier runs"
    )
    unknown = projection.launches - projection.priced
    parts = [
        terminal(["cell", "launches", "low", "expected", "high", "rests on"], lines),
        f"Time with {projection.inflight} runs at once: {duration(elapsed.low)} to {duration(elapsed.high)},"
        f" expected {duration(elapsed.expected)}.",
        f"{share}; rate card {projection.pricing[:12]}.",
    ]
    if unknown:
        parts.append(f"{unknown} launches have no projection of cost and are not in the sums.")
    if projection.backend == "local":
        parts.append("Local stack: projected cost of the requests it would make; nothing is billed.")
    return "\n".join(parts)


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _size_line(plan: Plan) -> str:
    text = f"{count(plan.runs_total)} runs in {count(plan.launches_total)} launches"
    sets = sum(run.n_docs for run in plan.runs if run.reference)
    return f"{text} ({count(sets)} documents of labelled sets, a launch each set)" if sets else text


def _grid(settings: Settings, plan: Plan) -> str:
    """Launches by cell (down) and document (across)."""
    cells: dict[str, Counter[str]] = defaultdict(Counter)
    documents: dict[str, None] = {}
    for run in plan.runs:
        cells[run.cell][run.document] += 1
        documents.setdefault(run.document)
    if not documents:
        return ""
    if len(documents) > 8:
        rows = [[cell, count(len(counts)), count(sum(counts.values()))] for cell, counts in cells.items()]
        return terminal(["cell", "documents", "launches"], rows)
    rows = [[cell, *(str(counts[name] or "-") for name in documents)] for cell, counts in cells.items()]
    pages = ["pages", *(str(settings.item(name).pages or "?") for name in documents)]
    return terminal(["cell", *documents], [pages, *rows])


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines)]) if lines else ""


def _alike(aliases: Mapping[str, str]) -> list[str]:
    same: dict[str, list[str]] = defaultdict(list)
    for alias, first in aliases.items():
        same[first].append(alias)
    return [f"{first} = {' = '.join(others)}" for first, others in same.items()]


def _by_reason(entries: Mapping[tuple[str, str], str]) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (cell, document), reason in entries.items():
        groups[document, reason].append(cell)
    return [f"{document}: {reason} ({_names(cells)})" for (document, reason), cells in groups.items()]


def _skipped(plan: Plan) -> list[str]:
    groups: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for entry in plan.skipped:
        groups[entry.reason].append((entry.cell, entry.document, entry.launches))
    lines = []
    for reason, entries in groups.items():
        cells = list(dict.fromkeys(cell for cell, _, _ in entries))
        documents = list(dict.fromkeys(document for _, document, _ in entries))
        launches = sum(number for _, _, number in entries)
        lines.append(f"{launches} launches: {_names(cells)} on {_names(documents)}: {reason}")
    return lines


def _caveats(plan: Plan) -> list[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for cell, texts in plan.caveats.items():
        for text in texts:
            groups[text].append(cell)
    return [f"{text} ({_names(cells)})" for text, cells in groups.items()]


def _names(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"
