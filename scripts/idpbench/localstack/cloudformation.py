"""CloudFormation for this one kind of stack: create, update in place, delete, describe.

Own answers instead of moto's, for three reasons: moto's DescribeStacks has no LastUpdatedTime, which the fingerprint
of a run needs; its updates are never seen in progress; and its import costs two seconds and 130 MiB at each start.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape

from idpbench.localstack import template as templates
from idpbench.localstack.state import ACCOUNT, State, now

SETTLE = timedelta(seconds=0.2)  # how long a create or an update is seen in progress
_NAMESPACE = "http://cloudformation.amazonaws.com/doc/2010-05-15/"
_PAGE = 100  # resources and stacks in one answer


class ApiError(Exception):
    """An answer of kind `code` with HTTP status 400 (or `status`)."""

    def __init__(self, message: str, code: str = "ValidationError", status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class CloudFormation:
    """The API.

    `check_version(version)` raises ApiError for a version without a profile; `seed(stack)` fills a new stack's tables;
    `in_flight(stack)` counts the work that an update would pull the rug from under; `build` is the digest of the
    serving code, which an output shows.
    """

    def __init__(
        self,
        state: State,
        *,
        check_version: Callable[[str], None],
        seed: Callable[[dict[str, Any]], None],
        in_flight: Callable[[Mapping[str, Any]], int],
        build: str,
    ) -> None:
        self.state = state
        self._build = build
        self._check_version = check_version
        self._seed = seed
        self._in_flight = in_flight

    # -- for the rest of the server
    def stacks(self, region: str | None = None) -> list[dict[str, Any]]:
        """Documents of the root stacks, settled where their time has come."""
        return [_settled(document) for place, _, document in self.state.store.stacks() if region in (None, place)]

    def stack_of_bucket(self, bucket: str, logical: str) -> dict[str, Any] | None:
        """The stack whose bucket of that logical id is `bucket`."""
        return next((stack for stack in self.stacks() if resource(stack, logical) == bucket), None)

    def force_version(self, stack: Mapping[str, Any], version: str) -> None:
        """Update a stack whatever is in flight (the fault `update`)."""
        self._apply(dict(stack), version, {}, None)

    # -- the API
    def answer(self, region: str, body: bytes) -> tuple[int, str]:
        """(HTTP status, XML) for a form-encoded request."""
        form = {name: values[0] for name, values in parse_qs(body.decode("utf-8"), keep_blank_values=True).items()}
        action = form.get("Action", "")
        handler = getattr(self, f"_do_{action.lower()}", None)
        try:
            if handler is None:
                raise ApiError(f"the local stack does not offer {action}", "InvalidAction")
            with self.state.lock:
                result = handler(region, form)
        except ApiError as error:
            content = {"Error": {"Type": "Sender", "Code": error.code, "Message": str(error)}, "RequestId": _id()}
            return error.status, _document("ErrorResponse", content)
        content = {f"{action}Result": result, "ResponseMetadata": {"RequestId": _id()}}
        return 200, _document(f"{action}Response", content)

    def _do_createstack(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        name = form.get("StackName", "")
        if any(stack["name"] == name for stack in self.stacks(region)):
            raise ApiError(f"Stack [{name}] already exists", "AlreadyExistsException")
        version = _asked_version(form)
        self._check_version(version)
        identity = (
            f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/{name}/{uuid.uuid5(uuid.NAMESPACE_DNS, region + name)}"
        )
        stack: dict[str, Any] = {"name": name, "id": identity, "region": region, "updated": None}
        stack["created"] = stack["began"] = now().isoformat()
        stack |= {"version": version, "status": "CREATE_IN_PROGRESS", "parameters": _parameters(form)}
        stack["token"] = form.get("ClientRequestToken")
        stack["resources"] = _resources(name, identity, region)
        with self.state.transaction():
            self._make(stack)
            self.state.store.put_stack(region, name, stack)
            self._seed(stack)
        return {"StackId": identity}

    def _do_updatestack(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        stack = self._find(region, form.get("StackName", ""))
        if "IN_PROGRESS" in stack["status"]:
            raise ApiError(f"Stack:{stack['id']} is in {stack['status']} state and can not be updated.")
        version = stack["version"] if form.get("UsePreviousTemplate") == "true" else _asked_version(form)
        self._check_version(version)
        parameters = stack["parameters"] | _parameters(form)
        if version == stack["version"] and parameters == stack["parameters"]:
            raise ApiError("No updates are to be performed.")
        if count := self._in_flight(stack):
            raise ApiError(f"Stack [{stack['name']}] has {count} runs in flight: wait until they have ended")
        self._apply(stack, version, parameters, form.get("ClientRequestToken"))
        return {"StackId": stack["id"]}

    def _do_deletestack(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        try:
            stack = self._find(region, form.get("StackName", ""))
        except ApiError:
            return {}  # deleting what is not there is no error
        if count := self._in_flight(stack):
            raise ApiError(f"Stack [{stack['name']}] has {count} runs in flight: wait until they have ended")
        with self.state.transaction():
            for one in stack["resources"]:
                if one["type"] == "AWS::S3::Bucket":
                    self.state.drop_bucket(one["physical"])
                elif one["type"] == "AWS::DynamoDB::Table":
                    self.state.drop_table(region, one["physical"])
            self.state.store.drop_stack(region, stack["name"])
        return {}

    def _do_describestacks(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        if name := form.get("StackName"):
            if nested := self._nested(region, name):
                return {"Stacks": [_describe_nested(nested)]}
            return {"Stacks": [self._describe(self._find(region, name))]}
        return {"Stacks": [self._describe(stack) for stack in self.stacks(region)]}

    def _do_liststacks(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        fields = ("StackId", "StackName", "CreationTime", "LastUpdatedTime", "StackStatus")
        described = [self._describe(stack) for stack in self.stacks(region)]
        return {"StackSummaries": [{name: one[name] for name in fields if name in one} for one in described]}

    def _do_liststackresources(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        listed = self._listed(region, form)
        start = int(form.get("NextToken") or 0)
        page: dict[str, Any] = {"StackResourceSummaries": listed[start : start + _PAGE]}
        if start + _PAGE < len(listed):
            page["NextToken"] = str(start + _PAGE)
        return page

    def _do_describestackresources(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        wanted = form.get("LogicalResourceId")
        named = {"StackName": form.get("StackName", "")}
        found = [named | one for one in self._listed(region, form) if wanted in (None, one["LogicalResourceId"])]
        return {"StackResources": [_with_timestamp(one) for one in found]}

    def _do_describestackresource(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        found = self._do_describestackresources(region, form)["StackResources"]
        if not found:
            raise ApiError(f"Resource {form.get('LogicalResourceId')} does not exist for stack {form.get('StackName')}")
        return {"StackResourceDetail": found[0]}

    def _do_gettemplate(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        name = form.get("StackName", "")
        if self._nested(region, name):
            return {"TemplateBody": templates.template_text(templates.nested_template())}
        stack = self._find(region, name)
        return {"TemplateBody": templates.template_text(templates.root_template(stack["version"]))}

    def _do_gettemplatesummary(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        template = templates.root_template(_asked_version(form))
        parameters = [{"ParameterKey": name, "ParameterType": "String"} for name in template["Parameters"]]
        return {"Parameters": parameters, "Description": template["Description"]}

    def _do_describestackevents(self, region: str, form: Mapping[str, str]) -> dict[str, Any]:
        stack = self._find(region, form.get("StackName", ""))
        kind = stack["status"].partition("_")[0]
        event = {
            "StackId": stack["id"],
            "StackName": stack["name"],
            "LogicalResourceId": stack["name"],
            "PhysicalResourceId": stack["id"],
            "ResourceType": "AWS::CloudFormation::Stack",
            "Timestamp": stack["began"],
        }
        if stack.get("token"):
            event["ClientRequestToken"] = stack["token"]
        states = [stack["status"], f"{kind}_IN_PROGRESS"] if stack["status"].endswith("COMPLETE") else [stack["status"]]
        return {
            "StackEvents": [
                event | {"EventId": f"{stack['name']}-{state}-{stack['began']}", "ResourceStatus": state}
                for state in states
            ]
        }

    # -- inside
    def _apply(self, stack: dict[str, Any], version: str, parameters: Mapping[str, str], token: str | None) -> None:
        moment = now().isoformat()
        stack["token"] = token
        stack |= {"version": version, "status": "UPDATE_IN_PROGRESS", "updated": moment, "began": moment}
        stack["parameters"] = stack["parameters"] | dict(parameters)
        with self.state.transaction():
            self.state.store.put_stack(stack["region"], stack["name"], stack)

    def _describe(self, stack: Mapping[str, Any]) -> dict[str, Any]:
        names = {one["logical"]: one["physical"] for one in stack["resources"]}
        names |= {"AWS::Region": stack["region"], "AWS::AccountId": ACCOUNT, "AWS::StackName": stack["name"]}
        names["LocalBuild"] = self._build
        outputs = templates.root_template(stack["version"])["Outputs"]
        described: dict[str, Any] = {
            "StackId": stack["id"],
            "StackName": stack["name"],
            "Description": templates.description(stack["version"]),
            "CreationTime": stack["created"],
            "StackStatus": stack["status"],
            "DisableRollback": "false",
            "EnableTerminationProtection": "false",
            "Parameters": [
                {"ParameterKey": name, "ParameterValue": value} for name, value in sorted(stack["parameters"].items())
            ],
            "Outputs": [
                {"OutputKey": name, "OutputValue": templates.evaluate(one["Value"], names)}
                for name, one in outputs.items()
            ],
        }
        if stack["updated"]:
            described["LastUpdatedTime"] = stack["updated"]
        return described

    def _make(self, stack: Mapping[str, Any]) -> None:
        template = templates.root_template(stack["version"])["Resources"]
        for one in stack["resources"]:
            if one["type"] == "AWS::S3::Bucket":
                self.state.create_bucket(one["physical"], stack["region"])
            elif one["type"] == "AWS::DynamoDB::Table":
                properties = template[one["logical"]]["Properties"]
                self.state.create_table(stack["region"], {"TableName": one["physical"], **properties})

    def _find(self, region: str, name: str) -> dict[str, Any]:
        for stack in self.stacks(region):
            if name in (stack["name"], stack["id"]):
                return stack
        raise ApiError(f"Stack with id {name} does not exist")

    def _nested(self, region: str, name: str) -> dict[str, Any] | None:
        """The root stack whose nested stack has that name or id."""
        for stack in self.stacks(region):
            identity = resource(stack, templates.NESTED)
            if name and name in (identity, identity.split("/")[1]):
                return stack
        return None

    def _listed(self, region: str, form: Mapping[str, str]) -> list[dict[str, Any]]:
        name = form.get("StackName", "")
        nested = self._nested(region, name)
        stack = nested or self._find(region, name)
        return [
            {
                "LogicalResourceId": one["logical"],
                "PhysicalResourceId": one["physical"],
                "ResourceType": one["type"],
                "LastUpdatedTimestamp": stack["updated"] or stack["created"],
                "ResourceStatus": stack["status"],
            }
            for one in stack["resources"]
            if one["nested"] == (nested is not None)
        ]


def resource(stack: Mapping[str, Any], logical: str) -> str:
    """The physical name of a stack's resource; KeyError if it has none of that logical id."""
    for one in stack["resources"]:
        if one["logical"] == logical:
            return str(one["physical"])
    raise KeyError(logical)


