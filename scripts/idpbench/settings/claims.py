"""config/claims.yaml: where suites lie, how claims are compared, and which services may be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from idpbench.files.errors import bad_input
from idpbench.settings.base import Count, Frozen, Text
from idpbench.settings.explain import read_as

FILE = Path("config", "claims.yaml")
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")]


class ClaimsBenchmark(Frozen):
    """How passes are scored and kept. `threshold` is a cosine, `confirm_call_threshold` a number of calls."""

    threshold: Annotated[float, Field(gt=0, le=1)]
    subject_aware_matching: bool
    record_claim_text: bool
    confirm_call_threshold: Count
    runs_dir: Text
    records_dir: Text


class ClaimsJudge(Frozen):
    """The judge. Without a folder the embedding model is the one of the extra `judge`."""

    kind: Literal["embedding", "llm"]
    folder: Text | None
    model_sha256: Sha256 | None
    tokenizer_sha256: Sha256 | None


class ClaimsLlm(Frozen):
    """The language model of the judge; `replies` answers in its place, `record` keeps what it answered."""

    base_url: Text
    model: Text
    key_variable: Variable | None
    replies: Text | None
    record: Text | None = None


class ClaimsExtractor(Frozen):
    """The language model of `llm` as an extractor. `replies` answers in its place, `record` keeps what it answered."""

    source_types: Annotated[list[Text], Field(min_length=1)]
    replies: Text | None = None
    record: Text | None = None


class ClaimsResolver(Frozen):
    """Who resolves gold subjects."""

    kind: Literal["offline", "live"]
    base_url: Text


class ClaimsSettings(Frozen):
    """The file; folders and files are relative to the repository."""

    suites: Text
    calibration: Text
    modality: Text
    polarity: Text
    validity: Text
    fixtures: Text
    authority: Text
    benchmark: ClaimsBenchmark
    judge: ClaimsJudge
    llm: ClaimsLlm
    extractor: ClaimsExtractor | None
    resolver: ClaimsResolver


def load_claims(root: Path | str) -> ClaimsSettings:
    """Read and check `<root>/config/claims.yaml`; whatever is wrong in it is a Refusal."""
    path = Path(root, FILE)
    found = read_as(path, ClaimsSettings)
    if found.judge.folder is not None:
        for key in ("model_sha256", "tokenizer_sha256"):
            if getattr(found.judge, key) is None:
                remedy = "write the SHA-256 of the file: results of two models are never mixed"
                raise bad_input(path, f"judge.{key}", "nothing", "a digest, since `folder` names a model", remedy)
    return found
