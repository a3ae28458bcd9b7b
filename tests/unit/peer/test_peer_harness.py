"""The local stack as a harness sees it that knows nothing of it: names found in listings, rows by scans, raw HTTP.

Everything is asked with boto3 and the settings that its users have: a default profile and `AWS_ENDPOINT_URL`. What is
expected is the accelerator's contract, not what this repository's client happens to need. The document is read by the
engine that is shipped.
"""

from __future__ import annotations

import gzip
import json
import re
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from inprocess import ROOT

from idpbench.corpus.generate import generate
from idpbench.localstack.process import LocalStack
from idpbench.settings.load import load
from idpbench.stack.model import Where
from idpbench.stack.sides import build_side

STACK, REGION = "IDP-Peer", "us-west-2"
DOCUMENT, CELL = "tiny_form", "core-tt-simple-sep"
VERSION = f"{CELL}__bank_statement"
SET = f"bench-{DOCUMENT}"


@dataclass
class Peer:
    """A session as the harness makes it, and what it found by the parts of names."""

    session: boto3.Session
    url: str
    names: dict[str, str]

    def client(self, service: str) -> Any:
        return self.session.client(service)

    def invoke(self, function: str, payload: Any) -> tuple[dict[str, str], Any]:
        """One signed HTTP request, without boto3's help."""
        path = f"{self.url}/2015-03-31/functions/{function}/invocations"
        request = AWSRequest("POST", path, data=json.dumps(payload).encode())
        SigV4Auth(self.session.get_credentials(), "lambda", REGION).add_auth(request)
        with urllib.request.urlopen(urllib.request.Request(path, request.data, dict(request.headers))) as answer:
            return {name.lower(): value for name, value in answer.headers.items()}, json.load(answer)

    def start(self, **given: Any) -> tuple[dict[str, str], Any]:
        given = {"testSetId": SET, "configVersion": VERSION, "numberOfFiles": 1, "context": "peer", **given}
        return self.invoke(self.names["TestRunnerFunction"], {"arguments": {"input": given}})

    def statuses(self, run_id: str) -> list[str]:
        """Statuses of a run's documents, found as the harness finds them: by a scan of the whole table."""
        found, more = [], {}
        while True:
            page = self.client("dynamodb").scan(
                TableName=self.names["TrackingTable"],
                ProjectionExpression="PK, SK, ObjectStatus, EvaluationStatus",
                **more,
            )
            found += [item for item in page["Items"] if item["PK"]["S"].startswith(f"doc#{run_id}/")]
            if "LastEvaluatedKey" not in page:
                return [item["ObjectStatus"]["S"] for item in found if item["SK"]["S"] == "none"]
            more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def row(self, run_id: str, *attributes: str) -> dict[str, Any]:
        """Attributes of the document's row, typed as they are stored."""
        found = self.client("dynamodb").get_item(
            TableName=self.names["TrackingTable"],
            Key={"PK": {"S": f"doc#{run_id}/{DOCUMENT}.pdf"}, "SK": {"S": "none"}},
            ProjectionExpression=",".join(attributes),
        )
        return dict(found["Item"])

    def json(self, key: str) -> Any:
        """An object of the output bucket."""
        return json.loads(self.client("s3").get_object(Bucket=self.names["OutputBucket"], Key=key)["Body"].read())

    def keys(self, prefix: str) -> list[str]:
        pages = (
            self.client("s3")
            .get_paginator("list_objects_v2")
            .paginate(Bucket=self.names["OutputBucket"], Prefix=prefix)
        )
        return [entry["Key"] for page in pages for entry in page.get("Contents", ())]

    def wait(self, run_id: str) -> None:
        deadline = time.monotonic() + 240
        while self.statuses(run_id) not in (["COMPLETED"], ["FAILED"]):
            assert time.monotonic() < deadline, self.statuses(run_id)
            time.sleep(0.2)


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    folder = tmp_path_factory.mktemp("peer")
    stack = LocalStack(folder / "work", ROOT / "config", workers=1, lingers=True)
    url = stack.ensure().url
    (folder / "config").write_text(f"[default]\nregion = {REGION}\n")
    (folder / "credentials").write_text("[default]\naws_access_key_id = test\naws_secret_access_key = test\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
            patch.delenv(name, raising=False)
        patch.setenv("AWS_CONFIG_FILE", str(folder / "config"))
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(folder / "credentials"))
        patch.setenv("AWS_ENDPOINT_URL", url)
        patch.setenv("AWS_ENDPOINT_URL_LAMBDA", url)
        session = boto3.Session(profile_name="default", region_name=REGION)
        made = Peer(session, url, {})
        cloudformation = made.client("cloudformation")
        for name in (STACK, f"{STACK}0"):  # a neighbour whose name begins with ours
            cloudformation.create_stack(StackName=name, TemplateURL="https://b/idp-main_0.6.9.yaml")
        while "IN_PROGRESS" in cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"]:
            time.sleep(0.1)
        made.names |= found_by_parts_of_names(made)
        _prepare(made, folder)
        yield made
    assert stack.stop(wait_s=20)


