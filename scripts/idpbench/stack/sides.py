"""A side: the runs of one version with their keys, known without a socket from settings, manifest and source files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from idpbench.files import redact
from idpbench.files.canonical import digest, read_json
from idpbench.files.errors import bad_input
from idpbench.matrix.configs import configuration_name, models_used, resolve_configuration
from idpbench.matrix.plan import Plan, PlannedRun, build_plan
from idpbench.matrix.runkey import run_key
from idpbench.settings.model import Settings
from idpbench.stack.contract import NAME_LIMIT, OWN_PREFIX
from idpbench.stack.engine_identity import engine_digest, profile_values
from idpbench.stack.model import Side, SideRun, Where, grid_name, run_identity
from idpbench.stack.reference import LabelledSet, is_own_folder, load_sets, on_suite, set_name, with_sets

__all__ = ["Side", "SideRun", "Where", "build_side", "grid_name"]

MANIFEST = "corpus/manifest.json"


def build_side(
    settings: Settings,
    root: Path,
    where: Where,
    *,
    suite: str,
    overrides: Mapping[str, str] | None = None,
    repeats: int | None = None,
    reference: str | None = None,
    no_reference: bool = False,
    unknown_paths: Mapping[str, Collection[str]] | None = None,
    settled: Mapping[tuple[str, str], int] | None = None,
) -> Side:
    """All runs of `suite` on one version, with their keys. No socket; 20,000 runs take well under a second.

    `reference`: a folder of labelled sets, relative to `root`; where it is itself one set (`input/` in it), the suite's
    cells run on that set alone. The other options are those of `build_plan`.
    """
    sets: dict[str, LabelledSet] = {}
    if reference is not None:
        folder = root / reference
        sets = load_sets(folder, settings)
        own = is_own_folder(folder)
        settings = on_suite(settings, suite, sets.values()) if own else with_sets(settings, sets.values())
    plan = build_plan(
        settings,
        suite,
        overrides,
        repeats,
        backend=where.backend,
        unknown_paths=unknown_paths or {},
        sets_present=set(sets),
        no_reference=no_reference,
        settled=settled,
    )
    labelled = {name: one.digest for name, one in sets.items()}
    return assemble(settings, root, where, plan, labelled, reference)


def assemble(
    settings: Settings,
    root: Path,
    where: Where,
    plan: Plan,
    labelled: Mapping[str, str],
    reference: str | None = None,
) -> Side:
    """A side from a plan that is already made. `labelled`: digest of each labelled set of it, by id."""
    digests = document_digests(root, plan, labelled)
    place = _place(where)
    profile = profile_values(settings.config, where.version) if where.backend == "local" else {}
    configurations: dict[str, dict[str, Any]] = {}
    shared: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    testsets: dict[tuple[str, str], str] = {}
    engines: dict[tuple[str, ...], str] = {}
    runs: list[SideRun] = []
    for planned in plan.runs:
        at = (planned.cell, planned.doc_class)
        if at not in shared:
            configuration = resolve_configuration(
                settings, *at, plan.overrides, plan.omitted_paths, backend=where.backend
            )
            name = configuration_name(*at, configuration)
            configurations[name] = configuration
            base = {**place, "cell": at[0], "class": at[1], "config_digest": digest(configuration)}
            if where.backend == "local":
                models = models_used(settings, configuration)
                ids = tuple(model.model_id for model in models)
                if ids not in engines:
                    engines[ids] = engine_digest(profile, models)
                base["engine"] = engines[ids]
            shared[at] = (name, base)
        pair = (planned.cell, planned.document)
        if pair not in testsets:
            testsets[pair] = testset_name(*pair, digests[planned.document])
        runs.append(_run(planned, *shared[at], digests[planned.document], testsets[pair]))
    return Side(where, plan.suite, _slug(plan, root, reference), tuple(runs), configurations, plan.notes(), reference)


def _slug(plan: Plan, root: Path, reference: str | None) -> str:
    """The overrides, and the name of a folder whose documents took the place of the suite's: another grid."""
    own = [f"reference-{set_name(root / reference)}"] if reference and is_own_folder(root / reference) else []
    return ".".join([*filter(None, [plan.slug]), *own])


def document_digests(root: Path, plan: Plan, labelled: Mapping[str, str]) -> dict[str, str]:
    """Content digest of every document and labelled set of a plan, from the manifest and from `labelled`."""
    wanted = {run.document: run.reference for run in plan.runs}
    found = {name: labelled[name] for name, reference in wanted.items() if reference and name in labelled}
    generated = [name for name, reference in wanted.items() if not reference]
    if generated:
        path = root / MANIFEST
        documents = read_json(path, "manifest")["documents"]
        for name in generated:
            if name not in documents:
                remedy = f"add it: python scripts/generate_corpus.py --documents {name}"
                raise bad_input(path, f"documents.{name}", "no entry", "the digest of its PDF", remedy)
            found[name] = documents[name]["sha256"]
    for name, reference in wanted.items():
        if reference and name not in found:
            raise bad_input(
                "labelled set", name, "no folder of it", "its documents", "pass reference=FOLDER, or no_reference=true"
            )
    return found


def testset_name(cell: str, document: str, document_digest: str) -> str:
    """A name of at most 50 characters that stands for this cell, this document and its content."""
    tail = digest([cell, document, document_digest])[:8]
    body = f"{cell}-{document}"[: NAME_LIMIT - len(OWN_PREFIX) - len(tail) - 1]
    return f"{OWN_PREFIX}{body}-{tail}"


def _place(where: Where) -> dict[str, Any]:
    """The part of the identity that all runs of a side share: which series, and on aws which deployment."""
    place: dict[str, Any] = {"backend": where.backend, "series": where.series}
    if where.backend == "aws":
        for name in ("account", "build"):
            if getattr(where, name) is None:
                raise bad_input(
                    "configuration",
                    name,
                    "nothing",
                    "a label of yours",
                    f"pass --config {name}=...; it is in the run key",
                )
        place |= {
            "account": redact.account(str(where.account)),  # a label: keys and records are published
            "build": where.build,
            "region": where.region,
            "stack": where.stack,
            "version": where.version,
        }
    return place


def _run(
    planned: PlannedRun, config_name: str, shared: Mapping[str, Any], document_digest: str, testset: str
) -> SideRun:
    identity = run_identity(shared, planned.document, document_digest, planned.repeat)
    return SideRun(
        key=run_key(identity),
        identity=identity,
        cell=planned.cell,
        document=planned.document,
        doc_class=planned.doc_class,
        repeat=planned.repeat,
        resolved=planned.resolved,
        config_name=config_name,
        config_digest=shared["config_digest"],
        testset=testset,
        reference=planned.reference,
        n_docs=planned.n_docs,
    )
