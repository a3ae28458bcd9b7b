"""What the landing step is to do, from its flags: how to reach the stack, the limits, the checks before money."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from idpbench.files.errors import bad_input
from idpbench.matrix.configs import models_used
from idpbench.pricing.card import RateCard, load_rate_card
from idpbench.pricing.price import price
from idpbench.settings.load import load
from idpbench.settings.model import Settings
from idpbench.stack.deployment import Deployment, build, parameters_of
from idpbench.stack.model import Side, SideRun
from idpbench.stack.projection import missing_text, project_missing, refuse_above
from idpbench.stack.session import Connection, Task, defaults, record_cost

LOCAL_TEMPLATE = "https://local.invalid/idp-main_{version}.yaml"  # the local stack reads the name only


def connection_of(side: Side, given: argparse.Namespace, local: Callable[[], str], root: Path = Path()) -> Connection:
    """The way to the side's stack; `local()` is the address of the local one."""
    if side.backend == "local":
        return Connection(local, deployment=lambda version: Deployment(LOCAL_TEMPLATE.format(version=version)))
    template: str | None = given.template
    region, stack = side.where.region, side.stack

    def deployment(version: str) -> Deployment | None:
        """Nothing is deployed without the word for it; what is built is built only when it is needed."""
        if not given.confirm or (template is None and given.build_command is None):
            return None
        parameters = parameters_of(given.stack_parameters, root)
        if given.build_command is not None:
            return Deployment(build(given.build_command, version, region, stack, given.profile), parameters=parameters)
        return Deployment(str(template).replace("{version}", version), parameters=parameters)

    return Connection(profile=given.profile, deployment=deployment)


def task_of(side: Side, root: Path, given: argparse.Namespace) -> Task:
    """The landing's limits and checks."""
    options, patience = defaults(side.backend, given.max_inflight)
    settings = load(root)
    card = load_rate_card(settings.pricing)

    def check(missing: list[SideRun]) -> None:
        """Leave to spend, prices and budget, over what is really missing now."""
        if not missing:
            return
        if side.backend == "aws":
            refuse_unconfirmed(side, missing, given.confirm)
            refuse_unpriced(settings, side, missing, card)
            projected = project_missing(settings, {side.address: missing}, side.backend, given.max_inflight)
            print(f"{side.address}: {about_to_spend(side, missing)}\n{missing_text(projected)}", file=sys.stderr)
        if given.budget is not None:
            projected = project_missing(settings, {side.address: missing}, side.backend, given.max_inflight)
            refuse_above(given.budget, projected, root)

    return Task(
        options=replace(options, pair=given.pair or None),
        patience=patience,
        pair=given.pair,
        base=given.base,
        reuse=given.reuse,
        teardown=given.teardown and given.confirm and not given.base,  # VERSION's side needs the stack yet
        disposable=given.teardown and given.confirm,
        check=check,
        cost=lambda record: record_cost(record, lambda metering, requests: price(metering, card, requests).cost),
    )


def refuse_unconfirmed(side: Side, missing: list[SideRun], confirm: bool) -> None:
    """Refuse to spend money without the word for it."""
    if not confirm:
        raise bad_input(
            "--config",
            "confirm",
            f"false, and {about_to_spend(side, missing)}",
            "confirm=true",
            "look at the projection first: the same command with -n",
        )


def about_to_spend(side: Side, missing: list[SideRun]) -> str:
    """What is paid for, and where: what a person confirms."""
    where = side.where
    place = f"stack {side.stack} in {where.region}, {where.account}, build {where.build}"
    return f"{len(missing)} paid runs to launch on {place}"


def refuse_unpriced(settings: Settings, side: Side, missing: list[SideRun], card: RateCard) -> None:
    """Refuse to launch cells whose models the rate card does not know: what they cost could never be told."""
    names = {run.config_name for run in missing}
    models = {
        f"bedrock/{model.model_id}" for name in names for model in models_used(settings, side.configurations[name])
    }
    unknown = card.missing(models)
    if unknown:
        raise bad_input(
            settings.pricing, "pricing", "no entry", ", ".join(sorted(unknown)), "add their rates; nothing was launched"
        )
