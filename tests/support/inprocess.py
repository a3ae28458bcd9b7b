"""A whole suite in one process: plan, engine, records, scores, summary, by the functions of the workflow.

What is left out is what cannot change a number: servers, queues, files of results. Rows of the tracking table and
objects of the output bucket are made by the functions of the local stack; records are as `stack.collect` has them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from idpbench.corpus.build import build
from idpbench.corpus.generate import generate, pdf_path, write
from idpbench.files.canonical import canonical
from idpbench.localstack import documents as stored
from idpbench.localstack.engine import Cache, Job, Outcome, Profile, load_profile, process
from idpbench.pricing.card import RateCard, load_rate_card
from idpbench.scoring.cell import Truths, score_cell
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack import contract
from idpbench.stack.decode import absent, metering, present
from idpbench.stack.model import Side, SideRun, Where
from idpbench.stack.poll import Flight, Watched
from idpbench.stack.record import Launch
from idpbench.stack.record import build as build_record
from idpbench.stack.sides import build_side
from idpbench.summary.summarize import summarize_side

ROOT = Path(__file__).resolve().parents[2]
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
Change = Callable[[Profile], Profile]


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The repository's own configuration."""
    return load(ROOT)


@lru_cache(maxsize=1)
def prices() -> RateCard:
    """The repository's own rate card."""
    return load_rate_card(ROOT / "config" / "pricing.yaml")


def with_model(base: Profile, model_id: str, **changes: Any) -> Profile:
    """The profile with other figures for one model."""
    model = base.models[model_id].model_copy(update=changes)
    return base.model_copy(update={"models": {**base.models, model_id: model}})


@dataclass
class Grid:
    """Runs suites in process. Documents and what was read of them are kept for the whole session."""

    folder: Path
    cache: Cache = field(default_factory=Cache)
    stand_ins: set[str] = field(default_factory=set)

    def unscanned(self, name: str) -> None:
        """Put a document with a text layer in the place of a scan, which takes a second a page to make and to read."""
        scan = settings().documents[name]
        made = build(scan.model_copy(update={"parameters": {**scan.parameters, "ocr_noise": 0.0}, "scan": False}))
        write(made, self.folder, name)
        self.stand_ins.add(name)

    def side(
        self, suite: str, version: str = "0.6.9", *, repeats: int | None = None, series: str = "a", **axes: str
    ) -> Side:
        """The side that `snakemake suite --config suite=... version=... set=...` would run."""
        return build_side(
            settings(),
            ROOT,
            Where("local", version, series),
            suite=suite,
            overrides=axes,
            repeats=repeats,
            no_reference=True,
        )

    def run(
        self,
        suite: str,
        version: str = "0.6.9",
        *,
        cells: Collection[str] | None = None,
        documents: Collection[str] | None = None,
        repeats: int | None = None,
        series: str = "a",
        change: Change = lambda profile: profile,
        **axes: str,
    ) -> dict[str, Any]:
        """The summary of a suite, or of some cells and documents of it, under a profile that `change` may alter."""
        side = self.side(suite, version, repeats=repeats, series=series, **axes)
        profile = change(load_profile(ROOT / "config", version))
        runs = [run for run in side.runs if _in(run.cell, cells) and _in(run.document, documents)]
        names = sorted({run.document for run in runs} - self.stand_ins)
        generate(settings().documents, self.folder, ROOT / "corpus" / "manifest.json", names)
        records: dict[str, list[dict[str, Any]]] = {}
        for run in runs:
            records.setdefault(run.cell, []).append(self.record(side, run, profile))
        truths = Truths(self.folder)
        scores = [score_cell(cell, found, truths, prices()) for cell, found in records.items()]
        kept = {run.key for run in runs}
        plan = side.to_json()
        plan["runs"] = [entry for entry in plan["runs"] if entry["key"] in kept]
        return summarize_side(scores, plan, prices())

    def record(self, side: Side, run: SideRun, profile: Profile) -> dict[str, Any]:
        """The run record of one run, processed here and now."""
        name = f"{run.document}.pdf"
        pdf = pdf_path(self.folder, run.document).read_bytes()
        context = contract.context_of(run.key, run.repeat)
        # in the order of keys that the configuration table gives back: prompts show the schema in it
        configuration = json.loads(canonical(dict(side.configurations[run.config_name])))
        job = Job(pdf, name, configuration, profile, context)
        record: dict[str, Any] = json.loads(canonical(record_of(side, run, process(job, self.cache))))
        return record  # as the vault gives it back


def _in(name: str, chosen: Collection[str] | None) -> bool:
    return chosen is None or name in chosen


def record_of(side: Side, run: SideRun, outcome: Outcome) -> dict[str, Any]:
    """What the client would have read of a finished run whose document left `outcome`."""
    name, run_id = f"{run.document}.pdf", f"{run.testset}-20261130-120000"
    place = stored.Place("output", contract.object_key(run_id, name), "execution")
    row = {
        **stored.queued_row(place.object_key, {"submission-source": "test-studio"}, START),
        **stored.started_changes(place, run.config_name, START + timedelta(seconds=1)),
        **stored.finished_changes(place, outcome, baseline=False, warning=None, moment=START + timedelta(seconds=3)),
    }
    metered = row.pop("Metering")
    document = {
        "name": name,
        "sub_document": None,
        "tracking": present(row).as_dict("row"),
        "metering": metering({"Metering": {"S": metered}} if metered else {}).as_dict(),
        "sections_listing": present(None).as_dict(None),
        "sections": [
            {"id": str(number), "key": f"{place.object_key}/sections/{number}/result.json", **present(value).as_dict()}
            for number, value in enumerate(outcome.sections, start=1)
        ],
        "pages": [
            {"id": str(number), **present(page.text).as_dict("text")}
            for number, page in enumerate(outcome.pages, start=1)
        ],
        "evaluation": absent("evaluation: no such object").as_dict(),
    }
    mark = {"status": "CREATE_COMPLETE", "version": side.version, "description": "", "updated": None}
    at = START.isoformat()
    flight = Flight(run.key, run_id, at, documents=[Watched(name, outcome.status, outcome.error)])
    launch = Launch(at, run_id, (), mark, commit=None)
    stack = {"name": side.stack, "region": side.where.region, "account": "000000000000", "template_digest": None}
    return build_record(run, side.backend, flight, launch, stack, {"at": at, "fingerprint": mark}, [document])


def rows_of(summary: Mapping[str, Any], cell: str, document: str | None = None) -> list[dict[str, Any]]:
    """The rows of a cell (on one document), by document and repeat."""
    found = [
        row for row in summary["rows"] if row["cell"] == cell and document in (None, row["doc"].removesuffix(".pdf"))
    ]
    assert found, f"no row of {cell} on {document}"
    return found


def series(summary: Mapping[str, Any], cell: str, document: str | None, metric: str) -> list[Any]:
    """A metric, run by run."""
    return [row[metric] for row in rows_of(summary, cell, document)]


def figures(summary: Mapping[str, Any], metric: str) -> dict[tuple[str, str], list[Any]]:
    """A metric by cell and document, its values by repeat."""
    found: dict[tuple[str, str], list[Any]] = {}
    for row in summary["rows"]:
        found.setdefault((row["cell"], row["doc"].removesuffix(".pdf")), []).append(row[metric])
    return found


def mean(values: Iterable[float]) -> float:
    """The mean of numbers that all were measured."""
    numbers = list(values)
    return sum(numbers) / len(numbers)
