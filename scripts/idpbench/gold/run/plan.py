"""plan.json: everything that decides what a run asks and how it scores. Resuming demands an equal plan."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from idpbench import __version__
from idpbench.files.canonical import digest, read_json, write_json
from idpbench.files.errors import bad_input
from idpbench.files.provenance import package_versions, source_digest
from idpbench.gold.result.schema import (
    Component,
    Environment,
    Limits,
    PromptFields,
    RequestFields,
    SuiteName,
    TransportFields,
)
from idpbench.gold.run.context import CONTEXT_VERSION
from idpbench.gold.run.prompt import Mode
from idpbench.gold.run.template import PROMPT_VERSION, TEMPLATE_SHA256
from idpbench.gold.suite.manifest import CONTRACTS
from idpbench.gold.transport.base import About
from idpbench.settings.base import Frozen
from idpbench.settings.explain import refusal

KIND = "gold-plan"
RUNNER = "idpbench gold"
PIPELINE_VERSION = "gold-pipeline/1"
PACKAGES = ("defusedxml", "google-re2", "httpx", "openpyxl", "pydantic")
COMPONENTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "schema": (CONTRACTS["recipe"], ("gold.recipe",)),
    "executor": (CONTRACTS["recipe"], ("gold.execute", "gold.trace", "gold.jcs")),
    "csv": (CONTRACTS["csv"], ("gold.tidy", "gold.scalars")),
    "metrics": (CONTRACTS["metrics"], ("gold.metrics",)),
    "composite": (CONTRACTS["composite"], ("gold.metrics",)),
    "reader": ("gold-reader/1", ("gold.workbook", "gold.xlsx")),
    "context": (CONTEXT_VERSION, ("gold.run.context",)),
}


class Plan(Frozen):
    """What a run will do. `members` are those asked for, in suite order; `present` those whose workbook is at hand."""

    run_id: str
    started_at: str
    suite: SuiteName
    model: str
    request: RequestFields
    prompt: PromptFields
    pipeline_version: str
    limits: Limits
    transport: TransportFields
    version: str
    environment: Environment
    components: list[Component]
    members: list[str]
    present: list[str]

    def as_json(self) -> dict[str, Any]:
        """The plan as its file holds it."""
        return {"schema": f"idpbench/{KIND}/1", **self.model_dump(mode="json")}

    @property
    def sha256(self) -> str:
        """The digest that every line of the journal carries."""
        return f"sha256:{digest(self.as_json())}"


def make(
    *,
    run_id: str,
    started_at: str,
    suite: SuiteName,
    model: str,
    about: About,
    mode: Mode,
    limits: Limits,
    members: Sequence[str],
    present: Sequence[str],
) -> Plan:
    """The plan of a run by this version of the code, in this environment."""
    return Plan(
        run_id=run_id,
        started_at=started_at,
        suite=suite,
        model=model,
        request=RequestFields(
            temperature=about.sent.temperature,
            max_tokens=about.sent.max_tokens,
            response_format=_plain(about.sent.response_format),
            provider_options=_plain(about.sent.provider_options),
        ),
        prompt=PromptFields(
            mode=mode, version=PROMPT_VERSION, template_sha256=TEMPLATE_SHA256, context_version=CONTEXT_VERSION
        ),
        pipeline_version=PIPELINE_VERSION,
        limits=limits,
        transport=TransportFields.model_validate(
            {
                "kind": about.kind,
                "base": about.base,
                "client": about.client,
                "retries": 0,
                "replies_sha256": about.replies_sha256,
            }
        ),
        version=__version__,
        environment=environment(),
        components=components(),
        members=list(members),
        present=list(present),
    )


def environment() -> Environment:
    """Interpreter, machine and packages."""
    return Environment(
        python=platform.python_version(),
        platform=f"{platform.system()}-{platform.machine()}".lower(),
        packages=package_versions(PACKAGES),
    )


def components() -> list[Component]:
    """The parts that turn a reply into a score, each by version and digest of its source."""
    return [
        Component(name=name, version=version, sha256=f"sha256:{source_digest(*modules)}")
        for name, (version, modules) in COMPONENTS.items()
    ]


def write(plan: Plan, path: Path) -> None:
    """Put the plan on the disk; it is never changed afterwards."""
    write_json(path, plan.as_json(), durable=True)


def read(path: Path) -> Plan:
    """The plan of a run."""
    value = read_json(path, KIND)
    try:
        return Plan.model_validate({key: item for key, item in value.items() if key != "schema"})
    except ValidationError as error:
        raise refusal(error, path, Plan) from None


def demand_equal(kept: Plan, now: Plan, path: Path) -> None:
    """Refuse to go on where anything but the time of the start differs, naming what does."""
    before, after = kept.model_dump(mode="json"), now.model_dump(mode="json")
    different = [name for name in before if name != "started_at" and before[name] != after[name]]
    if different:
        name = different[0]
        raise bad_input(
            path,
            ", ".join(different),
            f"{name} {before[name]} in the plan",
            f"{after[name]}, as it is now",
            "repeat the command, configuration and code of the run, or start a new one",
        )


def _plain(value: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if value is None else dict(value)
