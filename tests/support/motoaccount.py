"""An AWS account on loopback, in this process: moto's CloudFormation, S3, DynamoDB and Lambda, full of look-alikes.

Moto lacks some things that a landing meets on AWS. They are added here, and only they:
- a test runner that runs (moto's Lambda needs containers): invocations are answered by `TestRunner` below, which does
  what the accelerator's function, copier and pipeline do, with the rows, objects and engine of the local stack;
- changes of a stack that take time, its new Description and `LastUpdatedTime` after an update, and the request token
  in its events;
- listings of a stack's resources in pages; the refusal of a template that is not there.
"""

from __future__ import annotations

import io
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs
from xml.etree import ElementTree

import boto3
from moto.cloudformation.models import cloudformation_backends
from moto.core import DEFAULT_ACCOUNT_ID
from moto.core.base_backend import BackendDict
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from idpbench.localstack import configuration, documents, template
from idpbench.localstack.attributes import encode_row
from idpbench.localstack.engine import Cache, Job, load_profile, process
from idpbench.localstack.handler import Handler
from idpbench.localstack.seeding import default_configuration

REGION = "us-west-2"
TEMPLATES = "published-templates"
PAGE = 25
LOOKS = 2  # how often a change of a stack is seen in progress
_NO_TEMPLATE = (
    b"<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>"
    b"<Message>S3 error: The specified key does not exist.</Message></Error></ErrorResponse>"
)
ROOT = Path(__file__).resolve().parents[2]


def release_template(version: str) -> dict[str, Any]:
    """A template of the accelerator's shape: the local stack's, among look-alikes and more than a hundred others."""
    made = template.root_template(version)
    table = made["Resources"]["TrackingTable"]
    alike = {f"{word}TrackingTable": table for word in ("Bootstrap", "Discovery", "Chat")}
    alike |= {f"{word}ConfigurationTable": made["Resources"]["ConfigurationTable"] for word in ("Backup", "Old")}
    alike |= {"ATestSetBucket": {"Type": "AWS::S3::Bucket"}, "TestRunnerFunctionRole": {"Type": "AWS::SNS::Topic"}}
    others = {f"Topic{number:03}": {"Type": "AWS::SNS::Topic"} for number in range(30)}
    nested = made["Resources"].pop(template.NESTED)
    inner = {"Type": nested["Type"], "Properties": {"TemplateURL": template_url("api-resolvers")}}
    other = {"Type": nested["Type"], "Properties": {"TemplateURL": template_url("bda-sample")}}
    made["Resources"] = {
        **alike,
        "ABDASAMPLESTACK": other,
        **others,
        template.NESTED: inner,
        **made["Resources"],
    }
    made["Parameters"] = {"AdminEmail": {"Type": "String"}}  # moto forgets defaults when it keeps previous values
    del made["Outputs"]["LocalBuild"]
    return made


def template_url(name: str) -> str:
    """Where a template was published."""
    return f"https://s3.{REGION}.amazonaws.com/{TEMPLATES}/{name}.yaml"


