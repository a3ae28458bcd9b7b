"""A folder to land in, a moto account to land on, and every API call of the landing."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import botocore.client
import pytest
from motoaccount import REGION, Account

from idpbench.files import redact
from idpbench.settings.load import load
from idpbench.stack.ensure import Patience
from idpbench.stack.flags import add_flags
from idpbench.stack.model import Side, Where
from idpbench.stack.session import land_side
from idpbench.stack.sides import build_side
from idpbench.stack.tasks import connection_of, task_of

KEY = "AKIAIDPBENCH00000000"  # of the landing: calls signed with another are somebody else's
STACK = "IDP1"
NEIGHBOUR = "IDP10"


@dataclass
class Calls:
    """Every API call of the landing, as botocore was asked: (service, operation, parameters)."""

    made: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    def operations(self) -> set[str]:
        """`dynamodb:GetItem`, ..."""
        return {f"{service}:{operation}" for service, operation, _ in self.made}


@dataclass
class World:
    """A folder to land in, and the account to land on."""

    account: Account
    root: Path
    calls: Calls

    def side(self, version: str, stack: str = STACK, build: str = "b1") -> Side:
        """The smoke side of a version on a stack."""
        label = redact.account(self.account.number)
        where = Where("aws", version, region=REGION, stack=stack, account=label, build=build)
        return build_side(load(self.root), self.root, where, suite="smoke")

    def land(self, side: Side, *words: str) -> dict[str, Any]:
        """The landing step with these flags; landed.json's content."""
        parser = argparse.ArgumentParser()
        add_flags(parser)
        given = parser.parse_args(["--max-inflight", "4", "--pair", "0.6.9-0.6.8-smoke", *words])
        task = task_of(side, self.root, given)
        quick = replace(task.options, interval=0.2, settle=0.5)
        patience = Patience(change=60, drain=60, interval=0.02)
        records = self.root / "work" / side.address / "records"
        connection = connection_of(side, given, lambda: "", self.root)
        return land_side(side, self.root, records, connection, replace(task, options=quick, patience=patience))


@dataclass
class Pair:
    """What the A/B left: the two landings, and the neighbour's content before and after."""

    world: World
    base: dict[str, Any]
    new: dict[str, Any]
    names: dict[str, str]
    functions: dict[str, str]
    described: dict[str, Any]
    neighbour: tuple[Any, Any]
    invoked: list[tuple[str, dict[str, Any]]]
    made: list[tuple[str, str, dict[str, Any]]]


@dataclass
class Ended:
    """The stack's life to its end: the last landing, and the names of the stacks before and after it."""

    pair: Pair
    landed: dict[str, Any]
    before: set[str]
    after: set[str]


def record_calls(patch: pytest.MonkeyPatch, calls: Calls) -> None:
    original = botocore.client.BaseClient._make_api_call

    def make(self: Any, operation: str, parameters: dict[str, Any]) -> Any:
        if self._request_signer._credentials.access_key == KEY:
            calls.made.append((self.meta.service_model.service_name, operation, parameters))
        return original(self, operation, parameters)

    patch.setattr(botocore.client.BaseClient, "_make_api_call", make)
