"""The judge and the resolver that configuration and flags ask for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from idpbench.claims.judge.base import Asked, Similarity
from idpbench.claims.judge.embedding import EmbeddingJudge
from idpbench.claims.judge.given import read_given
from idpbench.claims.judge.llm import Endpoint, LlmJudge, ReplayedJudge
from idpbench.claims.judge.modelfiles import bundled, configured
from idpbench.claims.mode import Mode
from idpbench.claims.score import Judging
from idpbench.settings.claims import ClaimsSettings

CACHE = Path("work", "claims", "embeddings")


@dataclass(frozen=True)
class Wanted:
    """What flags change of the configuration; None leaves it as it is. `similarity` is a file of given ones."""

    kind: Literal["embedding", "llm"] | None = None
    threshold: float | None = None
    similarity: Path | None = None
    mode: Mode = "default"


def judging(settings: ClaimsSettings, root: Path, wanted: Wanted | None = None) -> Judging:
    """A judge that is loaded and ready, or JudgeUnavailable: nothing is scored without one."""
    asked = wanted or Wanted()
    benchmark = settings.benchmark
    return Judging(
        similarity=_similarity(settings, root, asked),
        asked=_model(settings, root) if (asked.kind or settings.judge.kind) == "llm" else None,
        threshold=benchmark.threshold if asked.threshold is None else asked.threshold,
        subject_aware=benchmark.subject_aware_matching,
        mode=asked.mode,
    )


def _similarity(settings: ClaimsSettings, root: Path, wanted: Wanted) -> Similarity:
    if wanted.similarity is not None:
        return read_given(wanted.similarity)
    judge = settings.judge
    if judge.folder is None:
        return EmbeddingJudge(bundled(), root / CACHE)
    assert judge.model_sha256 is not None and judge.tokenizer_sha256 is not None  # checked on loading
    return EmbeddingJudge(configured(root / judge.folder, judge.model_sha256, judge.tokenizer_sha256), root / CACHE)


def _model(settings: ClaimsSettings, root: Path) -> Asked:
    llm = settings.llm
    if llm.replies is not None:
        return ReplayedJudge(root / llm.replies)
    record = None if llm.record is None else root / llm.record
    return LlmJudge(Endpoint(llm.base_url, llm.model, llm.key_variable), record=record)