def _resources(name: str, identity: str, region: str) -> list[dict[str, Any]]:
    found = []
    inner = templates.physical_name("AWS::CloudFormation::Stack", name, templates.NESTED, identity)
    for logical, one in templates.root_template("0")["Resources"].items():
        physical = templates.physical_name(one["Type"], name, logical, identity)
        if one["Type"] == "AWS::CloudFormation::Stack":
            physical = (
                f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/{inner}/{uuid.uuid5(uuid.NAMESPACE_DNS, identity)}"
            )
        found.append({"logical": logical, "type": one["Type"], "physical": physical, "nested": False})
    for logical, one in templates.nested_template()["Resources"].items():
        physical = templates.physical_name(one["Type"], inner, logical, identity)
        found.append({"logical": logical, "type": one["Type"], "physical": physical, "nested": True})
    return found


def _stack_id(region: str, name: str, seed: str) -> str:
    return f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/{name}/{uuid.uuid5(uuid.NAMESPACE_DNS, seed)}"


def _settled(document: dict[str, Any]) -> dict[str, Any]:
    status = document["status"]
    if status.endswith("_IN_PROGRESS") and now() - datetime.fromisoformat(document["began"]) > SETTLE:
        return document | {"status": status.replace("_IN_PROGRESS", "_COMPLETE")}
    return document


