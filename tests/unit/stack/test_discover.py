"""A stack's resources are found by what it lists, whatever else lies in the account."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from idpbench.files import redact
from idpbench.files.errors import Refusal
from idpbench.stack.client import Client
from idpbench.stack.discover import discover
from idpbench.stack.fingerprint import identity_of_stack, read, require

TABLE: dict[str, Any] = {
    "Type": "AWS::DynamoDB::Table",
    "Properties": {
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    },
}
BUCKET = {"Type": "AWS::S3::Bucket"}
FUNCTION = {
    "Type": "AWS::Lambda::Function",
    "Properties": {
        "Handler": "index.handler",
        "Role": {"Fn::GetAtt": ["Role", "Arn"]},
        "Runtime": "python3.12",
        "Code": {"ZipFile": "x"},
    },
}
ROLE = {
    "Type": "AWS::IAM::Role",
    "Properties": {
        "AssumeRolePolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
            ],
        }
    },
}
RESOLVERS = {"Resources": {"Role": ROLE, "TestRunnerFunction": FUNCTION, "TestSetResolverFunction": FUNCTION}}


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[boto3.Session]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    with mock_aws():
        session = boto3.Session(region_name="us-west-2")
        s3 = session.client("s3")
        s3.create_bucket(Bucket="templates", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
        s3.put_object(Bucket="templates", Key="resolvers.json", Body=json.dumps(RESOLVERS).encode())
        yield session


def deploy(session: boto3.Session, name: str, nested: str = "APIRESOLVERSTACK", version: str = "0.6.9") -> None:
    """A stack of the accelerator's shape: look-alike tables, buckets, the runner in a nested stack."""
    resources = {
        "DiscoveryTrackingTable": TABLE,
        "ChatTrackingTable": TABLE,
        "TrackingTable": TABLE,
        "BootstrapConfigurationTable": TABLE,
        "ConfigurationTable": TABLE,
        "TestSetBucket": BUCKET,
        "OutputBucket": BUCKET,
        "InputBucket": BUCKET,
        "EvaluationBaselineBucket": BUCKET,
        nested: {
            "Type": "AWS::CloudFormation::Stack",
            "Properties": {"TemplateURL": "https://s3.us-west-2.amazonaws.com/templates/resolvers.json"},
        },
    }
    template = {
        "Description": f"AWS GenAI IDP Accelerator (uksb-1) (SO9027) (v{version})",
        "Resources": resources,
        "Outputs": {"S3OutputBucketName": {"Value": {"Ref": "OutputBucket"}}},
    }
    session.client("cloudformation").create_stack(StackName=name, TemplateBody=json.dumps(template))


@pytest.mark.parametrize("nested", ["APIRESOLVERSTACK", "APPSYNCSTACK", "SomeOtherStack"])
def test_the_stacks_own_resources_are_found_among_look_alikes(aws: boto3.Session, nested: str) -> None:
    deploy(aws, "IDP1", nested)
    found = discover(Client("us-west-2"), "IDP1")
    assert "-TrackingTable-" in found.tracking_table and "-ConfigurationTable-" in found.config_table
    assert "outputbucket" in found.output_bucket and "testsetbucket" in found.testset_bucket
    assert "TestRunnerFunction" in found.test_runner and "TestSetResolverFunction" in str(found.test_set_resolver)


def test_a_stack_of_a_longer_name_is_another_stack(aws: boto3.Session) -> None:
    deploy(aws, "IDP10")
    client = Client("us-west-2")
    assert read(client, "IDP1") is None
    with pytest.raises(Refusal, match="stack IDP1: there is none"):
        discover(client, "IDP1")
    deploy(aws, "IDP1")
    assert discover(client, "IDP1").tracking_table.startswith("IDP1-")
    assert discover(client, "IDP10").tracking_table.startswith("IDP10-")


def test_more_than_a_hundred_tables_hide_nothing(aws: boto3.Session) -> None:
    dynamodb = aws.client("dynamodb")
    for number in range(120):
        dynamodb.create_table(
            TableName=f"IDP1-TrackingTable-{number:03}",
            AttributeDefinitions=TABLE["Properties"]["AttributeDefinitions"],
            KeySchema=TABLE["Properties"]["KeySchema"],
            BillingMode="PAY_PER_REQUEST",
        )
    deploy(aws, "IDP1")
    own = aws.client("cloudformation").describe_stack_resource(StackName="IDP1", LogicalResourceId="TrackingTable")
    found = discover(Client("us-west-2"), "IDP1")
    assert found.tracking_table == own["StackResourceDetail"]["PhysicalResourceId"]


def test_what_a_stack_lacks_is_named(aws: boto3.Session) -> None:
    template = {"Description": "x (v1.0.0)", "Resources": {"TrackingTable": TABLE, "OutputBucket": BUCKET}}
    aws.client("cloudformation").create_stack(StackName="IDP1", TemplateBody=json.dumps(template))
    with pytest.raises(Refusal, match="no config_table, test_runner, testset_bucket"):
        discover(Client("us-west-2"), "IDP1")


def test_a_fingerprint_is_what_the_stack_says(aws: boto3.Session) -> None:
    deploy(aws, "IDP1", version="0.6.7.dev1")
    client = Client("us-west-2")
    seen = require(client, "IDP1")
    assert (seen.status, seen.version, seen.updated) == ("CREATE_COMPLETE", "0.6.7.dev1", None)
    identity = identity_of_stack(client, "IDP1")
    assert identity["account"] == redact.account("123456789012") and len(identity["template_digest"]) == 64


def test_a_profile_is_used_only_when_given(aws: boto3.Session) -> None:
    deploy(aws, "IDP1")
    assert read(Client("us-west-2"), "IDP1") is not None
    with pytest.raises(Refusal, match="no-such-profile"):
        read(Client("us-west-2", profile="no-such-profile"), "IDP1")
