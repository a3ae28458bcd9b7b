"""The stack's own CloudFormation templates and the names that CloudFormation would give their resources.

Two templates, as the accelerator has: a root that holds buckets, tables and the file copier, and a nested API stack
that holds the two functions a test run is started with. Every version has the same resources, so an update is done in
place; the version stands in the root's Description, which is where clients read it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from idpbench.files.canonical import pretty

NESTED = "APIRESOLVERSTACK"
BUCKETS = (
    "TestSetBucket",
    "InputBucket",
    "OutputBucket",
    "EvaluationBaselineBucket",
    "ConfigurationBucket",
    "WorkingBucket",
    "ReportingBucket",
)
_BUCKET_OUTPUTS = {
    "InputBucket": "S3InputBucketName",
    "OutputBucket": "S3OutputBucketName",
    "TestSetBucket": "S3TestSetBucketName",
    "EvaluationBaselineBucket": "S3EvaluationBaselineBucketName",
    "ReportingBucket": "S3ReportingBucketName",
    "ConfigurationBucket": "S3ConfigurationBucketName",
}
_LISTED_ATTRIBUTES = [
    "ObjectKey",
    "ObjectStatus",
    "CompletionTime",
    "ConfigVersion",
    "EvaluationStatus",
    "NumPages",
    "ConfidenceAlertCount",
    "HITLStatus",
    "HITLTriggered",
    "TestRunId",
    "TestSetName",
    "CreatedAt",
    "CompletedFiles",
    "FailedFiles",
    "FilesCount",
    "Status",
    "CompletedAt",
]
_VERSION = re.compile(r"\(v([0-9][^)]*)\)")
_TEMPLATE_URL = re.compile(r"idp-main_v?([0-9][0-9A-Za-z.+-]*?)\.(?:ya?ml|json)$")


def description(version: str) -> str:
    """The Description of a root stack of `version`."""
    return f"Local stack for document extraction, after the AWS GenAI IDP Accelerator (SO9027) (v{version})"


def version_of(text: str) -> str | None:
    """The version that a Description states, or None."""
    found = _VERSION.search(text)
    return found.group(1) if found else None


def version_of_url(url: str) -> str | None:
    """The version that the file name of a template's address states (`idp-main_0.6.9.yaml`), or None."""
    found = _TEMPLATE_URL.search(url.partition("?")[0])
    return found.group(1) if found else None


def root_template(version: str) -> dict[str, Any]:
    """The root stack's template."""
    resources: dict[str, Any] = {name: {"Type": "AWS::S3::Bucket"} for name in BUCKETS}
    resources["TrackingTable"] = {
        "Type": "AWS::DynamoDB::Table",
        "Properties": {
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": _keys("PK", "SK"),
            "AttributeDefinitions": _strings("PK", "SK", "ItemType", "InitialEventTime"),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "TypeDateIndex",
                    "KeySchema": _keys("ItemType", "InitialEventTime"),
                    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": _LISTED_ATTRIBUTES},
                }
            ],
        },
    }
    resources["ConfigurationTable"] = {
        "Type": "AWS::DynamoDB::Table",
        "Properties": {
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": _keys("Configuration"),
            "AttributeDefinitions": _strings("Configuration"),
        },
    }
    resources["TestFileCopierFunction"] = _function("copies the files of a test set into the input bucket")
    resources[NESTED] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {
            "TemplateURL": {"Fn::Sub": "https://s3.${AWS::Region}.amazonaws.com/idp-local/api-resolver.json"}
        },
    }
    outputs: dict[str, Any] = {output: {"Value": {"Ref": name}} for name, output in _BUCKET_OUTPUTS.items()}
    outputs["DynamoDBTrackingTableConsoleURL"] = {"Value": {"Fn::Sub": _console_url("TrackingTable")}}
    outputs["DynamoDBConfigurationTableConsoleURL"] = {"Value": {"Fn::Sub": _console_url("ConfigurationTable")}}
    machine = "arn:aws:states:${AWS::Region}:${AWS::AccountId}:stateMachine:${AWS::StackName}-DocumentProcessing"
    outputs["StateMachineArn"] = {"Value": {"Fn::Sub": machine}}
    outputs["LocalBuild"] = {"Value": {"Ref": "LocalBuild"}, "Description": "digest of the code that reads documents"}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": description(version),
        "Parameters": {"LocalBuild": {"Type": "String", "Default": "unknown"}},
        "Resources": resources,
        "Outputs": outputs,
    }


def nested_template() -> dict[str, Any]:
    """The nested API stack's template."""
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "API functions of the local stack",
        "Resources": {
            "TestRunnerFunction": _function("starts test runs"),
            "TestSetResolverFunction": _function("lists test sets"),
        },
    }


def template_text(template: Mapping[str, Any]) -> str:
    """A template as GetTemplate returns it."""
    return pretty(template)


def physical_name(kind: str, stack: str, logical: str, seed: str) -> str:
    """The name of a resource, in the manner of CloudFormation; the suffix depends on `seed` (the stack's id) alone."""
    suffix = base64.b32encode(hashlib.sha256(f"{seed}/{logical}".encode()).digest())[:12].decode()
    if kind == "AWS::S3::Bucket":
        tail = f"-{logical.lower()}-{suffix.lower()}"
        return f"{stack.lower()[: 63 - len(tail)]}{tail}"
    if kind == "AWS::Lambda::Function":  # 64 characters, of which the stack and the logical part get 24 each
        return f"{stack[:24].rstrip('-')}-{logical[:24]}-{suffix}"
    return f"{stack}-{logical}-{suffix}"


def evaluate(value: Any, names: Mapping[str, str]) -> str:
    """The text of an output's value: plain, `Ref`, or `Fn::Sub`; an unknown name is a KeyError."""
    if isinstance(value, str):
        return value
    ((function, argument),) = value.items()
    if function == "Ref":
        return names[argument]
    if function == "Fn::Sub":
        return re.sub(r"\$\{([^}]+)\}", lambda found: names[found.group(1)], argument)
    raise KeyError(function)


def _console_url(table: str) -> str:
    return f"https://${{AWS::Region}}.console.aws.amazon.com/dynamodbv2/home?region=${{AWS::Region}}#table?name=${{{table}}}&table=${{{table}}}"


def _keys(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]


def _strings(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def _function(text: str) -> dict[str, Any]:
    return {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "Description": text,
            "Runtime": "python3.12",
            "Handler": "index.handler",
            "Code": {"ZipFile": "# answered by the local stack itself"},
            "Role": {"Fn::Sub": "arn:aws:iam::${AWS::AccountId}:role/idp-local"},
        },
    }
