"""The five metrics `gold-metrics/1`, their macro average, and the composite `provisional-1`. All exact rationals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from idpbench.gold.tidy import Table, table_digest
from idpbench.gold.trace import HeaderTrace, TraceRow

METRICS_VERSION = "gold-metrics/1"
COMPOSITE_VERSION = "provisional-1"

METRICS = (
    "deterministic_pass_rate",
    "exact_output_match",
    "cell_match_rate",
    "value_address_f1",
    "header_accuracy",
)
WEIGHTS_PERCENT: Mapping[str, int] = dict(zip(METRICS, (30, 30, 15, 15, 10), strict=True))
MILLION = 1_000_000

Status = Literal["passed", "partial", "failed", "skipped"]
STATUSES: tuple[Status, ...] = ("passed", "partial", "failed", "skipped")


@dataclass(frozen=True)
class Scored:
    """One side of a comparison: a tidy table and the trace of its rows."""

    table: Table
    trace: tuple[TraceRow, ...]


@dataclass(frozen=True)
class Counts:
    """The integers that every rate of a member is made of."""

    cells_matched: int
    cells_union: int
    addresses_reference: int
    addresses_produced: int
    addresses_shared: int
    headers_matched: int
    headers_reference: int
    headers_produced: int


@dataclass(frozen=True)
class MemberScore:
    """How one member fared. `counts` is None where nothing was produced; `metrics` are exact, by name."""

    status: Status
    counts: Counts | None
    metrics: Mapping[str, Fraction]

    @property
    def published(self) -> dict[str, int]:
        """The metrics in millionths, each rounded halves up."""
        return {name: millionths(self.metrics[name]) for name in METRICS}

    @property
    def composite(self) -> int:
        """The composite of the published metrics, in millionths."""
        return composite(self.published)


def score(reference: Scored, produced: Scored | None, absence: Literal["failed", "skipped"] = "failed") -> MemberScore:
    """Compare a production with the reference; without one, all five are 0 whatever the reference is.

    `absence` says why there is none: no executable recipe, or never attempted.
    """
    if produced is None:
        return absent(absence)
    exact = table_digest(reference.table) == table_digest(produced.table)
    counts = count(reference, produced)
    return MemberScore("passed" if exact else "partial", counts, rates(counts, exact))


def absent(status: Literal["failed", "skipped"]) -> MemberScore:
    """The score of a member that produced nothing."""
    return MemberScore(status, None, dict.fromkeys(METRICS, Fraction(0)))


def rates(counts: Counts, exact: bool) -> dict[str, Fraction]:
    """The five metrics of an executed member from its counts; `exact` is equality of the two CSV digests."""
    addresses = counts.addresses_reference + counts.addresses_produced
    if counts.headers_reference:
        headers = Fraction(counts.headers_matched, counts.headers_reference)
    else:
        headers = Fraction(counts.headers_produced == 0)
    return dict(
        zip(
            METRICS,
            (
                Fraction(1),
                Fraction(exact),
                Fraction(counts.cells_matched, counts.cells_union) if counts.cells_union else Fraction(1),
                Fraction(2 * counts.addresses_shared, addresses) if addresses else Fraction(1),
                headers,
            ),
            strict=True,
        )
    )


def count(reference: Scored, produced: Scored) -> Counts:
    """Count what the two sides share."""
    matched, union = _cells(reference.table, produced.table)
    of_reference = {row.source for row in reference.trace}
    of_produced = {row.source for row in produced.trace}
    return Counts(
        matched,
        union,
        len(of_reference),
        len(of_produced),
        len(of_reference & of_produced),
        _headers_matched(reference.trace, produced.trace),
        len(reference.trace),
        len(produced.trace),
    )


def macro(members: Iterable[MemberScore]) -> dict[str, Fraction]:
    """The exact mean of the exact values over all members. ValueError for no members."""
    every = list(members)
    if not every:
        raise ValueError("the mean of no members")
    return {name: sum((member.metrics[name] for member in every), Fraction(0)) / len(every) for name in METRICS}


def composite(published: Mapping[str, int]) -> int:
    """The weighted sum of the five published values (millionths), rounded halves up to a millionth."""
    return (sum(WEIGHTS_PERCENT[name] * published[name] for name in METRICS) * 2 + 100) // 200


def millionths(value: Fraction) -> int:
    """The nearest millionth of a value that is not negative, halves up."""
    return (value.numerator * 2 * MILLION + value.denominator) // (2 * value.denominator)


def as_number(value: int) -> float:
    """Millionths as the JSON number that documents hold: 916667 is 0.916667."""
    return value / MILLION


def _cells(reference: Table, produced: Table) -> tuple[int, int]:
    """Cells that both sides have with equal text, and cells that either side has; rows pair by position alone."""
    places = {name: index for index, name in enumerate(produced.columns)}
    shared = [(index, places[name]) for index, name in enumerate(reference.columns) if name in places]
    matched = sum(
        ours[left] == theirs[right]
        for ours, theirs in zip(reference.rows, produced.rows, strict=False)
        for left, right in shared
    )
    both = min(len(reference.rows), len(produced.rows)) * len(shared)
    cells = len(reference.rows) * len(reference.columns) + len(produced.rows) * len(produced.columns)
    return matched, cells - both


def _headers_matched(reference: Sequence[TraceRow], produced: Sequence[TraceRow]) -> int:
    """Rows of the reference whose headers equal those of the same occurrence of their address in the production."""
    by_address: dict[str, list[TraceRow]] = defaultdict(list)
    for row in produced:
        by_address[row.source].append(row)
    seen: Counter[str] = Counter()
    matched = 0
    for row in reference:
        others = by_address.get(row.source, ())
        place = seen[row.source]
        seen[row.source] += 1
        matched += place < len(others) and _by_name(row) == _by_name(others[place])
    return matched


def _by_name(row: TraceRow) -> dict[str, HeaderTrace]:
    return {header.name: header for header in row.headers}
