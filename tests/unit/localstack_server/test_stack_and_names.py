"""What a client finds of the stack: its names, its version, its templates, and how it is updated."""

from __future__ import annotations

import json
import re

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws
from stackclient import Client, wait_until

from idpbench.localstack import template


def test_names_are_as_cloudformation_makes_them(served: Client) -> None:
    assert re.fullmatch(r"idp-testsetbucket-[a-z0-9]{12}", served.names["TestSetBucket"])
    assert re.fullmatch(r"IDP-TrackingTable-[A-Z0-9]{12}", served.names["TrackingTable"])
    assert re.fullmatch(r"IDP-APIRESOLVERSTACK-\w+-TestRunnerFunction-\w+", served.names["TestRunnerFunction"])
    functions = [name for logical, name in served.names.items() if logical.endswith("Function")]
    assert functions and all(len(name) <= 64 for name in functions)


def test_the_original_lookups_find_the_same_resources(served: Client) -> None:
    buckets = [one["Name"] for one in served.s3.list_buckets()["Buckets"]]
    assert [name for name in buckets if name.startswith("idp") and "testsetbucket" in name] == [
        served.names["TestSetBucket"]
    ]
    listed = served.lambda_.get_paginator("list_functions").paginate()
    names = [one["FunctionName"] for page in listed for one in page["Functions"]]
    assert [name for name in names if "IDP" in name and "TestRunnerFunction" in name] == [
        served.names["TestRunnerFunction"]
    ]
    described = served.lambda_.get_function(FunctionName=served.names["TestRunnerFunction"])
    assert described["Configuration"]["FunctionName"] == served.names["TestRunnerFunction"]


def test_outputs_name_buckets_and_tables(served: Client) -> None:
    outputs = {one["OutputKey"]: one["OutputValue"] for one in served.stack()["Outputs"]}
    assert outputs["S3OutputBucketName"] == served.names["OutputBucket"]
    assert outputs["DynamoDBTrackingTableConsoleURL"].endswith(f"table={served.names['TrackingTable']}")
    assert outputs["StateMachineArn"].startswith("arn:aws:states:us-west-2:")