@pytest.fixture(scope="module")
def run_id(peer: Peer) -> str:
    """A run that was started over HTTP and has ended."""
    _, started = peer.start()
    peer.wait(started["testRunId"])
    return str(started["testRunId"])


def found_by_parts_of_names(peer: Peer) -> dict[str, str]:
    """The resources of `STACK`, each the first in a listing whose name has the stack's in front and a word in it."""
    buckets = [one["Name"] for one in peer.client("s3").list_buckets()["Buckets"]]
    tables = peer.client("dynamodb").list_tables()["TableNames"]
    pages = peer.client("lambda").get_paginator("list_functions").paginate()
    functions = [one["FunctionName"] for page in pages for one in page["Functions"]]

    def first(names: list[str], *parts: str) -> str:
        return next(name for name in sorted(names) if all(part in name for part in parts))

    return {
        "TestSetBucket": first(buckets, f"{STACK.lower()}-", "testsetbucket"),
        "OutputBucket": first(buckets, f"{STACK.lower()}-", "outputbucket"),
        "TrackingTable": first(tables, f"{STACK}-", "TrackingTable"),
        "ConfigurationTable": first(tables, f"{STACK}-", "ConfigurationTable"),
        "TestRunnerFunction": first(functions, f"{STACK}-", "TestRunnerFunction"),
        "TestSetResolverFunction": first(functions, f"{STACK}-", "TestSetResolverFunction"),
    }


def _prepare(peer: Peer, folder: Path) -> None:
    """A configuration and a test set, written into the tables and buckets by hand."""
    settings = load(ROOT)
    side = build_side(settings, ROOT, Where("local", "0.6.9"), suite="corefast", no_reference=True)
    content = next(side.configurations[run.config_name] for run in side.runs if run.cell == CELL)
    packed = gzip.compress(json.dumps({**content, "_config_format": "full"}, separators=(",", ":")).encode())
    item = {
        "Configuration": {"S": f"Config#{VERSION}"},
        "IsActive": {"BOOL": False},
        "_config_storage": {"S": "compressed"},
        "_compressed_config": {"B": packed},
    }
    dynamodb, s3 = peer.client("dynamodb"), peer.client("s3")
    dynamodb.put_item(TableName=peer.names["ConfigurationTable"], Item=item)
    generate(settings.documents, folder / "docs", ROOT / "corpus" / "manifest.json", [DOCUMENT])
    body = (folder / "docs" / f"{DOCUMENT}.pdf").read_bytes()
    s3.put_object(Bucket=peer.names["TestSetBucket"], Key=f"{SET}/input/{DOCUMENT}.pdf", Body=body)
    item = {
        "PK": {"S": f"testset#{SET}"},
        "SK": {"S": "metadata"},
        "ItemType": {"S": "testset"},
        "id": {"S": SET},
        "name": {"S": SET},
        "filePattern": {"S": f"{SET}/input/"},
        "fileCount": {"N": "1"},
        "status": {"S": "READY"},
    }
    dynamodb.put_item(TableName=peer.names["TrackingTable"], Item=item)


