"""The side of the classification benchmark: one cell per model, on one test set of multi-document packets.

A test set is generated (packets), on a deployed stack already, or a folder of the user's. Those that are brought to the
stack are assembled in `work/testsets/<sample>/<name>/` as labelled sets; what is in them is known before they are made.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from idpbench.files import redact
from idpbench.files.canonical import digest, read_json
from idpbench.files.errors import bad_input, nearest
from idpbench.matrix.plan import build_plan
from idpbench.settings.classification import (
    CONFIDENCE_AXIS,
    MODEL_AXIS,
    ClassificationSettings,
    known_models,
    load_classification,
)
from idpbench.settings.grid import Cell, ReferenceSet, Suite
from idpbench.settings.model import Settings
from idpbench.settings.options import Options
from idpbench.stack.model import Side, Where
from idpbench.stack.reference import INPUT, LabelledSet, load_sets, set_name
from idpbench.stack.sides import assemble

SUITE = "classification"
PACKETS = "corpus/packets.json"
USUAL_SAMPLE = Options().sample


@dataclass(frozen=True)
class ClassificationRequest:
    """A classification side as asked for; equal requests are the same side."""

    where: Where
    testset: str
    models: tuple[str, ...]
    mode: str = "topk"
    sample: int | None = USUAL_SAMPLE
    overrides: tuple[tuple[str, str], ...] = ()
    repeats: int | None = None

    @classmethod
    def of(cls, options: Options) -> ClassificationRequest:
        """The side that a command's options name."""
        where = Where(
            backend=options.backend,
            version=options.version,
            series=options.series,
            region=options.region,
            stack=options.stack or f"idpbench-{SUITE}",
            account=redact.account(options.account) if options.account else None,
            build=options.build,
        )
        moved = tuple(sorted(options.overrides.items()))
        return cls(where, options.testset, options.models, options.mode, options.sample, moved, options.repeats)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ClassificationRequest:
        """The request that `to_json` spelt."""
        rest = {name: value[name] for name in ("testset", "mode", "sample", "repeats")}
        overrides = tuple((axis, choice) for axis, choice in value["overrides"])
        return cls(where=Where(**value["where"]), models=tuple(value["models"]), overrides=overrides, **rest)


@dataclass(frozen=True)
class Corpus:
    """A test set resolved. `sets`: (id, class, documents, digest) of each part; `source`: what it is assembled from."""

    name: str
    sets: tuple[tuple[str, str, int, str], ...]
    folder: str | None = None  # where it is assembled, relative to the root; None for a set that is on the stack
    source: str | None = None  # a folder of the user's; None for generated packets
    on_stack: str | None = None
    note: str | None = None

    @property
    def digest(self) -> str:
        """Changes with what is in it."""
        return digest([self.source, [list(one) for one in self.sets]])

    @property
    def flags(self) -> str:
        """Flags of the step that assembles it, quoted for a shell."""
        words = ["--source", self.source] if self.source is not None else ["--class", self.sets[0][1]]
        return shlex.join([*words, "--sample", str(sum(count for _, _, count, _ in self.sets))])


def resolve_testset(
    settings: Settings, root: Path, known: ClassificationSettings, asked: str, backend: str, sample: int | None
) -> Corpus:
    """What `testset=` means on this backend; neither a name nor a folder is a Refusal."""
    name, note = asked, None
    entry = known.testsets.get(asked)
    if entry is not None and entry.on_stack is not None and backend == "local":
        if entry.local is None:
            raise bad_input("--config", "testset", asked, "a set that the local stack can have", "name a folder")
        name = entry.local
        note = f"{asked} is a set of deployed stacks; {name} stands for it on the local stack"
        entry = known.testsets[name]
    if entry is None:
        return _own(settings, root, known, asked, sample)
    if entry.on_stack is not None:
        if sample is None:
            raise bad_input("--config", "sample", "none", "a number, for a set that is on the stack", "give sample=20")
        # nothing of its content is known before it is run: the name stands for it
        part = (name, entry.doc_class, sample, digest(["on the stack", entry.on_stack, sample]))
        return Corpus(name, (part,), on_stack=entry.on_stack)
    entries = read_json(root / PACKETS, "manifest")["documents"]
    chosen = sorted(entries)[:sample]
    content = digest([[one, entries[one]["sha256"], entries[one]["truth_sha256"]] for one in chosen])
    part = (name, entry.doc_class, len(chosen), content)
    return Corpus(name, (part,), folder=place_of(name, sample), note=note)


def place_of(name: str, sample: int | None) -> str:
    """Where a test set is assembled; the sample is in the path, so that two samples do not share files."""
    return f"work/testsets/{'all' if sample is None else sample}/{name}"


