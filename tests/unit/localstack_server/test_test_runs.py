"""A test run from the invocation to its rows and objects, as the contract has them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from datetime import datetime

import pytest
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError
from stackclient import Client, wait_until


def test_a_run_ends_in_rows_and_objects(served: Client) -> None:
    served.configuration("v1", marker="of v1")
    served.test_set("whole", {"a.pdf": b"%PDF- whole"})
    started = served.start("whole", configVersion="v1", context="idpbench:abc repeat=0")
    run = started["testRunId"]
    assert re.fullmatch(r"whole-\d{8}-\d{6}", run)
    assert {name: started[name] for name in ("testSetName", "status", "filesCount", "completedFiles")} == {
        "testSetName": "whole",
        "status": "QUEUED",
        "filesCount": 1,
        "completedFiles": 0,
    }
    row = served.ended(run)
    key = f"{run}/a.pdf"
    assert row["ObjectStatus"] == "COMPLETED" and row["WorkflowStatus"] == "SUCCEEDED"
    assert row["ObjectKey"] == key and row["ItemType"] == "test-document"
    assert row["SubmissionSource"] == "test-studio" and row["TestSetId"] == "whole" and row["ConfigVersion"] == "v1"
    assert json.loads(row["Metering"]) == {"OCR/textract/analyze_document-Tables": {"pages": 2}}
    assert row["PageCount"] == 2 and row["EvaluationStatus"] == "NO_BASELINE"
    assert row["ConfidenceAlertCount"] == 1 and row["ProcessingIssueCount"] == 0
    times = [row[name] for name in ("InitialEventTime", "QueuedTime", "WorkflowStartTime", "CompletionTime")]
    assert times == sorted(times) and all(datetime.fromisoformat(one).utcoffset() is not None for one in times)
    (section,) = row["Sections"]
    assert section["Id"] == "1" and section["Class"] == "Fake" and section["PageIds"] == [1, 2]
    assert section["OutputJSONUri"] == f"s3://{served.names['OutputBucket']}/{key}/sections/1/result.json"
    assert section["ConfidenceThresholdAlerts"][0]["attributeName"] == "file"
    result = served.output(f"{key}/sections/1/result.json")["inference_result"]
    assert result["sha256"] == hashlib.sha256(b"%PDF- whole").hexdigest()
    assert (result["file"], result["marker"], result["profile"]) == ("a.pdf", "of v1", "0.6.9")
    assert result["context"] == "idpbench:abc repeat=0"
    assert served.output(f"{key}/pages/1/result.json") == {"text": "first page"}
    *others, manifest = sorted(served.outputs(f"{key}/"), key=lambda name: name.startswith("runs/"))
    assert others == [
        "pages/1/rawText.json",
        "pages/1/result.json",
        "pages/2/rawText.json",
        "pages/2/result.json",
        "pages/2/textConfidence.json",
        "sections/1/result.json",
    ]
    told = served.output(f"{key}/{manifest}")
    assert manifest == f"runs/{told['run_id']}/manifest.json"
    assert (told["object_key"], told["status"], told["objects"]) == (key, "COMPLETED", others)
    assert served.row(f"doc#{key}", f"run#{told['run_id']}") is not None
    test_run = served.test_run(run)
    assert test_run["Files"] == ["a.pdf"] and test_run["Context"] == "idpbench:abc repeat=0"
    assert (test_run["Status"], test_run["CompletedFiles"], test_run["FailedFiles"]) == ("COMPLETE", 1, 0)
    head = served.s3.head_object(Bucket=served.names["InputBucket"], Key=key)
    assert head["Metadata"] == {"config-version": "v1", "submission-source": "test-studio", "test-set-id": "whole"}


def test_readers_that_ask_for_the_partition_alone_see_more_than_the_document(served: Client) -> None:
    served.test_set("twice")
    run = served.run("twice")
    served.ended(run)
    found = served.dynamodb.query(
        TableName=served.names["TrackingTable"],
        KeyConditionExpression="PK = :p",
        ExpressionAttributeValues={":p": {"S": f"doc#{run}/a.pdf"}},
    )["Items"]
    assert sorted(one["SK"]["S"].partition("#")[0] for one in found) == ["none", "run"]
    assert "ItemType" not in next(one for one in found if one["SK"]["S"] != "none")


def test_runs_are_listed_by_type_and_date(served: Client) -> None:
    served.test_set("listed")
    run = served.run("listed", context="find me")
    found = served.dynamodb.query(
        TableName=served.names["TrackingTable"],
        IndexName="TypeDateIndex",
        KeyConditionExpression="ItemType = :t AND InitialEventTime > :s",
        ExpressionAttributeValues={":t": {"S": "testrun"}, ":s": {"S": "2020"}},
    )["Items"]
    (row,) = [one for one in found if one["PK"]["S"] == f"testrun#{run}"]
    assert row["TestRunId"]["S"] == run
    served.ended(run)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"testSetId": "nowhere"}, "Test set nowhere not found"),
        ({"numberOfFiles": 0}, "positive number"),
        ({"numberOfFiles": 2}, "exceeds the 1 files"),
        ({"numberOfFiles": True}, "positive number"),
        ({"objectKeys": ["a.pdf", "b.pdf"]}, "objectKeys must name 1 to 1"),
        ({"context": "x" * 501}, "at most 500"),
    ],
)
def test_wrong_input_is_a_function_error(served: Client, given: dict[str, object], message: str) -> None:
    served.test_set("wrong")
    answer = served.start("wrong", **given)
    assert answer["FunctionError"] == "Unhandled"
    assert message in answer["errorMessage"]
    assert answer["errorType"] == "ValueError"


def test_launches_of_one_set_within_a_second_get_ids_of_their_own(served: Client) -> None:
    served.test_set("same")
    runs = [served.run("same", context=f"repeat {number}") for number in range(4)]
    assert len(set(runs)) == 4
    for number, run in enumerate(runs):
        assert served.ended(run)["ObjectStatus"] == "COMPLETED"
        assert served.test_run(run)["Context"] == f"repeat {number}"


def test_in_an_older_release_they_share_one_id(served: Client) -> None:
    wait_until(lambda: served.local.status()["in_flight"] == 0)
    served.update("0.6.5")
    try:
        served.test_set("shared")
        runs = [served.run("shared", context=f"repeat {number}") for number in range(6)]
        assert len(set(runs)) < 6
        wait_until(lambda: served.local.status()["in_flight"] == 0)
    finally:
        served.update("0.6.9")


def test_a_set_of_several_files_gives_a_row_for_each(served: Client) -> None:
    files = {f"{name}.pdf": b"%PDF-" + name.encode() for name in ("c", "a", "b")}
    served.test_set("several", files)
    run = served.run("several", numberOfFiles=2)
    assert [served.ended(run, name)["ObjectStatus"] for name in ("a.pdf", "b.pdf")] == ["COMPLETED"] * 2
    assert served.test_run(run)["Files"] == ["a.pdf", "b.pdf"]
    assert served.document(run, "c.pdf") is None
    chosen = served.run("several", numberOfFiles=1, objectKeys=["c.pdf"])
    served.ended(chosen, "c.pdf")
    assert served.test_run(chosen)["Files"] == ["c.pdf"]


def test_a_baseline_is_copied_and_evaluated(served: Client) -> None:
    served.test_set("labelled", baseline={"inference_result": {"x": 1}})
    run = served.run("labelled")
    row = served.ended(run)
    assert row["EvaluationStatus"] == "COMPLETED"
    assert row["EvaluationReportUri"].endswith(f"/{run}/a.pdf/evaluation/results.json")
    assert served.output(f"{run}/a.pdf/evaluation/results.json")["overall_metrics"]["weighted_overall_score"] == 1.0


def test_a_failed_document_keeps_only_what_was_spent(served: Client) -> None:
    served.configuration("broken", fake={"error": "ValidationException: input is too long", "metered": True})
    served.configuration("early", fake={"error": "ValidationException: no such model"})
    served.test_set("failing")
    row = served.ended(served.run("failing", configVersion="broken"))
    assert (row["ObjectStatus"], row["WorkflowStatus"]) == ("FAILED", "FAILED")
    assert row["Error"] == "ValidationException: input is too long"
    assert "Metering" in row and "Sections" not in row and "PageCount" not in row
    run = served.run("failing", configVersion="early")
    row = served.ended(run)
    assert row["ObjectStatus"] == "FAILED" and "Metering" not in row
    assert served.test_run(run)["Status"] == "PARTIAL_COMPLETE" and served.test_run(run)["FailedFiles"] == 1


def test_an_engine_that_breaks_fails_its_document_and_no_other(served: Client) -> None:
    served.configuration("breaks", fake={"raises": True})
    served.test_set("broken")
    assert "the engine broke" in served.ended(served.run("broken", configVersion="breaks"))["Error"]
    assert served.ended(served.run("broken"))["ObjectStatus"] == "COMPLETED"


def test_a_worker_that_ends_is_replaced_until_the_document_has_failed(served: Client) -> None:
    served.configuration("deadly", fake={"exits": True})
    served.test_set("deadly")
    assert "the worker ended 3 times" in served.ended(served.run("deadly", configVersion="deadly"))["Error"]
    assert served.ended(served.run("deadly"))["ObjectStatus"] == "COMPLETED"


def test_an_unknown_configuration_version_falls_back_and_says_so(served: Client) -> None:
    served.test_set("fallback")
    row = served.ended(served.run("fallback", configVersion="nowhere"))
    assert row["ObjectStatus"] == "COMPLETED"
    (issue,) = row["Sections"][0]["ProcessingIssues"]
    assert issue["code"] == "CONFIG_VERSION_NOT_FOUND" and "'default' was used" in issue["message"]
    assert "warning" in served.local.layout.log.read_text()


def test_a_compressed_configuration_is_read(served: Client) -> None:
    body = gzip.compress(json.dumps({"marker": "packed", "_config_format": "full"}).encode())
    row = {"Configuration": "Config#packed", "_config_storage": "compressed", "_compressed_config": Binary(body)}
    served.table("ConfigurationTable").put_item(Item=row)
    served.test_set("packed")
    run = served.run("packed", configVersion="packed")
    served.ended(run)
    assert served.output(f"{run}/a.pdf/sections/1/result.json")["inference_result"]["marker"] == "packed"


def test_an_object_put_into_the_input_bucket_is_a_document_too(served: Client) -> None:
    served.configuration("direct", marker="direct")
    served.s3.put_object(
        Bucket=served.names["InputBucket"], Key="my/b.pdf", Body=b"%PDF-", Metadata={"config-version": "direct"}
    )
    row = served.ended("my", "b.pdf")
    assert row["ItemType"] == "document" and row["ConfigVersion"] == "direct" and "TestSetId" not in row
    assert served.output("my/b.pdf/sections/1/result.json")["inference_result"]["marker"] == "direct"


def test_a_set_without_its_files_ends_the_run(served: Client) -> None:
    served.test_set("gone")
    served.s3.delete_object(Bucket=served.names["TestSetBucket"], Key="gone/input/a.pdf")
    run = served.run("gone")
    row = wait_until(lambda: (found := served.test_run(run))["Status"] == "FAILED" and found)
    assert "gone/input/ holds 0 of 1 files" in row["Error"]
    assert served.document(run) is None


def test_the_resolver_registers_folders_that_hold_input(served: Client) -> None:
    served.s3.put_object(Bucket=served.names["TestSetBucket"], Key="found/input/x.pdf", Body=b"%PDF-")
    served.s3.put_object(Bucket=served.names["TestSetBucket"], Key="hidden/input/x.pdf", Body=b"%PDF-")
    served.s3.put_object(Bucket=served.names["TestSetBucket"], Key="hidden/.uploading", Body=b"")
    answer = served.invoke("TestSetResolverFunction", {"info": {"fieldName": "getTestSets"}, "arguments": {}})
    names = [one["name"] for one in json.loads(answer["Payload"].read())]
    assert "found" in names and "hidden" not in names
    run = served.run("found")
    served.ended(run, "x.pdf")


def test_a_function_that_does_not_exist_is_a_resource_not_found(served: Client) -> None:
    with pytest.raises(served.lambda_.exceptions.ResourceNotFoundException):
        served.lambda_.invoke(FunctionName="IDP-Nothing", Payload="{}")


def test_the_original_polls_by_scan_and_collects_by_folders(served: Client) -> None:
    served.test_set("polled")
    run = served.run("polled")
    served.ended(run)
    pages = served.dynamodb.get_paginator("scan").paginate(
        TableName=served.names["TrackingTable"], ProjectionExpression="PK, ObjectStatus, EvaluationStatus"
    )
    found = [one for page in pages for one in page["Items"] if one["PK"]["S"].startswith(f"doc#{run}/")]
    assert sorted(one["ObjectStatus"]["S"] for one in found) == ["COMPLETED"] * 2  # the document, and its run# row
    bucket = served.names["OutputBucket"]
    listed = served.s3.list_objects_v2(Bucket=bucket, Prefix=f"{run}/", Delimiter="/")
    assert [one["Prefix"] for one in listed["CommonPrefixes"]] == [f"{run}/a.pdf/"]
    listed = served.s3.list_objects_v2(Bucket=bucket, Prefix=f"{run}/a.pdf/", Delimiter="/")
    assert [one["Prefix"].split("/")[-2] for one in listed["CommonPrefixes"]] == ["pages", "runs", "sections"]


def test_plain_reads_and_motos_reads_agree(served: Client) -> None:
    served.test_set("agree")
    run = served.run("agree")
    served.ended(run)
    keys = [{"PK": {"S": f"doc#{run}/a.pdf"}, "SK": {"S": "none"}}, {"PK": {"S": "nothing"}, "SK": {"S": "none"}}]
    table = served.names["TrackingTable"]
    for asked in (
        {},
        {"ProjectionExpression": "PK, ObjectStatus, Nothing"},
        {"ProjectionExpression": "#s,PK", "ExpressionAttributeNames": {"#s": "Sections"}},
    ):
        plain = served.dynamodb.get_item(TableName=table, Key=keys[0], **asked)["Item"]
        slow = served.dynamodb.get_item(TableName=table, Key=keys[0], ReturnConsumedCapacity="TOTAL", **asked)["Item"]
        assert plain == slow
        batch = served.dynamodb.batch_get_item(RequestItems={table: {"Keys": keys, **asked}})
        assert batch["Responses"] == {table: [plain]} and batch["UnprocessedKeys"] == {}
    nested = served.dynamodb.get_item(TableName=table, Key=keys[0], ProjectionExpression="Pages[0].Id")["Item"]
    assert nested == {"Pages": {"L": [{"M": {"Id": {"N": "1"}}}]}}
    with pytest.raises(served.dynamodb.exceptions.ResourceNotFoundException):
        served.dynamodb.get_item(TableName="nowhere", Key=keys[0])


def test_an_object_is_given_whole_in_part_and_conditionally(served: Client) -> None:
    bucket = served.names["WorkingBucket"]
    served.s3.put_object(
        Bucket=bucket, Key="o.txt", Body=b"0123456789", ContentType="text/plain", Metadata={"a_b": "1"}
    )
    whole = served.s3.get_object(Bucket=bucket, Key="o.txt")
    head = served.s3.head_object(Bucket=bucket, Key="o.txt")
    assert whole["Body"].read() == b"0123456789"
    for name in ("ContentType", "ContentLength", "ETag", "LastModified", "Metadata"):
        assert whole[name] == head[name]
    assert whole["ContentType"] == "text/plain" and whole["Metadata"] == {"a_b": "1"}
    assert served.s3.get_object(Bucket=bucket, Key="o.txt", Range="bytes=2-4")["Body"].read() == b"234"
    with pytest.raises(ClientError, match="304"):
        served.s3.get_object(Bucket=bucket, Key="o.txt", IfNoneMatch=whole["ETag"])
    with pytest.raises(served.s3.exceptions.NoSuchKey):
        served.s3.get_object(Bucket=bucket, Key="missing")