def _asked_version(form: Mapping[str, str]) -> str:
    if url := form.get("TemplateURL"):
        version = templates.version_of_url(url)
        if version is None:
            raise ApiError(f"TemplateURL {url}: expected a file name like idp-main_0.6.9.yaml")
        return version
    version = templates.version_of(form.get("TemplateBody", ""))
    if version is None:
        raise ApiError("the template's Description states no version: expected `(v0.6.9)` in it")
    return version


def _parameters(form: Mapping[str, str]) -> dict[str, str]:
    found = {}
    number = 1
    while key := form.get(f"Parameters.member.{number}.ParameterKey"):
        if form.get(f"Parameters.member.{number}.UsePreviousValue") != "true":
            found[key] = form.get(f"Parameters.member.{number}.ParameterValue", "")
        number += 1
    return found


def _describe_nested(stack: Mapping[str, Any]) -> dict[str, Any]:
    identity = resource(stack, templates.NESTED)
    return {
        "StackId": identity,
        "StackName": identity.split("/")[1],
        "Description": templates.nested_template()["Description"],
        "ParentId": stack["id"],
        "RootId": stack["id"],
        "CreationTime": stack["created"],
        "StackStatus": stack["status"],
    }


def _with_timestamp(summary: Mapping[str, Any]) -> dict[str, Any]:
    detail = dict(summary)
    detail["Timestamp"] = detail.pop("LastUpdatedTimestamp")
    return detail


def _id() -> str:
    return str(uuid.uuid4())


def _document(name: str, content: Mapping[str, Any]) -> str:
    return f'<{name} xmlns="{_NAMESPACE}">{_xml(content)}</{name}>'


def _xml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "".join(f"<{name}>{_xml(part)}</{name}>" for name, part in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "".join(f"<member>{_xml(part)}</member>" for part in value)
    return escape(str(value))
