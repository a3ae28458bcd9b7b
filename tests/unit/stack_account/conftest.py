"""An A/B on a moto account full of look-alikes, landed once: what it did is looked at from several sides."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from awsworld import KEY, NEIGHBOUR, STACK, Calls, Ended, Pair, World, record_calls
from motoaccount import ROOT, Account, template_url

from idpbench.corpus.generate import generate
from idpbench.settings.load import load


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The account with its decoys; nothing of ours is in it yet."""
    root = tmp_path_factory.mktemp("aws")
    (root / "config").symlink_to(ROOT / "config")
    (root / "corpus").mkdir()
    shutil.copy2(ROOT / "corpus" / "manifest.json", root / "corpus")
    account, calls = Account(), Calls()
    account.start()
    made = World(account, root, calls)
    settings = load(root)
    names = sorted({run.document for run in made.side("0.6.9").runs})
    generate(settings.documents, root / "corpus" / "docs", root / "corpus" / "manifest.json", names)
    account.publish("0.6.8", "0.6.9")
    account.decoys(STACK)
    account.deploy(NEIGHBOUR, "0.6.8")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("AWS_"):
                patch.delenv(name)
        patch.setenv("AWS_ENDPOINT_URL", account.url)
        patch.setenv("AWS_ACCESS_KEY_ID", KEY)
        patch.setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")
        record_calls(patch, calls)
        yield made
    account.stop()


@pytest.fixture(scope="session")
def pair(world: World) -> Pair:
    """PREV on a stack that is created for it, VERSION after an update in place; the stack stays."""
    template = ("--template", template_url("idp-main_{version}"), "--stack-parameters", "AdminEmail=me@example.org")
    before = world.account.snapshot(NEIGHBOUR)
    base = world.land(world.side("0.6.8"), "--confirm", "--base", *template)
    new = world.land(world.side("0.6.9"), "--confirm", *template)
    names = world.account.resources(STACK)
    functions = world.account.resources(names["APIRESOLVERSTACK"])
    described = world.account.api("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]
    neighbour = before, world.account.snapshot(NEIGHBOUR)
    done = list(world.account.invoked), list(world.calls.made)
    return Pair(world, base, new, names, functions, described, neighbour, *done)


@pytest.fixture(scope="session")
def ended(pair: Pair) -> Ended:
    """The same command once more, with leave to delete the stack."""
    world = pair.world

    def stacks() -> set[str]:
        return {entry["StackName"] for entry in world.account.api("cloudformation").describe_stacks()["Stacks"]}

    before = stacks()
    landed = world.land(world.side("0.6.9"), "--confirm", "--teardown")
    return Ended(pair, landed, before, stacks())
