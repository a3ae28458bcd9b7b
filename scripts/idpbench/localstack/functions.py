"""The Lambda API as far as a client of the stack uses it: Invoke, ListFunctions, GetFunction."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote

from idpbench.files.errors import Refusal
from idpbench.localstack.cloudformation import CloudFormation
from idpbench.localstack.state import ACCOUNT, State, now
from idpbench.localstack.testrunner import FunctionError, TestRunner, list_test_sets

_PATH = re.compile(r"^/2015-03-31/functions(?:/([^/]+))?(/invocations|/configuration)?/?$")
_PAGE = 50

Answer = tuple[int, dict[str, str], bytes]


class Functions:
    """Answers the Lambda API from the stacks' functions. `run_id_rule(version)` is that release's profile option."""

    def __init__(
        self, state: State, stacks: CloudFormation, runner: TestRunner, run_id_rule: Callable[[str], str]
    ) -> None:
        self.state = state
        self.stacks = stacks
        self.runner = runner
        self.run_id_rule = run_id_rule

    def answer(
        self, region: str, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        """(HTTP status, headers, body) for a request."""
        found = _PATH.match(path)
        if found is None:
            return _error(404, "ResourceNotFoundException", f"the local stack does not offer {method} {path}")
        name, action = found.groups()
        if name is None:
            return self._list(region, query)
        wanted = unquote(name).rpartition("function:")[2].partition(":")[0]
        for stack, logical, physical in self._functions(region):
            if physical == wanted:
                if action == "/invocations" and method == "POST":
                    return self._invoke(stack, logical, physical, headers, body)
                described = _configuration(stack, physical)
                return _json(200, described if action else {"Configuration": described, "Code": {}, "Tags": {}})
        missing = f"Function not found: arn:aws:lambda:{region}:{ACCOUNT}:function:{wanted}"
        return _error(404, "ResourceNotFoundException", missing)

    def _functions(self, region: str) -> Iterator[tuple[dict[str, Any], str, str]]:
        for stack in self.stacks.stacks(region):
            for one in stack["resources"]:
                if one["type"] == "AWS::Lambda::Function":
                    yield stack, one["logical"], one["physical"]

    def _list(self, region: str, query: str) -> Answer:
        asked = parse_qs(query)
        start = int(asked.get("Marker", ["0"])[0])
        size = min(int(asked.get("MaxItems", [str(_PAGE)])[0]), _PAGE)
        every = [_configuration(stack, physical) for stack, _, physical in self._functions(region)]
        page: dict[str, Any] = {"Functions": every[start : start + size]}
        if start + size < len(every):
            page["NextMarker"] = str(start + size)
        return _json(200, page)

    def _invoke(
        self, stack: dict[str, Any], logical: str, physical: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        kind = headers.get("HTTP_X_AMZ_INVOCATION_TYPE", "RequestResponse")
        if kind == "DryRun":
            return 204, {}, b""
        try:
            payload = json.loads(body or b"{}")
        except ValueError:
            return _error(400, "InvalidRequestContentException", "Could not parse request body into json")
        try:
            with self.state.transaction():
                result = self._call(stack, logical, payload)
                self._record(stack, physical, payload, result, None)
        except FunctionError as error:
            return self._failed(stack, physical, payload, error.kind, str(error))
        except Exception as error:
            traceback.print_exc()
            return self._failed(stack, physical, payload, type(error).__name__, str(error))
        if kind == "Event":
            return 202, {}, b""
        return _json(200, result, {"X-Amz-Executed-Version": "$LATEST"})

    def _call(self, stack: dict[str, Any], logical: str, payload: Any) -> Any:
        if logical == "TestRunnerFunction":
            try:
                rule = self.run_id_rule(stack["version"])
            except Refusal as refusal:
                raise FunctionError(str(refusal), "RuntimeError") from None
            return self.runner(stack, payload, conditional=rule == "conditional")
        if logical == "TestSetResolverFunction":
            field = (payload.get("info") or {}).get("fieldName") if isinstance(payload, dict) else None
            if field != "getTestSets":
                raise FunctionError(f"Unknown field: {field}")
            return list_test_sets(self.state, stack)
        raise FunctionError(f"{logical} is called by the stack itself", "RuntimeError")

    def _failed(self, stack: dict[str, Any], physical: str, payload: Any, kind: str, message: str) -> Answer:
        with self.state.transaction():
            self._record(stack, physical, payload, None, f"{kind}: {message}")
        body = {"errorMessage": message, "errorType": kind, "requestId": "", "stackTrace": []}
        return _json(200, body, {"X-Amz-Executed-Version": "$LATEST", "X-Amz-Function-Error": "Unhandled"})

    def _record(self, stack: dict[str, Any], physical: str, payload: Any, result: Any, error: str | None) -> None:
        arguments = payload.get("arguments") if isinstance(payload, dict) else None
        given = arguments.get("input") if isinstance(arguments, dict) else None
        given = given if isinstance(given, dict) else {}
        self.state.store.record_invoke(
            {
                "at": now().isoformat(),
                "function": physical,
                "version": stack["version"],
                "test_set": given.get("testSetId"),
                "config_version": given.get("configVersion"),
                "context": given.get("context"),
                "run_id": result.get("testRunId") if isinstance(result, dict) else None,
                "error": error,
            }
        )


def _configuration(stack: Mapping[str, Any], physical: str) -> dict[str, Any]:
    return {
        "FunctionName": physical,
        "FunctionArn": f"arn:aws:lambda:{stack['region']}:{ACCOUNT}:function:{physical}",
        "Runtime": "python3.12",
        "Handler": "index.handler",
        "Role": f"arn:aws:iam::{ACCOUNT}:role/idp-local",
        "LastModified": stack["updated"] or stack["created"],
        "State": "Active",
        "Version": "$LATEST",
        "PackageType": "Zip",
        "MemorySize": 512,
        "Timeout": 900,
    }


def _json(status: int, value: Any, headers: Mapping[str, str] | None = None) -> Answer:
    return status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(value).encode("utf-8")


def _error(status: int, kind: str, message: str) -> Answer:
    return _json(status, {"Type": "User", "Message": message}, {"x-amzn-ErrorType": kind})
