"""Projection of a plan's cost and time: from runs like these where there are any, else from arithmetic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from idpbench.matrix.arithmetic import TURNS, usage
from idpbench.settings.model import Document, Settings

Price = Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], float | None]
Source = Literal["document", "pages", "arithmetic", "none"]
NEARLY = 1.25  # one or two observations say little about the spread
SPREAD = 1.4  # of arithmetic, besides an agent's turns
# An agent on a deployed stack spends more than its answer and its prefixes: five published repeats of 400 rows cost
# $1.76 to $2.22 where turns alone give about $0.60, and single documents have been seen to vary by four.
AGENT = {"local": (1.0, 1.0, 1.0), "aws": (1.0, 2.5, 4.0)}
LOCAL_WORKERS = 2


class Launch(Protocol):
    """What is asked of a planned run (`PlannedRun` and the runs of a side both have it)."""

    @property
    def cell(self) -> str: ...
    @property
    def document(self) -> str: ...
    @property
    def repeat(self) -> int: ...
    @property
    def n_docs(self) -> int: ...


@dataclass(frozen=True)
class Observation:
    """One finished document of an earlier run: cost in US dollars, wall time in seconds (either may be unknown)."""

    cell: str
    document: str
    pages: int | None
    cost: float | None
    seconds: float | None
    resolved: Mapping[str, str]


@dataclass(frozen=True)
class Range:
    """Low, expected, high."""

    low: float
    expected: float
    high: float

    def times(self, factor: float) -> Range:
        """The range of `factor` such things."""
        return Range(self.low * factor, self.expected * factor, self.high * factor)

    def plus(self, other: Range) -> Range:
        """The range of both together."""
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)

    def to_json(self) -> dict[str, float]:
        """As a mapping, rounded to a hundredth of a cent or of a second."""
        return {"low": round(self.low, 4), "expected": round(self.expected, 4), "high": round(self.high, 4)}


ZERO = Range(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Projected:
    """Launches of one cell on one document: sums over them. `cost` None: nothing is known that would give one."""

    cell: str
    document: str
    launches: int
    runs: int  # documents processed
    cost: Range | None
    seconds: Range
    source: Source


@dataclass(frozen=True)
class Projection:
    """A whole plan. `cost` sums what is known, over `priced` launches; `elapsed` assumes `inflight` runs at once."""

    rows: tuple[Projected, ...]
    launches: int
    runs: int
    priced: int
    with_prior: int  # launches whose projection rests on earlier runs
    cost: Range
    elapsed: Range
    inflight: int
    backend: str
    pricing: str  # digest of the rate card

    @property
    def prior_share(self) -> float:
        """Share of launches that rest on earlier runs; 1.0 of an empty plan."""
        return self.with_prior / self.launches if self.launches else 1.0

    def to_json(self) -> dict[str, Any]:
        """As `idpbench estimate --json` prints it."""
        return {
            "schema": "idpbench/estimate/1",
            "backend": self.backend,
            "launches": self.launches,
            "runs": self.runs,
            "priced_launches": self.priced,
            "prior_share": round(self.prior_share, 4),
            "cost_usd": self.cost.to_json(),
            "elapsed_s": self.elapsed.to_json(),
            "max_inflight": self.inflight,
            "pricing_sha256": self.pricing,
            "rows": [
                {
                    "cell": row.cell,
                    "document": row.document,
                    "launches": row.launches,
                    "runs": row.runs,
                    "cost_usd": row.cost.to_json() if row.cost else None,
                    "seconds": row.seconds.to_json(),
                    "source": row.source,
                }
                for row in self.rows
            ],
        }


def project(
    settings: Settings,
    runs: Iterable[Launch],
    cells: Mapping[str, Mapping[str, str]],
    priors: Iterable[Observation],
    price: Price,
    *,
    pricing: str = "",
    backend: str = "local",
    inflight: int = 20,
) -> Projection:
    """Project launches (`cells`: cell -> resolved axes).

    In order of preference: earlier runs of the same cell on the same document; of the same cell on documents of the
    same number of pages; arithmetic from sizes and rates. An earlier run counts only where none of its axes had another
    value. The local stack works on `LOCAL_WORKERS` documents at once, however many are in flight.
    """
    groups: dict[tuple[str, str], list[Launch]] = defaultdict(list)
    for run in runs:
        groups[run.cell, run.document].append(run)
    by_cell: dict[str, list[Observation]] = defaultdict(list)
    for seen in priors:
        by_cell[seen.cell].append(seen)
    rows = []
    for (cell, document), launches in groups.items():
        resolved = cells[cell]
        alike = [seen for seen in by_cell[cell] if all(resolved.get(a, v) == v for a, v in seen.resolved.items())]
        rows.append(_group(settings, cell, document, launches, resolved, alike, price, backend))
    known = [row for row in rows if row.cost is not None]
    at_once = max(1, min(inflight, LOCAL_WORKERS) if backend == "local" else inflight)
    busy = ZERO
    cost = ZERO
    for row in rows:
        busy = busy.plus(row.seconds)
        cost = cost.plus(row.cost or ZERO)
    return Projection(
        rows=tuple(rows),
        launches=sum(row.launches for row in rows),
        runs=sum(row.runs for row in rows),
        priced=sum(row.launches for row in known),
        with_prior=sum(row.launches for row in rows if row.source in ("document", "pages")),
        cost=cost,
        elapsed=busy.times(1 / at_once),
        inflight=at_once,
        backend=backend,
        pricing=pricing,
    )


def _group(
    settings: Settings,
    cell: str,
    document: str,
    launches: Sequence[Launch],
    resolved: Mapping[str, str],
    alike: Sequence[Observation],
    price: Price,
    backend: str,
) -> Projected:
    item = settings.item(document)
    runs = sum(launch.n_docs for launch in launches)
    same = [seen for seen in alike if seen.document == document]
    sized = [seen for seen in alike if item.pages is not None and seen.pages == item.pages]
    for source, found in (("document", same), ("pages", sized)):
        cost = _spread([seen.cost for seen in found])
        if cost is not None:
            seconds = _spread([seen.seconds for seen in found]) or _seconds(item.pages, resolved, item, backend)
            return Projected(
                cell,
                document,
                len(launches),
                runs,
                cost.times(runs),
                seconds.times(runs),
                source,  # type: ignore[arg-type]
            )
    seconds = _seconds(item.pages, resolved, item, backend).times(runs)
    if not isinstance(item, Document):
        return Projected(cell, document, len(launches), runs, None, seconds, "none")
    total: Range | None = ZERO
    for launch in launches:
        one = _arithmetic(settings, resolved, item, launch.repeat, price, backend)
        total = total.plus(one) if total is not None and one is not None else None
    return Projected(cell, document, len(launches), runs, total, seconds, "arithmetic" if total else "none")


def _arithmetic(
    settings: Settings, resolved: Mapping[str, str], document: Document, repeat: int, price: Price, backend: str
) -> Range | None:
    agent = resolved["extraction_mode"] == "advanced"
    costs = []
    for which in ("low", "expected", "high"):
        spent = usage(settings, resolved, document, repeat, TURNS[which])
        cost = price(spent.metering, spent.requests)
        if cost is None:
            return None
        costs.append(cost)
    low, expected, high = costs
    if agent:
        factors = AGENT[backend]
        return Range(low * factors[0], expected * factors[1], high * factors[2])
    return Range(expected / SPREAD, expected, expected * SPREAD)


def _spread(values: Iterable[float | None]) -> Range | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    factor = NEARLY if len(known) < 3 else 1.0
    return Range(min(known) / factor, sum(known) / len(known), max(known) * factor)


def _seconds(pages: int | None, resolved: Mapping[str, str], item: Any, backend: str) -> Range:
    """Wall time of one document, by pages. aws: 12 to 130 s up to 4 pages, about 20 min for 66. local: read or OCR."""
    count = pages or 3
    if backend == "local":
        scanned = resolved["ocr"] == "bedrock_llm" or (isinstance(item, Document) and item.scan)
        each = 2.0 if scanned else 0.1
        return Range(0.2 + 0.5 * each * count, 0.4 + each * count, 1.0 + 2 * each * count)
    slower = 1.5 if resolved["extraction_mode"] == "advanced" else 1.0
    return Range(6.0 + 5.0 * count, 12.0 + 15.0 * count * slower, 25.0 + 30.0 * count * slower)