def own_sets(folder: Path, settings: Settings, sample: int | None) -> dict[str, LabelledSet]:
    """The first `sample` documents of a user's folder; one without a baseline is a Refusal, having no page truth."""
    sets = load_sets(folder, settings, most=sample)
    bare = [document for one in sets.values() for document in one.documents if not document.baseline]
    if bare:
        place = folder / "baseline" / bare[0].name / "sections"
        raise bad_input(
            place,
            "",
            f"no labels of {bare[0].name}" + (f" (nor of {len(bare) - 1} others)" if bare[1:] else ""),
            "<n>/result.json with document_class and split_document per section",
            "add them: without page truth no class can be judged",
        )
    return sets


def _own(settings: Settings, root: Path, known: ClassificationSettings, asked: str, sample: int | None) -> Corpus:
    folder = root / asked
    if not (folder / INPUT).is_dir():
        raise bad_input(
            "--config",
            "testset",
            repr(asked),
            f"a test set of config/classification.yaml, or a folder with {INPUT}/ and baseline/ in it",
            nearest(asked, known.testsets),
        )
    name = set_name(folder)
    if name in known.testsets:
        raise bad_input(folder, "", f"the name of a known test set, {name}", "another name", "rename the folder")
    sets = own_sets(folder, settings, sample)
    parts = tuple((one.id, one.doc_class, len(one.documents), one.digest) for one in sets.values())
    return Corpus(name, parts, folder=place_of(name, sample), source=asked)


def cell_name(model: str, mode: str) -> str:
    """The cell that asks one model in one mode."""
    return f"cls-{model.replace('_', '-')}-{mode}"


def classification_side(settings: Settings, root: Path, request: ClassificationRequest) -> Side:
    """The runs: each model on the test set. An unknown model or test set is a Refusal."""
    known = load_classification(settings)
    models = known_models(settings, known, request.models)
    where = request.where
    corpus = resolve_testset(settings, root, known, request.testset, where.backend, request.sample)
    cells = {cell_name(model, request.mode): model for model in models}
    for axis in dict(request.overrides):
        if axis in (MODEL_AXIS, CONFIDENCE_AXIS, *known.pins):
            instead = {MODEL_AXIS: "models=", CONFIDENCE_AXIS: "mode="}.get(axis, "pins of config/classification.yaml")
            raise bad_input("--config", "set", axis, "an axis that this benchmark leaves open", f"use {instead}")
    widened = _widened(settings, known, corpus, cells, request.mode)
    plan = build_plan(widened, SUITE, dict(request.overrides), request.repeats, backend=where.backend)
    side = assemble(widened, root, where, plan, {name: content for name, _, _, content in corpus.sets})
    runs = side.runs
    if corpus.on_stack is not None:
        runs = tuple(replace(run, testset=corpus.on_stack) for run in runs)
    about = {
        "testset": corpus.name,
        "asked": request.testset,
        "note": corpus.note,
        "kind": "on the stack" if corpus.on_stack else "folder" if corpus.source else "generated",
        "sample": request.sample,
        "mode": request.mode,
        "models": cells,
    }
    return replace(
        side,
        slug=_slug(corpus, request, plan.slug),
        runs=runs,
        about={**side.about, SUITE: about},
        reference=corpus.folder,
    )


def corpus_of(settings: Settings, root: Path, request: ClassificationRequest) -> Corpus:
    """The test set of a request."""
    known = load_classification(settings)
    return resolve_testset(settings, root, known, request.testset, request.where.backend, request.sample)


def _slug(corpus: Corpus, request: ClassificationRequest, overrides: str) -> str:
    """The test set, and what makes this another measurement than the usual one on it."""
    parts = [corpus.name, overrides]
    parts += ["mode-off"] if request.mode == "off" else []
    parts += [f"sample-{request.sample or 'all'}"] if request.sample != USUAL_SAMPLE else []
    return ".".join(part for part in parts if part)


def _widened(
    settings: Settings, known: ClassificationSettings, corpus: Corpus, cells: Mapping[str, str], mode: str
) -> Settings:
    """Settings that also know the test set, a cell per model, and the suite that runs them."""
    references = {
        name: ReferenceSet.model_validate({"id": name, "class": doc_class, "count": count, "note": "a test set"})
        for name, doc_class, count, _ in corpus.sets
    }
    own = {
        cell: Cell(id=cell, registry=SUITE, pins={**known.pins, MODEL_AXIS: model, CONFIDENCE_AXIS: mode})
        for cell, model in cells.items()
    }
    suite = Suite(
        id=SUITE,
        question="Is the class of each page right, and does the confidence tell right from wrong?",
        cells=list(own),
        documents=list(references),
        repeats=1,
    )
    return settings.model_copy(
        update={
            "references": {**settings.references, **references},
            "cells": {**settings.cells, **own},
            "suites": {**settings.suites, SUITE: suite},
        }
    )
