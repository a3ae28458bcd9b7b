"""Recorded benchmark runs that a fit can be checked against. Reads the folder of saved runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idpbench.claims.calibrate.temperature import Pair
from idpbench.claims.mode import Mode
from idpbench.claims.recordings import REFERENCE_FORMAT, RESULT
from idpbench.files.canonical import read_json
from idpbench.files.errors import Refusal

OUTCOMES = ("matched", "under_confidence", "spurious")


@dataclass(frozen=True)
class Wanted:
    """What a run must be to count. How it was judged is not looked at in reference mode."""

    extractor_id: str
    extractor_version: str
    provider_model: str
    fitted_suites: frozenset[str]
    judge_id: str = ""
    threshold: float = 0.80
    mode: Mode = "default"


@dataclass(frozen=True)
class RecordedRun:
    """A saved run: its claims as (stated confidence, found a gold claim), and how many replies of its judge failed."""

    suite_id: str
    extractor_id: str
    extractor_version: str
    provider_model: str
    judge_id: str
    threshold: float | None
    pairs: tuple[Pair, ...]
    judge_failures: int = 0


@dataclass(frozen=True)
class Selection:
    """The runs taken, all their pairs, and why others were left out although they looked right."""

    runs: tuple[RecordedRun, ...]
    warnings: tuple[str, ...]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All claims of all runs."""
        return tuple(pair for run in self.runs for pair in run.pairs)

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites they come from, sorted."""
        return tuple(sorted({run.suite_id for run in self.runs}))


def select(folder: Path | str, wanted: Wanted) -> Selection:
    """The saved runs of an extractor that qualify; one that cannot be read is left out with a warning."""
    documents: list[tuple[str, Any]] = []
    warnings: list[str] = []
    place = Path(folder)
    for path in sorted(place.glob(f"*-benchmark-{wanted.extractor_id}-*.json")) if place.is_dir() else []:
        try:
            documents.append((str(path), read_json(path)))
        except Refusal as error:
            warnings.append(f"{error}; the run is left out")
    chosen = choose(documents, wanted)
    return Selection(chosen.runs, (*warnings, *chosen.warnings))


def choose(documents: Sequence[tuple[str, Any]], wanted: Wanted) -> Selection:
    """The same over documents that are read already, as (name, document)."""
    runs: list[RecordedRun] = []
    warnings: list[str] = []
    for name, document in documents:
        try:
            run = read_run(document)
        except ValueError as error:
            warnings.append(f"{name}: {error}; the run is left out")
            continue
        if run is None or not _fits(run, wanted):
            continue
        if wanted.mode == "default" and (run.judge_id, run.threshold) != (wanted.judge_id, wanted.threshold):
            found = f"judge {run.judge_id} at {run.threshold}"
            warnings.append(f"{name}: found {found}, expected {wanted.judge_id} at {wanted.threshold}; it is left out")
            continue
        if wanted.mode == "default" and run.judge_failures:
            warnings.append(
                f"{name}: found {run.judge_failures} failed replies of its judge, expected none; it is left out"
            )
            continue
        runs.append(run)
    return Selection(tuple(runs), tuple(warnings))


def read_run(document: Any) -> RecordedRun | None:
    """A saved run of ours or of the reference; None for another format, ValueError for a damaged one."""
    if not isinstance(document, dict):
        return None
    if document.get("schema") == RESULT:
        judge = document.get("judge")
        if not isinstance(judge, dict):
            raise ValueError("no judge is named")
        return _run(document, document.get("provider_model"), str(judge.get("id")), judge.get("threshold"))
    if document.get("format") != REFERENCE_FORMAT or not isinstance(document.get("report"), dict):
        return None
    report = document["report"]
    model = document.get("extraction_provider_model")
    return _run(report, model, str(report.get("judge")), report.get("equivalence_threshold"))


def _run(report: Mapping[str, Any], provider_model: Any, judge_id: str, threshold: Any) -> RecordedRun:
    rows = report.get("per_case")
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and isinstance(row.get("emitted_claims"), list) for row in rows
    ):
        raise ValueError("per_case with emitted_claims is not there")
    pairs = tuple(_pair(claim) for row in rows for claim in row["emitted_claims"])
    suite_id, extractor_id, version = (
        str(report.get(key)) for key in ("suite_id", "extractor_id", "extractor_version")
    )
    failures = report.get("judge_failures", 0)
    if isinstance(failures, bool) or not isinstance(failures, int):
        raise ValueError("judge_failures is no number")
    return RecordedRun(suite_id, extractor_id, version, str(provider_model), judge_id, threshold, pairs, failures)


def _pair(claim: Any) -> Pair:
    outcome = claim.get("outcome") if isinstance(claim, dict) else None
    stated = claim.get("confidence") if isinstance(claim, dict) else None
    if outcome not in OUTCOMES or isinstance(stated, bool) or not isinstance(stated, (int, float)):
        raise ValueError("a claim without outcome or confidence")
    if not 0 <= stated <= 1:
        raise ValueError(f"a confidence of {stated}")
    return float(stated), outcome != "spurious"


def _fits(run: RecordedRun, wanted: Wanted) -> bool:
    same = (run.extractor_id, run.extractor_version, run.provider_model) == (
        wanted.extractor_id,
        wanted.extractor_version,
        wanted.provider_model,
    )
    return same and run.suite_id not in wanted.fitted_suites and bool(run.pairs)
