"""Listing rows by type is answered from the store: the same rows as the emulation finds, a page at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from stackclient import Client

from idpbench.localstack import reads
from idpbench.localstack.store import Store

BY_TYPE = "ItemType = :t AND InitialEventTime >= :s"


def listed(client: Client, kind: str, since: str, **more: Any) -> list[dict[str, Any]]:
    answer = client.dynamodb.query(
        TableName=client.names["TrackingTable"],
        IndexName="TypeDateIndex",
        KeyConditionExpression=BY_TYPE,
        ExpressionAttributeValues={":t": {"S": kind}, ":s": {"S": since}},
        **more,
    )
    return list(answer["Items"])


def test_the_store_lists_what_the_emulation_lists(served: Client) -> None:
    table = served.table("TrackingTable")
    for number, at in enumerate(("2021-01-02", "2021-01-01", "2021-01-03T05", "2021-01-03")):
        table.put_item(
            Item={"PK": f"x#{number}", "SK": "none", "ItemType": "thing", "InitialEventTime": at, "Config": "big"}
        )
    table.put_item(Item={"PK": "x#9", "SK": "none", "ItemType": "thing"})  # not in the index: it has no time
    table.put_item(Item={"PK": "x#8", "SK": "none", "ItemType": "thin", "InitialEventTime": "2021-01-03"})
    for since in ("2020", "2021-01-02", "2021-01-03", "2022"):
        ours = listed(served, "thing", since)
        assert ours == listed(served, "thing", since, ScanIndexForward=True), "the second is moto's"
    assert [row["PK"]["S"] for row in listed(served, "thing", "2020")] == ["x#1", "x#0", "x#3", "x#2"]
    assert "Config" not in listed(served, "thing", "2020")[0]


@dataclass
class Index:
    name: str = "TypeDateIndex"
    schema_key_attrs: list[str] = field(default_factory=lambda: ["ItemType", "InitialEventTime"])
    projection: dict[str, Any] = field(default_factory=lambda: {"NonKeyAttributes": ["Status"]})


def test_pages_join_to_the_whole_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "store.sqlite")
    for number in range(25):  # many of one time, so that the place between two pages is within it
        item = {"PK": f"p{number:02}", "SK": "none", "ItemType": "t", "InitialEventTime": f"{number // 10}"}
        store.put_item("r", "table", (item["PK"], "none"), {name: {"S": value} for name, value in item.items()})
    table = SimpleNamespace(name="table", table_key_attrs=["PK", "SK"], global_indexes=[Index()])
    state: Any = SimpleNamespace(store=store, dynamodb=lambda region: SimpleNamespace(tables={"table": table}))
    monkeypatch.setattr(reads, "PAGE", 300)
    asked: dict[str, Any] = {
        "TableName": "table",
        "IndexName": "TypeDateIndex",
        "KeyConditionExpression": "ItemType = :t",
        "ExpressionAttributeValues": {":t": {"S": "t"}},
    }
    found: list[str] = []
    pages = 0
    while True:
        pages += 1
        text = reads.answer(state, "r", "Query", asked)
        assert text is not None
        page = json.loads(text)
        found += [item["PK"]["S"] for item in page["Items"]]
        if "LastEvaluatedKey" not in page:
            break
        asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]
    assert pages > 3 and found == [f"p{number:02}" for number in range(25)]
