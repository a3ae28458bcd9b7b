"""`Settings`: all of config/ but prices, as one frozen value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from idpbench.settings.base import Frozen
from idpbench.settings.engines import Cache, Effort, ImageTokens, Model
from idpbench.settings.gaterules import GateRules, Waiver
from idpbench.settings.grid import Axis, Cell, Document, ReferenceSet, Suite

__all__ = [
    "Axis",
    "Cache",
    "Cell",
    "Document",
    "Effort",
    "GateRules",
    "ImageTokens",
    "Model",
    "ReferenceSet",
    "Settings",
    "Suite",
    "Waiver",
]


class Settings(Frozen):
    """What config/ says. Groups are expanded to documents and labelled sets; suites are not (room `matrix` does it)."""

    root: Path  # the repository
    axes: dict[str, Axis]
    cells: dict[str, Cell]  # named cells and sweep cells, in the order of cells.yaml
    registries: dict[str, tuple[str, ...]]  # registry -> its cells; `sweeps` holds the sweep cells
    documents: dict[str, Document]
    references: dict[str, ReferenceSet]
    groups: dict[str, tuple[str, ...]]
    suites: dict[str, Suite]
    models: dict[str, Model]
    gate: GateRules
    classes: dict[str, dict[str, Any]]  # document class -> base configuration; copy before changing
    local_versions: tuple[str, ...]  # releases of the local stack, oldest first

    @property
    def config(self) -> Path:
        """The folder that all of this was read from."""
        return self.root / "config"

    @property
    def pricing(self) -> Path:
        """The rate card (read by room `pricing`)."""
        return self.config / "pricing.yaml"

    def model_of(self, model_id: str) -> Model | None:
        """The entry of models.yaml with that model id; None where there is none."""
        return next((model for model in self.models.values() if model.model_id == model_id), None)

    def item(self, name: str) -> Document | ReferenceSet:
        """A generated document or a labelled set by id."""
        return self.documents[name] if name in self.documents else self.references[name]
