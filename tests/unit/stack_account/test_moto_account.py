"""Deploy, upgrade, launch, collect and delete in an account where every name has a look-alike."""

from __future__ import annotations

import json

import pytest
from awsworld import NEIGHBOUR, STACK, Ended, Pair, World
from motoaccount import template_url

from idpbench.files import redact
from idpbench.files.errors import Refusal
from idpbench.pricing.card import load_rate_card
from idpbench.scoring.cell import Truths, score_cell
from idpbench.stack.vault import Vault


def records(pair: Pair, version: str) -> list[dict[str, object]]:
    folder = pair.world.root / "work" / "aws" / f"v{version}" / "smoke" / "records"
    return [json.loads(line) for path in sorted(folder.iterdir()) for line in path.read_text("utf-8").splitlines()]


def test_every_run_of_both_sides_landed_on_its_own_release(pair: Pair) -> None:
    for version in ("0.6.8", "0.6.9"):
        found = records(pair, version)
        assert [record["status"] for record in found] == ["COMPLETED"] * 4
        for record in found:
            for moment in ("launch", "completion"):
                assert record[moment]["fingerprint"]["version"] == version  # type: ignore[index]
            assert record["stack"]["account"] == redact.account(pair.world.account.number)  # type: ignore[index]


def test_what_was_collected_can_be_scored(pair: Pair) -> None:
    truths = Truths(pair.world.root / "corpus" / "docs")
    card = load_rate_card(pair.world.root / "config" / "pricing.yaml")
    cells: dict[str, list[dict[str, object]]] = {}
    for record in records(pair, "0.6.9"):
        cells.setdefault(str(record["cell"]), []).append(record)
    rows = [row for cell, found in cells.items() for row in score_cell(cell, found, truths, card)["rows"]]
    assert len(rows) == 4 and {row["status"] for row in rows} == {"COMPLETED"}
    assert all(row["cost"] > 0 and row["typed_accuracy"] == 1.0 for row in rows)


def test_the_stack_was_created_once_and_then_updated_in_place(pair: Pair) -> None:
    changes = [
        (operation, parameters["StackName"])
        for _, operation, parameters in pair.made
        if operation in ("CreateStack", "UpdateStack", "DeleteStack") and parameters["StackName"] == STACK
    ]
    assert changes == [("CreateStack", STACK), ("UpdateStack", STACK)]


def test_parameters_given_once_are_kept_by_the_update(pair: Pair) -> None:
    parameters = {entry["ParameterKey"]: entry["ParameterValue"] for entry in pair.described["Parameters"]}
    assert parameters["AdminEmail"] == "me@example.org"
    assert "(v0.6.9)" in pair.described["Description"]


def test_only_the_stacks_own_function_was_invoked_and_each_run_once(pair: Pair) -> None:
    functions = {function for function, _ in pair.invoked}
    assert functions == {pair.functions["TestRunnerFunction"]}
    contexts = [given["context"] for _, given in pair.invoked]
    assert len(contexts) == len(set(contexts)) == 8


def test_only_the_stacks_own_tables_and_buckets_were_touched(pair: Pair) -> None:
    tables, buckets = set(), set()
    for service, _, parameters in pair.made:
        if service == "dynamodb":
            tables |= set(parameters.get("RequestItems", {})) | {parameters.get("TableName")} - {None}
        elif service == "s3":
            buckets.add(parameters["Bucket"])
    assert tables == {pair.names["TrackingTable"], pair.names["ConfigurationTable"]}
    assert buckets == {pair.names["TestSetBucket"], pair.names["OutputBucket"]}


def test_nothing_was_looked_up_by_a_part_of_its_name(pair: Pair) -> None:
    listings = {"s3:ListBuckets", "dynamodb:ListTables", "lambda:ListFunctions", "dynamodb:Scan"}
    assert not listings & pair.world.calls.operations()
    pages = [given for _, name, given in pair.world.calls.made if name == "ListStackResources"]
    assert any("NextToken" in given for given in pages), "the listing has several pages"


def test_the_neighbour_with_the_longer_name_is_as_it_was(pair: Pair) -> None:
    before, after = pair.neighbour
    assert before == after and before["ConfigurationTable"], "its default configuration was there to be changed"


def test_landing_again_calls_nothing(pair: Pair) -> None:
    made = len(pair.world.calls.made)
    assert pair.world.land(pair.world.side("0.6.9"), "--confirm")["cells"] == pair.new["cells"]
    assert len(pair.world.calls.made) == made


def test_a_named_stack_that_is_at_the_release_is_used_as_it_is(pair: Pair) -> None:
    world = pair.world
    before, made = len(world.account.invoked), len(world.calls.made)
    landed = world.land(world.side("0.6.8", NEIGHBOUR), "--confirm", "--template", template_url("idp-main_{version}"))
    assert sum(cell["completed"] for cell in landed["cells"].values()) == 4
    names = world.account.resources(world.account.resources(NEIGHBOUR)["APIRESOLVERSTACK"])
    assert {function for function, _ in world.account.invoked[before:]} == {names["TestRunnerFunction"]}
    changes = {operation for _, operation, _ in world.calls.made[made:] if operation.endswith("Stack")}
    assert changes == set(), "neither created nor updated"


def test_a_stack_of_somebody_elses_is_never_deleted(world: World) -> None:
    side = world.side("0.6.8", NEIGHBOUR, build="b2")
    with pytest.raises(Refusal, match="found no tag idpbench=created"):
        world.land(side, "--confirm", "--teardown")
    assert not Vault(world.root / "work" / "vault" / "aws").keys() & side.keys, "refused before anything was launched"
    assert world.account.resources(NEIGHBOUR)


def test_another_release_is_not_deployed_without_a_template(world: World) -> None:
    side = world.side("0.6.9", NEIGHBOUR)
    with pytest.raises(Refusal, match=r"found version 0\.6\.8 \(CREATE_COMPLETE\), expected version 0\.6\.9"):
        world.land(side, "--confirm")


def test_a_template_that_was_never_published_changes_nothing(world: World) -> None:
    side = world.side("0.6.9", NEIGHBOUR)
    with pytest.raises(Refusal, match="the template cannot be used.*the stack was not changed"):
        world.land(side, "--confirm", "--template", template_url("no-such_{version}"))


def test_our_own_stack_is_deleted_when_everything_has_landed(ended: Ended) -> None:
    assert ended.landed["cells"] == ended.pair.new["cells"]
    assert {STACK, NEIGHBOUR} <= ended.before
    assert STACK not in ended.after and NEIGHBOUR in ended.after