@dataclass(eq=False)
class Account:
    """The account, served from `start` to `stop`. `invoked`: (function, input) of every invocation."""

    invoked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    number: str = DEFAULT_ACCOUNT_ID

    def start(self) -> None:
        """Serve on a port of loopback."""
        BackendDict.reset()
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=Handler)
        self.url = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.runner = TestRunner(self)

    def stop(self) -> None:
        """Stop serving and forget everything."""
        self._server.shutdown()
        self._server.server_close()
        BackendDict.reset()

    @cache  # noqa: B019 (an account lives as long as its tests)
    def api(self, service: str) -> Any:
        """A client of somebody else's in the account."""
        session = boto3.Session("AKIAIOSFODNN7EXAMPLE", "s" * 40, region_name=REGION)
        return session.client(service, endpoint_url=self.url)

    # -- what is in it
    def publish(self, *versions: str) -> None:
        """Put the releases' templates, and those of their nested stacks, where releases are published."""
        s3 = self.api("s3")
        s3.create_bucket(Bucket=TEMPLATES, CreateBucketConfiguration={"LocationConstraint": REGION})
        helper = template.nested_template()["Resources"]["TestRunnerFunction"]
        made = {
            "api-resolvers": template.nested_template(),
            "bda-sample": {"Resources": {"ATestRunnerFunctionHelper": helper, "TestSetResolver": helper}},
            **{f"idp-main_{version}": release_template(version) for version in versions},
        }
        for name, content in made.items():
            s3.put_object(Bucket=TEMPLATES, Key=f"{name}.yaml", Body=json.dumps(content).encode())
        policy = json.dumps({"Version": "2012-10-17", "Statement": []})
        self.api("iam").create_role(RoleName="idp-local", AssumeRolePolicyDocument=policy)

    def decoys(self, stack: str) -> None:
        """More than a hundred tables, buckets and functions that a part of a name would find before `stack`'s."""
        dynamodb, s3, functions = self.api("dynamodb"), self.api("s3"), self.api("lambda")
        for number in range(110):
            dynamodb.create_table(
                TableName=f"{stack}-{'Tracking' if number % 2 else 'Configuration'}Table-0{number:03}",
                AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                BillingMode="PAY_PER_REQUEST",
            )
        for name in ("outputbucket", "testsetbucket", "inputbucket"):
            place = {"LocationConstraint": REGION}
            s3.create_bucket(Bucket=f"{stack.lower()}-{name}-000000", CreateBucketConfiguration=place)
        functions.create_function(
            FunctionName=f"{stack}-APIRESOLVERSTACK-0-TestRunnerFunction-0",
            Role=f"arn:aws:iam::{self.number}:role/idp-local",
            Code={"ZipFile": b"PK\x05\x06" + b"\0" * 18},
            Handler="index.handler",
            Runtime="python3.12",
        )

    def deploy(self, stack: str, version: str, **more: Any) -> None:
        """A stack that somebody else created, by hand."""
        parameters = [{"ParameterKey": "AdminEmail", "ParameterValue": "them@example.org"}]
        url = template_url(f"idp-main_{version}")
        self.api("cloudformation").create_stack(StackName=stack, TemplateURL=url, Parameters=parameters, **more)
        self.changes.pop(stack)

    def resources(self, stack: str) -> dict[str, str]:
        """Physical names of a stack by logical id, from moto itself."""
        listed = self.api("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
        entries = (entry for page in listed for entry in page["StackResourceSummaries"])
        return {entry["LogicalResourceId"]: entry["PhysicalResourceId"] for entry in entries}

    def snapshot(self, stack: str) -> dict[str, Any]:
        """Everything that lies in a stack's tables and buckets: what must not change where it is not ours."""
        names = self.resources(stack)
        s3, dynamodb = self.api("s3"), self.api("dynamodb")
        found: dict[str, Any] = {}
        for logical, name in names.items():
            if logical.endswith("Table"):
                found[logical] = dynamodb.scan(TableName=name)["Items"]
            elif logical.endswith("Bucket"):
                found[logical] = [entry["Key"] for entry in s3.list_objects_v2(Bucket=name).get("Contents", ())]
        return found

    # -- serving
    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        service = environ.get("HTTP_AUTHORIZATION", "").partition("Credential=")[2].split("/")[3:4]
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        if service == ["lambda"] and environ["PATH_INFO"].endswith("/invocations"):
            name = environ["PATH_INFO"].split("/")[3]
            start("200 OK", [("Content-Type", "application/json")])
            return [json.dumps(self.runner(name, json.loads(body))).encode()]
        if service == ["cloudformation"]:
            return self._cloudformation(environ, {k: v[0] for k, v in parse_qs(body.decode()).items()}, start)
        return self._moto(environ, start)

    def _cloudformation(self, environ: dict[str, Any], form: dict[str, str], start: Callable[..., Any]) -> list[bytes]:
        wanted = form.get("TemplateURL", "").rpartition("/")[2]
        published = self.api("s3").list_objects_v2(Bucket=TEMPLATES, Prefix=wanted).get("Contents")
        if wanted and not published:
            start("400 Bad Request", [("Content-Type", "text/xml")])
            return [_NO_TEMPLATE]
        kept: list[Any] = []
        answer = b"".join(self._moto(environ, lambda *given: kept.extend(given)))
        status, headers = kept[0], [(name, value) for name, value in kept[1] if name.lower() != "content-length"]
        if status.startswith("200"):
            action, stack = form["Action"], form.get("StackName", "")
            if action in ("CreateStack", "UpdateStack"):
                moment = datetime.now(UTC).isoformat() if action == "UpdateStack" else None
                kind = action.removesuffix("Stack").upper()
                token = form.get("ClientRequestToken")
                self.changes[stack] = {"looks": LOOKS, "kind": kind, "updated": moment, "token": token}
                if action == "CreateStack":
                    self.runner.seed(stack)
            answer = self._completed(action, stack, form, answer)
        start(status, [*headers, ("Content-Length", str(len(answer)))])
        return [answer]

    def _completed(self, action: str, stack: str, form: dict[str, str], answer: bytes) -> bytes:
        change = self.changes.get(stack, {})
        root = ElementTree.fromstring(answer)
        if action == "DescribeStacks" and change:
            held = cloudformation_backends[self.number][REGION].get_stack(stack)
            for member in _members(root, "Stacks"):
                if change["updated"]:
                    _child(member, "LastUpdatedTime", change["updated"])
                if change["looks"] <= 0:
                    _child(member, "Description", json.loads(held.template)["Description"])
                else:
                    change["looks"] -= 1
                    _child(member, "StackStatus", f"{change['kind']}_IN_PROGRESS")
        elif action == "DescribeStackEvents" and change.get("token"):
            for member in _members(root, "StackEvents"):
                _child(member, "ClientRequestToken", change["token"])
        elif action == "ListStackResources":
            first = int(form.get("NextToken", 0))
            listing = next(node for node in root.iter() if node.tag.endswith("}StackResourceSummaries"))
            members = list(listing)
            for member in [*members[:first], *members[first + PAGE :]]:
                listing.remove(member)
            if first + PAGE < len(members):
                _child(next(iter(root)), "NextToken", str(first + PAGE))
        else:
            return answer
        return ElementTree.tostring(root)


@dataclass
class TestRunner:
    """The accelerator's test runner, file copier and pipeline over moto's tables and buckets."""

    __test__ = False

    account: Account
    delay: float = 0.05
    cache: Cache = field(default_factory=Cache)
    known: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)

    def __call__(self, function: str, payload: dict[str, Any]) -> dict[str, Any]:
        """An invocation: of the function of one stack, else it is one of the look-alikes and nothing runs."""
        given = payload["arguments"]["input"]
        self.account.invoked.append((function, given))
        if function not in self.known:
            stack = self._stack_of(function)
            self.known[function] = stack, self.account.resources(stack)
        stack, names = self.known[function]
        moment = datetime.now(UTC)
        run_id = f"{given['testSetId']}-{moment:%Y%m%d-%H%M%S}"
        partition, sort = documents.test_run_key(run_id)
        row = {
            "PK": partition,
            "SK": sort,
            "ItemType": "testrun",
            "TestRunId": run_id,
            "TestSetId": given["testSetId"],
            "TestSetName": given["testSetId"],
            "Context": given["context"],
            "ConfigVersion": given["configVersion"],
            "Status": "QUEUED",
            "CreatedAt": moment.isoformat(),
            "InitialEventTime": moment.isoformat(),
        }
        self._put(names, row)
        threading.Thread(target=self._run, args=(stack, names, row), daemon=True).start()
        return {"testRunId": run_id, "status": "QUEUED", "filesCount": given["numberOfFiles"], "completedFiles": 0}

    def seed(self, stack: str) -> None:
        """What a new stack's configuration table holds."""
        at = datetime.now(UTC).isoformat()
        content = default_configuration(ROOT / "config")
        row = configuration.encode("default", content, created=at, active=True, text="default")
        item = encode_row(row) | {"_compressed_config": {"B": row["_compressed_config"]}}
        name = self.account.resources(stack)["ConfigurationTable"]
        self.account.api("dynamodb").put_item(TableName=name, Item=item)

    def _stack_of(self, function: str) -> str:
        listed = self.account.api("cloudformation").describe_stacks()["Stacks"]
        for name in (entry["StackName"] for entry in listed):
            names = self.account.resources(name)
            if template.NESTED in names and function in self.account.resources(names[template.NESTED]).values():
                return str(name)
        raise AssertionError(f"{function} is a look-alike")

    def _run(self, stack: str, names: Mapping[str, str], row: dict[str, Any]) -> None:
        s3 = self.account.api("s3")
        prefix = f"{row['TestSetId']}/input/"
        listed = s3.list_objects_v2(Bucket=names["TestSetBucket"], Prefix=prefix)["Contents"]
        files = sorted(entry["Key"].removeprefix(prefix) for entry in listed)
        self._put(names, {**row, "Status": "RUNNING", "Files": files})
        for file in files:
            self._document(stack, names, row, file, s3.get_object(Bucket=names["TestSetBucket"], Key=prefix + file))

    def _document(self, stack: str, names: Mapping[str, str], run: dict[str, Any], file: str, held: Any) -> None:
        s3, key = self.account.api("s3"), f"{run['TestRunId']}/{file}"
        pdf = held["Body"].read()
        metadata = {"submission-source": "test-studio", "test-set-id": run["TestSetId"]}
        metadata["config-version"] = run["ConfigVersion"]
        s3.put_object(Bucket=names["InputBucket"], Key=key, Body=pdf, Metadata=metadata)
        execution = f"arn:aws:states:{REGION}:{self.account.number}:execution:{stack}-Processing:{uuid.uuid4()}"
        place = documents.Place(names["OutputBucket"], key, execution)
        queued = documents.queued_row(key, metadata, datetime.now(UTC))
        self._put(names, queued)
        time.sleep(self.delay)
        started = queued | documents.started_changes(place, run["ConfigVersion"], datetime.now(UTC))
        self._put(names, started)
        version = template.version_of(
            self.account.api("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]["Description"]
        )
        item = self.account.api("dynamodb").get_item(
            TableName=names["ConfigurationTable"], Key={"Configuration": {"S": f"Config#{run['ConfigVersion']}"}}
        )["Item"]
        content, _ = configuration.decode(
            {"_config_storage": "compressed", "_compressed_config": item["_compressed_config"]["B"]}
        )
        profile = load_profile(ROOT / "config", str(version))
        outcome = process(Job(pdf, file, content, profile, run["Context"]), self.cache)
        for name, body, kind in documents.output_objects(outcome):
            s3.put_object(Bucket=names["OutputBucket"], Key=f"{key}/{name}", Body=body, ContentType=kind)
        ended = documents.finished_changes(place, outcome, baseline=False, warning=None, moment=datetime.now(UTC))
        self._put(names, started | ended)

    def _put(self, names: Mapping[str, str], row: Mapping[str, Any]) -> None:
        kept = {name: value for name, value in row.items() if value is not None}
        self.account.api("dynamodb").put_item(TableName=names["TrackingTable"], Item=encode_row(kept))


def _members(root: ElementTree.Element, listing: str) -> list[ElementTree.Element]:
    return [member for node in root.iter() if node.tag.endswith(f"}}{listing}") for member in node]


def _child(node: ElementTree.Element, name: str, text: str) -> None:
    """Set the text of a child, made where there is none."""
    tag = node.tag.partition("}")[0] + "}" + name
    child = node.find(tag)
    if child is None:
        child = ElementTree.SubElement(node, tag)
    child.text = text
