"""A stack in memory that bills every launch, has no idempotence of its own, and can be killed at any step."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from idpbench.files.canonical import digest
from idpbench.matrix.runkey import run_key
from idpbench.stack.client import PAGED, InDoubt
from idpbench.stack.contract import key_of
from idpbench.stack.discover import Resources
from idpbench.stack.fingerprint import Fingerprint
from idpbench.stack.land import Target
from idpbench.stack.launcher import Clock
from idpbench.stack.model import Side, SideRun, Where
from idpbench.stack.upload import config_item

START = datetime(2026, 10, 1, 12, 0, 0, tzinfo=UTC)
RESOURCES = Resources("IDP", "tracking", "config", "output", "testsets", "runner")
SECTION = {"document_class": {"type": "Bank Statement"}, "inference_result": {"Account Number": "1"}, "metadata": {}}


class Killed(BaseException):
    """kill -9: nothing catches it."""


def aws_error(code: str, status: int = 400, message: str = "no") -> ClientError:
    """An error as boto3 raises it."""
    return ClientError(
        {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}}, "x"
    )


@dataclass
class FakeStack:
    """`duration`: seconds a run takes; `conditional`: run ids are kept apart; `tick`: seconds one call takes."""

    duration: float = 3.0
    conditional: bool = True
    tick: float = 0.01
    region: str = "us-west-2"
    throttled: int = 0
    time: float = 0.0
    statuses: dict[str, str] = field(default_factory=dict)  # run key -> final ObjectStatus other than COMPLETED
    rows: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    configs: dict[str, dict[str, Any]] = field(default_factory=dict)
    objects: dict[tuple[str, str], bytes] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    billed: list[str] = field(default_factory=list)
    fingerprint: dict[str, Any] = field(
        default_factory=lambda: {"StackStatus": "UPDATE_COMPLETE", "Description": "Accelerator (v0.6.9)"}
    )
    step: Callable[[str], None] = lambda name: None
    steps: dict[str, Callable[..., Any]] = field(default_factory=dict)

    def now(self) -> datetime:
        return START + timedelta(seconds=self.time)

    def clock(self) -> Clock:
        return Clock(lambda: self.now().isoformat(timespec="microseconds"), lambda: self.time, self.sleep, lambda: 0.5)

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def call(self, service: str, operation: str, *, once: bool = False, **parameters: Any) -> dict[str, Any]:
        name = f"{service}.{operation}"
        self.calls[name] += 1
        self.step(f"before {name}")
        self.time += self.tick
        override = self.steps.get(name)
        answer: dict[str, Any] = override(**parameters) if override else getattr(self, f"_{operation}")(**parameters)
        self.step(f"after {name}")
        return answer

    def pages(self, service: str, operation: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        yield from self.call(service, operation, **parameters).get(PAGED[operation][2], ())

    def _describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803 (boto3's spelling)
        return {"Stacks": [{"StackName": StackName, **self.fingerprint}]}

    def _invoke(self, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803
        order = json.loads(Payload)["arguments"]["input"]
        self.billed.append(str(key_of(order["context"])))
        moment = self.now()
        name = f"{order['testSetId']}-{moment:%Y%m%d-%H%M%S}"
        while self.conditional and ("testrun#" + name, "metadata") in self.rows:
            moment += timedelta(seconds=1)
            name = f"{order['testSetId']}-{moment:%Y%m%d-%H%M%S}"
        at = self.now().isoformat()
        self.rows["testrun#" + name, "metadata"] = {
            "PK": {"S": "testrun#" + name},
            "ItemType": {"S": "testrun"},
            "TestRunId": {"S": name},
            "TestSetName": {"S": order["testSetId"]},
            "Context": {"S": order["context"]},
            "Status": {"S": "RUNNING"},
            "Files": {"L": [{"S": "d.pdf"}]},
            "CreatedAt": {"S": at},
            "InitialEventTime": {"S": at},
        }
        self.rows[f"doc#{name}/d.pdf", "none"] = {
            "PK": {"S": f"doc#{name}/d.pdf"},
            "ItemType": {"S": "test-document"},
            "ObjectStatus": {"S": "QUEUED"},
            "_due": {"N": str(self.time + self.duration)},
            "_end": {"S": self.statuses.get(str(key_of(order["context"])), "COMPLETED")},
        }
        return {"Payload": io.BytesIO(json.dumps({"testRunId": name, "status": "QUEUED"}).encode())}

    def _advance(self, key: tuple[str, str]) -> dict[str, Any] | None:
        item = self.rows.get(key)
        if item is None or "_due" not in item or float(item["_due"]["N"]) > self.time:
            return item
        due = START + timedelta(seconds=float(item.pop("_due")["N"]))
        item |= {"ObjectStatus": item.pop("_end"), "CompletionTime": {"S": due.isoformat()}}
        if item["ObjectStatus"]["S"] == "COMPLETED":
            item["Metering"] = {"S": json.dumps({"OCR/textract/analyze_document-Tables": {"pages": 1}})}
            path = key[0].removeprefix("doc#")
            self.objects["output", f"{path}/sections/1/result.json"] = json.dumps(SECTION).encode()
            self.objects["output", f"{path}/pages/1/result.json"] = b'{"text": "page one"}'
        return item

    def _batch_get_item(self, RequestItems: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N803
        [(table, wanted)] = RequestItems.items()
        assert len(wanted["Keys"]) <= 100, "the API takes a hundred keys"
        return {"Responses": {table: [row for key in wanted["Keys"] if (row := self._get(table, key)) is not None]}}

    def _get_item(self, TableName: str, Key: Mapping[str, Any], **_: Any) -> dict[str, Any]:  # noqa: N803
        row = self._get(TableName, Key)
        return {} if row is None else {"Item": row}

    def _get(self, table: str, key: Mapping[str, Any]) -> dict[str, Any] | None:
        if table == "config":
            return self.configs.get(key["Configuration"]["S"])
        row = self._advance((key["PK"]["S"], key["SK"]["S"]))
        return None if row is None else {name: value for name, value in row.items() if not name.startswith("_")}

    def _put_item(self, TableName: str, Item: dict[str, Any]) -> dict[str, Any]:  # noqa: N803
        if TableName == "config":
            self.configs[Item["Configuration"]["S"]] = Item
        else:
            self.rows[Item["PK"]["S"], Item["SK"]["S"]] = Item
        return {}

    def _query(self, ExpressionAttributeValues: Mapping[str, Any], **_: Any) -> dict[str, Any]:  # noqa: N803
        kind = ExpressionAttributeValues[":kind"]
        projected = ("TestRunId", "TestSetName", "InitialEventTime", "ObjectKey", "ObjectStatus", "ItemType")
        found = [self._advance(key) or {} for key, row in list(self.rows.items()) if row.get("ItemType") == kind]
        return {"Items": [{name: row[name] for name in projected if name in row} for row in found]}

    def _list_objects_v2(self, Bucket: str, Prefix: str, Delimiter: str | None = None) -> dict[str, Any]:  # noqa: N803
        keys = sorted(key for bucket, key in self.objects if bucket == Bucket and key.startswith(Prefix))
        if Delimiter is None:
            return {"Contents": [{"Key": key} for key in keys]}
        folders = dict.fromkeys(Prefix + key[len(Prefix) :].split(Delimiter)[0] + Delimiter for key in keys)
        return {"CommonPrefixes": [{"Prefix": folder} for folder in folders]}

    def _get_object(self, Bucket: str, Key: str) -> dict[str, Any]:  # noqa: N803
        if (Bucket, Key) not in self.objects:
            raise aws_error("NoSuchKey", 404)
        return {"Body": io.BytesIO(self.objects[Bucket, Key])}

    def _put_object(self, Bucket: str, Key: str, Body: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803
        self.objects[Bucket, Key] = Body
        return {}

    def _head_object(self, Bucket: str, Key: str) -> dict[str, Any]:  # noqa: N803
        if (Bucket, Key) not in self.objects:
            raise aws_error("404", 404)
        return {"ContentLength": len(self.objects[Bucket, Key])}

    def target(self) -> Target:
        """This stack as a landing sees it."""
        seen = Fingerprint(
            self.fingerprint["StackStatus"],
            self.fingerprint["Description"],
            self.fingerprint["LastUpdatedTime"].isoformat() if "LastUpdatedTime" in self.fingerprint else None,
        )
        identity = {"name": "IDP", "region": self.region, "account": "000000000000", "template_digest": None}
        return Target(self, RESOURCES, identity, seen)


def lose_answers(times: int) -> Callable[[str], None]:
    """A step function: the first `times` invocations are carried out, but their answers are lost."""
    left = [times]

    def step(name: str) -> None:
        if name == "after lambda.invoke" and left[0] > 0:
            left[0] -= 1
            raise InDoubt("read timeout")

    return step


def make_run(number: int, testset: str | None = None, cell: str = "core-a") -> SideRun:
    """One run of a side with an identity of its own."""
    identity = {
        "backend": "aws",
        "series": "a",
        "cell": cell,
        "document": "d",
        "document_digest": "0",
        "repeat": number,
    }
    return SideRun(
        key=run_key(identity),
        identity=identity,
        cell=cell,
        document="d",
        doc_class="bank_statement",
        repeat=number,
        resolved={"ocr": "bda"},
        config_name="bench-core-a__bank_statement__12345678",
        config_digest=digest({"notes": "x"}),
        testset=testset or f"bench-{cell}-{number}",
    )


def make_side(runs: int, testset: str | None = None) -> Side:
    """A side of so many runs, all of one configuration."""
    configurations = {"bench-core-a__bank_statement__12345678": {"notes": "x", "classes": [{"$id": "A"}]}}
    where = Where("aws", "0.6.9", stack="IDP", account="000000000000", build="b1")
    return Side(where, "corefast", "", tuple(make_run(n, testset) for n in range(runs)), configurations, {})


def prepared(side: Side, **options: Any) -> FakeStack:
    """A stack that has the side's configurations."""
    stack = FakeStack(**options)
    for name, configuration in side.configurations.items():
        item = config_item(name, configuration, "2026-10-01T00:00:00+00:00")
        stack.configs[item["Configuration"]["S"]] = item
    return stack
