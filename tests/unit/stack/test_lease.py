"""Two clones on one stack: the second is refused by name, and follows when the first has ended or its lease has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeStack, aws_error, make_side, prepared

from idpbench.files.errors import INCOMPLETE, Refusal
from idpbench.stack.journal import Journal
from idpbench.stack.land import land
from idpbench.stack.launcher import Options
from idpbench.stack.lease import KEY, MARGIN, RENEW, SECONDS, Lease, holder_of
from idpbench.stack.vault import Vault

OPTIONS = Options(max_inflight=2, deadline=600.0, interval=1.0, settle=4.0, workers=1)


class Shared(FakeStack):
    """The memory stack with the one condition that the lease puts on a row."""

    def _put_item(  # type: ignore[override]
        self,
        TableName: str,  # noqa: N803
        Item: dict[str, Any],  # noqa: N803
        **condition: Any,
    ) -> dict[str, Any]:
        held = self.rows.get((Item["PK"]["S"], Item["SK"]["S"]))
        if condition and held is not None:
            values: Mapping[str, Any] = condition["ExpressionAttributeValues"]
            mine = held["Holder"] == values[":holder"]
            if not mine and not float(held["Ends"]["N"]) < float(values[":now"]["N"]):
                raise aws_error("ConditionalCheckFailedException")
        return super()._put_item(TableName, Item)


def lease(stack: FakeStack, holder: str) -> Lease:
    return Lease(stack, "tracking", "IDP", f"{holder}:0", now=lambda: 1e9 + stack.time)


def test_a_second_clone_is_refused_with_the_name_of_the_first() -> None:
    stack = Shared()
    lease(stack, "alpha").take()
    with pytest.raises(Refusal, match=r"machine alpha, process \d+.*10 minutes") as refused:
        lease(stack, "beta").take()
    assert refused.value.exit_code == INCOMPLETE


def test_a_lease_given_up_is_free_at_once() -> None:
    stack = Shared()
    lease(stack, "alpha").take().release()
    lease(stack, "beta").take()
    with pytest.raises(Refusal, match="machine beta"):
        lease(stack, "alpha").take()


def test_a_killed_clone_is_followed_by_itself_at_once_and_by_others_when_its_lease_ends() -> None:
    stack = Shared()
    lease(stack, "alpha").take()
    lease(stack, "alpha").take()
    stack.time += SECONDS - 1
    with pytest.raises(Refusal):
        lease(stack, "beta").take()
    stack.time += 2
    lease(stack, "beta").take()


def test_a_lease_that_another_took_ends_the_launching() -> None:
    """A laptop that slept for longer than its lease."""
    stack = Shared()
    first = lease(stack, "alpha").take()
    stack.time += SECONDS + 1
    lease(stack, "beta").take()
    with pytest.raises(Refusal, match="no longer holds the lease"):
        first.check()


def test_a_lease_is_renewed_while_it_is_asked_for() -> None:
    stack = Shared()
    first = lease(stack, "alpha").take()
    for _ in range(40):
        stack.time += RENEW
        first.check()
    with pytest.raises(Refusal):
        lease(stack, "beta").take()


def test_nothing_is_launched_on_a_lease_that_can_not_be_renewed_for_long() -> None:
    stack = Shared()
    first = lease(stack, "alpha").take()

    def down(**_: Any) -> Any:
        raise aws_error("InternalServerError", 500)

    stack.steps["dynamodb.put_item"] = down
    stack.time += RENEW
    first.check()  # a hiccup is none
    stack.time += SECONDS - MARGIN
    with pytest.raises(Refusal, match="could not be renewed in time"):
        first.check()


def test_the_row_is_in_no_listing_and_goes_by_itself() -> None:
    stack = Shared()
    lease(stack, "alpha").take()
    row = stack.rows[KEY, "metadata"]
    assert "ItemType" not in row and float(row["ExpiresAfter"]["N"]) > float(row["Ends"]["N"])


def test_a_folder_keeps_its_name_and_a_copy_of_it_has_another(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    name = holder_of(one)
    assert holder_of(one) == name
    other.mkdir()
    (other / "holder").write_bytes((one / "holder").read_bytes())
    assert holder_of(other) != name


def test_a_landing_gives_its_lease_up_and_launches_nothing_without_it(tmp_path: Path) -> None:
    side = make_side(3)
    stack = prepared(side)
    stack.__class__ = Shared
    target = stack.target()

    def go(held: Lease) -> None:
        journal = Journal(tmp_path / "journal.jsonl", stack.clock().now)
        object.__setattr__(target, "lease", held)
        vault = Vault(tmp_path / "vault")
        land(side, target, vault, journal, OPTIONS, files=lambda run: ("d.pdf",), clock=stack.clock())

    lost = lease(stack, "alpha").take()
    lost.lost = "taken"
    with pytest.raises(Refusal, match="no longer holds"):
        go(lost)
    assert stack.billed == []
    go(lease(stack, "alpha").take())
    assert sorted(stack.billed) == sorted(side.keys)
    lease(stack, "beta").take()
