"""A client of the stack, written against boto3 alone, as a stranger would write it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from idpbench.localstack.process import LocalStack

HERE = Path(__file__).parent
CONFIG = HERE.parents[2] / "config"
ENGINE = "fake_engine"
REGION = "us-west-2"
_SESSION = boto3.Session()  # one, so that its service models are read once


def local_stack(work: Path, **options: Any) -> LocalStack:
    """A stack with the tests' own engine, which stays until it is stopped."""
    return LocalStack(work, CONFIG, engine=ENGINE, **{"lingers": True, **options})


@dataclass
class Client:
    """Clients of one endpoint, and the resources of the stack `IDP` found the long way."""

    local: LocalStack
    names: dict[str, str] = field(default_factory=dict)

    def api(self, service: str, attempts: int = 4) -> Any:
        return _SESSION.client(
            service,
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(retries={"total_max_attempts": attempts}, connect_timeout=5, read_timeout=20),
        )

    def __post_init__(self) -> None:
        self.url = self.local.ensure().url

    @cached_property
    def s3(self) -> Any:
        return self.api("s3")

    @cached_property
    def dynamodb(self) -> Any:
        return self.api("dynamodb")

    @cached_property
    def lambda_(self) -> Any:
        return self.api("lambda")

    @cached_property
    def cloudformation(self) -> Any:
        return self.api("cloudformation")

    def deploy(self, version: str = "0.6.9", name: str = "IDP") -> None:
        self.cloudformation.create_stack(StackName=name, TemplateURL=f"https://bucket/idp-main_{version}.yaml")
        self.settled(name)
        self.find(name)

    def update(self, version: str, name: str = "IDP") -> None:
        self.cloudformation.update_stack(StackName=name, TemplateURL=f"https://bucket/idp-main_{version}.yaml")
        self.settled(name)

    def stack(self, name: str = "IDP") -> dict[str, Any]:
        return self.cloudformation.describe_stacks(StackName=name)["Stacks"][0]

    def settled(self, name: str = "IDP") -> None:
        wait_until(lambda: "IN_PROGRESS" not in self.stack(name)["StackStatus"])

    def find(self, name: str = "IDP") -> None:
        pages = self.cloudformation.get_paginator("list_stack_resources")
        for stack in (name, None):
            stack = stack or self.names["APIRESOLVERSTACK"]
            for page in pages.paginate(StackName=stack):
                for one in page["StackResourceSummaries"]:
                    self.names[one["LogicalResourceId"]] = one["PhysicalResourceId"]

    # -- rows
    @cached_property
    def _resource(self) -> Any:
        return _SESSION.resource(
            "dynamodb",
            endpoint_url=self.url,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def table(self, logical: str) -> Any:
        return self._resource.Table(self.names[logical])

    def row(self, partition: str, sort: str) -> dict[str, Any] | None:
        return self.table("TrackingTable").get_item(Key={"PK": partition, "SK": sort}).get("Item")

    def document(self, run_id: str, name: str = "a.pdf") -> dict[str, Any] | None:
        return self.row(f"doc#{run_id}/{name}", "none")

    def test_run(self, run_id: str) -> dict[str, Any]:
        row = self.row(f"testrun#{run_id}", "metadata")
        assert row is not None
        return row

    # -- a run
    def configuration(self, version: str, **content: Any) -> None:
        blocks = {"ocr": {}, "classification": {}, "extraction": {}, "classes": []}
        self.table("ConfigurationTable").put_item(Item={"Configuration": f"Config#{version}", **blocks, **content})

    def test_set(
        self, name: str, files: dict[str, bytes] | None = None, baseline: dict[str, Any] | None = None
    ) -> None:
        files = files or {"a.pdf": b"%PDF- " + name.encode()}
        for file, body in files.items():
            self.s3.put_object(Bucket=self.names["TestSetBucket"], Key=f"{name}/input/{file}", Body=body)
            if baseline is not None:
                key = f"{name}/baseline/{file}/sections/1/result.json"
                self.s3.put_object(Bucket=self.names["TestSetBucket"], Key=key, Body=json.dumps(baseline))
        row = {"PK": f"testset#{name}", "SK": "metadata", "ItemType": "testset", "id": name, "name": name}
        row |= {"filePattern": f"{name}/input/", "fileCount": len(files), "status": "READY"}
        self.table("TrackingTable").put_item(Item=row)

    def invoke(self, logical: str, payload: Any) -> dict[str, Any]:
        return self.lambda_.invoke(FunctionName=self.names[logical], Payload=json.dumps(payload))

    def start(self, test_set: str, **given: Any) -> dict[str, Any]:
        given = {"testSetId": test_set, "numberOfFiles": 1, **given}
        answer = self.invoke("TestRunnerFunction", {"arguments": {"input": given}})
        body = json.loads(answer["Payload"].read())
        return body | ({"FunctionError": answer["FunctionError"]} if "FunctionError" in answer else {})

    def run(self, test_set: str, **given: Any) -> str:
        started = self.start(test_set, **given)
        assert "FunctionError" not in started, started
        return str(started["testRunId"])

    def ended(self, run_id: str, name: str = "a.pdf") -> dict[str, Any]:
        def row() -> dict[str, Any] | None:
            found = self.document(run_id, name)
            return found if found and found["ObjectStatus"] in ("COMPLETED", "FAILED", "ABORTED") else None

        return wait_until(row)

    def output(self, key: str) -> Any:
        return json.loads(self.s3.get_object(Bucket=self.names["OutputBucket"], Key=key)["Body"].read())

    def outputs(self, prefix: str) -> list[str]:
        found = self.s3.list_objects_v2(Bucket=self.names["OutputBucket"], Prefix=prefix)
        return [one["Key"].removeprefix(prefix) for one in found.get("Contents", [])]


def wait_until(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """The first true value of `condition()`; an AssertionError when none comes."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.03)
    raise AssertionError("waited in vain")