def test_the_tracking_table_has_the_index_by_type_and_date(served: Client) -> None:
    described = served.dynamodb.describe_table(TableName=served.names["TrackingTable"])["Table"]
    (index,) = described["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "TypeDateIndex"
    assert [one["AttributeName"] for one in index["KeySchema"]] == ["ItemType", "InitialEventTime"]
    assert "ConfigVersion" in index["Projection"]["NonKeyAttributes"]


def test_a_new_stack_has_an_active_default_configuration(served: Client) -> None:
    row = served.table("ConfigurationTable").get_item(Key={"Configuration": "Config#default"})["Item"]
    assert row["IsActive"] is True
    assert row["_config_storage"] == "compressed"


@pytest.mark.slow
def test_the_templates_are_templates_for_moto_too() -> None:
    root = template.root_template("0.6.9")
    nested = root["Resources"].pop(template.NESTED)
    assert nested["Properties"]["TemplateURL"]
    with mock_aws():
        boto3.client("iam").create_role(RoleName="idp-local", AssumeRolePolicyDocument="{}")
        client = boto3.client("cloudformation", region_name="us-west-2")
        for name, made in (("IDP", root), ("IDP-API", template.nested_template())):
            client.create_stack(StackName=name, TemplateBody=template.template_text(made))
            listed = client.list_stack_resources(StackName=name)["StackResourceSummaries"]
            assert {one["LogicalResourceId"] for one in listed} == set(made["Resources"])


def test_the_template_states_the_version(served: Client) -> None:
    body = served.cloudformation.get_template(StackName="IDP")["TemplateBody"]
    assert template.version_of(body["Description"]) == template.version_of(served.stack()["Description"])


def test_events_and_summaries_are_told_as_deployers_ask_for_them(served: Client) -> None:
    events = served.cloudformation.describe_stack_events(StackName="IDP")["StackEvents"]
    assert [one["ResourceStatus"].partition("_")[2] for one in events] == ["COMPLETE", "IN_PROGRESS"]
    summary = served.cloudformation.get_template_summary(TemplateURL="https://b/idp-main_0.6.8.yaml")
    assert template.version_of(summary["Description"]) == "0.6.8"
    detail = served.cloudformation.describe_stack_resource(StackName="IDP", LogicalResourceId="TrackingTable")
    assert detail["StackResourceDetail"]["PhysicalResourceId"] == served.names["TrackingTable"]


def test_a_stack_that_does_not_exist_is_a_validation_error(served: Client) -> None:
    with pytest.raises(ClientError, match=r"ValidationError.*Stack with id NONE does not exist"):
        served.stack("NONE")


def test_a_new_stack_has_never_been_updated(served: Client) -> None:
    other = Client(served.local)
    other.deploy("0.6.8", name="Fresh")
    assert "LastUpdatedTime" not in other.stack("Fresh")
    other.cloudformation.delete_stack(StackName="Fresh")


def test_an_update_is_seen_in_progress_and_keeps_everything(served: Client) -> None:
    served.configuration("kept", marker="here")
    before, names = served.stack(), dict(served.names)
    served.cloudformation.update_stack(StackName="IDP", TemplateURL="https://b/idp-main_0.6.8.yaml")
    assert served.stack()["StackStatus"] == "UPDATE_IN_PROGRESS"
    with pytest.raises(ClientError, match="UPDATE_IN_PROGRESS state and can not be updated"):
        served.cloudformation.update_stack(StackName="IDP", TemplateURL="https://b/idp-main_0.6.9.yaml")
    served.settled()
    after = served.stack()
    assert after["StackStatus"] == "UPDATE_COMPLETE"
    assert template.version_of(after["Description"]) == "0.6.8"
    assert after["LastUpdatedTime"] > before["CreationTime"]
    served.find()
    assert served.names == names
    assert served.table("ConfigurationTable").get_item(Key={"Configuration": "Config#kept"})["Item"]["marker"] == "here"
    served.update("0.6.9")


def test_an_update_to_what_it_is_already_is_refused(served: Client) -> None:
    with pytest.raises(ClientError, match="No updates are to be performed"):
        served.update("0.6.9")


def test_a_version_without_a_profile_is_refused_with_those_that_exist(served: Client) -> None:
    with pytest.raises(ClientError, match=r"0\.5\.0.*0\.6\.5, 0\.6\.8, 0\.6\.9"):
        served.update("0.5.0")
    with pytest.raises(ClientError, match="Description states no version"):
        served.cloudformation.create_stack(StackName="X", TemplateBody=json.dumps({"Description": "mine"}))


def test_an_update_is_refused_while_a_document_is_in_flight(served: Client) -> None:
    served.configuration("slow", fake={"seconds": "0.7"})
    served.test_set("inflight")
    run = served.run("inflight", configVersion="slow")
    with pytest.raises(ClientError, match="1 runs in flight"):
        served.update("0.6.8")
    assert template.version_of(served.stack()["Description"]) == "0.6.9"
    served.ended(run)
    wait_until(lambda: served.local.status()["in_flight"] == 0)
    served.update("0.6.8")
    served.update("0.6.9")


def test_two_stacks_whose_names_begin_alike_keep_apart(served: Client) -> None:
    other = Client(served.local)
    other.deploy("0.6.8", name="IDP10")
    assert not set(other.names.values()) & set(served.names.values())
    other.test_set("onlyhere")
    refused = served.start("onlyhere")
    assert "not found" in refused["errorMessage"]
    served.configuration("slow", fake={"seconds": "0.7"})
    served.test_set("busy")
    run = served.run("busy", configVersion="slow")
    other.update("0.6.9", name="IDP10")  # the work of one stack is no obstacle to another
    assert served.local.status()["in_flight"] == 1
    served.ended(run)
    served.cloudformation.delete_stack(StackName="IDP10")
    assert [one["StackName"] for one in served.cloudformation.describe_stacks()["Stacks"]] == ["IDP"]
    assert not [one for one in served.s3.list_buckets()["Buckets"] if one["Name"].startswith("idp10-")]


def test_a_table_is_found_only_by_turning_the_pages(served: Client) -> None:
    schema = {
        "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    for number in range(105):
        served.dynamodb.create_table(TableName=f"AA-decoy-TrackingTable-{number:03d}", **schema)
    first = served.dynamodb.list_tables()
    assert len(first["TableNames"]) == 100 and "LastEvaluatedTableName" in first
    pages = served.dynamodb.get_paginator("list_tables").paginate()
    assert served.names["TrackingTable"] in [name for page in pages for name in page["TableNames"]]
