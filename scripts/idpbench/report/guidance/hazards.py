"""Losses that no status shows: runs that completed with rows, or a whole list, missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from idpbench.report.inputs import document_of
from idpbench.report.shelf import Row, Shelved
from idpbench.report.strata import is_number

WHOLE = 1.0 - 1e-9
INTEGRATED = "intconf"
DECLINED = "advverify"


@dataclass(frozen=True)
class Loss:
    """One cell on one document of a side: `silent` of `completed` runs came back without every row."""

    version: str
    address: str
    cell: str
    document: str
    runs: int
    completed: int
    silent: int
    lists_lost: int
    recall: float | None
    least: float | None
    cost: float | None

    @property
    def assessed(self) -> bool:
        """True where there is a run to say anything from."""
        return self.completed > 0


def losses(item: Shelved) -> list[Loss]:
    """Every (cell, document) with a list of one side, in the order of its rows."""
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in item.rows:
        if is_number(row.get("rows_truth")) and row["rows_truth"] > 0:
            groups[str(row["cell"]), document_of(row)].append(row)
    return [_loss(item, cell, document, rows) for (cell, document), rows in groups.items()]


def silent(found: Iterable[Loss]) -> list[Loss]:
    """Those with a silent loss, the worst first."""
    lost = [loss for loss in found if loss.silent]
    return sorted(lost, key=lambda loss: (loss.least if loss.least is not None else 1, loss.cell, loss.document))


def integrated_cells(item: Shelved) -> set[str]:
    """Cells of a side that ask for confidence within the extraction."""
    return {str(row["cell"]) for row in item.rows if (row.get("resolved") or {}).get("assessment") == "integrated"}


def _loss(item: Shelved, cell: str, document: str, rows: Sequence[Row]) -> Loss:
    good = [row for row in rows if row.get("success") and is_number(row.get("completeness_recall"))]
    recalls = [float(row["completeness_recall"]) for row in good]
    costs = [float(row["cost"]) for row in good if is_number(row.get("cost"))]
    return Loss(
        version=item.version,
        address=item.address,
        cell=cell,
        document=document,
        runs=len(rows),
        completed=len(good),
        silent=sum(recall < WHOLE for recall in recalls),
        lists_lost=sum(row.get("rows_extracted") == 0 for row in good),
        recall=fmean(recalls) if recalls else None,
        least=min(recalls) if recalls else None,
        cost=fmean(costs) if costs else None,
    )
