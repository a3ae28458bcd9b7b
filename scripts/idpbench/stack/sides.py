"""A side: the runs of one version with their keys, known without a socket from settings, manifest and source files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from idpbench.files.canonical import digest, read_json
from idpbench.files.errors import bad_input
from idpbench.matrix.configs import configuration_name, resolve_configuration
from idpbench.matrix.overrides import checked, slug
from idpbench.matrix.plan import Plan, PlannedRun, build_plan
from idpbench.matrix.runkey import run_key
from idpbench.settings.model import Settings
from idpbench.stack.contract import NAME_LIMIT, OWN_PREFIX
from idpbench.stack.engine_identity import engine_digest, models_of, profile_values
from idpbench.stack.model import Side, SideRun, Where, grid_name

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
    omit_paths: tuple[str, ...] = (),
    labelled: Mapping[str, str] | None = None,
    **plan_options: Any,
) -> Side:
    """All runs of `suite` on one version, with their keys. No socket; 20,000 runs take well under a second.

    `labelled`: digest of each labelled set at hand, by id (see `reference`). `plan_options` go to the plan as they are.
    """
    moved = checked(settings, overrides or {})
    plan = build_plan(settings, suite, moved, repeats, **plan_options)
    return assemble(settings, root, where, plan, suite, moved, omit_paths, labelled or {})


def assemble(
    settings: Settings,
    root: Path,
    where: Where,
    plan: Plan,
    suite: str,
    overrides: Mapping[str, str],
    omit_paths: tuple[str, ...],
    labelled: Mapping[str, str],
) -> Side:
    """A side from a plan that is already made."""
    digests = document_digests(root, plan, labelled)
    place = _place(where)
    profile = profile_values(settings.config, where.version) if where.backend == "local" else {}
    known = frozenset(model.model_id for model in settings.models.values())
    configurations: dict[str, dict[str, Any]] = {}
    shared: dict[tuple[str, str], tuple[str, str, dict[str, Any]]] = {}
    testsets: dict[tuple[str, str], str] = {}
    engines: dict[frozenset[str], str] = {}
    runs: list[SideRun] = []
    for planned in plan.runs:
        at = (planned.cell, planned.doc_class)
        if at not in shared:
            configuration = resolve_configuration(settings, planned.cell, planned.doc_class, overrides, omit_paths)
            name = configuration_name(planned.cell, planned.doc_class, configuration)
            configurations[name] = configuration
            identity = {
                **place,
                "cell": planned.cell,
                "class": planned.doc_class,
                "config_digest": digest(configuration),
            }
            if where.backend == "local":
                models = models_of(configuration, known)
                if models not in engines:
                    engines[models] = engine_digest(settings, profile, models)
                identity["engine"] = engines[models]
            shared[at] = (name, identity["config_digest"], identity)
        name, config_digest, base = shared[at]
        pair = (planned.cell, planned.document)
        if pair not in testsets:
            testsets[pair] = testset_name(planned.cell, planned.document, digests[planned.document])
        runs.append(_run(planned, name, config_digest, base, digests[planned.document], testsets[pair]))
    return Side(where, suite, slug(overrides), tuple(runs), configurations, about(plan))


def about(plan: Plan) -> dict[str, Any]:
    """What the plan says beside its runs, for plan.json."""
    return plan.notes()


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
            "account": where.account,
            "build": where.build,
            "region": where.region,
            "stack": where.stack,
            "version": where.version,
        }
    return place


def _run(
    planned: PlannedRun, name: str, config_digest: str, base: Mapping[str, Any], document_digest: str, testset: str
) -> SideRun:
    identity = {
        **base,
        "document": planned.document,
        "document_digest": document_digest,
        "repeat": planned.repeat,
    }
    return SideRun(
        key=run_key(identity),
        identity=identity,
        cell=planned.cell,
        document=planned.document,
        doc_class=planned.doc_class,
        repeat=planned.repeat,
        resolved=planned.resolved,
        config_name=name,
        config_digest=config_digest,
        testset=testset,
        reference=planned.reference,
        n_docs=planned.n_docs,
    )
