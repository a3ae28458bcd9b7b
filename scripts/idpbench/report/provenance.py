"""Where and when both sides ran, and the proof that every run was made by the release whose side it is on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from idpbench.files.canonical import digest
from idpbench.report.inputs import NOT_RECORDED, Inputs, Run, Side, moment


@dataclass(frozen=True)
class Window:
    """A stretch of launches of one side, not interrupted by a launch of the other; times are ISO texts."""

    version: str
    first_launch: str
    last_launch: str
    last_completion: str | None
    runs: int
    right_at_launch: int
    right_at_completion: int
    seen: tuple[str, ...]

    @property
    def proved(self) -> bool:
        """True where each run's stack said the side's version when it was launched and when it had ended."""
        return self.right_at_launch == self.right_at_completion == self.runs


def windows(inputs: Inputs) -> list[Window]:
    """Launch windows of both sides in the order of time; runs without a launch time are in none."""
    timed = [
        (moment(run.launched), index, run)
        for index, side in enumerate(inputs.sides)
        for run in side.runs
        if run.launched is not None
    ]
    timed.sort(key=lambda item: (item[0], item[1], item[2].key))
    groups: list[tuple[int, list[Run]]] = []
    for _, index, run in timed:
        if not groups or groups[-1][0] != index:
            groups.append((index, []))
        groups[-1][1].append(run)
    return [_window(inputs.sides[index], runs) for index, runs in groups]


def upgrades(found: list[Window]) -> list[tuple[Window, Window]]:
    """Neighbouring windows: between the end of the first and the start of the second the stack changed its version."""
    return [pair for pair in pairwise(found) if pair[0].version != pair[1].version]


def unproved(side: Side) -> list[Run]:
    """Runs whose fingerprint, at launch or at completion, is missing or is not the side's version."""
    return [run for run in side.runs if not (_right(run.at_launch, side) and _right(run.at_completion, side))]


def fingerprint(value: Mapping[str, Any]) -> str:
    """A fingerprint as one phrase: version, status, time of the stack's last update."""
    if not value:
        return NOT_RECORDED
    version = str(value.get("version") or NOT_RECORDED).removeprefix("v")
    return f"{version}, {value.get('status') or NOT_RECORDED}, updated {value.get('updated') or NOT_RECORDED}"


def facts(side: Side) -> dict[str, str]:
    """The rows of the Sides table: label -> text. What neither records nor meta hold is `not recorded`."""
    meta = side.meta
    launched = [run.launched for run in side.runs if run.launched]
    completed = [run.completed for run in side.runs if run.completed]
    return {
        "Version": side.version,
        "Template digest": _one(short(run.stack.get("template_digest")) for run in side.runs),
        "Commit at launch": short(meta.get("commit")),
        "Stack": _one(run.stack.get("name") for run in side.runs),
        "Region": _one(run.stack.get("region") for run in side.runs),
        "Engine digest": _one(short(_engine(run)) for run in side.runs),
        "First launch": min(launched, key=moment, default=""),
        "Last completion": max(completed, key=moment, default=""),
        "Runs": str(len(side.runs)),
        "Runs that did not complete": str(sum(1 for run in side.runs if run.status != "COMPLETED")),
        "Extraction model": _models(side),
        "Configuration digest": short(meta.get("config_sha256") or config_digest(side)),
        "Corpus digest": short(meta.get("corpus_sha256") or corpus_digest(side)),
        "Price table digest": short(meta.get("pricing_sha256")),
        "Price table of": str(meta.get("pricing_date") or NOT_RECORDED),
        "Scorer digest": short(meta.get("scorer_sha256")),
    }


def config_digest(side: Side) -> str | None:
    """Digest over (cell, class) -> configuration digest: equal sides ran byte-identical configurations."""
    pairs = sorted({(run.cell, run.doc_class, run.config_digest) for run in side.runs})
    return digest([list(item) for item in pairs]) if pairs else None


def corpus_digest(side: Side) -> str | None:
    """Digest over document -> content digest, as the run records state them."""
    pairs = sorted({(run.document, run.document_digest or "") for run in side.runs})
    return digest([list(item) for item in pairs]) if pairs else None


def short(value: Any) -> str:
    """The first twelve digits of a digest."""
    return str(value)[:12] if value else NOT_RECORDED


def _right(value: Mapping[str, Any], side: Side) -> bool:
    return str(value.get("version") or "").removeprefix("v") == side.version


def _window(side: Side, runs: list[Run]) -> Window:
    launches = sorted((run.launched for run in runs if run.launched), key=moment)
    completions = sorted((run.completed for run in runs if run.completed), key=moment)
    prints = Counter(fingerprint(value) for run in runs for value in (run.at_launch, run.at_completion))
    return Window(
        version=side.version,
        first_launch=launches[0],
        last_launch=launches[-1],
        last_completion=completions[-1] if completions else None,
        runs=len(runs),
        right_at_launch=sum(1 for run in runs if _right(run.at_launch, side)),
        right_at_completion=sum(1 for run in runs if _right(run.at_completion, side)),
        seen=tuple(sorted(prints)),
    )


def _one(values: Iterable[Any]) -> str:
    """The one value, or every value with how often it occurs."""
    counts = Counter(str(value) if value else NOT_RECORDED for value in values)
    if len(counts) < 2:
        return next(iter(counts), NOT_RECORDED)
    return ", ".join(f"{value} ({number})" for value, number in sorted(counts.items()))


def _engine(run: Run) -> Any:
    return run.at_launch.get("engine") or run.identity.get("engine") or run.identity.get("engine_digest")


def _models(side: Side) -> str:
    """The extraction model of every run: from the resolved axes of the rows."""
    return _one((row.get("resolved") or {}).get("extraction_model") for row in side.rows)
