"""The price of more repeats: the runs that two sides would then lack, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from idpbench.settings.model import Settings
from idpbench.stack.model import SideRun
from idpbench.stack.projection import project_missing
from idpbench.stack.request import Request, side_of
from idpbench.stack.vault import Vault


@dataclass(frozen=True)
class Price:
    """What the missing runs of a cell are projected to cost on both sides; None where a run has no projected cost."""

    usd: float | None
    runs: int


def prices(
    settings: Settings, root: Path, requests: Iterable[Request], repeats: Mapping[tuple[str, str], int]
) -> dict[str, Price]:
    """Price of these repeats a side, by cell; runs that the vault holds already cost nothing."""
    bought = tuple((cell, document, count) for (cell, document), count in sorted(repeats.items()))
    lacking: dict[str, list[SideRun]] = {cell: [] for cell, _ in repeats}
    backend = "local"
    for request in requests:
        backend = request.where.backend
        held = Vault(root / "work" / "vault" / backend).keys()
        for run in side_of(settings, root, replace(request, settled=bought)).runs:
            if (run.cell, run.document) in repeats and run.key not in held:
                lacking[run.cell].append(run)
    projected = project_missing(settings, lacking, backend, inflight=1)
    found = {}
    for cell, runs in lacking.items():
        one = projected.get(cell)
        whole = one is None or one.priced == one.launches
        found[cell] = Price((one.cost.expected if one else 0.0) if whole else None, len(runs))
    return found
