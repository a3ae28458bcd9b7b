"""Runs of both sides by document, with every value that is judged: the pool from which labels are shuffled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import Any

from idpbench.gate.grid import QUALITY, Row, measured, succeeded
from idpbench.gate.paired.strata import Column
from idpbench.gate.pairing import Pair

# One value per run of the document; None where it was not measured.
Values = Sequence[float | None]


@dataclass(frozen=True)
class Document:
    """The runs of one document (or labelled set) of one cell, both sides together.

    `labels` are True for the new side's runs. `rows` are the columns judged at row level, by (sub-document, metric);
    `whole` those of cell and grid level, by metric: of a labelled set the means over its files. Cost is there as its
    logarithm, and in `whole` as `bill` plainly.
    """

    cell: str
    doc: str
    is_set: bool
    labels: tuple[bool, ...]
    rows: Mapping[tuple[str, str], Column]
    whole: Mapping[str, Column]

    @property
    def key(self) -> str:
        return f"{self.cell}|{self.doc}"


def build_pool(pairs: Iterable[Pair], skip: Iterable[str] = ()) -> list[Document]:
    """Documents with at least one ended run on each side, sorted by cell and name; metrics in `skip` are left out."""
    grouped: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        grouped.setdefault((pair.cell, pair.doc), []).append(pair)
    metrics = [metric for metric in (*QUALITY, "cost") if metric not in set(skip)]
    documents = []
    for _, members in sorted(grouped.items()):
        is_set = any(pair.sub for pair in members)
        document = _set(members, metrics) if is_set else _plain(members[0], metrics)
        if True in document.labels and False in document.labels:
            documents.append(document)
    return documents


def planned_repeats(pool: Sequence[Document]) -> float:
    """Median over documents of the smaller number of runs of the two sides; 0 for no documents."""
    return float(median(min(sum(d.labels), len(d.labels) - sum(d.labels)) for d in pool)) if pool else 0.0


def _plain(pair: Pair, metrics: Sequence[str]) -> Document:
    values: dict[str, Values] = {"failures": [0.0 if good else 1.0 for good in (*pair.base.good, *pair.new.good)]}
    for metric in metrics:
        if pair.base.values(metric) or pair.new.values(metric):
            values[metric] = pair.base.column(metric) + pair.new.column(metric)
    labels = [False] * len(pair.base.ended) + [True] * len(pair.new.ended)
    return _document(pair, False, labels, {("", m): v for m, v in values.items()}, values)


def _document(
    pair: Pair,
    is_set: bool,
    labels: Sequence[bool],
    rows: Mapping[tuple[str, str], Values],
    whole: Mapping[str, Values],
) -> Document:
    key = f"{pair.cell}|{pair.doc}"
    made = {name: Column(key, values, logarithm=name[1] == "cost") for name, values in rows.items()}
    merged = {m: made["", m] if ("", m) in made else Column(key, values) for m, values in whole.items()}
    if "cost" in whole:
        merged["bill"] = Column(key, whole["cost"])
    return Document(pair.cell, pair.doc, is_set, tuple(labels), made, merged)


def _set(pairs: Sequence[Pair], metrics: Sequence[str]) -> Document:
    """One run of a labelled set is one run: its failures are a share, its cost a sum over its files."""
    runs: dict[tuple[Any, ...], dict[str, Row]] = {}
    for pair in pairs:
        for label, side in ((False, pair.base), (True, pair.new)):
            seen: dict[tuple[Any, ...], int] = {}
            for row in side.ended:
                name = (label, str(row.get("repeat")), str(row.get("run_id") or row.get("key") or ""))
                seen[name] = seen.get(name, 0) + 1
                runs.setdefault((*name, seen[name]), {})[pair.sub] = row
    order = sorted(runs)
    listed = [runs[name] for name in order]
    whole: dict[str, Values] = {"failures": [_share(run) for run in listed]}
    rows: dict[tuple[str, str], Values] = {("", "failures"): whole["failures"]}
    for metric in metrics:
        if metric == "cost":
            whole["cost"] = rows["", "cost"] = [_sum(run) for run in listed]
            continue
        for sub in sorted({pair.sub for pair in pairs}):
            column = [measured(run[sub], metric) if sub in run else None for run in listed]
            if any(value is not None for value in column):
                rows[sub, metric] = column
        merged = [_mean(run, metric) for run in listed]
        if any(value is not None for value in merged):
            whole[metric] = merged
    return _document(pairs[0], True, [name[0] for name in order], rows, whole)


def _share(run: Mapping[str, Row]) -> float:
    return sum(not succeeded(row) for row in run.values()) / len(run)


def _sum(run: Mapping[str, Row]) -> float | None:
    """Cost of a run, measured only where all of its files succeeded and have one."""
    costs = [measured(row, "cost") for row in run.values()]
    return None if None in costs else fsum(cost for cost in costs if cost is not None)


def _mean(run: Mapping[str, Row], metric: str) -> float | None:
    found = [value for row in run.values() if (value := measured(row, metric)) is not None]
    return fsum(found) / len(found) if found else None