def test_the_stack_says_its_version_where_it_is_read(peer: Peer) -> None:
    described = peer.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]
    assert re.search(r"\(v([0-9][^)]*)\)", described["Description"])[1] == "0.6.9"  # type: ignore[index]
    assert described["StackStatus"] == "CREATE_COMPLETE" and "LastUpdatedTime" not in described


def test_names_are_those_that_cloudformation_makes(peer: Peer) -> None:
    low = STACK.lower()
    assert re.fullmatch(rf"{low}-testsetbucket-[a-z0-9]+", peer.names["TestSetBucket"])
    assert re.fullmatch(rf"{low}-outputbucket-[a-z0-9]+", peer.names["OutputBucket"])
    assert re.fullmatch(rf"{STACK}-TrackingTable-[A-Z0-9]+", peer.names["TrackingTable"])
    assert re.fullmatch(rf"{STACK}-ConfigurationTable-[A-Z0-9]+", peer.names["ConfigurationTable"])
    runner = peer.names["TestRunnerFunction"]  # the nested stack's part is cut, as CloudFormation cuts it
    assert re.fullmatch(rf"{STACK}-APIRESOLVERSTAC\w*-TestRunnerFunction-\w+", runner) and len(runner) <= 64


def test_names_found_in_listings_are_those_that_the_stack_owns(peer: Peer) -> None:
    cloudformation = peer.client("cloudformation")
    own: dict[str, str] = {}
    for stack in (STACK, None):
        listed = cloudformation.list_stack_resources(StackName=stack or own["APIRESOLVERSTACK"])
        own |= {one["LogicalResourceId"]: one["PhysicalResourceId"] for one in listed["StackResourceSummaries"]}
    assert peer.names.items() <= own.items()


def test_the_runner_answers_with_a_queued_run(peer: Peer) -> None:
    headers, answer = peer.start()
    assert "x-amz-function-error" not in headers
    assert re.fullmatch(rf"{SET}-[0-9]{{8}}-[0-9]{{6}}", answer["testRunId"])
    assert answer == {
        "testRunId": answer["testRunId"],
        "testSetName": SET,
        "status": "QUEUED",
        "filesCount": 1,
        "completedFiles": 0,
        "createdAt": answer["createdAt"],
    }
    peer.wait(answer["testRunId"])


@pytest.mark.parametrize(
    ("given", "message"),
    [({"testSetId": "nowhere"}, "nowhere"), ({"numberOfFiles": 2}, "exceeds"), ({"context": "x" * 501}, "500")],
)
def test_what_the_runner_refuses_is_a_function_error(peer: Peer, given: dict[str, Any], message: str) -> None:
    headers, answer = peer.start(**given)
    assert headers["x-amz-function-error"] == "Unhandled"
    assert {"errorMessage", "errorType"} <= set(answer) and message in answer["errorMessage"]


def test_sets_are_listed_by_the_resolver(peer: Peer) -> None:
    _, found = peer.invoke(
        peer.names["TestSetResolverFunction"], {"info": {"fieldName": "getTestSets"}, "arguments": {}}
    )
    assert [one["id"] for one in found] == [SET]


def test_the_runs_own_row(peer: Peer, run_id: str) -> None:
    key = {"PK": {"S": f"testrun#{run_id}"}, "SK": {"S": "metadata"}}
    row = peer.client("dynamodb").get_item(TableName=peer.names["TrackingTable"], Key=key)["Item"]
    for name, value in {
        "ItemType": {"S": "testrun"},
        "TestRunId": {"S": run_id},
        "TestSetId": {"S": SET},
        "TestSetName": {"S": SET},
        "FilesCount": {"N": "1"},
        "CompletedFiles": {"N": "1"},
        "FailedFiles": {"N": "0"},
        "BaselineFailedFiles": {"N": "0"},
        "Files": {"L": [{"S": f"{DOCUMENT}.pdf"}]},
        "ConfigVersion": {"S": VERSION},
        "Context": {"S": "peer"},
    }.items():
        assert row[name] == value, name
    assert json.loads(row["Config"]["S"])["extraction"], "the configuration is captured"
    assert row["CreatedAt"] == row["InitialEventTime"]


