"""What size does to simple and to advanced mode, and where the completeness of each ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from idpbench.report.shelf import Row, Shelved
from idpbench.report.strata import is_number

SUITES = ("scaling", "scalingsimple")
WHOLE = 1.0 - 1e-9


@dataclass(frozen=True)
class Size:
    """One mode on one document of the series. `recall` is that of the completed runs, None where none completed."""

    mode: str
    document: str
    rows: int
    pages: int | None
    runs: int
    failed: int
    recall: float | None
    least_recall: float | None
    cost: float | None
    wall: float | None
    errors: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """True where every run completed and brought every row."""
        return not self.failed and self.least_recall is not None and self.least_recall >= WHOLE


@dataclass(frozen=True)
class Cliff:
    """Where a mode stops being complete: the last size up to which all sizes are whole, and the first that is not.

    `silent` are the sizes that completed with rows missing, `refused` those of which a run failed.
    """

    mode: str
    last_whole: int | None
    first_loss: int | None
    silent: tuple[int, ...]
    refused: tuple[int, ...]
    largest: int


def sizes(item: Shelved) -> list[Size]:
    """All (mode, document) of a size series, by mode and rows."""
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in item.rows:
        if is_number(row.get("rows_truth")) and row["rows_truth"] > 0:
            groups[mode_of(row), str(row["doc"]).removesuffix(".pdf")].append(row)
    found = [_size(mode, document, rows, item.rows) for (mode, document), rows in groups.items()]
    return sorted(found, key=lambda size: (size.mode != "simple", size.mode, size.rows, size.document))


def mode_of(row: Row) -> str:
    """The value of axis extraction_mode; the cell where a summary does not say."""
    return str((row.get("resolved") or {}).get("extraction_mode") or row["cell"])


def modes(found: Sequence[Size]) -> list[str]:
    """Modes of a series, simple first."""
    return list(dict.fromkeys(size.mode for size in found))


def cliff(found: Sequence[Size], mode: str) -> Cliff:
    """Where one mode of a series ends."""
    own = [size for size in found if size.mode == mode]
    last, first = None, None
    for size in own:
        if first is None and size.whole:
            last = size.rows
        elif first is None:
            first = size.rows
    return Cliff(
        mode=mode,
        last_whole=last,
        first_loss=first,
        silent=tuple(s.rows for s in own if s.least_recall is not None and s.least_recall < WHOLE),
        refused=tuple(s.rows for s in own if s.failed),
        largest=max(size.rows for size in own),
    )


def located(edge: Cliff) -> str:
    """One sentence: how far the mode is complete, and how it ends."""
    name = edge.mode[:1].upper() + edge.mode[1:]
    if edge.first_loss is None:
        return f"{name} mode returned every row of every size, up to {edge.largest:,} rows, the largest measured."
    until = (
        f"every row up to {edge.last_whole:,} rows"
        if edge.last_whole is not None
        else "not even the smallest size whole"
    )
    ends = []
    if edge.silent:
        ends.append(f"rows missing from a COMPLETED run at {_rows(edge.silent)}")
    if edge.refused:
        ends.append(f"FAILED at {_rows(edge.refused)}")
    how = "; ".join(ends)
    return f"{name} mode returned {until}; the first size that is not whole has {edge.first_loss:,} rows ({how})."


def _rows(counts: Sequence[int]) -> str:
    return f"{', '.join(f'{count:,}' for count in counts)} rows"


def _size(mode: str, document: str, rows: Sequence[Row], every: Sequence[Row]) -> Size:
    good = [row for row in rows if row.get("success")]
    # A failed run reports no pages; the same document read by another cell does.
    pages = [row["page_count"] for row in every if _same(row, document) and is_number(row.get("page_count"))]
    recalls = _numbers(good, "completeness_recall")
    return Size(
        mode=mode,
        document=document,
        rows=int(rows[0]["rows_truth"]),
        pages=int(max(pages)) if pages else None,
        runs=len(rows),
        failed=len(rows) - len(good),
        recall=fmean(recalls) if recalls else None,
        least_recall=min(recalls) if recalls else None,
        cost=_mean(good, "cost"),
        wall=_mean(good, "wall_s"),
        errors=tuple(
            sorted({str(row.get("error_class") or row.get("status")) for row in rows if not row.get("success")})
        ),
    )


def _same(row: Row, document: str) -> bool:
    return str(row["doc"]).removesuffix(".pdf") == document


def _numbers(rows: Sequence[Row], key: str) -> list[float]:
    return [float(value) for row in rows if is_number(value := row.get(key)) and value is not None]


def _mean(rows: Sequence[Any], key: str) -> float | None:
    found = _numbers(rows, key)
    return fmean(found) if found else None
