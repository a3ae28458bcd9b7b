"""Documents, configurations and profiles as the benchmark has them, and what came back beside the truth."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from idpbench.corpus.build import Made, build
from idpbench.localstack.engine import Outcome, Profile, load_profile
from idpbench.settings.load import load
from idpbench.settings.model import Settings

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "config"


@lru_cache(maxsize=1)
def settings() -> Settings:
    return load(ROOT)


@lru_cache(maxsize=32)
def document(name: str) -> Made:
    return build(settings().documents[name])


@lru_cache(maxsize=8)
def profile(version: str) -> Profile:
    return load_profile(CONFIG, version)


def with_model(base: Profile, model_id: str, **changes: Any) -> Profile:
    """The profile with other figures for one model."""
    model = base.models[model_id].model_copy(update=changes)
    return base.model_copy(update={"models": {**base.models, model_id: model}})


def context(*names: object) -> str:
    """A run context whose key is a digest of the names, the last of which is the repeat."""
    key = hashlib.sha256("/".join(str(name) for name in names).encode()).hexdigest()[:40]
    return f"idpbench:{key} repeat={names[-1]}"


@dataclass
class Run:
    """What came back, beside the truth."""

    outcome: Outcome
    truth: dict[str, Any]
    records: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for section in self.outcome.sections:
            result = section["inference_result"]
            self.records.extend(result.get("instances") or [result])

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The extracted rows by SEQ tag, the first of each."""
        found: dict[str, dict[str, Any]] = {}
        for record in self.records:
            for row in record.get("Transactions") or []:
                if match := re.search(r"SEQ\d{5}", row.get("Description") or ""):
                    found.setdefault(match[0], row)
        return found

    @property
    def recall(self) -> float:
        return len(self.rows.keys() & set(self.truth["seq_ids"])) / len(self.truth["seq_ids"])

    @property
    def scalars(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for record in self.records:
            for name, value in record.items():
                if not isinstance(value, list):
                    found.setdefault(name, value)
        return found

    @property
    def wrong_scalars(self) -> dict[str, Any]:
        return {
            name: self.scalars.get(name)
            for name, want in self.truth["fields"].items()
            if self.scalars.get(name) != want
        }

    @property
    def wrong_cells(self) -> list[tuple[str, str, Any, Any]]:
        return [
            (seq, name, want, row.get(name))
            for seq, row in self.rows.items()
            for name, want in self.truth["rows_typed"].get(seq, {}).items()
            if row.get(name) != want
        ]

    def used(self, phase: str, unit: str) -> int:
        """A unit of the models' usage, summed over one phase."""
        keys = [key for key in self.outcome.metering if key.startswith(f"{phase}/bedrock/")]
        return int(sum(self.outcome.metering[key][unit] for key in keys))
