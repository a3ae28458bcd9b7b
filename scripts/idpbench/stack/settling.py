"""The price of more repeats: the runs that two sides would then lack, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from idpbench.matrix.estimate import ZERO, Observation, Range
from idpbench.settings.model import Settings
from idpbench.stack.model import SideRun
from idpbench.stack.projection import project_missing
from idpbench.stack.request import Request, side_of
from idpbench.stack.vault import Vault


@dataclass(frozen=True)
class Price:
    """What the missing runs of a cell are projected to cost on both sides; None where a run has no projected cost."""

    cost: Range | None
    runs: int

    @property
    def usd(self) -> float | None:
        """The expected cost."""
        return self.cost.expected if self.cost else None


def prices(
    settings: Settings,
    root: Path,
    sides: Iterable[tuple[Request, Sequence[Observation]]],
    repeats: Mapping[tuple[str, str], int],
) -> dict[str, Price]:
    """Price of these repeats a side, by cell; runs that the vault holds already cost nothing.

    Each side comes with what was observed of it. One more repeat costs what the runs of that very side have cost: the
    undecided comparison may be about a cost that no published run has.
    """
    bought = tuple((cell, document, count) for (cell, document), count in sorted(repeats.items()))
    cells = sorted({cell for cell, _ in repeats})
    totals: dict[str, Range | None] = dict.fromkeys(cells, ZERO)
    counts = dict.fromkeys(cells, 0)
    for request, observed in sides:
        backend = request.where.backend
        held = Vault(root / "work" / "vault" / backend).keys()
        lacking: dict[str, list[SideRun]] = {cell: [] for cell in cells}
        for run in side_of(settings, root, replace(request, settled=bought)).runs:
            if (run.cell, run.document) in repeats and run.key not in held:
                lacking[run.cell].append(run)
        for cell, one in project_missing(settings, lacking, backend, inflight=1, own=observed).items():
            so_far = totals[cell]
            totals[cell] = None if so_far is None or one.priced < one.launches else so_far.plus(one.cost)
            counts[cell] += one.launches
    return {cell: Price(totals[cell], counts[cell]) for cell in cells}
