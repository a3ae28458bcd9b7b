"""Find a run on the stack by the context it was launched with: what a crash between call and journal leaves behind."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from idpbench.stack.client import Caller
from idpbench.stack.contract import TYPE_INDEX, key_of, test_run_key
from idpbench.stack.decode import row

Row = dict[str, Any]


def runs_by_context(
    client: Caller, table: str, keys: Collection[str], testsets: Collection[str], since: str | None = None
) -> dict[str, list[Row]]:
    """Run key -> test-run rows whose context carries it, oldest first.

    One Query of the index by type (`since`: ISO time of the first event wanted), then the full rows of those runs
    whose test set is one of `testsets`, a hundred a call. No scan.
    """
    wanted = set(keys)
    if not wanted:
        return {}
    names = set(testsets)
    ids = [
        entry["TestRunId"]["S"]
        for entry in _index(client, table, "testrun", since)
        if "TestRunId" in entry and entry.get("TestSetName", {}).get("S") in names
    ]
    found: dict[str, list[Row]] = {}
    for entry in batch_get(client, table, [test_run_key(run_id) for run_id in dict.fromkeys(ids)]):
        key = key_of(entry.get("Context"))
        if key in wanted:
            found.setdefault(str(key), []).append(entry)
    for rows in found.values():
        rows.sort(key=lambda entry: str(entry.get("CreatedAt", "")))
    return found


def unfinished(client: Caller, table: str, final: Collection[str], since: str | None = None) -> list[str]:
    """Object keys of documents on the stack that have not come to an end, whoever sent them."""
    return [
        entry.get("ObjectKey", {}).get("S", "?")
        for kind in ("test-document", "document")
        for entry in _index(client, table, kind, since)
        if entry.get("ObjectStatus", {}).get("S") not in final
    ]


def batch_get(client: Caller, table: str, keys: list[dict[str, Any]]) -> Iterator[Row]:
    """The rows of exact keys that exist, decoded; a hundred a call, unprocessed ones asked again."""
    while keys:
        asked, keys = keys[:100], keys[100:]
        answer = client.call(
            "dynamodb", "batch_get_item", RequestItems={table: {"Keys": asked, "ConsistentRead": True}}
        )
        for item in answer["Responses"].get(table, ()):
            yield row(item).value
        keys = answer.get("UnprocessedKeys", {}).get(table, {}).get("Keys", []) + keys


def _index(client: Caller, table: str, kind: str, since: str | None) -> Iterator[dict[str, Any]]:
    condition = "ItemType = :kind"
    values = {":kind": {"S": kind}}
    if since is not None:
        condition += " AND InitialEventTime >= :since"
        values[":since"] = {"S": since}
    return client.pages(
        "dynamodb",
        "query",
        TableName=table,
        IndexName=TYPE_INDEX,
        KeyConditionExpression=condition,
        ExpressionAttributeValues=values,
    )
