"""What a command would launch, and what that would cost: for the dry run, and for the budget before anything opens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from idpbench.files.errors import BUDGET, Refusal
from idpbench.files.tables import count, money
from idpbench.matrix.estimate import ZERO, Observation, Projection, Range, project
from idpbench.matrix.words import duration, projection_text
from idpbench.pricing.card import load_rate_card
from idpbench.pricing.price import price
from idpbench.settings.grid import ReferenceSet
from idpbench.settings.model import Settings
from idpbench.stack.model import SideRun
from idpbench.stack.priors import read_priors

Missing = Mapping[str, Sequence[SideRun]]  # address of a side -> runs that it lacks


def project_missing(
    settings: Settings, missing: Missing, backend: str, inflight: int, own: Iterable[Observation] = ()
) -> dict[str, Projection]:
    """Projection per side that lacks anything; reads the rate card and the committed results.

    `own` are runs of the very side: where they have a cost of a cell on a document, no committed run counts there.
    """
    lacking = {address: runs for address, runs in missing.items() if runs}
    if not lacking:
        return {}
    settings = _knowing(settings, lacking)
    card = load_rate_card(settings.pricing)
    seen = [one for one in own if one.cost is not None]
    known = {(one.cell, one.document) for one in seen}
    committed = read_priors(settings.root / "results", backend)
    priors = [*seen, *(one for one in committed if (one.cell, one.document) not in known)]
    return {
        address: project(
            settings,
            runs,
            {run.cell: run.resolved for run in runs},
            priors,
            lambda metering, requests: price(metering, card, requests).cost,
            pricing=card.digest,
            backend=backend,
            inflight=inflight,
        )
        for address, runs in lacking.items()
    }


def _knowing(settings: Settings, missing: Missing) -> Settings:
    """Settings that also know the labelled sets of these runs, which may come from a folder of the user's."""
    found = {
        run.document: ReferenceSet.model_validate(
            {"id": run.document, "class": run.doc_class, "count": run.n_docs, "note": "not in config/documents.yaml"}
        )
        for runs in missing.values()
        for run in runs
        if run.reference and run.document not in settings.references
    }
    return settings.model_copy(update={"references": {**settings.references, **found}}) if found else settings


def missing_text(projections: Mapping[str, Projection]) -> str:
    """Every stale cell of every side with its launches and cost, and the total of the command."""
    if not projections:
        return "Nothing to launch: every run of this command is in the vault, committed, or under way."
    parts = [f"{address}\n{projection_text(projection)}" for address, projection in projections.items()]
    cost, elapsed = total(projections)
    launches = sum(projection.launches for projection in projections.values())
    parts.append(
        f"total: {count(launches)} runs to launch, {money(cost.expected, 2)} expected"
        f" ({money(cost.low, 2)} to {money(cost.high, 2)}), about {duration(elapsed.expected)}"
    )
    return "\n\n".join(parts)


def total(projections: Mapping[str, Projection]) -> tuple[Range, Range]:
    """Cost and elapsed time of all sides, one after the other."""
    cost, elapsed = ZERO, ZERO
    for projection in projections.values():
        cost, elapsed = cost.plus(projection.cost), elapsed.plus(projection.elapsed)
    return cost, elapsed


def refuse_above(budget: float, projections: Mapping[str, Projection], root: Path) -> None:
    """Raise a Refusal with exit code 5 where the expected cost is above the budget, or not known in full."""
    cost, _ = total(projections)
    unpriced = sum(projection.launches - projection.priced for projection in projections.values())
    if unpriced:
        raise Refusal(
            f"budget_usd: {unpriced} runs have no projected cost, so no budget can be kept; nothing was launched; "
            f"add their rates to {root / 'config' / 'pricing.yaml'}, or leave budget_usd out",
            BUDGET,
        )
    if cost.expected > budget:
        raise Refusal(
            f"budget_usd: expected {money(cost.expected, 2)} ({money(cost.low, 2)} to {money(cost.high, 2)}) is above "
            f"{money(budget, 2)}; nothing was launched; raise budget_usd, or plan fewer runs (suite, repeats)",
            BUDGET,
        )