def test_the_documents_row(peer: Peer, run_id: str) -> None:
    names = (
        "ObjectStatus",
        "EvaluationStatus",
        "WorkflowStatus",
        "PageCount",
        "ItemType",
        "ConfigVersion",
        "ObjectKey",
    )
    assert peer.row(run_id, *names) == {
        "ObjectStatus": {"S": "COMPLETED"},
        "EvaluationStatus": {"S": "NO_BASELINE"},
        "WorkflowStatus": {"S": "SUCCEEDED"},
        "PageCount": {"N": "1"},
        "ItemType": {"S": "test-document"},
        "ConfigVersion": {"S": VERSION},
        "ObjectKey": {"S": f"{run_id}/{DOCUMENT}.pdf"},
    }
    for name, value in peer.row(run_id, "WorkflowStartTime", "CompletionTime").items():
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", value["S"]), name
    assert int(peer.row(run_id, "ExpiresAfter")["ExpiresAfter"]["N"]) > time.time()


def test_metering_is_a_json_string_of_phases_and_units(peer: Peer, run_id: str) -> None:
    [(kind, text)] = peer.row(run_id, "Metering")["Metering"].items()
    assert kind == "S"
    metering = json.loads(text)
    assert metering["OCR/textract/analyze_document-Tables"] == {"pages": 1}
    extraction = metering["Extraction/bedrock/us.anthropic.claude-sonnet-4-6"]
    assert {"inputTokens", "outputTokens", "totalTokens", "requests"} <= set(extraction)
    assert extraction["totalTokens"] == sum(
        extraction.get(name, 0)
        for name in ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens")
    )
    assert all(re.fullmatch(r"[A-Za-z]+/[a-z_]+/.+", key) for key in metering)
    assert all(isinstance(count, int | float) for units in metering.values() for count in units.values())


def test_the_output_lies_where_it_is_looked_for(peer: Peer, run_id: str) -> None:
    prefix = f"{run_id}/{DOCUMENT}.pdf/"
    pages = peer.client("s3").get_paginator("list_objects_v2")
    found = pages.paginate(Bucket=peer.names["OutputBucket"], Prefix=f"{run_id}/", Delimiter="/")
    assert [one["Prefix"] for page in found for one in page["CommonPrefixes"]] == [prefix]
    names = [re.sub(r"runs/[^/]+/", "runs/ID/", key.removeprefix(prefix)) for key in peer.keys(prefix)]
    assert sorted(names) == [
        "pages/1/rawText.json",
        "pages/1/result.json",
        "pages/1/textConfidence.json",
        "runs/ID/manifest.json",
        "sections/1/result.json",
    ]
    assert isinstance(peer.json(f"{prefix}pages/1/result.json")["text"], str)
    lines = [block["Text"] for block in peer.json(f"{prefix}pages/1/rawText.json")["Blocks"] if "Text" in block]
    assert any("Account Number" in line for line in lines)


def test_a_section_is_what_a_scorer_reads(peer: Peer, run_id: str) -> None:
    section = peer.json(f"{run_id}/{DOCUMENT}.pdf/sections/1/result.json")
    assert section["document_class"] == {"type": "Bank Statement"}
    assert section["split_document"] == {"page_indices": [0]}
    assert section["metadata"]["parsing_succeeded"] is True
    assert isinstance(section["metadata"]["extraction_time_seconds"], float)
    assert isinstance(section["processing_report"], str)
    values, [confidences] = section["inference_result"], section["explainability_info"]
    truth = json.loads((Path(ROOT) / "corpus" / "manifest.json").read_bytes())["documents"][DOCUMENT]
    assert truth and values["Account Number"]
    for name, value in values.items():
        if isinstance(value, list):
            assert len(confidences[name]) == len(value), name
            for row, leaves in zip(value, confidences[name], strict=True):
                assert set(leaves) == set(row)
        else:
            assert 0 <= confidences[name]["confidence"] <= 1, name


def test_a_run_with_a_configuration_that_is_not_there_is_not_refused(peer: Peer) -> None:
    headers, answer = peer.start(configVersion="no-such-version")
    assert "x-amz-function-error" not in headers
    peer.wait(answer["testRunId"])
    assert peer.statuses(answer["testRunId"]) == ["COMPLETED"], "it ran with another one: readers must look"
