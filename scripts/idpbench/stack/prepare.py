"""From a client and a side to a stack that is ready for it: right version, configurations and test sets in place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from idpbench.files import redact
from idpbench.files.errors import Refusal, bad_input
from idpbench.stack import fingerprint, lookup
from idpbench.stack.client import Caller
from idpbench.stack.contract import FINAL, OWN_PREFIX
from idpbench.stack.deployment import Deployment
from idpbench.stack.discover import Resources, discover
from idpbench.stack.ensure import GOOD_ENDS, Patience, ensure
from idpbench.stack.journal import Journal
from idpbench.stack.land import Target
from idpbench.stack.lease import Lease, holder_of
from idpbench.stack.model import Side, SideRun
from idpbench.stack.reference import LabelledSet
from idpbench.stack.testsets import TestDocument, TestSet, register
from idpbench.stack.upload import upload
from idpbench.stack.vault import Vault

DOCUMENTS = "corpus/docs"


@dataclass(frozen=True)
class Material:
    """Where a side's documents lie: the generated ones below `root`, the labelled sets by id.

    A labelled set that is not among `sets` is on the stack already: its run says what was in it.
    """

    root: Path
    sets: Mapping[str, LabelledSet]

    def files(self, run: SideRun) -> tuple[str, ...]:
        """Names of a run's documents."""
        if run.reference:
            return () if self.on_stack(run) else tuple(one.name for one in self.sets[run.document].documents)
        return (f"{run.document}.pdf",)

    def evaluates(self, run: SideRun) -> bool:
        """Whether the stack has something to evaluate the run with."""
        return run.reference and (self.on_stack(run) or self.sets[run.document].evaluates)

    def on_stack(self, run: SideRun) -> bool:
        """Whether the run uses a set of the stack's own, which is never written to."""
        return run.reference and run.document not in self.sets and not run.testset.startswith(OWN_PREFIX)

    def testset(self, run: SideRun) -> TestSet:
        """The test set of a run."""
        digest = run.identity["document_digest"]
        if run.reference:
            documents = self.sets[run.document].documents
            return TestSet(
                run.testset, digest, tuple(TestDocument(d.name, d.path, d.sha256, d.baseline) for d in documents)
            )
        path = self.root / DOCUMENTS / f"{run.document}.pdf"
        return TestSet(run.testset, digest, (TestDocument(path.name, path, digest),))


def prepare(
    side: Side,
    missing: Collection[SideRun],
    client: Caller,
    vault: Vault,
    journal: Journal,
    material: Material,
    deployment: Callable[[str], Deployment | None],
    patience: Patience,
    say: Callable[[str], None] = lambda _: None,
    check: Callable[[Resources], None] = lambda _: None,
) -> Target:
    """The stack, at the side's version and holding what the missing runs need; anything amiss is a Refusal.

    Called under the stack's lock and only when runs are missing. `check` sees the stack before anything is written.
    """
    lease = Lease(client, "", side.stack, holder_of(journal.path.parent))
    try:
        before = fingerprint.read(client, side.stack)
        if before is not None and before.status in GOOD_ENDS:  # held over an update, too
            refuse_other_account(side, fingerprint.identity_of_stack(client, side.stack))
            _take(lease)
        ensure(
            client, side.stack, side.version, deployment, lambda: in_flight(client, side.stack, journal), patience, say
        )
        seen = fingerprint.require(client, side.stack)
        identity = fingerprint.identity_of_stack(client, side.stack)
        refuse_other_stack(side, vault, identity)
        resources = _take(lease)
        check(resources)
        used = {run.config_name for run in missing}
        written = upload(client, resources.config_table, {name: side.configurations[name] for name in sorted(used)})
        sets = {run.testset: material.testset(run) for run in missing if not material.on_stack(run)}
        registered = register(client, resources, sets.values())
    except BaseException:
        lease.release()
        raise
    say(f"{written} configurations and {registered} test sets written to {side.stack}")
    return Target(client, resources, identity, seen, lease)


def _take(lease: Lease) -> Resources:
    """The stack's resources, with its lease in our hands."""
    resources = discover(lease.client, lease.stack)
    if not lease.table:
        lease.table = resources.tracking_table
        lease.take()
    return resources


def in_flight(client: Caller, stack: str, journal: Journal) -> list[str]:
    """Runs of which the stack has a document that has not ended, whoever sent it; not those that we gave up."""
    if fingerprint.read(client, stack) is None:
        return []
    table = discover(client, stack).tracking_table
    runs = {name.split("/", 1)[0] for name in lookup.unfinished(client, table, FINAL, _a_day_ago())}
    return sorted(run for run in runs if not journal.ended(run))


def _a_day_ago() -> str:
    """No document takes longer; older ones that never ended must not block every update for good."""
    return (datetime.now(UTC) - timedelta(days=1)).isoformat()


def refuse_other_stack(side: Side, vault: Vault, identity: Mapping[str, Any]) -> None:
    """Refuse to complete a side on another account, or another build of the stack, than the runs it already has.

    Locally the engine's digest is in every key, so there is nothing to mix.
    """
    if side.backend != "aws":
        return
    refuse_other_account(side, identity)
    for key in sorted(side.keys & vault.keys()):
        before = vault.get(key)["stack"]
        for name, meaning in (("account", "account"), ("template_digest", "template")):
            known, now = before.get(name), identity.get(name)
            if known is not None and now is not None and redact.account(known) != redact.account(now):
                raise Refusal(
                    f"stack {side.stack}: its {meaning} is {now}, but run {key} of this side was measured on {known};"
                    " runs of two builds are not mixed; give the new one its own build= label"
                )


def refuse_other_account(side: Side, identity: Mapping[str, Any]) -> None:
    """Refuse to touch a stack in another account than the one that was named."""
    account = identity.get("account")
    if (
        side.backend == "aws"
        and account is not None
        and redact.account(account) != redact.account(str(side.where.account))
    ):
        raise bad_input(
            "--config",
            "account",
            redact.account(str(side.where.account)),
            f"{redact.account(account)}, where stack {side.stack} is",
            "give the twelve digits of the account that the credentials are for",
        )
